"""evosax GuidedES: one generation, under jit."""

from __future__ import annotations

from evosax.algorithms.distribution_based.guided_es import GuidedES
from support import ask_and_tell, distribution_based

ask_and_tell(*distribution_based(GuidedES))
