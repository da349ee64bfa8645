"""optax MultiSteps: what the object keeps of a jitted init."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import optax
from support import attributes_keep_no_tracer

steps = optax.MultiSteps(optax.sgd(0.1), every_k_schedule=2)
jax.jit(steps.init)(jnp.ones(3))
attributes_keep_no_tracer(steps)
