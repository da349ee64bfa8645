"""numpyro HMC helpers: traced tree positions; a warm-up that uses each key once."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from numpyro.infer import hmc_util
from support import key_used_once

jax.jit(hmc_util._leaf_idx_to_ckpt_idxs)(jnp.asarray(6))


def step_size(start: jax.Array, _: object, __: object, key: jax.Array) -> jax.Array:
    return start * jnp.exp(0.1 * jax.random.normal(key))


init, update = hmc_util.warmup_adapter(10, step_size)
z = {"x": jnp.ones(2)}
info = hmc_util.IntegratorState(z, z, jnp.asarray(1.0), z)


def warm(key: jax.Array) -> jax.Array:
    state = init(info, key, 1.0, mass_matrix_size=2)
    return state.step_size + jax.random.normal(state.rng_key)


key_used_once(warm, jax.random.key(0))
