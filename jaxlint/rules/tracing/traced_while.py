"""JAX102: a traced value decides a ``while``."""

from __future__ import annotations

import libcst as cst

from jaxlint.rules.base import Rule
from jaxlint.rules.tracing.conditions import blame, why


class TracedWhile(Rule):
    """A Python `while` loop depends on a traced value.

    ## What it does
    Finds `while` loops in traced code whose condition is a traced value, also when it only becomes traced in the
    second iteration.

    ## Why is this bad?
    Python asks for the truth of the condition while JAX traces, before any number is known. Tracing stops with
    `TracerBoolConversionError`.

    ## Example
    ```python
    import jax


    @jax.jit
    def halve(x):
        while x > 1.0:
            x = x / 2
        return x
    ```

    ## Use instead
    ```python
    import jax


    @jax.jit
    def halve(x):
        return jax.lax.while_loop(lambda x: x > 1.0, lambda x: x / 2, x)
    ```

    ## How to verify
    `jax.jit(halve).lower(8.0)` raises before the change and returns after it.

    ## Caveats
    `jax.lax.while_loop` cannot be differentiated in reverse mode; with a known bound on the number of steps
    `jax.lax.scan` or `jax.lax.fori_loop` can.

    ## References
    - [`jax.lax.while_loop`](https://docs.jax.dev/en/latest/_autosummary/jax.lax.while_loop.html)
    """

    code = "JAX102"
    name = "traced-while"
    since = "0.1.0"
    message = "a Python `while` loop depends on a traced value"

    def visit_While(self, node: cst.While) -> None:
        """``while test``."""
        found = blame(self.facts, node.test)
        if found is not None:
            self.found(
                found,
                f"`{self.code_for(found.node)}` is {why(found)} {self.inside(found.context)}, so this `while` "
                "fails when JAX traces it",
                help="write `jax.lax.while_loop(condition, body, initial_value)`",
            )
