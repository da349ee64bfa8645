"""evosax rank fitness shaping, under jit."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from evosax.core.fitness_shaping import _rank_fitness

jax.jit(_rank_fitness)(jnp.arange(5.0))
