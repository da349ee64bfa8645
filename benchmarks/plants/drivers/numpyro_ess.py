"""numpyro ensemble slice sampling: a short jitted run, and each key of a step used once."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpyro
import numpyro.distributions as dist
from numpyro.infer import ESS, MCMC
from support import key_used_once


def model() -> None:
    numpyro.sample("x", dist.Normal(jnp.zeros(2), 1.0).to_event(1))


mcmc = MCMC(ESS(model), num_warmup=2, num_samples=2, num_chains=4, chain_method="vectorized", progress_bar=False)
mcmc.run(jax.random.key(0))

kernel = ESS(model, max_steps=10, max_iter=10)
kernel.batch_log_density = lambda x: -jnp.sum(x**2, axis=-1, keepdims=True)
rows = jnp.ones((4, 2))
key_used_once(lambda key: kernel._step_out(key, jnp.full((4, 1), -4.0), rows, rows), jax.random.key(1))
