"""blackjax/adaptation/pathfinder_adaptation.py:571 JAX403: chains start and move with the same keys."""

import jax
import jax.numpy as jnp
from evidence import project, recorded_splits, shared, shown

project("blackjax-1.7.1")
import blackjax
from blackjax.adaptation.pathfinder_adaptation import pathfinder_adaptation

adaptation = pathfinder_adaptation(blackjax.nuts, lambda x: -0.5 * jnp.sum(x**2), num_chains=4, n_paths=1)
with recorded_splits() as splits:
    adaptation.run(jax.random.PRNGKey(0), jnp.ones(2), num_steps=3)
fours = [keys for keys in splits if len(keys) == 4]
assert any(shared(a, b) == 4 for i, a in enumerate(fours) for b in fours[:i])
shown("the 4 keys that draw the chains' first positions are the 4 keys that run the chains")
