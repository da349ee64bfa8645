"""brax Reacher: a traced reset that uses every key once."""

from __future__ import annotations

import jax
from brax.envs.reacher import Reacher
from support import key_used_once

env = Reacher()
jax.eval_shape(env.reset, jax.random.key(0))
key_used_once(jax.jit(env.reset), jax.random.key(0))
