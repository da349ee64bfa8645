"""evosax normalize: what the module keeps of a jitted call."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from evosax.learned_evolution import fitness_shaping
from support import keeps_no_tracer

jax.jit(fitness_shaping.normalize)(jnp.arange(5.0))
keeps_no_tracer(getattr(fitness_shaping, "SEEN", []))
