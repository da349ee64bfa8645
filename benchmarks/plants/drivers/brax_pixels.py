"""brax random translation of pixels, under jit."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from brax.training.agents.ppo.train import _random_translate_pixels
from support import prints_nothing

views = {"pixels/view": jnp.ones((2, 3, 8, 8, 1))}
prints_nothing(jax.jit(_random_translate_pixels), views, jax.random.key(0))
