"""numpyro categorical and multinomial samplers: their shapes are static."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from numpyro.distributions import util

p = jnp.array([0.2, 0.8])
util.categorical(jax.random.key(0), p, (3,))
util.multinomial(jax.random.key(0), p, jnp.asarray(5), shape=(3,), total_count_max=5)
util.binomial(jax.random.key(0), jnp.asarray(0.4), jnp.asarray(5), (3,))
