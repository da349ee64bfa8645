"""JAX604: an argument of another shape at every call."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from jaxlint.findings import Severity
from jaxlint.rules.base import Cause, Rule
from jaxlint.rules.compile.scopes import counters, free_names, grown

if TYPE_CHECKING:
    from jaxlint.tracing.compiled import JitCall

#: Makers of arrays whose first argument is their shape or length.
_BY_SHAPE = frozenset({
    "jax.numpy.zeros", "jax.numpy.ones", "jax.numpy.full", "jax.numpy.empty", "jax.numpy.arange",
    "numpy.zeros", "numpy.ones", "numpy.full", "numpy.empty", "numpy.arange",
})  # fmt: skip
#: Makers of arrays out of all that a list holds.
_FROM_LISTS = frozenset({
    "jax.numpy.array", "jax.numpy.asarray", "jax.numpy.stack", "jax.numpy.concatenate", "jax.numpy.vstack",
    "jax.numpy.hstack", "numpy.array", "numpy.asarray", "numpy.stack", "numpy.concatenate", "numpy.vstack",
    "numpy.hstack",
})  # fmt: skip


class GrowingShape(Rule):
    """A jitted function gets another shape at every call.

    ## What it does
    Finds calls of a jitted function in a loop with `x[:i]` or `jnp.zeros(i)` for the loop's counter `i`, or with an
    array made of a list that the loop appends to.

    ## Why is this bad?
    JAX compiles one program for each shape of the arguments. A shape that grows in every iteration compiles in every
    iteration, which takes some thousand times longer than the call.

    ## Example
    ```python
    import jax
    import jax.numpy as jnp


    @jax.jit
    def score(prefix):
        return jnp.cumsum(prefix)[-1]


    def scores(x):
        out = []
        for i in range(1, len(x) + 1):
            out.append(score(x[:i]))
        return out
    ```

    ## Use instead
    ```python
    import jax
    import jax.numpy as jnp


    @jax.jit
    def score(x, i):
        return jnp.sum(jnp.where(jnp.arange(x.shape[0]) < i, x, 0.0))


    def scores(x):
        out = []
        for i in range(1, len(x) + 1):
            out.append(score(x, i))
        return out
    ```

    Keep one shape: a mask, or padding to a few lengths (powers of two, say).

    ## How to verify
    `with jax.log_compiles(): scores(x)` logs a compilation for each length before the change and one after it.

    ## Caveats
    A window of constant width (`x[i : i + 8]`) has one shape, and a last batch that is smaller costs one compilation:
    neither is reported.

    ## References
    - [JAX: caching](https://docs.jax.dev/en/latest/jit-compilation.html#jit-and-caching)
    """

    code = "JAX604"
    name = "growing-shape"
    since = "0.2.0"
    severity = Severity.WARNING
    needs_trace = False
    message = "a jitted function gets another shape at every call"
    lenient_in_tests = True

    def leave_Module(self, original_node: cst.Module) -> None:
        """Calls in loops."""
        for call in self.facts.jit_calls:
            if call.assumed or not call.loops or call.context.regions or not self.speaks(call.context):
                continue
            if call.wrapped.transform.binder == "jit":
                self._look(call)

    def _look(self, call: JitCall) -> None:
        loop = call.loops[-1]
        counted, lists = counters(loop), grown(loop)
        for passed in call.passed:
            if passed.static or passed.node is None:
                continue
            if self._changes(passed.node, counted, lists):
                self.report(
                    passed.node,
                    f"`{self.code_for(passed.node)}` has another shape in every iteration: JAX compiles at every call",
                    context=call.context,
                    related=(Cause(call.wrapped.node, "jitted here"),),
                    help="keep one shape: pass the whole array with a mask, or pad to a few lengths",
                )

    def _changes(self, node: cst.BaseExpression, counted: set[str], lists: set[str]) -> bool:
        if type(node) is cst.Subscript:
            return type(node.slice[0].slice) is cst.Slice and _grows(node.slice[0].slice, counted)
        if type(node) is not cst.Call or not node.args or node.args[0].star:
            return False
        callee, first = self.facts.callee(node), node.args[0].value
        if callee in _FROM_LISTS:
            return type(first) is cst.Name and first.value in lists
        if callee not in _BY_SHAPE or (callee.endswith("arange") and len(node.args) > 1):
            return False
        parts = [part.value for part in first.elements] if type(first) is cst.Tuple else [first]
        return any(_is_counter(part, counted) for part in parts)


def _grows(bounds: cst.Slice, counted: set[str]) -> bool:
    """``[:i]`` or ``[i:]``, not a window that moves."""
    if bounds.step is not None:
        return False
    ends = (bounds.lower, bounds.upper)
    moving = [end for end in ends if end is not None and {name.value for name in free_names(end)} & counted]
    others = [end for end in ends if end is not None and end not in moving]
    fixed = all(type(end) is cst.Integer for end in others)
    return len(moving) == 1 and fixed and _is_counter(moving[0], counted)


def _is_counter(node: cst.BaseExpression, counted: set[str]) -> bool:
    """A counter, or a counter plus or minus a number."""
    if type(node) is cst.BinaryOperation and isinstance(node.operator, (cst.Add, cst.Subtract)):
        return type(node.right) is cst.Integer and _is_counter(node.left, counted)
    return type(node) is cst.Name and node.value in counted
