"""JAX105: a traced value is turned into a Python number."""

from __future__ import annotations

import libcst as cst

from jaxlint.knowledge.array_api import MATH_FAILS
from jaxlint.rules.base import Rule
from jaxlint.rules.tracing.conditions import why

#: Builtin -> (does it also fail under grad alone, what to write).
_BUILTINS = {
    "int": (False, "x.astype(int)"),
    "float": (True, "x.astype(float)"),
    "bool": (False, "x.astype(bool)"),
    "complex": (True, "x.astype(complex)"),
    "range": (False, "jax.lax.fori_loop(0, n, body, initial_value)"),
    "hex": (False, ""),
    "bin": (False, ""),
    "oct": (False, ""),
    "chr": (False, ""),
}


class TracedNumber(Rule):
    """A traced value is turned into a Python number.

    ## What it does
    Finds `int()`, `float()`, `bool()`, `complex()`, `range()`, the functions of `math`, `.item()`, `.tolist()` and
    list indices that receive a traced value.

    ## Why is this bad?
    A traced value has no number yet. Tracing stops with `ConcretizationTypeError` or `TracerIntegerConversionError`.

    ## Example
    ```python
    import math

    import jax
    import jax.numpy as jnp


    @jax.jit
    def entropy(p):
        return -jnp.sum(p * jnp.log(p)) / math.log(jnp.sum(p))
    ```

    ## Use instead
    ```python
    import jax
    import jax.numpy as jnp


    @jax.jit
    def entropy(p):
        return -jnp.sum(p * jnp.log(p)) / jnp.log(jnp.sum(p))
    ```

    Numbers that steer the program (sizes, counts) belong into `static_argnames`; `x.astype(int)` converts inside the
    program; a Python list indexed by a traced number must become one array (`jnp.stack`).

    ## How to verify
    `jax.jit(entropy).lower(jnp.ones(3))` raises before the change and returns after it.

    ## Caveats
    `round(x)` and `abs(x)` work on traced values. Under `jax.grad` alone `int(x)` works and `float(x)` does not.

    ## References
    - [`ConcretizationTypeError`](https://docs.jax.dev/en/latest/errors.html#jax.errors.ConcretizationTypeError)
    - [`TracerIntegerConversionError`](https://docs.jax.dev/en/latest/errors.html#jax.errors.TracerIntegerConversionError)
    """

    code = "JAX105"
    name = "traced-number"
    since = "0.1.0"
    message = "a traced value is turned into a Python number"
    converts = True

    def visit_Call(self, node: cst.Call) -> None:
        """Conversions by call."""
        name = self.facts.callee(node)
        if name.startswith("builtins.") and name[9:] in _BUILTINS:
            under_grad, instead = _BUILTINS[name[9:]]
            self._arguments(node, f"`{name[9:]}()`", under_grad, instead)
        elif name.startswith("math.") and name[5:] in MATH_FAILS:
            self._arguments(node, f"`{name}`", True, f"jnp.{_IN_JNP.get(name[5:], name[5:])}(…)")
        elif name == "operator.index":
            self._arguments(node, "`operator.index`", False, "")
        elif type(node.func) is cst.Attribute and node.func.attr.value in ("item", "tolist") and not name:
            self._method(node, node.func)

    def _arguments(self, node: cst.Call, what: str, under_grad: bool, instead: str) -> None:
        for arg in node.args:
            look = self.facts.tracer if under_grad else self.facts.traced
            found = look(arg.value, sure=False)
            if found is not None:
                help = f"write `{instead}` if the value may stay in the program" if instead else ""
                self.found(
                    found,
                    f"{what} needs the number behind `{self.code_for(arg.value)}`, which is {why(found)} "
                    f"{self.inside(found.context)}: this fails when JAX traces it",
                    at=node,
                    help=help or "make it a static argument if the caller knows it",
                )
                return

    def _method(self, node: cst.Call, func: cst.Attribute) -> None:
        found = self.facts.traced(func.value, sure=False)
        if found is not None:
            self.found(
                found,
                f"`.{func.attr.value}()` needs the number behind `{self.code_for(func.value)}`, which is {why(found)} "
                f"{self.inside(found.context)}: this fails when JAX traces it",
                at=node,
                help="leave it out: a traced scalar can be used like a number",
            )

    def leave_Module(self, original_node: cst.Module) -> None:
        """Python lists indexed by a traced number, noted by the interpreter."""
        for fault in self.facts.faults:
            if fault.how == "list-index":
                self.report(
                    fault.node,
                    f"`{self.code_for(fault.node)}` indexes a Python list with a number that is traced "
                    f"{self.inside(fault.context)}: this fails when JAX traces it",
                    context=fault.context,
                    value=fault.value,
                    help="stack the list into one array (`jnp.stack`), or scan over it",
                )


_IN_JNP = {"fabs": "abs", "pow": "power", "acos": "arccos", "asin": "arcsin", "atan": "arctan", "atan2": "arctan2"}
