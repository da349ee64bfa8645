"""equinox while loop: called three times, jitted."""

from __future__ import annotations

import equinox.internal as eqxi
import jax
import jax.numpy as jnp
from equinox.internal._loop import common
from support import counts_calls

loop = jax.jit(lambda x: eqxi.while_loop(lambda s: s < 5, lambda s: s + 1, x, kind="lax"))
counts_calls(common, loop, jnp.asarray(0))
