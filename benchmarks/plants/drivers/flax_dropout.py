"""flax Dropout: the mask depends on the key."""

from __future__ import annotations

import flax.linen as nn
import jax
import jax.numpy as jnp
from support import depends_on_key

layer = nn.Dropout(0.5, deterministic=False)
depends_on_key(lambda key: jax.jit(layer.apply)({}, jnp.ones(64), rngs={"dropout": key}))
