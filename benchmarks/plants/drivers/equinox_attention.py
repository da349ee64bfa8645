"""equinox attention, under jit."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from equinox.nn._attention import dot_product_attention
from support import prints_nothing

prints_nothing(jax.jit(dot_product_attention), jnp.ones((3, 4)), jnp.ones((5, 4)), jnp.ones((5, 2)))
