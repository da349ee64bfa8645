"""equinox rotary frequencies for a theta that is traced."""

from __future__ import annotations

import equinox as eqx
import jax
import jax.numpy as jnp

jax.jit(lambda theta: eqx.nn.RotaryPositionalEmbedding.precompute_freqs_cis(4, 3, theta, jnp.float32))(1e4)
