"""JAX112: a function that nobody here calls branches on what it computes from its arguments with jnp."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from jaxlint.findings import Severity
from jaxlint.rules.base import Cause, Rule
from jaxlint.rules.names import names_in
from jaxlint.rules.tracing.conditions import asked
from jaxlint.syntax import children
from jaxlint.tracing.values import Array, Kind

if TYPE_CHECKING:
    from jaxlint.tracing.context import Context

#: A function that does such things is host code, or drives what is traced.
_HOST_WORDS = frozenset({
    "jit", "grad", "value_and_grad", "vmap", "pmap", "scan", "print", "open", "float", "int", "item", "tolist",
    "device_get", "logging", "logger", "time", "plt", "tqdm", "warnings",
})  # fmt: skip
_DRIVERS = frozenset({"main", "run", "train", "fit", "plot", "test", "evaluate", "bench", "demo", "check", "validate"})


class BranchOnResult(Rule):
    """A library function branches on an array that it computes from its arguments.

    ## What it does
    Finds `if`, `assert` and conditional expressions on the result of a `jnp` operation on the function's own
    arguments, in public functions that nothing in the project calls or transforms.

    ## Why is this bad?
    The function works on concrete arrays, but its users cannot `jit`, `vmap` or scan it: there the test has no Python
    value.

    ## Example
    ```python
    import jax.numpy as jnp


    def normalise(x):
        total = jnp.sum(x)
        if total > 0:
            return x / total
        return x
    ```

    ## Use instead
    ```python
    import jax.numpy as jnp


    def normalise(x):
        total = jnp.sum(x)
        return jnp.where(total > 0, x / jnp.where(total > 0, total, 1), x)
    ```

    ## How to verify
    Call the function under `jax.jit`: it raises TracerBoolConversionError.

    ## Caveats
    Methods, and functions that are meant for the host (they print, read files, convert to numbers, apply transforms)
    are left alone.

    ## References
    - [`TracerBoolConversionError`](https://docs.jax.dev/en/latest/errors.html#jax.errors.TracerBoolConversionError)
    """

    code = "JAX112"
    name = "branch-on-result"
    since = "0.2.0"
    status = "preview"
    because = "it assumes that users trace the function, which nothing here shows"
    severity = Severity.WARNING
    message = "a library function branches on what it computes with jnp, so it cannot be traced"
    lenient_in_tests = True
    needs_trace = False

    def visit_If(self, node: cst.If) -> None:
        """``if test:``."""
        self._look(node.test)

    def visit_IfExp(self, node: cst.IfExp) -> None:
        """``a if test else b``."""
        self._look(node.test)

    def visit_Assert(self, node: cst.Assert) -> None:
        """``assert test``."""
        self._look(node.test)

    def _look(self, test: cst.BaseExpression) -> None:
        for part in asked(test):
            if self.facts.traced(part) is not None:
                return  # a trace reaches it: that is another rule's
            for context, value in self.facts.values(part):
                if not isinstance(value, Array) or value.kind is not Kind.CONCRETE or not value.certain:
                    continue
                if _is_public_entry(context) and self.speaks(context) and _depends(context.function, part):
                    self.report(
                        part,
                        f"`{self.code_for(part)}` is computed from the arguments of `{context.name}`: whoever puts "
                        f"`{context.name}` under `jax.jit`, `vmap` or a scan gets TracerBoolConversionError here",
                        context=context,
                        story=(Cause(context.function, f"nothing in the project calls `{context.name}`"),),
                        help="write `jnp.where` or `jax.lax.cond`; for a check of the arguments, "
                        "`checkify.check` or `equinox.error_if`",
                    )
                    return


def _is_public_entry(context: Context) -> bool:
    """Whether the function is run because nobody calls it, and its name is for others."""
    outer = context.caller
    return (
        not context.regions
        and outer is not None
        and outer.caller is None
        and context.call is context.function
        and type(context.function) is cst.FunctionDef
        and not context.name.startswith("_")
        and context.name.partition("_")[0].lower() not in _DRIVERS
        and (context.frame is None or context.frame.cls is None)
    )


def _depends(function: cst.CSTNode, test: cst.BaseExpression) -> bool:
    """Whether a test uses a value that comes from an array parameter, in a function that does nothing of the host."""
    assert isinstance(function, cst.FunctionDef)
    params = (*function.params.posonly_params, *function.params.params)
    derived = {param.name.value for param in params if param.default is None} - {"self", "cls"}
    stack: list[cst.CSTNode] = [function.body]
    assignments: list[cst.Assign] = []
    while stack:
        node = stack.pop()
        if type(node) is cst.Assign:
            assignments.append(node)
        if type(node) is cst.Name and node.value in _HOST_WORDS:
            return False
        stack.extend(children(node))
    for _ in range(3):
        for node in reversed(assignments):
            if names_in(node.value) & derived:
                for target in node.targets:
                    derived |= names_in(target.target)
    return bool(names_in(test) & derived)
