"""brax adaptive learning rate, under jit."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import optax
from brax.training.agents.ppo.optimizer import adaptive_kl_learning_rate

state = optax.inject_hyperparams(optax.adam)(learning_rate=1e-3).init(jnp.ones(2))
jax.jit(lambda state, kl: adaptive_kl_learning_rate(state, kl, 0.01)[1])(state, jnp.asarray(0.5))
