"""numpyro loops on the host: how often they read a number from the device."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpyro
import numpyro.distributions as dist
from numpyro.infer.importance import psis_diagnostic
from numpyro.infer.mcmc import _laxmap
from support import reads_per_call


def model() -> None:
    numpyro.sample("x", dist.Normal(0.0, 1.0))


def guide() -> None:
    numpyro.sample("x", dist.Normal(0.1, 1.0))


reads_per_call(lambda: _laxmap(jnp.sin, jnp.ones((12, 3))), 2)
reads_per_call(lambda: psis_diagnostic(jax.random.key(0), {}, model, guide, num_particles=40, chunk_size=4), 2)
