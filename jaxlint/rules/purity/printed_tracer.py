"""JAX301: print of a traced value."""

from __future__ import annotations

import libcst as cst

from jaxlint.findings import Severity
from jaxlint.knowledge.host_effects import PRINTING
from jaxlint.rules.base import Rule
from jaxlint.rules.purity.trace_time import catches_tracer_errors
from jaxlint.rules.tracing.conditions import why
from jaxlint.tracing.values import Mode, Static

_PRINTING = frozenset(name if "." in name else f"builtins.{name}" for name in PRINTING)


class PrintedTracer(Rule):
    """A traced value is printed.

    ## What it does
    Finds `print` (and `pprint`, `sys.stdout.write`) of a traced value, and f-strings with a traced value that are
    handed to `jax.debug.print`.

    ## Why is this bad?
    `print` runs once, while JAX traces, and shows a tracer instead of the numbers; later calls print nothing. An
    f-string given to `jax.debug.print` is formatted at that moment too.

    ## Example
    ```python
    import jax


    @jax.jit
    def step(w, grad):
        print("grad", grad)
        return w - 0.1 * grad
    ```

    ## Use instead
    ```python
    import jax


    @jax.jit
    def step(w, grad):
        jax.debug.print("grad {grad}", grad=grad)
        return w - 0.1 * grad
    ```

    ## How to verify
    Call `step` twice: the first version prints a tracer once, the second prints numbers twice.

    ## Caveats
    Prints of shapes, dtypes and other static values are deliberate and not reported. Silent in tests.

    ## References
    - [JAX: `jax.debug.print`](https://docs.jax.dev/en/latest/debugging/print_breakpoint.html)
    """

    code = "JAX301"
    name = "printed-tracer"
    since = "0.1.0"
    severity = Severity.WARNING
    message = "a traced value is printed"
    converts = True
    lenient_in_tests = True

    def visit_Call(self, node: cst.Call) -> None:
        """``print(…)`` and ``jax.debug.print(f"…")``."""
        name = self.facts.callee(node)
        if name in _PRINTING:
            for arg in node.args:
                if arg.keyword is None and self._traced(node, arg.value):
                    return
        elif name == "jax.debug.print" and node.args:
            self._formatted(node, node.args[0].value, "the string is formatted while JAX traces, so it shows a tracer")

    def _traced(self, node: cst.Call, value: cst.BaseExpression) -> bool:
        if isinstance(value, (cst.List, cst.Tuple)):
            return any(self._traced(node, part.value) for part in value.elements)
        if type(value) is cst.Dict:
            return any(self._traced(node, part.value) for part in value.elements)
        found = self.facts.traced(value, sure=False)
        if found is not None and self.speaks(found.context) and not catches_tracer_errors(self, found.context):
            self.found(
                found,
                f"`{self.code_for(value)}` is {why(found)} {self.inside(found.context)}: `print` runs once, while JAX "
                "traces, and shows a tracer instead of the numbers",
                at=node,
                help='write `jax.debug.print("{x}", x=x)`',
            )
            return True
        return self._formatted(
            node, value, "`print` runs once, while JAX traces, and shows a tracer instead of the numbers"
        )

    def _formatted(self, node: cst.Call, value: cst.BaseExpression, what: str) -> bool:
        for context, known in self.facts.values(value):
            if (
                isinstance(known, Static)
                and known.tainted is not None
                and known.tainted.mode >= Mode.MAPPED
                and self.speaks(context)
                and not catches_tracer_errors(self, context)
            ):
                self.report(
                    node,
                    f"`{self.code_for(value)}` contains a traced value {self.inside(context)}: {what}",
                    context=context,
                    value=known,
                    help='write `jax.debug.print("{x}", x=x)`: it fills the braces when the program runs',
                )
                return True
        return False
