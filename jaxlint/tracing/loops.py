"""Loops: interpreted for two iterations, not to a fixpoint.

The second iteration starts from the state after the first alone. What it shows really happens when the loop
runs twice, which makes it a witness: a key that is still the same was used in the previous iteration, a value
that has become traced fails in the test of ``while``. After the loop all the ways out are joined.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import libcst as cst

from jaxlint.tracing import assign, elements, guards
from jaxlint.tracing.facts import Loop
from jaxlint.tracing.state import Exit, State, join_states
from jaxlint.tracing.values import Sequence, Value

if TYPE_CHECKING:
    from collections.abc import Callable

    from jaxlint.tracing.interpreter import Interpreter


def exec_for(it: Interpreter, node: cst.For, st: State) -> Exit | None:
    """``for target in iter``."""
    iterable = it.eval(node.iter, st)
    count = elements.length(it, iterable, st)
    note(it, node, iterable, count, st)
    if count == 0:
        return it.block(node.orelse.body.body, st) if node.orelse is not None else None

    def head(turn: int, state: State) -> bool:
        assign.bind(it, node.target, elements.iterated(it, iterable, turn, state, node.target), state)
        return True

    turns = 1 if count == 1 else it.turns
    return _run(it, node, st, head, turns=turns, surely=count is not None)


def exec_while(it: Interpreter, node: cst.While, st: State) -> Exit | None:
    """``while test``."""
    note(it, node, Sequence("while", ()), None, st)
    decided: list[bool | None] = []

    def head(turn: int, state: State) -> bool:
        value = it.eval(node.test, state)
        decided.append(guards.truth(it, value, node.test))
        held = state.conditions
        guards.refine(it, state, node.test, True)
        state.conditions = held  # that the loop goes on is no test that an iteration may fail
        return decided[-1] is not False

    return _run(it, node, st, head, turns=it.turns, surely=False)


def note(it: Interpreter, node: Any, iterable: Value, count: int | None, st: State) -> None:
    """Leave a fact about a Python loop in staged code."""
    if it.quiet or not it.context.is_staged:
        return
    literal = count is not None and type(node) is cst.For and _is_literal(it, node.iter, st)
    it.facts.loops.append(Loop(node, iterable, count if literal else None, elements.extent(it, iterable), it.context))


def _is_literal(it: Interpreter, node: cst.BaseExpression, st: State) -> bool:
    """``range`` of numbers written here or module constants: parameters are the caller's deliberate choice."""
    if type(node) is not cst.Call or it.facts.callee(node) != "builtins.range":
        return False
    return all(
        type(arg.value) is cst.Integer
        or (type(arg.value) is cst.Name and arg.value.value not in st.locals and arg.value.value in it.globals)
        for arg in node.args
    )


def _run(
    it: Interpreter,
    node: cst.For | cst.While,
    st: State,
    head: Callable[[int, State], bool],
    *,
    turns: int,
    surely: bool,
) -> Exit | None:
    out = Exit()
    entry = st.copy()
    after: State | None = None if surely else entry
    broke: State | None = None
    current: State | None = st.copy()
    before_turn, before_loops = it.turn, it.loops
    it.loops = (*before_loops, node)
    for turn in range(turns):
        assert current is not None
        it.turn = (*before_turn, turn)
        start = current.copy() if turn == 0 else None
        if not head(turn, current):
            break
        left = it.block(node.body.body, current)
        current, broken = _end_of_turn(current, left, out)
        broke = join_states(broke, broken)
        if current is None:
            break
        current.conditions = entry.conditions
        if turn == 0 and start is not None and not _changed(start, current):
            break
        if turn == 0 and turns == 2:
            after = join_states(after, current.copy())
    it.turn, it.loops = before_turn, before_loops
    after = join_states(after, current)
    return _leave(it, node, st, after, broke, out)


def _end_of_turn(current: State, left: Exit | None, out: Exit) -> tuple[State | None, State | None]:
    """The state at the end of an iteration (None: it never gets there) and the one where it breaks out."""
    if left is None:
        return current, None
    end = current if left.falls else None
    end = join_states(end, left.continued)
    broken, left.broke, left.continued = left.broke, None, None
    out.absorb(left)
    return end, broken


def _leave(
    it: Interpreter, node: cst.For | cst.While, st: State, after: State | None, broke: State | None, out: Exit
) -> Exit | None:
    if after is not None and node.orelse is not None:
        left = it.block(node.orelse.body.body, after)
        if left is not None:
            out.absorb(left)
            after = after if left.falls else None
    end = join_states(after, broke)
    if end is None:
        return out
    end.conditions = st.conditions
    st.become(end)
    out.falls = True
    return out if out.returned is not None else None


def _changed(before: State, now: State) -> bool:
    """Whether an iteration left anything different for the next one."""
    if before.used.keys() != now.used.keys() or before.frames is not now.frames or before.donated is not now.donated:
        return True
    for name, value in before.locals.items():
        if now.locals.get(name) is not value:
            return True
    return any(now.heap.get(obj) is not held for obj, held in before.heap.items())


def twice(it: Interpreter, node: cst.CSTNode, st: State, body: Callable[[int, State], bool]) -> None:
    """Run ``body`` for two iterations in the same state: a comprehension, a scan, a mapped function."""
    before = it.turn
    for turn in range(it.turns):
        it.turn = (*before, turn)
        held = st.copy() if turn == 0 else None
        go_on = body(turn, st)
        if not go_on or (held is not None and not _changed(held, st)):
            break
    it.turn = before
