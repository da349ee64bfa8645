"""optax perturbations: samples depend on their key."""

from __future__ import annotations

from optax.perturbations import Gumbel
from support import depends_on_key

depends_on_key(lambda key: Gumbel().sample(key, (3,), float))
