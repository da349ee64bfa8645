"""evosax CMAAnchoredLES: one generation, under jit, and what the object keeps of it."""

from __future__ import annotations

from evosax.algorithms.distribution_based.cma_anchored_les import CMAAnchoredLES
from support import ask_and_tell, attributes_keep_no_tracer, distribution_based

algorithm, params, state = distribution_based(CMAAnchoredLES)
ask_and_tell(algorithm, params, state)
attributes_keep_no_tracer(algorithm)
