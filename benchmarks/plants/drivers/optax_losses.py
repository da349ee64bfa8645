"""optax losses, under jit."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import optax
from support import prints_nothing

x, labels = jnp.arange(8.0).reshape(4, 2), jnp.array([0, 0, 1, 1])
jax.jit(optax.ntxent)(x, labels)
jax.jit(optax.losses.dice_loss)(x, x)
prints_nothing(jax.jit(optax.losses.triplet_margin_loss), x, x + 1.0, x + 2.0)
masked = jax.jit(lambda x, labels, where: optax.softmax_cross_entropy_with_integer_labels(x, labels, where=where))
masked(x, labels, jnp.ones((4, 2), bool))
