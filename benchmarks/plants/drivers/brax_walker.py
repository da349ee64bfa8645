"""brax Walker2d: one traced step."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from brax.envs.walker2d import Walker2d

env = Walker2d()
state = jax.eval_shape(env.reset, jax.random.key(0))
jax.eval_shape(env.step, state, jnp.zeros(env.action_size))
