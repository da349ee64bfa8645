"""qdax/core/emitters/standard_emitters.py:65 JAX403: variation and mutation choose the same parents."""

import jax
import jax.numpy as jnp
from evidence import project, shown

project("qdax-0.5.0")
from qdax.core.emitters.standard_emitters import MixingEmitter

asked = []


class Repertoire:
    def select(self, key, count, selector=None):
        asked.append(jax.random.choice(key, 1000, (count,)))
        self.genotypes = jnp.zeros((count, 2))
        return self


emitter = MixingEmitter(lambda x, key: x, lambda x, y, key: x, variation_percentage=0.5, batch_size=20)
emitter.emit(Repertoire(), None, jax.random.PRNGKey(0))
first, _, mutated = asked
assert jnp.array_equal(first, mutated)
shown(f"all {len(first)} parents that are mutated are the {len(first)} first parents of the variation")
