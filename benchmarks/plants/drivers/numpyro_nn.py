"""numpyro block neural network: init under jit, and a counter of its activation."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from numpyro.nn.block_neural_arn import BlockMaskedDense, LeakyTanh
from support import counts_in_closure

init, _ = BlockMaskedDense(2, 3, 3)
jax.jit(lambda key: init(key, (6,))[1])(jax.random.key(0))
_, apply = LeakyTanh()
counts_in_closure(apply, jax.jit(lambda x, d: apply((), (x, d))), jnp.ones((2, 6)), jnp.zeros((2, 1, 6)))
