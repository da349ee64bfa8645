"""JAX110: item assignment to a JAX array."""

from __future__ import annotations

import libcst as cst

from jaxlint.rules.base import Rule
from jaxlint.tracing.values import Array, Kind

_OPERATIONS: dict[type[cst.BaseAugOp], str] = {
    cst.AddAssign: "add({})",
    cst.SubtractAssign: "add(-({}))",
    cst.MultiplyAssign: "multiply({})",
    cst.DivideAssign: "divide({})",
    cst.PowerAssign: "power({})",
}


class ItemAssignment(Rule):
    """An item of a JAX array is assigned.

    ## What it does
    Finds `x[i] = v`, `x[i] += v` and `del x[i]` where `x` is a JAX array, in traced code and outside it.

    ## Why is this bad?
    JAX arrays are immutable. The assignment raises `TypeError`, always.

    ## Example
    ```python
    import jax.numpy as jnp


    def first_to_zero(x):
        y = jnp.asarray(x)
        y[0] = 0.0
        return y
    ```

    ## Use instead
    ```python
    import jax.numpy as jnp


    def first_to_zero(x):
        y = jnp.asarray(x)
        y = y.at[0].set(0.0)
        return y
    ```

    ## How to verify
    `first_to_zero(jnp.ones(2))` raises before the change and returns after it.

    ## Caveats
    `x.at[i].add(v)` adds repeated indices up, `x[i] += v` of NumPy does not.

    ## References
    - [`jax.numpy.ndarray.at`](https://docs.jax.dev/en/latest/_autosummary/jax.numpy.ndarray.at.html)
    """

    code = "JAX110"
    name = "item-assignment"
    since = "0.1.0"
    needs_trace = False
    message = "an item of a JAX array is assigned"

    def visit_Assign(self, node: cst.Assign) -> None:
        """``x[i] = v``."""
        for target in node.targets:
            self._target(target.target, "set({})", node.value)

    def visit_AnnAssign(self, node: cst.AnnAssign) -> None:
        """``x[i]: int = v``."""
        if node.value is not None:
            self._target(node.target, "set({})", node.value)

    def visit_AugAssign(self, node: cst.AugAssign) -> None:
        """``x[i] += v``."""
        self._target(node.target, _OPERATIONS.get(type(node.operator), "set(…)"), node.value)

    def visit_Del(self, node: cst.Del) -> None:
        """``del x[i]``."""
        self._target(node.target, "", node.target)

    def _target(self, target: cst.BaseExpression, operation: str, source: cst.CSTNode) -> None:
        if type(target) is cst.Tuple or type(target) is cst.List:
            for part in target.elements:
                self._target(part.value, "set(…)", source)
            return
        if type(target) is not cst.Subscript:
            return
        for _, value in self.facts.values(target.value):
            if isinstance(value, Array) and value.certain and value.kind in (Kind.CONCRETE, Kind.TRACED):
                self._say(target, value, operation.format(self.code_for(source, 30)))
                return

    def _say(self, target: cst.Subscript, value: Array, operation: str) -> None:
        name = self.code_for(target.value)
        index = self.code_for(target)[len(name) :]
        help = f"write `{name} = {name}.at{index}.{operation}`" if operation else "build a new array with `jnp.delete`"
        self.report(
            target,
            f"`{name}` is a JAX array and cannot be changed in place: `{self.code_for(target)} = …` raises a TypeError",
            value=value,
            help=help,
        )
