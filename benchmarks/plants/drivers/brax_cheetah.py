"""brax HalfCheetah: a reset that uses every key once."""

from __future__ import annotations

import jax
from brax.envs.half_cheetah import Halfcheetah
from support import key_used_once

key_used_once(jax.jit(Halfcheetah().reset), jax.random.key(0))
