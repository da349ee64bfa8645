"""The standard library, as far as it makes or calls things that matter: partial, reduce, namedtuple, deque, replace."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import libcst as cst

from jaxlint.tracing import elements
from jaxlint.tracing.operators import combine
from jaxlint.tracing.state import Contents
from jaxlint.tracing.values import ClassValue, Partial, Ref, Sequence, Static, Value, join

if TYPE_CHECKING:
    from jaxlint.tracing.arguments import Arguments
    from jaxlint.tracing.interpreter import Interpreter
    from jaxlint.tracing.state import State


def _namedtuple(it: Interpreter, name: str, arguments: Arguments, node: cst.CSTNode, st: State) -> Value:
    """``collections.namedtuple("State", "a b")``."""
    names = arguments.positional[1] if len(arguments.positional) > 1 else None
    fields: list[str] = []
    if isinstance(names, Static) and isinstance(names.const, str):
        fields = names.const.replace(",", " ").split()
    elif names is not None:
        count = elements.length(it, names, st)
        listed = [elements.element(it, names, i, st, node) for i in range(count or 0)]
        fields = [part.const for part in listed if isinstance(part, Static) and isinstance(part.const, str)]
    if not fields:
        return it.unknown(node)
    empty = cst.ClassDef(cst.Name("_"), cst.IndentedBlock([]))
    cls = ClassValue(empty, "namedtuple", None, ())
    cls.family = "namedtuple"
    cls.fields = dict.fromkeys(fields)
    return cls


def _collection(it: Interpreter, name: str, arguments: Arguments, node: cst.CSTNode, st: State) -> Value:
    """deque, Counter, defaultdict, OrderedDict: a list or a dict with more methods."""
    form = "list" if name.endswith("deque") else "dict"
    return it.allocate(form, node, Contents(None, None, it.unknown(node) if arguments.all() else None), st)


def _namespace(it: Interpreter, name: str, arguments: Arguments, node: cst.CSTNode, st: State) -> Value:
    """``types.SimpleNamespace(a=…)``: an object without a class worth knowing."""
    cls = ClassValue(cst.ClassDef(cst.Name("SimpleNamespace"), cst.IndentedBlock([])), "SimpleNamespace", None, ())
    return it.allocate("instance", node, Contents(None, dict(arguments.keywords)), st, cls)


def _replace(it: Interpreter, name: str, arguments: Arguments, node: cst.CSTNode, st: State) -> Value:
    """``dataclasses.replace(obj, field=value)``: a new object."""
    owner = arguments.positional[0] if arguments.positional else None
    if isinstance(owner, Ref) and owner.obj.form == "instance":
        held = it.contents(owner.obj, st) or Contents()
        fields = {**held.fields, **arguments.keywords}
        return it.allocate("instance", node, Contents(None, fields), st, owner.obj.cls)
    return it.unknown(node)


def _reduce(it: Interpreter, name: str, arguments: Arguments, node: cst.CSTNode, st: State) -> Value:
    if len(arguments.positional) < 2:
        return it.unknown(node)
    fn, items = arguments.positional[:2]
    first = arguments.positional[2] if len(arguments.positional) > 2 else elements.element(it, items, 0, st, node)
    return it.call_value(fn, (first, elements.element(it, items, None, st, node)), {}, node, st)


def _partial(it: Interpreter, name: str, arguments: Arguments, node: cst.CSTNode, st: State) -> Value:
    if not arguments.positional or arguments.open:
        return it.unknown(node)
    return Partial(arguments.positional[0], arguments.positional[1:], dict(arguments.keywords))


def _partialmethod(it: Interpreter, name: str, arguments: Arguments, node: cst.CSTNode, st: State) -> Value:
    """``partialmethod(f, flag=True)``: bound like a method. With positional arguments they come after ``self``."""
    if len(arguments.positional) != 1 or arguments.open:
        return it.unknown(node)
    return Partial(arguments.positional[0], (), dict(arguments.keywords))


def _pairs(it: Interpreter, name: str, arguments: Arguments, node: cst.CSTNode, st: State) -> Value:
    """``itertools.product(a, b)`` and others: tuples of elements."""
    parts = arguments.positional
    if name.endswith("pairwise"):
        return Sequence("product", (*parts, *parts))
    if name.endswith("product"):
        return Sequence("product", parts) if parts and not arguments.keywords else it.unknown(node)
    count = parts[1].const if len(parts) == 2 and isinstance(parts[1], Static) else None
    if not isinstance(count, int) or not 0 < count < 6:
        return it.unknown(node)
    return Sequence("product", parts[:1] * count)


def _some_of(it: Interpreter, name: str, arguments: Arguments, node: cst.CSTNode, st: State) -> Value:
    """``itertools.chain``, ``islice`` and others: elements of what they are given."""
    parts = arguments.positional
    if name.endswith(("takewhile", "dropwhile", "filterfalse")):
        parts = parts[1:]
    elif not name.endswith("chain"):
        parts = parts[:1]
    if not parts or arguments.open:
        return it.unknown(node)
    value = elements.element(it, parts[0], None, st, node)
    for part in parts[1:]:
        value = join(value, elements.element(it, part, None, st, node))
    return Sequence("generator", (value,))


def _operator(it: Interpreter, name: str, arguments: Arguments, node: cst.CSTNode, st: State) -> Value:
    return combine(it, node, arguments.all())


STDLIB: dict[str, Any] = {
    "types.SimpleNamespace": _namespace,
    "collections.deque": _collection,
    "collections.Counter": _collection,
    "collections.defaultdict": _collection,
    "collections.OrderedDict": _collection,
    "collections.namedtuple": _namedtuple,
    "functools.partial": _partial,
    **{f"operator.{name}": _operator for name in ("add", "sub", "mul", "truediv", "matmul", "pow", "neg")},
    "functools.partialmethod": _partialmethod,
    **dict.fromkeys((f"itertools.{name}" for name in ("product", "pairwise", "combinations", "permutations")), _pairs),
    **dict.fromkeys(
        (f"itertools.{name}" for name in ("chain", "islice", "cycle", "takewhile", "dropwhile", "filterfalse")),
        _some_of,
    ),
    "functools.reduce": _reduce,
    "dataclasses.replace": _replace,
}
