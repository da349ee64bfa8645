"""optax power iteration, under jit."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import optax

jax.jit(optax.power_iteration)(jnp.eye(4))
