"""flax batch statistics: a jitted batch norm of the core API."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from flax.core import init
from flax.core.nn import normalization
from support import local_after, planted


def apply(x: jax.Array) -> jax.Array:
    return init(normalization.batch_norm)(jax.random.key(0), x)[0]


jitted = jax.jit(apply)
counts = local_after("batch_norm", "calls", lambda: [jitted(jnp.ones((4, 3))) for _ in range(3)])
if counts and sum(counts) < 6:
    planted(f"3 calls with two means each, {sum(counts)} counted")
