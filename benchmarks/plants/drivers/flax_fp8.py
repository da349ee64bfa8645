"""flax amax history, under jit."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from flax.linen.fp8_ops import compute_amax_history

jax.jit(compute_amax_history)(jnp.ones(4), jnp.zeros(8))
