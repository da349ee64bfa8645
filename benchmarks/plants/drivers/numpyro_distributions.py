"""numpyro distributions: samplers use each key once, depend on it and keep no tracer."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpyro.distributions as dist
from numpyro.distributions.util import von_mises_centered
from support import attributes_keep_no_tracer, depends_on_key, key_used_once

depends_on_key(dist.Gamma(2.0, 1.0).sample)
key_used_once(jax.jit(lambda key: dist.Binomial(50, 0.4).sample(key)), jax.random.key(0))
key_used_once(jax.jit(lambda key: von_mises_centered(key, jnp.asarray(2.0))), jax.random.key(0))
key_used_once(lambda key: dist.BetaBinomial(2.0, 3.0, 10).sample(key), jax.random.key(0))
steps = dist.EulerMaruyama(jnp.arange(4.0), lambda x, t: (x, jnp.ones_like(x)), dist.Normal(0.0, 1.0))
jax.jit(lambda key: steps.sample(key, (2,)))(jax.random.key(0))
attributes_keep_no_tracer(steps)
