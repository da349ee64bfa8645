"""JAX111: a Python value is passed to a traced function without being declared static."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import libcst as cst

from jaxlint.rules.base import Rule
from jaxlint.rules.tracing.conditions import asked, flag_of
from jaxlint.tracing.values import Array, Kind, Step

if TYPE_CHECKING:
    from jaxlint.tracing.compiled import JitCall, Passed
    from jaxlint.tracing.context import Context
    from jaxlint.tracing.facts import Facts
    from jaxlint.tracing.values import Transformed


class _Missing(NamedTuple):
    """One parameter that should be static. ``when``: what happens, and when."""

    name: str
    what: str
    when: str
    value: Array
    context: Context


class MissingStatic(Rule):
    """A Python value goes into a traced function as if it were an array.

    ## What it does
    Finds arguments of `jax.jit`, `jax.checkpoint`, `jax.vmap` and their like that JAX cannot trace and that are not
    declared static: strings, flags that decide an `if`, functions, `Enum` members, and the `self` of a method whose
    class is no pytree.

    ## Why is this bad?
    JAX makes a tracer of every argument that is not static. Of a string, a function or an object it cannot make one and
    raises `TypeError`; of a flag it can, and the branch on it fails. A default that nobody passes stays a Python value:
    such a function works until the first call that passes the argument.

    ## Example
    ```python
    import jax
    import jax.numpy as jnp


    @jax.jit
    def loss(pred, target, reduction="mean"):
        error = jnp.square(pred - target)
        if reduction == "mean":
            return error.mean()
        return error.sum()


    def evaluate(pred, target):
        return loss(pred, target, reduction="sum")
    ```

    ## Use instead
    ```python
    from functools import partial

    import jax
    import jax.numpy as jnp


    @partial(jax.jit, static_argnames="reduction")
    def loss(pred, target, reduction="mean"):
        error = jnp.square(pred - target)
        if reduction == "mean":
            return error.mean()
        return error.sum()


    def evaluate(pred, target):
        return loss(pred, target, reduction="sum")
    ```

    For a method, make the class a pytree (`jax.tree_util.register_dataclass`, `equinox.Module`), or jit a function that
    gets the arrays as arguments. `static_argnums=0` works too while the fields that the method reads never change.

    ## How to verify
    `loss(jnp.ones(2), jnp.zeros(2), reduction="sum")` raises before the change and returns after it.

    ## Caveats
    Each value of a static argument compiles its own program. A flag that changes often, or one that is an array, is
    better left traced and its branch written as `jnp.where` or `jax.lax.cond`.

    ## References
    - [JAX: static arguments](https://docs.jax.dev/en/latest/jit-compilation.html#marking-arguments-as-static)
    """

    code = "JAX111"
    name = "missing-static"
    since = "0.2.0"
    message = "a Python value is traced that should be static"

    def __init__(self, facts: Facts) -> None:
        super().__init__(facts)
        self._missing: dict[Transformed, list[_Missing]] = {}

    def visit_If(self, node: cst.If) -> None:
        """``if flag``."""
        self._ask(node.test, "`if`")

    def visit_IfExp(self, node: cst.IfExp) -> None:
        """``a if flag else b``."""
        self._ask(node.test, "conditional expression")

    def visit_CompIf(self, node: cst.CompIf) -> None:
        """``[… if flag]``."""
        self._ask(node.test, "comprehension condition")

    def visit_While(self, node: cst.While) -> None:
        """``while flag``."""
        self._ask(node.test, "`while`")

    def visit_Assert(self, node: cst.Assert) -> None:
        """``assert flag``."""
        self._ask(node.test, "`assert`")

    def visit_BooleanOperation(self, node: cst.BooleanOperation) -> None:
        """``flag and …``."""
        self._ask(node, f"`{'and' if type(node.operator) is cst.And else 'or'}`")

    def visit_UnaryOperation(self, node: cst.UnaryOperation) -> None:
        """``not flag``."""
        if type(node.operator) is cst.Not:
            self._ask(node, "`not`")

    def _ask(self, test: cst.BaseExpression, what: str) -> None:
        for part in asked(test):
            found = self.facts.traced(part)
            flag = flag_of(self.facts, found) if found is not None else None
            if found is not None and flag is not None:
                when = f"it is traced, and the {what} on it fails"
                self._add(flag.wrapped, _Missing(flag.name, "a Python flag", when, found.value, found.context))

    def _add(self, wrapped: Transformed, missing: _Missing) -> None:
        listed = self._missing.setdefault(wrapped, [])
        if all(one.name != missing.name for one in listed):
            listed.append(missing)

    def leave_Module(self, original_node: cst.Module) -> None:
        """What calls show beside the branches; then one report for each transform."""
        if original_node is not next(reversed(self.facts.spaces)).module:
            return
        for call in self.facts.jit_calls:
            for passed in call.passed:
                if passed.trouble and not passed.static:
                    self._passed(call, passed)
        for wrapped, missing in self._missing.items():
            self._speak(wrapped, missing)

    def _passed(self, call: JitCall, passed: Passed) -> None:
        is_self = passed.node is None and passed is call.passed[0] and passed.param is not None
        of_module = passed is call.passed[0] and call.function is not None and call.function.cls is not None
        if of_module and call.wrapped.transform.lifts:
            return  # flax's own transforms take care of the module
        if call.assumed and not is_self:
            return
        name = passed.name or "an argument"
        when = "JAX traces arrays and pytrees of arrays only, so the call fails"
        function = call.function.name if call.function is not None else "it"
        entered = Step(call.wrapped.node, f"`{function}` is {call.wrapped.transform.label} here")
        step = Step(passed.node or call.node, f"`{name}` is {passed.trouble} here", None if is_self else entered)
        value = Array(Kind.TRACED, origin=step)
        self._add(call.wrapped, _Missing(name, passed.trouble, when, value, call.context))

    def _speak(self, wrapped: Transformed, missing: list[_Missing]) -> None:
        first = missing[0]
        names = " and ".join(f"`{one.name}`" for one in missing)
        verb = "is" if len(missing) == 1 else "are"
        self.report(
            wrapped.node,
            f"{names} {verb} not static: `{first.name}` is {first.what}; {first.when}",
            context=first.context,
            value=first.value,
            help=_help(wrapped, [one.name for one in missing]),
        )


def _help(wrapped: Transformed, names: list[str]) -> str:
    if names == ["self"]:
        return (
            "make the class a pytree, or jit a function of its arrays; `static_argnums=0` while its fields never change"
        )
    listed = ", ".join(f'"{name}"' for name in names)
    if wrapped.transform.binder == "vmap":
        return f"leave {listed} unmapped with `in_axes=None` at its position, or bind it with `functools.partial`"
    if wrapped.transform.binder == "checkpoint":
        return f"give the position of {listed} in `static_argnums`"
    return f"declare it: `static_argnames=({listed},)`"
