"""JAX504: a clock is read before the work is done."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import libcst as cst

from jaxlint.findings import Severity
from jaxlint.knowledge.host_effects import CLOCKS
from jaxlint.rules.base import Cause, Rule
from jaxlint.syntax import visit
from jaxlint.tracing.values import Function

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jaxlint.tracing.facts import Facts

#: Calls that neither wait for the device nor can hide something that does.
_BUILTINS = frozenset({"builtins.range", "builtins.len", "builtins.enumerate", "builtins.zip", "builtins.isinstance"})
_LIBRARIES = ("jax.numpy.", "jax.random.", "jax.lax.")
_METHODS = frozenset({"append", "items", "values", "keys"})
_OF_COMPILING = re.compile(r"trac|compil|warm|dispatch|lower|first|jit", re.I)


class TimedDispatch(Rule):
    """A clock is read before the work is done.

    ## What it does
    Finds two reads of a clock around calls of jitted functions where nothing in between waits for the result, and the
    difference of the two.

    ## Why is this bad?
    JAX queues the work and returns at once. The difference is the time of the dispatch, some ten microseconds, whatever
    the work takes.

    ## Example
    ```python
    import time

    import jax
    import jax.numpy as jnp


    @jax.jit
    def plan(a):
        return jnp.linalg.inv(a @ a)


    def bench(a):
        start = time.perf_counter()
        out = plan(a)
        return out, time.perf_counter() - start
    ```

    ## Use instead
    ```python
    import time

    import jax
    import jax.numpy as jnp


    @jax.jit
    def plan(a):
        return jnp.linalg.inv(a @ a)


    def bench(a):
        start = time.perf_counter()
        out = jax.block_until_ready(plan(a))
        return out, time.perf_counter() - start
    ```

    ## How to verify
    Take the time again after `jax.block_until_ready(out)`: it is longer by what the work takes.

    ## Caveats
    Reading the result (`float(x)`, `np.asarray(x)`, `print(x)`) waits, too. A call that jaxlint does not know may wait:
    then nothing is said. Nor where the function computes nothing (that measures the dispatch on purpose), where the
    time is said to be that of compiling, or where it decides how long a loop runs.

    ## References
    - [JAX: asynchronous dispatch](https://docs.jax.dev/en/latest/async_dispatch.html)
    """

    code = "JAX504"
    name = "timed-dispatch"
    since = "0.2.0"
    needs_trace = False
    severity = Severity.WARNING
    message = "a clock is read before the work is done"

    def __init__(self, facts: Facts) -> None:
        super().__init__(facts)
        self._measures = bool(facts.dispatches) and facts.calls_any(CLOCKS)

    def visit_Module(self, node: cst.Module) -> None:
        """The statements of a script."""
        self._block(node.body)

    def visit_IndentedBlock(self, node: cst.IndentedBlock) -> None:
        """The statements of a body."""
        self._block(node.body)

    def _block(self, body: Sequence[cst.BaseStatement]) -> None:
        """Look for ``start = clock()`` … ``clock() - start`` among the statements of one block."""
        if not self._measures:
            return
        started: dict[str, int] = {}
        ended: dict[str, tuple[int, cst.Call]] = {}
        for number, statement in enumerate(body):
            if not isinstance(statement, cst.SimpleStatementLine):
                continue
            visit(statement, [found := _Differences()])
            for difference in found.nodes:
                self._difference(difference, body, number, started, ended)
            bound = _bound(statement)
            if bound is not None and self._is_clock(bound[1]):
                started[bound[0]] = number
                ended[bound[0]] = (number, bound[1])

    def _difference(
        self,
        node: cst.BinaryOperation,
        body: Sequence[cst.BaseStatement],
        number: int,
        started: dict[str, int],
        ended: dict[str, tuple[int, cst.Call]],
    ) -> None:
        start = started.get(node.right.value) if isinstance(node.right, cst.Name) else None
        if start is None:
            return
        read: cst.Call | None = None
        end = number
        if isinstance(node.left, cst.Call) and self._is_clock(node.left):
            read = node.left
        elif isinstance(node.left, cst.Name) and node.left.value in ended:
            end, read = ended[node.left.value]
        if read is None or end <= start or _OF_COMPILING.search(self.code_for(body[number], 200)):
            return
        between = body[start + 1 : end]
        visit_all = _Calls()
        for statement in between:
            visit(statement, [visit_all])
        sent = [call for call in visit_all.nodes if call in self.facts.dispatches and self._has_work(call)]
        if not sent or visit_all.decides or not all(self._returns_at_once(call) for call in visit_all.nodes):
            return
        self.report(
            read,
            f"`{self.code_for(read)}` is read before `{self.code_for(sent[-1])}` is done: JAX queues the work and "
            "returns at once, and the difference is the time of the dispatch",
            related=(Cause(sent[-1], "the work is queued here"), Cause(body[start], "the first read")),
            help=f"wait for the result before the clock is read: `jax.block_until_ready({self.code_for(sent[-1])})`",
        )

    def _has_work(self, call: cst.Call) -> bool:
        """Whether what is called computes anything: a body of nothing is there to measure the dispatch itself."""
        function = self.facts.dispatches[call]
        if not isinstance(function, Function):
            return True
        visit(function.node.body, [finder := _Work()])
        return finder.found

    def _is_clock(self, call: cst.Call) -> bool:
        return self.facts.callee(call) in CLOCKS

    def _returns_at_once(self, call: cst.Call) -> bool:
        if call in self.facts.dispatches:
            return True
        name = self.facts.callee(call)
        if name:
            return name in _BUILTINS or name in CLOCKS or name.startswith(_LIBRARIES)
        return isinstance(call.func, cst.Attribute) and call.func.attr.value in _METHODS


def _bound(statement: cst.SimpleStatementLine) -> tuple[str, cst.Call] | None:
    """``name = call()``."""
    part = statement.body[0]
    if type(part) is cst.Assign and len(part.targets) == 1 and type(part.value) is cst.Call:
        target = part.targets[0].target
        if type(target) is cst.Name:
            return target.value, part.value
    return None


class _Work(cst.CSTVisitor):
    """Whether a body computes anything."""

    def __init__(self) -> None:
        super().__init__()
        self.found = False

    def visit_Call(self, node: cst.Call) -> None:
        """A call."""
        self.found = True

    def visit_BinaryOperation(self, node: cst.BinaryOperation) -> None:
        """Arithmetic."""
        self.found = True


class _Differences(cst.CSTVisitor):
    """The differences in a statement."""

    def __init__(self) -> None:
        super().__init__()
        self.nodes: list[cst.BinaryOperation] = []

    def visit_BinaryOperation(self, node: cst.BinaryOperation) -> None:
        """Collect."""
        if type(node.operator) is cst.Subtract:
            self.nodes.append(node)


class _Calls(cst.CSTVisitor):
    """The calls in some statements, and whether a test in them may ask an array for its value."""

    def __init__(self) -> None:
        super().__init__()
        self.nodes: list[cst.Call] = []
        self.decides = False

    def visit_Call(self, node: cst.Call) -> None:
        """Collect."""
        self.nodes.append(node)

    def visit_FunctionDef(self, node: cst.FunctionDef) -> bool:
        """Another function's body."""
        return False

    def visit_If(self, node: cst.If) -> None:
        """A test."""
        self.decides = True

    def visit_While(self, node: cst.While) -> None:
        """A test."""
        self.decides = True

    def visit_Assert(self, node: cst.Assert) -> None:
        """A test."""
        self.decides = True

    def visit_FormattedString(self, node: cst.FormattedString) -> None:
        """Text of an array waits for it."""
        self.decides = True
