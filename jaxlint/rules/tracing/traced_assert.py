"""JAX103: a traced value in an ``assert``."""

from __future__ import annotations

import libcst as cst

from jaxlint.rules.base import Rule
from jaxlint.rules.tracing.conditions import blame, why


class TracedAssert(Rule):
    """An `assert` depends on a traced value.

    ## What it does
    Finds `assert` statements in traced code whose condition is a traced value.

    ## Why is this bad?
    `assert` asks for the truth of the condition while JAX traces. Tracing stops with `TracerBoolConversionError`.

    ## Example
    ```python
    import jax
    import jax.numpy as jnp


    @jax.jit
    def normalise(p):
        total = jnp.sum(p)
        assert total > 0
        return p / total
    ```

    ## Use instead
    ```python
    import jax
    import jax.numpy as jnp
    from jax.experimental import checkify


    def normalise(p):
        total = jnp.sum(p)
        checkify.check(total > 0, "total must be positive")
        return p / total


    checked = jax.jit(checkify.checkify(normalise))
    ```

    ## How to verify
    `jax.jit(normalise).lower(jnp.ones(3))` raises before the change; `checked(-jnp.ones(3))[0].get()` tells the error
    after it.

    ## References
    - [JAX: `checkify`](https://docs.jax.dev/en/latest/debugging/checkify_guide.html)
    """

    code = "JAX103"
    name = "traced-assert"
    since = "0.1.0"
    message = "an `assert` depends on a traced value"

    def visit_Assert(self, node: cst.Assert) -> None:
        """``assert test``."""
        found = blame(self.facts, node.test)
        if found is not None:
            self.found(
                found,
                f"`{self.code_for(found.node)}` is {why(found)} {self.inside(found.context)}, so this `assert` "
                "fails when JAX traces it, whatever the numbers are",
                help="assert on shapes and types only; check values with `jax.experimental.checkify.check`",
            )
