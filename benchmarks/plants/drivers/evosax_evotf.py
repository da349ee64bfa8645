"""evosax EvoTF_ES: two keys, two populations."""

from __future__ import annotations

from evosax.algorithms.distribution_based.evotf_es import EvoTF_ES
from support import depends_on_key, distribution_based

algorithm, params, state = distribution_based(EvoTF_ES, use_antithetic_sampling=True)
depends_on_key(lambda key: algorithm.ask(key, state, params)[0])
