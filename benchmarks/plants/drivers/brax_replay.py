"""brax replay buffers: insert and sample, jitted, and what the objects keep."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from brax.training.replay_buffers import Queue, UniformSamplingQueue
from support import attributes_keep_no_tracer, counts_on, depends_on_key

queue = Queue(max_replay_size=16, dummy_data_sample=jnp.zeros(3), sample_batch_size=4)
counts_on(queue, jax.jit(queue.init), jax.random.key(0))
filled = jax.jit(queue.insert_internal)(queue.init(jax.random.key(0)), jnp.ones((8, 3)))
jax.jit(queue.sample_internal)(filled)
attributes_keep_no_tracer(queue)

uniform = UniformSamplingQueue(max_replay_size=16, dummy_data_sample=jnp.zeros(3), sample_batch_size=4)
rows = jnp.arange(24.0).reshape(8, 3)


def draw(key: jax.Array) -> jax.Array:
    state = jax.jit(uniform.insert_internal)(uniform.init(key), rows)
    return uniform.sample_internal(state)[1]


depends_on_key(draw)
