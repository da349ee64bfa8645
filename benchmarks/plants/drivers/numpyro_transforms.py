"""numpyro transforms: the traced program does not grow with the length of its input."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from numpyro.distributions.flows import InverseAutoregressiveTransform
from numpyro.distributions.transforms import RecursiveLinearTransform
from support import does_not_grow

linear = RecursiveLinearTransform(jnp.eye(2))
jax.jit(lambda x: linear(x))(jnp.ones((4, 2)))
does_not_grow(lambda x: linear(x), (jnp.ones((4, 2)),), (jnp.ones((40, 2)),))
flow = InverseAutoregressiveTransform(lambda x: (jnp.zeros_like(x), jnp.zeros_like(x)))
does_not_grow(flow._inverse, (jnp.ones(4),), (jnp.ones(40),))
