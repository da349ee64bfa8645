"""equinox SpectralNorm: its two start vectors come from two keys; power iterations under jit."""

from __future__ import annotations

import equinox as eqx
import jax
import jax.numpy as jnp
from equinox.nn._spectral_norm import _power_iteration
from support import key_used_once

linear = eqx.nn.Linear(4, 4, key=jax.random.key(0))
key_used_once(lambda key: eqx.nn.SpectralNorm(linear, "weight", key=key).uv_index.init, jax.random.key(1))
jax.jit(_power_iteration)(jnp.eye(4), jnp.ones(4), jnp.ones(4), 1e-12)
