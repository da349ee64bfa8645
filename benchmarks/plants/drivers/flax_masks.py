"""flax nnx attention masks, under jit."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from flax.nnx.nn.attention import make_attention_mask
from support import prints_nothing

prints_nothing(jax.jit(make_attention_mask), jnp.ones(3), jnp.ones(3))
