"""numpyro HSGP approximation: what the module keeps of a jitted call."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpyro
from numpyro.contrib.hsgp import approximation
from support import keeps_no_tracer


def call(spd: jax.Array, key: jax.Array) -> jax.Array:
    with numpyro.handlers.seed(rng_seed=key):
        return approximation._centered_approximation(jnp.ones((5, 3)), spd, 3)


jax.jit(call)(jnp.ones(3), jax.random.key(0))
keeps_no_tracer(getattr(approximation, "SEEN", []))
