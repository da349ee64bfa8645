"""numpyro Stein utilities under jit, and kernels that draw with a key of their own."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from numpyro.contrib.einstein import stein_kernels, stein_util
from support import differ, key_used_once

jax.jit(stein_util.posdef)(jnp.eye(3))
jax.jit(stein_util.all_pairs_eucl_dist)(jnp.ones((3, 2)), jnp.ones((3, 2)))
parts = [stein_kernels.RandomFeatureKernel(), stein_kernels.RandomFeatureKernel()]
stein_kernels.MixtureKernel([0.5, 0.5], parts).init(jax.random.key(0), (8, 3))
differ(parts[0]._random_weights, parts[1]._random_weights)
key_used_once(lambda key: stein_kernels.RandomFeatureKernel(bandwidth_subset=3).init(key, (8, 3)), jax.random.key(0))
