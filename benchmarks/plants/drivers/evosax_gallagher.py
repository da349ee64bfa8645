"""evosax Gallagher 21 function: every key is used once."""

from __future__ import annotations

import jax.numpy as jnp
from evosax.problems.bbob import bbob_fns
from support import key_used_once

x, eye = jnp.ones(6), jnp.eye(6)
key_used_once(bbob_fns.gallagher_21_hi, x, x, eye, eye, 6)
