"""evosax CR_FM_NES: one generation, under jit."""

from __future__ import annotations

from evosax.algorithms.distribution_based.cr_fm_nes import CR_FM_NES
from support import ask_and_tell, distribution_based

ask_and_tell(*distribution_based(CR_FM_NES))
