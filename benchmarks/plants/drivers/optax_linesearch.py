"""optax line searches and value_and_grad_from_state, under jit."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import optax


def loss(x: jax.Array) -> jax.Array:
    return jnp.sum((x - 1.0) ** 2)


def solve(linesearch: optax.GradientTransformationExtraArgs) -> jax.Array:
    solver = optax.lbfgs(linesearch=linesearch)
    params = jnp.zeros(3)
    state = solver.init(params)
    value_and_grad = optax.value_and_grad_from_state(loss)

    @jax.jit
    def step(params: jax.Array, state: optax.OptState) -> tuple[jax.Array, optax.OptState]:
        value, grad = value_and_grad(params, state=state)
        updates, state = solver.update(grad, state, params, value=value, grad=grad, value_fn=loss)
        return optax.apply_updates(params, updates), state

    for _ in range(2):
        params, state = step(params, state)
    return params


solve(optax.scale_by_zoom_linesearch(max_linesearch_steps=5))
solve(optax.scale_by_backtracking_linesearch(max_backtracking_steps=5, store_grad=True))
