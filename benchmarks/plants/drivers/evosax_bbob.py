"""evosax black-box functions: Rosenbrock and a Gallagher function, jitted as the problems do."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from evosax.problems.bbob import bbob_fns
from support import key_used_once

x, eye = jnp.ones(6), jnp.eye(6)
jax.jit(bbob_fns.rosenbrock)(x, x, eye, eye, 4)
key_used_once(bbob_fns.gallagher_101_me, x, x, eye, eye, 6)
