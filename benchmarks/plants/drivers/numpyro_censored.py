"""numpyro interval-censored samples: validated three times, jitted."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpyro.distributions as dist
from support import counts_on

survival = dist.IntervalCensoredDistribution(dist.Weibull(3.0, 2.0), jnp.zeros(2, bool), jnp.zeros(2, bool))
values = jnp.array([[2.0, 5.0], [6.0, 9.0]])
counts_on(survival, jax.jit(lambda v: survival._validate_sample(v)), values)
