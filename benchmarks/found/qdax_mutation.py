"""qdax/core/emitters/mutation_operators.py:116 JAX402: all leaves of a genotype mutate alike."""

import jax
import jax.numpy as jnp
from evidence import project, shown

project("qdax-0.5.0")
from qdax.core.emitters.mutation_operators import polynomial_mutation

x = jax.random.uniform(jax.random.PRNGKey(1), (8, 6))
new = polynomial_mutation({"w": x, "b": x}, jax.random.PRNGKey(0), 0.5, 10.0, 0.0, 1.0)
assert not jnp.array_equal(new["w"], x) and jnp.array_equal(new["w"], new["b"])
shown("two leaves with equal values are equal after the mutation, too: same places, same noise")
