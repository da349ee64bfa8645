"""JAX104: Python asks for the truth of a traced value behind the scenes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from jaxlint.rules.base import Rule
from jaxlint.rules.tracing.conditions import flag_of, operators_in, why

if TYPE_CHECKING:
    from jaxlint.tracing.facts import Facts

#: They ask for the truth of every leaf of a pytree.
_OVER_LEAVES = frozenset({"jax.tree.all", "jax.tree_util.tree_all"})
_REPLACEMENT = {"any": "jnp.any", "all": "jnp.all", "min": "jnp.minimum", "max": "jnp.maximum", "sorted": "jnp.sort"}


class HiddenBool(Rule):
    """Python asks for the truth of a traced value without an `if`.

    ## What it does
    Finds `and`, `or`, `not`, chained comparisons, `in`, and the builtins `any`, `all`, `min`, `max` and `sorted` on
    traced values, outside the tests of `if`, `while` and `assert` (other rules speak of those).

    ## Why is this bad?
    Each of them calls `bool()` on its operand, which fails with `TracerBoolConversionError` while JAX traces.

    ## Example
    ```python
    import jax


    @jax.jit
    def step_size(error, largest):
        return min(1.0 / error, largest)
    ```

    ## Use instead
    ```python
    import jax
    import jax.numpy as jnp


    @jax.jit
    def step_size(error, largest):
        return jnp.minimum(1.0 / error, largest)
    ```

    `a and b` becomes `jnp.logical_and(a, b)`, `not a` becomes `jnp.logical_not(a)`, `lo < x < hi` becomes
    `(lo < x) & (x < hi)`, `x or default` needs a condition: `jnp.where(x != 0, x, default)`.

    ## How to verify
    `jax.jit(step_size).lower(1.0, 1.0)` raises before the change and returns after it.

    ## References
    - [`TracerBoolConversionError`](https://docs.jax.dev/en/latest/errors.html#jax.errors.TracerBoolConversionError)
    """

    code = "JAX104"
    name = "hidden-bool"
    since = "0.1.0"
    message = "Python asks for the truth of a traced value without an `if`"

    def __init__(self, facts: Facts) -> None:
        super().__init__(facts)
        self._tests: set[cst.CSTNode] = set()

    def _skip(self, test: cst.BaseExpression) -> None:
        self._tests.update(operators_in(test))

    def visit_If(self, node: cst.If) -> None:
        """Its test is another rule's."""
        self._skip(node.test)

    def visit_IfExp(self, node: cst.IfExp) -> None:
        """Its test is another rule's."""
        self._skip(node.test)

    def visit_While(self, node: cst.While) -> None:
        """Its test is another rule's."""
        self._skip(node.test)

    def visit_Assert(self, node: cst.Assert) -> None:
        """Its test is another rule's."""
        self._skip(node.test)

    def visit_CompIf(self, node: cst.CompIf) -> None:
        """Its test is another rule's."""
        self._skip(node.test)

    def visit_BooleanOperation(self, node: cst.BooleanOperation) -> None:
        """``a and b``, ``a or b``: the truth of ``a`` is asked for."""
        if node in self._tests:
            return
        word, call = ("and", "jnp.logical_and") if type(node.operator) is cst.And else ("or", "jnp.logical_or")
        left = node.left
        while type(left) is cst.BooleanOperation:
            left = left.right  # the inner operator speaks for its own left side
        self._ask(left, f"`{word}`", f"write `{call}(a, b)`, or `jnp.where` to choose between values")

    def visit_UnaryOperation(self, node: cst.UnaryOperation) -> None:
        """``not a``."""
        if type(node.operator) is cst.Not and node not in self._tests:
            self._ask(node.expression, "`not`", "write `jnp.logical_not(a)`, or `~a` for booleans")

    def visit_Comparison(self, node: cst.Comparison) -> None:
        """``a in b`` of anything and a traced array."""
        target = node.comparisons[0]
        if type(target.operator) is not cst.In and type(target.operator) is not cst.NotIn:
            return
        self._ask(target.comparator, "`in`", "write `jnp.any(array == value)`", at=node)

    def leave_Module(self, original_node: cst.Module) -> None:
        """Chained comparisons and searches in lists, noted by the interpreter."""
        for fault in self.facts.faults:
            if fault.how == "membership":
                self.report(
                    fault.node,
                    f"`{self.code_for(fault.node)}` compares a value that is traced {self.inside(fault.context)} with "
                    "each element and asks for the truth of it: this fails when JAX traces it",
                    context=fault.context,
                    value=fault.value,
                    help="write `jnp.isin(x, jnp.array(values))`",
                )
            if fault.how == "chained":
                self.report(
                    fault.node,
                    f"`{self.code_for(fault.node)}` is a chained comparison of traced values "
                    f"{self.inside(fault.context)}: Python asks for the truth of its first half, which fails when JAX "
                    "traces it",
                    context=fault.context,
                    value=fault.value,
                    help="write `(a < x) & (x < b)`",
                )

    def visit_Call(self, node: cst.Call) -> None:
        """``any``, ``all``, ``min``, ``max``, ``sorted``."""
        name = self.facts.callee(node).removeprefix("builtins.")
        if name in _OVER_LEAVES and node.args:
            self._ask(
                node.args[0].value,
                f"`{name}`",
                "write `jnp.all(jnp.array(jax.tree.leaves(tree)))`",
                at=node,
                sure=False,
            )
        if name not in _REPLACEMENT:
            return
        arguments = [arg.value for arg in node.args if arg.keyword is None and arg.star == ""]
        keys = [arg.value for arg in node.args if arg.keyword is not None and arg.keyword.value == "key"]
        if keys and type(keys[0]) is cst.Lambda and name in ("min", "max", "sorted"):
            self._ask(keys[0].body, f"`{name}`", "compute the keys as one array and use `jnp.argmin` or `jnp.argsort`")
        several = len(arguments) > 1
        if len(arguments) == 1:
            arguments = _elements(arguments[0])
            several = len(arguments) > 1 and name in ("min", "max", "sorted")
        for value in arguments:
            found = self.facts.traced(value, sure=not several)
            if found is not None and (several or len(node.args) == 1 or name == "sorted"):
                call = _REPLACEMENT[name] if several or name in ("any", "all", "sorted") else f"jnp.{name}"
                self.found(
                    found,
                    f"`{name}` asks for the truth of `{self.code_for(value)}`, which is {why(found)} "
                    f"{self.inside(found.context)}: this fails when JAX traces it",
                    at=node,
                    help=f"write `{call}(…)`",
                )
                return

    def _ask(
        self, node: cst.BaseExpression, what: str, help: str, at: cst.CSTNode | None = None, *, sure: bool = True
    ) -> None:
        found = self.facts.traced(node, sure=sure)
        if found is not None and flag_of(self.facts, found) is None:
            self.found(
                found,
                f"{what} asks for the truth of `{self.code_for(node)}`, which is {why(found)} "
                f"{self.inside(found.context)}: this fails when JAX traces it",
                at=at,
                help=help,
            )


def _elements(node: cst.BaseExpression) -> list[cst.BaseExpression]:
    if isinstance(node, (cst.GeneratorExp, cst.ListComp)):
        return [node.elt]
    if isinstance(node, (cst.List, cst.Tuple)):
        return [part.value for part in node.elements]
    return [node]
