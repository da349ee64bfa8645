"""evosax Cauchy noise: every key is used once."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from evosax.problems.bbob.bbob_noise import NoiseModel, cauchy_noise
from support import key_used_once

params = NoiseModel(noise_model_names=["cauchy"]).sample_params(jax.random.key(0))
key_used_once(lambda key: cauchy_noise(key, jnp.ones(5), params), jax.random.key(1))
