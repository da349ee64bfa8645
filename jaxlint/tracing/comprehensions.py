"""Comprehensions: loops with a scope of their own. Interpreted for two elements, like loops."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from jaxlint.tracing import assign, elements, guards
from jaxlint.tracing.loops import twice
from jaxlint.tracing.state import Contents
from jaxlint.tracing.values import Sequence, Value, join, without_key

if TYPE_CHECKING:
    from collections.abc import Callable

    from jaxlint.tracing.interpreter import Interpreter
    from jaxlint.tracing.state import State


def eval_list_comp(it: Interpreter, node: cst.ListComp | cst.SetComp | cst.GeneratorExp, st: State) -> Value:
    """``[elt for …]``; a generator expression is taken to be consumed where it stands."""
    got: list[Value] = []
    exact = _run(it, node.for_in, st, lambda inner: got.append(it.eval(node.elt, inner)), node)
    value = _element(it, got, node)
    if type(node) is cst.GeneratorExp:
        return Sequence("generator", (value,))
    form = "list" if type(node) is cst.ListComp else "set"
    if exact is not None and exact == len(got) and form == "list":
        return it.allocate(form, node, Contents(tuple(got)), st)
    if exact is not None and form == "list" and got and exact <= 64:
        return it.allocate(form, node, Contents(tuple(without_key(value) for _ in range(exact))), st)
    return it.allocate(form, node, Contents(None, None, value), st)


def eval_dict_comp(it: Interpreter, node: cst.DictComp, st: State) -> Value:
    """``{key: value for …}``."""
    got: list[Value] = []

    def one(inner: State) -> None:
        it.eval(node.key, inner)
        got.append(it.eval(node.value, inner))

    _run(it, node.for_in, st, one, node)
    return it.allocate("dict", node, Contents(None, None, _element(it, got, node)), st)


def _element(it: Interpreter, got: list[Value], node: cst.CSTNode) -> Value:
    if not got:
        return it.unknown(node)
    value = got[0]
    for other in got[1:]:
        value = join(value, other)
    return without_key(value)


def _run(it: Interpreter, loop: cst.CompFor, st: State, leaf: Callable[[State], None], node: cst.CSTNode) -> int | None:
    """Run the loops of a comprehension, calling ``leaf`` inside. Returns the length of a single filterless loop."""
    inner = st.copy()
    iterable = it.eval(loop.iter, inner)
    count = elements.length(it, iterable, inner)

    def one(turn: int, state: State) -> bool:
        if count is not None and turn >= count:
            return False
        held = state.conditions
        assign.bind(it, loop.target, elements.iterated(it, iterable, turn, state, loop.target), state)
        for test in loop.ifs:
            value = it.eval(test.test, state)
            if guards.truth(it, value, test.test) is False:
                state.conditions = held
                return True
            guards.refine(it, state, test.test, True)
        if loop.inner_for_in is not None:
            _run(it, loop.inner_for_in, state, leaf, node)
        else:
            leaf(state)
        state.conditions = held
        return True

    before = it.loops
    it.loops = (*before, loop)
    twice(it, node, inner, one)
    it.loops = before
    st.heap, st.used = inner.heap, inner.used
    return count if not loop.ifs and loop.inner_for_in is None else None
