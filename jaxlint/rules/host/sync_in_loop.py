"""JAX502: a host loop reads from the device in every iteration."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from jaxlint.findings import Severity
from jaxlint.rules.base import Rule

if TYPE_CHECKING:
    from jaxlint.tracing.facts import Sync


class SyncInLoop(Rule):
    """A host loop reads from the device in every iteration.

    ## What it does
    Finds `float(x)`, `.item()`, `np.asarray(x)`, `jax.device_get(x)` and the like of a device array that an innermost
    Python loop computes, where the read happens in every iteration and nothing in the loop decides by it.

    ## Why is this bad?
    JAX runs ahead of Python: it queues work on the device and returns at once. A read waits for the queue to drain, so
    the device idles while Python prepares the next step. Once per training step it costs some percent; once per
    element it costs factors of hundreds.

    ## Example
    ```python
    import jax
    import jax.numpy as jnp


    @jax.jit
    def update(w, x):
        loss, grad = jax.value_and_grad(lambda w: jnp.sum((x @ w) ** 2))(w)
        return w - 0.1 * grad, loss


    def train(w, batches):
        losses = []
        for x in batches:
            w, loss = update(w, x)
            losses.append(float(loss))
        return w, losses
    ```

    ## Use instead
    ```python
    import jax
    import jax.numpy as jnp


    @jax.jit
    def update(w, x):
        loss, grad = jax.value_and_grad(lambda w: jnp.sum((x @ w) ** 2))(w)
        return w - 0.1 * grad, loss


    def train(w, batches):
        losses = []
        for x in batches:
            w, loss = update(w, x)
            losses.append(loss)
        return w, jax.device_get(losses)
    ```

    ## How to verify
    Run the loop under `jax.transfer_guard_device_to_host("log")` on a device, or time it before and after.

    ## Caveats
    A read whose value decides something (early stopping, a line search) is needed and not reported; nor is one that
    happens only now and then. Silent in tests.

    ## References
    - [JAX: asynchronous dispatch](https://docs.jax.dev/en/latest/async_dispatch.html)
    """

    code = "JAX502"
    name = "sync-in-loop"
    since = "0.1.0"
    severity = Severity.INFO
    message = "a host loop reads from the device in every iteration"
    lenient_in_tests = True

    def leave_Module(self, original_node: cst.Module) -> None:
        """Reads that the interpreter saw in loops."""
        for sync in self.facts.syncs:
            loop = sync.loops[-1] if sync.loops else None
            if isinstance(loop, (cst.For, cst.While)):
                self._check(sync, loop)

    def _check(self, sync: Sync, loop: cst.For | cst.While) -> None:
        body = _LoopBody(sync.node)
        loop.body.visit(body)
        if isinstance(loop, cst.While):
            loop.test.visit(body.decisions)
        statement = body.statement
        if statement is None or body.has_loop or not _computed_here(sync.node, body.stored):
            return
        if _targets(statement) & body.decisions.names or body.decides_by(sync.node):
            return
        depth = f", {len(sync.loops)} loops deep" if len(sync.loops) > 1 else ""
        self.report(
            sync.node,
            f"`{self.code_for(sync.node)}` waits for the device in every iteration of this loop{depth}",
            context=sync.context,
            help="collect the arrays and read them once after the loop with `jax.device_get`",
        )


class _Decisions(cst.CSTVisitor):
    """Names that tests look at."""

    def __init__(self) -> None:
        super().__init__()
        self.names: set[str] = set()

    def visit_Name(self, node: cst.Name) -> None:
        self.names.add(node.value)


class _LoopBody(cst.CSTVisitor):
    """Where a node stands in a loop body, what the body stores and what it decides by."""

    def __init__(self, node: cst.CSTNode) -> None:
        super().__init__()
        self.node = node
        self.statement: cst.SimpleStatementLine | None = None
        self.has_loop = False
        self.stored: set[str] = set()
        self.decisions = _Decisions()
        self._conditional = 0
        self._lines: list[cst.SimpleStatementLine] = []

    def decides_by(self, node: cst.CSTNode) -> bool:
        """Whether the read itself is part of a test."""
        return self.statement is None

    def on_visit(self, node: cst.CSTNode) -> bool:
        if node is self.node and self._lines and not self._conditional:
            self.statement = self._lines[-1]
        return super().on_visit(node)

    def visit_SimpleStatementLine(self, node: cst.SimpleStatementLine) -> None:
        self._lines.append(node)
        for part in node.body:
            self.stored |= _stored(part)

    def leave_SimpleStatementLine(self, original_node: cst.SimpleStatementLine) -> None:
        self._lines.pop()

    def visit_If(self, node: cst.If) -> None:
        node.test.visit(self.decisions)
        self._conditional += 1

    def leave_If(self, original_node: cst.If) -> None:
        self._conditional -= 1

    def visit_IfExp(self, node: cst.IfExp) -> None:
        node.test.visit(self.decisions)

    def visit_While(self, node: cst.While) -> None:
        self.has_loop = True

    def visit_For(self, node: cst.For) -> None:
        self.has_loop = True

    def visit_ExceptHandler(self, node: cst.ExceptHandler) -> None:
        self._conditional += 1

    def leave_ExceptHandler(self, original_node: cst.ExceptHandler) -> None:
        self._conditional -= 1

    def visit_FunctionDef(self, node: cst.FunctionDef) -> bool:
        return False


def _stored(statement: cst.BaseSmallStatement) -> set[str]:
    targets: list[cst.BaseExpression] = []
    if isinstance(statement, cst.Assign):
        targets = [target.target for target in statement.targets]
    elif isinstance(statement, (cst.AugAssign, cst.AnnAssign)):
        targets = [statement.target]
    names: set[str] = set()
    for target in targets:
        target.visit(finder := _Decisions())
        names |= finder.names
    return names


def _targets(statement: cst.SimpleStatementLine) -> set[str]:
    names: set[str] = set()
    for part in statement.body:
        names |= _stored(part)
    return names


def _computed_here(node: cst.CSTNode, stored: set[str]) -> bool:
    """Whether what is read comes from this iteration: a call, or a name that the body stores."""
    if not isinstance(node, cst.Call):
        return False
    read: cst.CSTNode = node.func.value if isinstance(node.func, cst.Attribute) and not node.args else node
    if isinstance(read, cst.Call) and read.args:
        read = read.args[0].value
    finder = _Decisions()
    read.visit(finder)
    return bool(finder.names & stored) or isinstance(read, cst.Call)
