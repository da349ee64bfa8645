"""optax transformations: one jitted update each."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import optax
from optax import contrib


def loss(params: dict[str, jax.Array]) -> jax.Array:
    return jnp.sum(params["w"] ** 2) + params["b"] ** 2


def update(transform: optax.GradientTransformation, **extra: object) -> None:
    params = {"w": jnp.arange(3.0), "b": jnp.asarray(2.0)}
    state = transform.init(params)
    kept = optax.with_extra_args_support(transform)
    jax.jit(lambda g, s, p: kept.update(g, s, p, **extra))(jax.grad(loss)(params), state, params)


update(optax.scale_by_trust_ratio())
update(optax.scale_by_novograd())
update(optax.apply_if_finite(optax.sgd(0.1), 3))
update(contrib.adopt(0.1))
update(contrib.cocob())
update(contrib.reduce_on_plateau(patience=2, cooldown=1), value=jnp.asarray(1.0))
update(contrib.sophia(0.1), obj_fn=loss)
