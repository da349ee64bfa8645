"""evosax LM_MA_ES: one generation, under jit."""

from __future__ import annotations

from evosax.algorithms.distribution_based.lm_ma_es import LM_MA_ES
from support import ask_and_tell, distribution_based

ask_and_tell(*distribution_based(LM_MA_ES))
