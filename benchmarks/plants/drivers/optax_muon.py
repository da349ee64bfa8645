"""optax Newton-Schulz steps: the traced program does not grow with the number of coefficients."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from optax.contrib._muon import orthogonalize_via_newton_schulz
from support import does_not_grow

x, rows = jnp.ones((4, 3)), jnp.ones((40, 3))
jax.jit(orthogonalize_via_newton_schulz)(x, rows)
does_not_grow(orthogonalize_via_newton_schulz, (x, rows[:4]), (x, rows))
