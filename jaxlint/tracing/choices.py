"""Choices: one of several callables, where a setting decides which; each of them may run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jaxlint.tracing.values import Bound, Choice, Function, Library, Ref, Value, join, unknown

if TYPE_CHECKING:
    import libcst as cst

    from jaxlint.tracing.arguments import Arguments
    from jaxlint.tracing.interpreter import Interpreter
    from jaxlint.tracing.state import State

#: The first part of a condition that asks for a setting named for compiling.
TRACED_FLAG = "traced flag"
#: So many callables are kept apart where one of them is meant.
_OPTIONS = 32


def choice(a: Value, b: Value, before: tuple[Any, ...] = (), after: tuple[Any, ...] = ()) -> Value:
    """One of two callables; ``before`` and ``after`` are the tests under which it is ``a`` or ``b``."""
    if isinstance(a, Library) and isinstance(b, Library) and a.name != b.name:
        return unknown()  # imports that the platform or a version decides
    left = a.options if isinstance(a, Choice) else ((a, before),)
    right = b.options if isinstance(b, Choice) else ((b, after),)
    options: dict[Any, tuple[Value, tuple[Any, ...]]] = {}
    for fn, tests in (*left, *right):
        known = options.setdefault(_same(fn), (fn, tests))
        if known[1] != tests:
            options[_same(fn)] = (fn, ())
    if len(options) == 1:
        return a
    if any(atom[0] == TRACED_FLAG for _, tests in options.values() for atom, _ in tests):
        return unknown()  # one for traces and one for plain Python: which of them is traced is not known
    return Choice(tuple(options.values())) if len(options) <= _OPTIONS else unknown()


def _same(value: Value) -> Any:
    """What two callables that are the same have in common."""
    if isinstance(value, Function):
        return value.node, value.frame
    if isinstance(value, Bound):
        return _same(value.fn), value.owner.obj if isinstance(value.owner, Ref) else value.owner
    if isinstance(value, Library):
        return value.name
    return value


def call_one_of(it: Interpreter, func: Choice, arguments: Arguments, node: cst.CSTNode, st: State) -> Value:
    """Any of several callables may be meant: each is called, apart from those that an earlier test ruled out."""
    from jaxlint.tracing.calls import call, call_unknown
    from jaxlint.tracing.state import join_states

    held = dict(st.conditions)
    end: State | None = None
    result: Value | None = None
    for fn, tests in func.options:
        if any(held.get(atom, truth) is not truth for atom, truth in tests):
            continue
        taken = st.copy()
        taken.conditions = (*st.conditions, *(one for one in tests if one[0] not in held))
        got = call(it, fn, arguments, node, taken)
        taken.conditions = st.conditions
        result = got if result is None else join(result, got)
        end = join_states(end, taken)
    if end is None or result is None:
        return call_unknown(it, arguments, node, st)
    st.become(end)
    return result
