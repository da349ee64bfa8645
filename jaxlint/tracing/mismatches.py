"""What loops and branches of JAX must agree on: a carry comes back as it went in, branches return alike.

The check is JAX's own (`scan`, `while_loop` and `fori_loop` of JAX 0.12): structures and shapes at once; dtypes after a
second pass if there is one, which starts from what weakly typed carries are promoted to.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from jaxlint.tracing.boundary import leaves, trace
from jaxlint.tracing.definitions import info_of
from jaxlint.tracing.facts import Mismatch
from jaxlint.tracing.structures import (
    Difference,
    Leaf,
    Node,
    Tree,
    arrays,
    describe,
    difference,
    named,
    second_pass,
    tree_of,
    unnamed,
)
from jaxlint.tracing.values import Mode, Value

if TYPE_CHECKING:
    from jaxlint.tracing.interpreter import Interpreter
    from jaxlint.tracing.state import State


class Carry:
    """The carry of one loop, through both passes over its body."""

    def __init__(self, it: Interpreter, node: cst.CSTNode, body: Value, init: Value, st: State) -> None:
        self.it = it
        self.node = node
        self.body = body
        self.value = trace(it, init, Mode.STAGED, st)
        named(it, self.value, (node, it.context.trace_depth), st)
        self.start: Tree = tree_of(it, self.value, st)
        self.passes = 0
        self.settled = False

    def comes_back(self, result: Value, st: State) -> None:
        """The body has returned ``result`` for the carry."""
        it = self.it
        tree = tree_of(it, result, st)
        if not self.settled:
            again = second_pass(self.start, tree) if self.passes == 0 else self.start
            promotes = again != self.start  # JAX will look a second time
            found = difference(self.start, tree, dtypes=not promotes) or self._returns_nothing(tree)
            if found is not None:
                note(it, "carry", self.node, self.body, found)
            self.settled = found is not None or not promotes
            self.start = again
        self.passes += 1
        self.value = trace(it, result, Mode.STAGED, st)
        for array, leaf in arrays(it, self.value, self.start, st):
            array.aval = leaf.aval

    def _returns_nothing(self, tree: Tree) -> Difference | None:
        """A body without `return`, though it does something with a carry that we do not know."""
        start = self.start
        if isinstance(tree, Node) and tree.kind == "None" and isinstance(start, Leaf) and not start.certain:
            if _uses_carry(self.it, self.body):
                return Difference((), "the carry", "None", "structure")
        return None


def forget_names(it: Interpreter, value: Value, st: State) -> Value:
    """A result outside the loop in whose body its shape was named."""
    for array in leaves(it, value, st):
        if array.aval is not None:
            array.aval = unnamed(array.aval)
    return value


def not_a_pair(it: Interpreter, node: cst.CSTNode, body: Value, result: Value, st: State) -> None:
    """What the body of a scan returned, if it is certainly no pair."""
    tree = tree_of(it, result, st)
    if isinstance(tree, Leaf) and not tree.certain:
        return
    if tree is None or (isinstance(tree, Node) and (len(tree.children) == 2 or not _is_plain(tree))):
        return
    note(it, "pair", node, body, Difference((), "", describe(tree), "structure"))


def _is_plain(tree: Node) -> bool:
    return tree.kind in ("None", "tuple", "list")


def compare_branches(it: Interpreter, node: cst.CSTNode, branches: list[Value], trees: list[Tree]) -> None:
    """All branches of a `cond` or a `switch` return what the first returns."""
    for branch, tree in zip(branches[1:], trees[1:], strict=True):
        found = difference(trees[0], tree)
        if found is not None:
            note(it, "branches", node, branch, found, branches[0])
            return


def check_parameters(it: Interpreter, node: cst.CSTNode, fn: Value, given: int, how: str) -> bool:
    """Whether a function can be called with so many arguments; notes it if it cannot."""
    bounds = arity(it, fn)
    if bounds is None or (bounds[0] <= given and (bounds[1] is None or given <= bounds[1])):
        return True
    low, high = bounds
    takes = str(low) if low == high else f"{low} or more" if high is None else f"{low} to {high}"
    note(it, how, node, fn, Difference((), takes, str(given), "parameters"))
    return False


def arity(it: Interpreter, fn: Value) -> tuple[int, int | None] | None:
    """How many positional arguments a function takes at least and at most; None if that cannot be read."""
    from jaxlint.tracing.calls import signature

    found = signature(it, fn)
    if found is None:
        return None
    function, bound, by_name = found
    info = info_of(it, function)
    if any(param.name.value not in function.defaults and param.name.value not in by_name for param in info.kwonly):
        return None
    params = [param.name.value for param in info.params][bound:]
    cut = next((i for i, name in enumerate(params) if name in by_name), len(params))
    if any(name not in by_name and name not in function.defaults for name in params[cut:]):
        return None
    low = sum(1 for name in params[:cut] if name not in function.defaults)
    return low, None if info.star else cut


def _uses_carry(it: Interpreter, body: Value) -> bool:
    """Whether a function reads its last parameter."""
    from jaxlint.tracing.calls import signature

    found = signature(it, body)
    if found is None:
        return False
    params = info_of(it, found[0]).params
    return bool(params) and _is_read(found[0].node, params[-1].name.value)


def _is_read(function: cst.FunctionDef | cst.Lambda, name: str) -> bool:
    waiting: list[cst.CSTNode] = [function.body]
    while waiting:
        node = waiting.pop()
        if type(node) is cst.Name and node.value == name:
            return True
        waiting.extend(node.children)
    return False


def note(
    it: Interpreter, how: str, node: cst.CSTNode, fn: Value, difference: Difference, other: Value | None = None
) -> None:
    """Leave a fact, unless what fails here is caught or not run."""
    if it.quiet or it.muted:
        return
    it.facts.spaces.setdefault(it.context.space)
    it.facts.mismatches.append(Mismatch(how, node, fn, difference, it.context, other))
