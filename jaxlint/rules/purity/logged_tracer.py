"""JAX302: traced code logs, writes or asks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from jaxlint.findings import Severity
from jaxlint.knowledge.host_effects import LOGGER_METHODS
from jaxlint.knowledge.host_objects import FUNCTIONS, WRITING_METHODS
from jaxlint.rules.base import Cause, Rule
from jaxlint.rules.purity.trace_time import repeated, speaks_of_tracing
from jaxlint.tracing.values import Mode, Static

if TYPE_CHECKING:
    from jaxlint.tracing.context import Context
    from jaxlint.tracing.facts import Effect
    from jaxlint.tracing.values import Value


class LoggedTracer(Rule):
    """Traced code logs or writes a traced value.

    ## What it does
    Finds, inside functions that JAX compiles, log messages, warnings and writes that show a traced value, and what is
    plainly meant for every step: appending to a file, rows of a CSV file, metrics for wandb, TensorBoard and the like,
    progress bars from outside, questions at the console.

    ## Why is this bad?
    It happens when the function is traced, once, and shows a tracer instead of the numbers; later calls write nothing.

    ## Example
    ```python
    import logging

    import jax
    import jax.numpy as jnp


    @jax.jit
    def step(w, x):
        loss, grad = jax.value_and_grad(lambda w: jnp.sum((x @ w) ** 2))(w)
        logging.info("loss %s", loss)
        return w - 0.1 * grad
    ```

    ## Use instead
    ```python
    import logging

    import jax
    import jax.numpy as jnp


    @jax.jit
    def step(w, x):
        loss, grad = jax.value_and_grad(lambda w: jnp.sum((x @ w) ** 2))(w)
        return w - 0.1 * grad, loss


    def train(w, batches):
        for x in batches:
            w, loss = step(w, x)
            logging.info("loss %s", loss)
        return w
    ```

    ## How to verify
    Call `step` twice: before the change one line is logged, and it shows a tracer.

    ## Caveats
    Messages of shapes, dtypes and other static values, warnings about arguments, and reading files for constants are
    deliberate at trace time and not reported; nor are functions that speak of tracing or compiling. Where the value has
    to leave the compiled program as it runs, use `jax.debug.callback` or `jax.experimental.io_callback`. Silent in
    tests.

    ## References
    - [JAX: external callbacks](https://docs.jax.dev/en/latest/external-callbacks.html)
    """

    code = "JAX302"
    name = "logged-tracer"
    since = "0.2.0"
    severity = Severity.WARNING
    message = "traced code logs or writes"
    lenient_in_tests = True

    def leave_Module(self, original_node: cst.Module) -> None:
        """Effects that the interpreter saw; of a file that is opened and written in one function, the write."""
        effects = [effect for effect in self.facts.effects if self._lost(effect.context)]
        for effect in effects:
            if effect.kind in ("log", "write", "process") and effect.shown is not None:
                self._shows(effect.node, effect.context, effect.shown, effect.kind)
            elif effect.kind == "dump" and effect.shown is not None:
                self._fails(effect)
            elif effect.kind in ("rows", "metrics", "ask") or (effect.kind == "progress" and _outside(effect)):
                self._each_step(effect)
        said = {(report.context.function) for report in self.reports if report.context is not None}
        for effect in effects:
            appends = effect.kind == "open" and "a" in effect.name.rpartition(":")[2]
            if appends and effect.context.function not in said and not speaks_of_tracing(self, effect.context):
                self._each_step(effect)

    def _lost(self, context: Context) -> bool:
        return repeated(context) is not None and self.speaks(context)

    def visit_Call(self, node: cst.Call) -> None:
        """``anything.write(f"{loss}")``: whoever writes it, the text is made while JAX traces."""
        if type(node.func) is not cst.Attribute or self.facts.callee(node) in FUNCTIONS:
            return
        method = node.func.attr.value
        if method not in WRITING_METHODS or self.facts.callee(node).startswith("jax."):
            return
        for arg in node.args:
            for context, value in self.facts.values(arg.value):
                if _is_text(value) and self._lost(context) and not self._known(node):
                    kind = "log" if method in LOGGER_METHODS else "write"
                    self._shows(node, context, value, kind)
                    return

    def _known(self, node: cst.Call) -> bool:
        return any(effect.node is node for effect in self.facts.effects)

    def _shows(self, node: cst.CSTNode, context: Context, value: Value, kind: str) -> None:
        done = {"log": "logs", "process": "hands on"}.get(kind, "writes")
        self.report(
            node,
            f"`{self.code_for(node)}` {done} a value that is traced {self.inside(context)}: it happens once, while JAX "
            "traces, and shows a tracer instead of the numbers",
            context=context,
            value=value,
            help="return the value and write it in the caller, or hand it to `jax.debug.callback`",
        )

    def _fails(self, effect: Effect) -> None:
        self.report(
            effect.node,
            f"`{self.code_for(effect.node)}` needs the numbers of a value that is traced "
            f"{self.inside(effect.context)}: this fails when JAX traces it",
            context=effect.context,
            value=effect.shown,
            help="return the value and store it in the caller, or hand it to `jax.experimental.io_callback`",
        )

    def _each_step(self, effect: Effect) -> None:
        related = (Cause(effect.made[0], "it is made here"),) if effect.made is not None else ()
        self.report(
            effect.node,
            f"`{self.code_for(effect.node)}` happens {self.inside(effect.context)} once, while JAX traces: later calls "
            "of the compiled function do not repeat it",
            context=effect.context,
            value=effect.shown,
            related=related,
            help="do it in the caller, or hand it to `jax.debug.callback` or `jax.experimental.io_callback`",
        )


def _is_text(value: Value) -> bool:
    return isinstance(value, Static) and value.tainted is not None and value.tainted.mode >= Mode.MAPPED


def _outside(effect: Effect) -> bool:
    """Whether a progress bar was made outside the trace, or shows a traced value."""
    return effect.shown is not None or (effect.made is not None and effect.made[1] == 0)
