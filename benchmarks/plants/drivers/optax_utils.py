"""optax utilities: diagonals under jit, and samples that depend on their key."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from optax._src import utils
from support import depends_on_key

jax.jit(utils.set_diags)(jnp.zeros((2, 3, 3)), jnp.ones((2, 3)))
depends_on_key(lambda key: utils.multi_normal(jnp.zeros(3), jnp.zeros(3)).sample((2,), key))
