"""JAX201: a Python loop is unrolled into the compiled program."""

from __future__ import annotations

import libcst as cst

from jaxlint.findings import Severity
from jaxlint.rules.base import Rule
from jaxlint.rules.names import names_in
from jaxlint.syntax import visit
from jaxlint.tracing.facts import Facts, Loop

#: A loop of a written count is reported from here on.
MANY = 32


class UnrolledLoop(Rule):
    """A Python loop is unrolled into the compiled program.

    ## What it does
    Finds `for` loops in traced code that go over the rows or the length of a traced array and carry a value from one
    iteration to the next or append to a list, and loops with a written count of 32 or more.

    ## Why is this bad?
    JAX traces every iteration anew. The program grows with the length of the array, and so does the time to compile
    it: minutes for a few hundred steps. Another length compiles again.

    ## Example
    ```python
    import jax
    import jax.numpy as jnp


    @jax.jit
    def smooth(xs):
        mean = jnp.zeros(())
        out = []
        for t in range(xs.shape[0]):
            mean = 0.9 * mean + 0.1 * xs[t]
            out.append(mean)
        return jnp.stack(out)
    ```

    ## Use instead
    ```python
    import jax
    import jax.numpy as jnp


    @jax.jit
    def smooth(xs):
        def step(mean, x):
            mean = 0.9 * mean + 0.1 * x
            return mean, mean

        return jax.lax.scan(step, jnp.zeros(()), xs)[1]
    ```

    ## How to verify
    `len(jax.make_jaxpr(smooth)(jnp.ones(n)).eqns)` grows with `n` before the change and does not after it.

    ## Caveats
    Short loops are often unrolled on purpose. Loops over Python lists, over static arguments and over the layers of a
    model are not reported.

    ## References
    - [`jax.lax.scan`](https://docs.jax.dev/en/latest/_autosummary/jax.lax.scan.html)
    """

    code = "JAX201"
    name = "unrolled-loop"
    since = "0.1.0"
    severity = Severity.WARNING
    message = "a Python loop is unrolled into the compiled program"

    def leave_Module(self, original_node: cst.Module) -> None:
        """Loops in staged code, noted by the interpreter."""
        for loop in self.facts.loops:
            if type(loop.node) is cst.For:
                self._check(loop, loop.node)

    def _check(self, loop: Loop, node: cst.For) -> None:
        many = loop.length is not None and loop.length >= MANY
        if not many and (loop.extent_of is None or not loop.extent_of.mode):
            return
        if _differs(node, self.facts):
            return
        body = _Body()
        visit(node.body, [body])
        carried = body.stored & body.early.keys()
        grows = any(self.facts.traced(value, sure=False) for value in body.appended)
        carries = any(self.facts.traced(use, sure=False) for name in carried for use in body.early[name])
        if loop.length is not None and loop.length >= MANY and (carries or grows):
            self._say(loop, node, f"{loop.length} times")
        elif loop.extent_of is not None and loop.extent_of.mode:
            axis = _axis(node)
            if carries or (grows and (axis == "0" if axis is not None else not _counts(node))):
                self._say(loop, node, "once per row of a traced array")

    def _say(self, loop: Loop, node: cst.For, how_often: str) -> None:
        self.report(
            node,
            f"this loop {self.inside(loop.context)} is unrolled: its body is compiled {how_often}",
            context=loop.context,
            value=loop.extent_of,
            help="write `jax.lax.scan(step, initial_value, xs)` (or `jax.lax.fori_loop`), or `jax.vmap` if no "
            "iteration needs another",
        )


#: What these give has another shape than what they are given: no scan can carry it.
_RESHAPING = frozenset({"convolve", "concatenate", "append", "stack", "hstack", "vstack", "pad", "block", "kron"})


def _differs(node: cst.For, facts: Facts) -> bool:
    """Whether no two iterations are alike: the counter picks Python objects, or a carried value changes its shape."""
    visit(node.body, [finder := _Differences(names_in(node.target), facts)])
    return finder.found


class _Differences(cst.CSTVisitor):
    def __init__(self, counters: set[str], facts: Facts) -> None:
        super().__init__()
        self.counters = counters
        self.facts = facts
        self.found = False

    def visit_Subscript(self, node: cst.Subscript) -> None:
        """``fns[i]`` of something that is no array."""
        base = node.value
        known = base in self.facts.recorded or not isinstance(base, (cst.Name, cst.Attribute))
        index = node.slice[0].slice if len(node.slice) == 1 else None
        if not known and isinstance(index, cst.Index) and isinstance(index.value, cst.Name):
            self.found |= index.value.value in self.counters

    def visit_Assign(self, node: cst.Assign) -> None:
        """``poly = jnp.convolve(poly, …)``."""
        value = node.value
        if isinstance(value, cst.Call) and isinstance(value.func, cst.Attribute) and len(node.targets) == 1:
            target = node.targets[0].target
            if value.func.attr.value in _RESHAPING and isinstance(target, cst.Name):
                self.found |= target.value in names_in(value)


def _counts(node: cst.For) -> bool:
    """``for i in range(n)`` where `n` is a name: which axis it counts cannot be seen here."""
    return (
        type(node.iter) is cst.Call
        and type(node.iter.func) is cst.Name
        and node.iter.func.value == "range"
        and all(isinstance(arg.value, (cst.Name, cst.Integer)) for arg in node.iter.args)
    )


def _axis(node: cst.For) -> str | None:
    """Which axis of `x.shape[axis]` a loop counts along, as it is written; None if it counts rows otherwise."""
    finder = _Shape()
    visit(node.iter, [finder])
    return finder.axis


class _Shape(cst.CSTVisitor):
    def __init__(self) -> None:
        super().__init__()
        self.axis: str | None = None

    def visit_Subscript(self, node: cst.Subscript) -> None:
        """``x.shape[0]``."""
        if type(node.value) is cst.Attribute and node.value.attr.value == "shape":
            part = node.slice[0].slice
            self.axis = part.value.value if type(part) is cst.Index and type(part.value) is cst.Integer else "?"


class _Body(cst.CSTVisitor):
    """What a loop body stores, what it loads before it has stored it (the last iteration's value), what it appends."""

    def __init__(self) -> None:
        super().__init__()
        self.stored: set[str] = set()
        self.early: dict[str, list[cst.Name]] = {}
        self.appended: list[cst.BaseExpression] = []

    def visit_Assign(self, node: cst.Assign) -> bool:
        visit(node.value, [self])
        for target in node.targets:
            self._store(target.target)
        return False

    def visit_AugAssign(self, node: cst.AugAssign) -> bool:
        visit(node.value, [self])
        visit(node.target, [self])
        self._store(node.target)
        return False

    def _store(self, target: cst.BaseExpression) -> None:
        if type(target) is cst.Name:
            self.stored.add(target.value)
        elif isinstance(target, (cst.Tuple, cst.List)):
            for part in target.elements:
                self._store(part.value)
        else:
            visit(target, [self])

    def visit_Name(self, node: cst.Name) -> None:
        if node.value not in self.stored:
            self.early.setdefault(node.value, []).append(node)

    def visit_Call(self, node: cst.Call) -> None:
        if type(node.func) is cst.Attribute and node.func.attr.value == "append" and len(node.args) == 1:
            self.appended.append(node.args[0].value)

    def visit_FunctionDef(self, node: cst.FunctionDef) -> bool:
        return False
