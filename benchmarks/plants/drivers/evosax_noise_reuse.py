"""evosax NoiseReuseES: ask three times, under jit."""

from __future__ import annotations

import jax
from evosax.algorithms.distribution_based import noise_reuse_es
from support import counts_calls, distribution_based

algorithm, params, state = distribution_based(noise_reuse_es.NoiseReuseES)
counts_calls(noise_reuse_es, algorithm.ask, jax.random.key(1), state, params)
