"""flax DynamicScale, under jit."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from flax.training.dynamic_scale import DynamicScale

scale = DynamicScale(scale=jnp.asarray(4.0), fin_steps=jnp.asarray(0))
jax.jit(lambda s, x: s.value_and_grad(jnp.sum)(x)[0])(scale, jnp.ones(3))
