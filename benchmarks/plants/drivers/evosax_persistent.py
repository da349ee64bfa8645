"""evosax PersistentES: one generation, under jit."""

from __future__ import annotations

from evosax.algorithms.distribution_based.persistent_es import PersistentES
from support import ask_and_tell, distribution_based

ask_and_tell(*distribution_based(PersistentES))
