"""evosax GESMR_GA: every key of one generation is used once."""

from __future__ import annotations

import jax
from evosax.algorithms.population_based.gesmr_ga import GESMR_GA
from support import key_used_once, population_based

algorithm, params, state = population_based(GESMR_GA)
key_used_once(lambda key: algorithm._ask(key, state, params), jax.random.key(1))
