"""equinox ConvTranspose: weight and bias come from two keys."""

from __future__ import annotations

import equinox as eqx
import jax
from support import key_used_once


def build(key: jax.Array) -> tuple[jax.Array, jax.Array]:
    layer = eqx.nn.ConvTranspose1d(2, 3, 4, key=key)
    return layer.weight, layer.bias


key_used_once(build, jax.random.key(0))
