"""numpyro while_loop, under jit."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from numpyro.util import while_loop

jax.jit(lambda x: while_loop(lambda s: s < 5, lambda s: s + 1, x))(jnp.asarray(0))
