"""optax ACProp: the update function is called three times, jitted."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from optax.contrib._acprop import scale_by_acprop
from support import counts_in_closure

transform = scale_by_acprop()
counts_in_closure(transform.update, jax.jit(transform.update), jnp.ones(3), transform.init(jnp.ones(3)))
