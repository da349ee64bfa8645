"""evosax DiscoveredES: ask three times, under jit."""

from __future__ import annotations

import jax
from evosax.algorithms.distribution_based.discovered_es import DiscoveredES
from support import counts_on, distribution_based

algorithm, params, state = distribution_based(DiscoveredES)
counts_on(algorithm, algorithm.ask, jax.random.key(1), state, params)
