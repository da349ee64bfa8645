"""evosax age and time stamps: generation counters are traced."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from evosax.learned_evolution.les_tools import tanh_timestamp
from evosax.learned_evolution.lga_tools import tanh_age

jax.jit(tanh_age)(jnp.arange(5.0), 3)
jax.jit(tanh_timestamp)(4)
