"""numpyro truncated distributions, under jit; inverse of a cdf in a short program."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpyro.distributions as dist
from numpyro.distributions import truncated
from support import shorter_than

gamma = truncated.TwoSidedTruncatedGamma(dist.Gamma(2.0, 1.0), 0.5, 3.0)
jax.jit(lambda low, x: truncated.TwoSidedTruncatedGamma(dist.Gamma(2.0, 1.0), low, 3.0).cdf(x))(0.5, 1.0)


def power_law(alpha: jax.Array) -> jax.Array:
    return truncated.DoublyTruncatedPowerLaw(alpha, 1.0, 5.0).icdf(0.3)


jax.jit(jax.grad(power_law))(jnp.asarray(-1.5))
jax.jit(jax.grad(lambda a: truncated.DoublyTruncatedPowerLaw(a, 1.0, 5.0).log_prob(2.0)))(jnp.asarray(-1.5))


def invert(q: jax.Array) -> jax.Array:
    return truncated._icdf_by_bisection(gamma.cdf, gamma._pdf, q, 0.5, 3.0, ())


def bracket(q: jax.Array) -> jax.Array:
    return truncated._bracket_above(lambda x: 1.0 - jnp.exp(-x), q, 0.5, 1.0, ())


shorter_than(bracket, (jnp.asarray(0.5),), 150)
shorter_than(invert, (jnp.asarray(0.5),), 600)
