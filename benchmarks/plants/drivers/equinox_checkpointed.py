"""equinox checkpointed while loop: its gradient, under jit."""

from __future__ import annotations

import equinox.internal as eqxi
import jax
import jax.numpy as jnp
from equinox.internal._loop import checkpointed
from support import keeps_no_tracer


def run(x: jax.Array, **kind: object) -> jax.Array:
    def body(state: tuple[jax.Array, jax.Array]) -> tuple[jax.Array, jax.Array]:
        return state[0] + 1, jnp.sin(state[1])

    return eqxi.while_loop(lambda s: s[0] < 6, body, (jnp.asarray(0), x), **kind)[1]


jax.jit(lambda x: run(x, kind="lax"))(jnp.asarray(1.0))
jax.jit(jax.grad(lambda x: run(x, kind="checkpointed", max_steps=8, checkpoints=2)))(jnp.asarray(1.0))
jax.jit(jax.grad(lambda x: run(x, kind="checkpointed", checkpoints=2)))(jnp.asarray(1.0))
keeps_no_tracer(getattr(checkpointed, "SEEN", []))
