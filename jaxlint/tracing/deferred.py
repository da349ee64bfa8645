"""Deferred values: host code's calls into the project's other files are worked out only if a trace needs the result.

``env = Pendulum(); loss_fn = make_loss(model)`` in a training script costs nothing until code that JAX traces calls
``env.step`` or ``loss_fn``. Then the call is made up for, as host code, without leaving facts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jaxlint.tracing import attributes, elements
from jaxlint.tracing.late import Deferred
from jaxlint.tracing.state import State
from jaxlint.tracing.values import Library, Ref, Unknown, Value

if TYPE_CHECKING:
    import libcst as cst

    from jaxlint.tracing.arguments import Arguments
    from jaxlint.tracing.interpreter import Interpreter

#: A deferred value may need others: so many in a row.
_CHAIN = 12


def deferred_call(it: Interpreter, callee: Value, arguments: Arguments, node: cst.CSTNode, st: State) -> Deferred:
    """The result of a call that is put off."""
    made = Deferred(it.context, node, it.context.space)
    made.call = (callee, arguments)
    for value in arguments.all():
        if isinstance(value, Ref):
            held = it.contents(value.obj, st)
            if held is not None:
                made.held[value.obj] = held
    return made


def call_deferred(it: Interpreter, func: Deferred, arguments: Arguments, node: cst.CSTNode, st: State) -> Value:
    """Host code calls something that another file made: put off as well, unless what it is given matters."""
    from jaxlint.tracing.calls import call, call_unknown
    from jaxlint.tracing.library import matters

    if matters(it, arguments):
        made = force(it, func)
        if not isinstance(made, Deferred):
            return call(it, made, arguments, node, st)
    put_off = deferred_call(it, func, arguments, node, st)
    call_unknown(it, arguments, node, st)
    return put_off


def deferred_part(it: Interpreter, base: Deferred, how: str, name: Any, node: cst.CSTNode) -> Value:
    """``base.name`` or ``base[name]`` of a deferred value: the same each time."""
    if base.fields is None:
        base.fields = {}
    key = name if how == "." else (how, name)
    found = base.fields.get(key)
    if found is None:
        made = Deferred(base.birth or it.context, node, base.origin.space)
        made.base, made.part = base, (how, name)
        found = base.fields[key] = made
    return found


def needed(it: Interpreter, value: Value) -> Value:
    """What a deferred value is, if a trace asks; anything else as it is."""
    if isinstance(value, Deferred) and it.context.is_traced:
        return force(it, value)
    return value


def force(it: Interpreter, value: Deferred) -> Value:
    """Work a deferred value out. What cannot be is the unknown value that it was."""
    origin = value.origin
    if not origin.tried:
        origin.tried = True
        if it.forcing < _CHAIN and it.fuel >= 0:
            origin.made = _work_out(it, origin)
    return value if origin.made is None else origin.made


def _work_out(it: Interpreter, value: Deferred) -> Value | None:
    node = value.node
    assert node is not None
    st = State({}, {}, dict(value.held), {})
    known = {*value.held, *it.heap}
    with it.as_host(value.space):
        if value.base is not None:
            made = _part(it, value, st, node)
        else:
            assert value.call is not None
            made = _called(it, *value.call, node, st)
    for obj, held in st.heap.items():
        if obj not in known:
            obj.is_global = True
            it.heap[obj] = held
    return None if made is None or isinstance(made, Unknown) else made


def _part(it: Interpreter, value: Deferred, st: State, node: cst.CSTNode) -> Value | None:
    assert value.base is not None
    base = force(it, value.base)
    if isinstance(base, Deferred):
        return None
    how, name = value.part
    return attributes.get(it, base, name, st, node) if how == "." else elements.element(it, base, name, st, node)


def _called(it: Interpreter, callee: Value, arguments: Arguments, node: cst.CSTNode, st: State) -> Value | None:
    from jaxlint.tracing.calls import call

    fn: Value | None = callee
    if isinstance(callee, Library):
        fn = it.program.resolve(it, callee)
    elif isinstance(callee, Deferred):
        fn = force(it, callee)
    if fn is None or isinstance(fn, Unknown):
        return None
    return call(it, fn, arguments, node, st)


def forget(value: Deferred) -> None:
    """Host code wrote to it: it is no longer what the call made."""
    value.origin.tried, value.origin.made = True, None
