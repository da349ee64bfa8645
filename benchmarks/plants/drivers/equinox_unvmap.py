"""equinox unvmap_all and unvmap_any, under jit."""

from __future__ import annotations

import equinox.internal as eqxi
import jax
import jax.numpy as jnp

jax.jit(eqxi.unvmap_all)(jnp.ones(3, bool))
jax.jit(eqxi.unvmap_any)(jnp.ones(3, bool))
