"""brax SNDense: init and apply, jitted."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from brax.training.spectral_norm import SNDense

layer = SNDense(features=3)
rngs = {"params": jax.random.key(0), "sing_vec": jax.random.key(1)}
variables = layer.init(rngs, jnp.ones((2, 4)))
apply = jax.jit(lambda v, x: layer.apply(v, x, rngs={"sing_vec": jax.random.key(2)}, mutable=["sing_vec"]))
apply(variables, jnp.ones((2, 4)))
