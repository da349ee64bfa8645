"""optax assignment: the traced program does not grow, and nothing is printed."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from optax import assignment
from support import does_not_grow, prints_nothing

prints_nothing(jax.jit(assignment.base_hungarian_algorithm), jnp.eye(4))
jax.jit(assignment.hungarian_algorithm)(jnp.eye(4))
does_not_grow(assignment.base_hungarian_algorithm, (jnp.eye(4),), (jnp.eye(12),))
