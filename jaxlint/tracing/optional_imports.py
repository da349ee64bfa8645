"""Imports that may fail: ``try: import a / except ImportError: import b``, and what is imported for old Pythons."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

import libcst as cst

from jaxlint.source.gate import MARKERS
from jaxlint.syntax import dotted
from jaxlint.tracing.modules import absolute_name, find_module
from jaxlint.tracing.state import Exit, State, join_states
from jaxlint.tracing.values import ClassValue, Function, Library, Static, Transformed, Value

if TYPE_CHECKING:
    from jaxlint.tracing.interpreter import Interpreter

_CAUGHT = frozenset({"", "ImportError", "ModuleNotFoundError", "Exception", "BaseException"})
#: What is there wherever the program runs, as far as it is about JAX at all.
_INSTALLED = frozenset(sys.stdlib_module_names) | frozenset(MARKERS) | {"numpy", "scipy", "jaxlib", "jaxtyping"}
#: The oldest Python that tells no versions apart any more.
_OLDEST = (3, 10)


def is_optional(node: cst.Try | cst.TryStar) -> bool:
    """Whether a ``try`` imports something and goes on without it."""
    body = _small(node)
    whole = all(type(line) is cst.SimpleStatementLine for line in node.body.body)
    if not whole or not all(isinstance(one, (*_IMPORTS, cst.Assign, cst.Pass)) for one in body):
        return False
    if not any(isinstance(one, _IMPORTS) for one in body) or node.orelse is not None or node.finalbody is not None:
        return False
    return any(not _CAUGHT.isdisjoint(_names(handler.type)) for handler in node.handlers)


def _small(node: cst.Try | cst.TryStar) -> list[cst.BaseSmallStatement]:
    return [one for line in node.body.body if type(line) is cst.SimpleStatementLine for one in line.body]


_IMPORTS = (cst.Import, cst.ImportFrom)


def exec_optional(it: Interpreter, node: cst.Try | cst.TryStar, st: State) -> Exit | None:
    """What a ``try`` of imports binds: what can be imported for certain, else what is known of either way."""
    before = st.copy()
    it.block(node.body.body, st)
    if all(_available(it, one) for one in _small(node) if isinstance(one, _IMPORTS)):
        return None
    out = Exit(falls=True)
    for handler in node.handlers:
        other = before.copy()
        left = it.block(handler.body.body, other)
        if left is not None:
            out.absorb(left)
        if left is None or left.falls:
            _choose(it, st, other)
    return out if out.broke or out.continued or out.returned else None


def _names(node: Any) -> set[str]:
    if node is None:
        return {""}
    if isinstance(node, (cst.Tuple, cst.List)):
        return {name for element in node.elements for name in _names(element.value)}
    return {dotted(node)}


def _available(it: Interpreter, node: Any) -> bool:
    space = it.context.space
    folder = os.path.dirname(os.path.abspath(space.source.path))
    if isinstance(node, cst.Import):
        modules = [dotted(alias.name) for alias in node.names]
    else:
        modules = [absolute_name(space.package, len(node.relative), dotted(node.module))]
    return all(
        name.partition(".")[0] in _INSTALLED or ((found := find_module(folder, name)) is not None and not found[1])
        for name in modules
    )


def _choose(it: Interpreter, st: State, other: State) -> None:
    """Join with the state after a handler; of two meanings of a name the one that can be followed holds."""
    first, second = st.locals, other.locals
    chosen: dict[str, Value] = {}
    for name in first.keys() & second.keys():
        value, fallback = first[name], second[name]
        if value is fallback or not isinstance(value, Library):
            continue
        if _is_ours(it, fallback):
            chosen[name] = fallback
        elif isinstance(fallback, Static):
            chosen[name] = value  # `x = None`: who uses it has it
    joined = join_states(st.copy(), other)
    assert joined is not None
    st.become(joined)
    st.locals.update(chosen)


def _is_ours(it: Interpreter, value: Value) -> bool:
    if isinstance(value, Library):
        folder = os.path.dirname(os.path.abspath(it.context.space.source.path))
        return value.name.partition(".")[0] in _INSTALLED or find_module(folder, value.written) is not None
    return isinstance(value, (Function, ClassValue, Transformed))


def version_test(test: cst.BaseExpression) -> bool | None:
    """Which way ``sys.version_info >= (3, 9)`` goes on every Python that JAX still runs on; None: it depends."""
    if type(test) is not cst.Comparison or len(test.comparisons) != 1 or dotted(test.left) != "sys.version_info":
        return None
    operator, right = test.comparisons[0].operator, test.comparisons[0].comparator
    parts = [one.value for one in right.elements] if type(right) is cst.Tuple else []
    if not parts or not all(type(part) is cst.Integer for part in parts):
        return None
    if tuple(int(part.value) for part in parts if type(part) is cst.Integer) > _OLDEST:
        return None
    if isinstance(operator, (cst.GreaterThanEqual, cst.GreaterThan)):
        return True
    return False if isinstance(operator, cst.LessThan) else None
