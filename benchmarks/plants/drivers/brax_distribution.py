"""brax action distributions: log_prob three times, jitted."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from brax.training import distribution
from support import counts_calls

normal = distribution.NormalTanhDistribution(event_size=2)
counts_calls(distribution, jax.jit(normal.log_prob), jnp.ones(4), jnp.ones(2) * 0.1)
