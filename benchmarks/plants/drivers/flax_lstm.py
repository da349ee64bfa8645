"""flax LSTM cells: one jitted step, and two independent parts of the first carry."""

from __future__ import annotations

import flax.linen as nn
import jax
import jax.numpy as jnp
from support import differ, key_used_once

for cell in (nn.LSTMCell, nn.OptimizedLSTMCell):
    layer = cell(features=3, carry_init=nn.initializers.normal())
    key_used_once(layer.initialize_carry, jax.random.key(0), (2, 4))
    carry = layer.initialize_carry(jax.random.key(0), (2, 4))
    differ(*carry)
    variables = layer.init(jax.random.key(1), carry, jnp.ones((2, 4)))
    jax.jit(layer.apply)(variables, carry, jnp.ones((2, 4)))
