"""flax nnx while loop, under jit."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from flax import nnx

jax.jit(lambda x: nnx.while_loop(lambda c: c < 5, lambda c: c + 1, x))(jnp.asarray(0))
jax.jit(lambda x: nnx.while_loop(lambda c: c < 5, lambda c: c + 1, x, graph=False))(jnp.asarray(0))
