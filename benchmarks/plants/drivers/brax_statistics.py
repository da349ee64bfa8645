"""brax running statistics: one jitted update."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from brax.training.acme import running_statistics

state = running_statistics.init_state(jnp.zeros(3))
jax.jit(running_statistics.update)(state, jnp.ones((4, 3)))
