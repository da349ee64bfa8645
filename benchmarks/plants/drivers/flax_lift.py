"""flax lifted while loop, under jit."""

from __future__ import annotations

import flax.linen as nn
import jax
import jax.numpy as jnp


class Loop(nn.Module):
    @nn.compact
    def __call__(self, x: jax.Array) -> jax.Array:
        scale = self.param("scale", nn.initializers.ones, ())

        def body(module: nn.Module, carry: jax.Array) -> jax.Array:
            return carry + module.get_variable("params", "scale")

        return nn.while_loop(lambda _, carry: carry < 5 * scale, body, self, x)


variables = {"params": {"scale": jnp.ones(())}}
jax.jit(Loop().apply)(variables, jnp.asarray(0.0))
