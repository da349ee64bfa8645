"""brax _strip_weak_type, under jit."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from brax.training.agents.ppo.train import _strip_weak_type

jax.jit(_strip_weak_type)({"x": jnp.ones(3)})
