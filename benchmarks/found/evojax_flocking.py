"""evojax/task/flocking.py:265 JAX401: position and heading of the birds are drawn with one key."""

import jax
import numpy as np
from evidence import project, shown

project("evojax-0.2.17")
from evojax.task.flocking import FlockingTask

state = FlockingTask().reset(jax.random.split(jax.random.PRNGKey(0), 1)).state[0]
positions, headings = np.asarray(state[:, :2]).reshape(-1), np.asarray(state[:, 2])
count = len(headings)
assert np.allclose(headings / (2 * np.pi), positions[:count], atol=1e-6)
shown(f"all {count} headings are 2*pi times the first {count} coordinates")
