"""equinox error_if, traced in each of its modes."""

from __future__ import annotations

import equinox as eqx
import jax
import jax.numpy as jnp

for mode in ("raise", "breakpoint", "nan"):
    jax.make_jaxpr(lambda x, mode=mode: eqx.error_if(x, x > 0, "positive", on_error=mode))(jnp.asarray(1.0))
