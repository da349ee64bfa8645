"""evosax iAMaLGaM_Full: one generation, under jit."""

from __future__ import annotations

from evosax.algorithms.distribution_based.iamalgam_full import iAMaLGaM_Full
from support import ask_and_tell, distribution_based

ask_and_tell(*distribution_based(iAMaLGaM_Full))
