"""numpyro search for straight-line programs: each draw from the prior has its own key."""

from __future__ import annotations

import jax
import numpyro
import numpyro.distributions as dist
from numpyro.contrib.stochastic_support.dcc import DCC
from support import key_used_once


def model() -> None:
    if numpyro.sample("side", dist.Bernoulli(0.5), infer={"branching": True}) == 0:
        numpyro.sample("a", dist.Normal(0.0, 1.0))


search = DCC(model, mcmc_kwargs={"num_warmup": 1, "num_samples": 1}, num_slp_samples=4, max_slps=3)
key_used_once(lambda key: [search._find_slps(key), 0][1], jax.random.key(0))
