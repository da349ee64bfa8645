"""JAX502: a host loop reads from the device in every iteration."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from jaxlint.findings import Severity
from jaxlint.rules.base import Rule
from jaxlint.rules.host.loop_body import LoopBody
from jaxlint.rules.names import names_in
from jaxlint.syntax import called_name, visit

if TYPE_CHECKING:
    from jaxlint.tracing.facts import Facts, Sync


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
    needs_trace = False
    severity = Severity.INFO
    message = "a host loop reads from the device in every iteration"
    lenient_in_tests = True

    def __init__(self, facts: Facts) -> None:
        super().__init__(facts)
        self._said: set[cst.CSTNode | None] = set()

    def leave_Module(self, original_node: cst.Module) -> None:
        """Reads that the interpreter saw in loops."""
        for sync in self.facts.syncs:
            loop = sync.loops[-1] if sync.loops else None
            if loop in self._said:
                continue  # one finding a loop: what mends the first read mends the others
            if isinstance(loop, (cst.For, cst.While)) and isinstance(sync.node, cst.Call) and self.speaks(sync.context):
                self._check(sync, sync.node, loop)

    def _check(self, sync: Sync, node: cst.Call, loop: cst.For | cst.While) -> None:
        body = LoopBody(node, loop)
        if len(sync.loops) > 1 and _guarded(loop, sync.loops[-2]):
            return
        statement = body.statement
        if statement is None or body.has_loop or not _computed_here(sync.node, body.stored):
            return
        if body.decision or _wanted_now(statement) or _short(loop) or body.needs(_kept(statement)):
            self._said.add(loop)  # the loop waits in any case, and the reads after it cost little
            return
        self._said.add(loop)
        depth = f", {len(sync.loops)} loops deep" if len(sync.loops) > 1 else ""
        self.report(
            sync.node,
            f"`{self.code_for(sync.node)}` waits for the device in every iteration of this loop{depth}",
            context=sync.context,
            help=_advice(node, loop),
        )


def _advice(node: cst.Call, loop: cst.For | cst.While) -> str:
    if isinstance(loop, cst.For) and names_in(node) & names_in(loop.target):
        return "read the whole array once before the loop: `np.asarray(array)`"
    return "collect the arrays and read them once after the loop with `jax.device_get`"


def _guarded(inner: cst.CSTNode, outer: cst.CSTNode) -> bool:
    """Whether the outer loop runs the inner one only now and then (``if step % n == 0: for …``)."""
    if not isinstance(outer, (cst.For, cst.While)):
        return False
    visit(outer.body, [finder := _Guards(inner)])
    return finder.found


class _Guards(cst.CSTVisitor):
    def __init__(self, inner: cst.CSTNode) -> None:
        super().__init__()
        self.inner = inner
        self.depth = 0
        self.found = False

    def visit_If(self, node: cst.If) -> None:
        self.depth += 1

    def leave_If(self, original_node: cst.If) -> None:
        self.depth -= 1

    def visit_For(self, node: cst.For) -> None:
        self.found |= node is self.inner and self.depth > 0

    def visit_While(self, node: cst.While) -> None:
        self.found |= node is self.inner and self.depth > 0


def _wanted_now(statement: cst.SimpleStatementLine) -> bool:
    """Whether the line hands the value out of the loop at once: it yields, or writes a file."""
    for part in statement.body:
        value = part.value if isinstance(part, (cst.Expr, cst.Assign)) else None
        if type(value) is cst.Yield:
            return True
        if type(value) is cst.Call:
            if any(word in called_name(value) for word in ("save", "dump", "imwrite", "to_csv", "writerow")):
                return True
    return False


def _short(loop: cst.For | cst.While) -> bool:
    """A loop over a few things written here."""
    return type(loop) is cst.For and isinstance(loop.iter, (cst.Tuple, cst.List))


def _kept(statement: cst.SimpleStatementLine) -> set[str]:
    """The names that a line stores in."""
    names: set[str] = set()
    for part in statement.body:
        if type(part) is cst.Assign:
            for target in part.targets:
                names |= names_in(target.target)
        elif type(part) is cst.AugAssign:
            names |= names_in(part.target)
    return names


def _computed_here(node: cst.CSTNode, stored: set[str]) -> bool:
    """Whether what is read comes from this iteration: a call, or a name that the loop stores."""
    if type(node) is not cst.Call:
        return False
    read: cst.CSTNode = node.func.value if type(node.func) is cst.Attribute and not node.args else node
    if type(read) is cst.Call and read.args:
        read = read.args[0].value
    return bool(names_in(read) & stored) or type(read) is cst.Call
