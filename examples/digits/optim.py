"""Gradient descent with momentum, clipping and a learning rate that warms up."""

from __future__ import annotations

from functools import partial
from typing import Any

import jax
import jax.numpy as jnp

Tree = Any


def global_norm(tree: Tree) -> jax.Array:
    """The norm of all leaves together."""
    return jnp.sqrt(sum(jnp.sum(leaf**2) for leaf in jax.tree.leaves(tree)))


def shrink(tree: Tree, norm: jax.Array, limit: float) -> Tree:
    """Scale a tree down to the limit if it is longer."""
    if norm > limit:
        return jax.tree.map(lambda leaf: leaf * limit / norm, tree)
    return tree


@jax.jit
def clip_by_norm(grads: Tree, limit: float) -> Tree:
    """The gradients, or shorter ones in the same direction."""
    return shrink(grads, global_norm(grads), limit)


@jax.jit
def clip_by_value(grads: Tree, limit: jax.Array | None = None) -> Tree:
    """Clip every entry, if there is a limit."""
    if limit is None:
        return grads
    return jax.tree.map(lambda g: jnp.clip(g, -limit, limit), grads)


def warm_up(step: int, peak: float, steps: int) -> float:
    """The learning rate of a step. Called by the host's loop with plain numbers."""
    if step < steps:
        return peak * (step + 1) / steps
    return peak


@partial(jax.jit, static_argnames=("nesterov",))
def momentum(grads: Tree, velocity: Tree, decay: float = 0.9, nesterov: bool = False) -> tuple[Tree, Tree]:
    """The step to take and the new velocity."""
    velocity = jax.tree.map(lambda v, g: decay * v + g, velocity, grads)
    if nesterov:
        return jax.tree.map(lambda v, g: decay * v + g, velocity, grads), velocity
    return velocity, velocity
