"""evosax ASEBO: init and one generation, under jit."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from evosax.algorithms.distribution_based.asebo import ASEBO
from support import ask_and_tell, counts_on, distribution_based, prints_nothing

algorithm, params, state = distribution_based(ASEBO)
counts_on(algorithm, algorithm.init, jax.random.key(0), jnp.zeros(4), params)
prints_nothing(ask_and_tell, algorithm, params, state)
