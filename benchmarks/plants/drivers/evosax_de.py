"""evosax DifferentialEvolution: one generation, under jit."""

from __future__ import annotations

import jax
from evosax.algorithms.population_based.differential_evolution import DifferentialEvolution
from support import key_used_once, local_after, planted, population_based

algorithm, params, state = population_based(DifferentialEvolution, num_diff=2)
key_used_once(lambda key: algorithm._ask(key, state, params), jax.random.key(1))
for calls in local_after("_ask", "calls", lambda: algorithm._ask(jax.random.key(1), state, params)):
    if calls < 8:
        planted(f"8 members asked for, {calls} counted")
algorithm.ask(jax.random.key(1), state, params)
