"""numpyro initialize_model, jitted: its search for valid first values is a traced loop."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpyro
import numpyro.distributions as dist
from numpyro.infer.util import initialize_model


def model() -> None:
    numpyro.sample("x", dist.Normal(jnp.zeros(2), 1.0).to_event(1))


jax.jit(lambda key: initialize_model(key, model).param_info.z)(jax.random.key(0))
