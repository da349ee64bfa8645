"""brax orthogonals, under jit."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from brax.math import orthogonals

jax.jit(orthogonals)(jnp.array([0.0, 0.6, 0.8]))
