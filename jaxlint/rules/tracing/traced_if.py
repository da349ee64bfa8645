"""JAX101: a traced value decides an ``if``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from jaxlint.rules.base import Rule
from jaxlint.rules.tracing.conditions import blame, why

if TYPE_CHECKING:
    from jaxlint.tracing.facts import Traced


def _is_number(pattern: cst.MatchPattern) -> bool:
    if type(pattern) is cst.MatchOr:
        return any(_is_number(part.pattern) for part in pattern.patterns)
    return type(pattern) is cst.MatchValue and isinstance(pattern.value, (cst.Integer, cst.Float))


class TracedIf(Rule):
    """A Python branch depends on a traced value.

    ## What it does
    Finds `if`, `elif`, conditional expressions, `match` statements and the conditions of comprehensions whose test is
    a traced value: a value that has no number yet while JAX traces the function.

    ## Why is this bad?
    Python must know which branch to take when the function is traced, and JAX does not know it before the compiled
    program runs. Tracing stops with `TracerBoolConversionError`.

    ## Example
    ```python
    import jax
    import jax.numpy as jnp


    @jax.jit
    def clip(x, limit):
        if jnp.abs(x) > limit:
            x = limit * jnp.sign(x)
        return x
    ```

    ## Use instead
    ```python
    import jax
    import jax.numpy as jnp


    @jax.jit
    def clip(x, limit):
        return jnp.where(jnp.abs(x) > limit, limit * jnp.sign(x), x)
    ```

    `jnp.where` computes both sides and selects; `jax.lax.cond` runs one of two functions. A value that is really a
    configuration belongs into `static_argnames`.

    ## How to verify
    `jax.jit(clip).lower(jnp.float32(1.0), jnp.float32(0.5))` raises before the change and returns after it.

    ## Caveats
    Under `jax.grad` alone values are known and the branch works; it is reported only where something compiles, maps or
    scans the function. `jnp.where` evaluates both sides, so a side that is undefined for some inputs can still make
    NaN gradients.

    ## References
    - [JAX: control flow](https://docs.jax.dev/en/latest/control-flow.html)
    - [`TracerBoolConversionError`](https://docs.jax.dev/en/latest/errors.html#jax.errors.TracerBoolConversionError)
    """

    code = "JAX101"
    name = "traced-if"
    since = "0.1.0"
    message = "a Python branch depends on a traced value"

    def visit_If(self, node: cst.If) -> None:
        """``if`` and ``elif``."""
        self._check(node.test, "`if`", "write `jnp.where(condition, a, b)`, or `jax.lax.cond` to run only one side")

    def visit_IfExp(self, node: cst.IfExp) -> None:
        """``a if test else b``."""
        self._check(node.test, "conditional expression", "write `jnp.where(condition, a, b)`")

    def visit_CompIf(self, node: cst.CompIf) -> None:
        """``[… if test]``."""
        self._check(node.test, "comprehension condition", "keep every element and mask it with `jnp.where`")

    def visit_Match(self, node: cst.Match) -> None:
        """``match`` against literal values."""
        numbers = any(_is_number(case.pattern) for case in node.cases)
        if numbers or any(isinstance(case.pattern, (cst.MatchValue, cst.MatchOr)) for case in node.cases):
            found = self.facts.traced(node.subject, sure=not numbers)
            self._say(found, "`match`", "write `jax.lax.switch(index, branches)`")

    def _check(self, test: cst.BaseExpression, what: str, help: str) -> None:
        self._say(blame(self.facts, test), what, help)

    def _say(self, found: Traced | None, what: str, help: str) -> None:
        if found is not None:
            self.found(
                found,
                f"`{self.code_for(found.node)}` is {why(found)} {self.inside(found.context)}, so this {what} "
                "fails when JAX traces it",
                help=help,
            )
