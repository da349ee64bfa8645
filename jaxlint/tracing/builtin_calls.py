"""Builtins, as far as they matter: what they give for arrays, containers and keys."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import libcst as cst

from jaxlint.knowledge.array_api import ARRAY_ATTRIBUTES, ARRAY_METHODS, STATIC_ATTRIBUTES, UPDATE_ATTRIBUTE
from jaxlint.tracing import attributes, elements
from jaxlint.tracing.loops import twice
from jaxlint.tracing.operators import combine
from jaxlint.tracing.state import Contents
from jaxlint.tracing.values import (
    NO_CONST,
    NONE,
    TRACER_TEST,
    Array,
    Kind,
    Library,
    LibraryObject,
    Ref,
    Sequence,
    Static,
    Tuple,
    Value,
)

if TYPE_CHECKING:
    from jaxlint.tracing.arguments import Arguments
    from jaxlint.tracing.interpreter import Interpreter
    from jaxlint.tracing.state import State


def call_builtin(it: Interpreter, name: str, arguments: Arguments, node: cst.CSTNode, st: State) -> Value:
    """Call the builtin ``name``."""
    handler = _HANDLERS.get(name)
    if handler is not None:
        result: Value = handler(it, name, arguments, node, st)
        return result
    if name in _STATIC:
        return Static(type_name=_STATIC[name])
    from jaxlint.tracing.calls import call_unknown

    return call_unknown(it, arguments, node, st)


_STATIC = {
    "callable": "bool",
    "issubclass": "bool",
    "id": "int",
    "hash": "int",
    "ord": "int",
    "chr": "str",
    "type": "",
    "dir": "",
    "globals": "",
    "input": "str",
    "bin": "str",
    "hex": "str",
    "oct": "str",
    "slice": "",
}


def _first(arguments: Arguments) -> Value | None:
    return arguments.positional[0] if arguments.positional else None


def _number(it: Interpreter, name: str, arguments: Arguments, node: cst.CSTNode, st: State) -> Value:
    """int, float, bool, complex: read the array, if it is one."""
    from jaxlint.tracing.library import note_sync

    value = _first(arguments)
    if isinstance(value, Array) and value.kind is Kind.CONCRETE:
        note_sync(it, node, f"{name}()", value)
    const: Any = NO_CONST
    if (
        isinstance(value, Static)
        and value.known
        and isinstance(value.const, (int, float, bool))
        and name in ("int", "float", "bool")
    ):
        try:
            const = {"int": int, "float": float, "bool": bool}[name](value.const)
        except (ValueError, OverflowError):
            const = NO_CONST
    extent = value.extent_of if isinstance(value, Static) else None
    return Static(const, name, extent)


def _len(it: Interpreter, name: str, arguments: Arguments, node: cst.CSTNode, st: State) -> Value:
    value = _first(arguments)
    if value is None:
        return Static(type_name="int")
    known = elements.length(it, value, st)
    if known is not None:
        return Static(known)
    return Static(type_name="int", extent_of=value if isinstance(value, Array) and value.is_traced else None)


def _range(it: Interpreter, name: str, arguments: Arguments, node: cst.CSTNode, st: State) -> Value:
    return Sequence("range", arguments.positional)


def _form(it: Interpreter, name: str, arguments: Arguments, node: cst.CSTNode, st: State) -> Value:
    return Sequence(name, arguments.positional[:1] if name != "zip" else arguments.positional)


def _next(it: Interpreter, name: str, arguments: Arguments, node: cst.CSTNode, st: State) -> Value:
    value = _first(arguments)
    if isinstance(value, Sequence) and value.parts:
        inner = elements.element(it, value, None, st, node)
        return inner.like(key=None) if isinstance(inner, Array) else it.unknown(node)
    return it.unknown(node)


def _collect(it: Interpreter, name: str, arguments: Arguments, node: cst.CSTNode, st: State) -> Value:
    """list, tuple, set of an iterable."""
    value = _first(arguments)
    form = "list" if name == "tuple" else name
    if value is None:
        return Tuple(()) if name == "tuple" else it.allocate(form, node, Contents(()), st)
    known = elements.length(it, value, st)
    if known is not None and known <= 64:
        items = tuple(elements.iterated(it, value, i, st, node) for i in range(known))
        return Tuple(items) if name == "tuple" else it.allocate(form, node, Contents(items), st)
    rest = elements.part(it, value, None, st, node)
    if name == "tuple":
        return rest.like(certain=False) if isinstance(rest, Array) else it.unknown(node)
    return it.allocate(form, node, Contents(None, None, rest), st)


def _dict(it: Interpreter, name: str, arguments: Arguments, node: cst.CSTNode, st: State) -> Value:
    value = _first(arguments)
    fields: dict[Any, Value] = dict(arguments.keywords)
    if value is None and not arguments.open:
        return it.allocate("dict", node, Contents(None, fields), st)
    if isinstance(value, Ref) and value.obj.form == "dict":
        held = it.contents(value.obj, st) or Contents(None, None, it.unknown(node))
        return it.allocate("dict", node, Contents(None, {**held.fields, **fields}, held.rest), st)
    return it.allocate("dict", node, Contents(None, fields, it.unknown(node)), st)


def _isinstance(it: Interpreter, name: str, arguments: Arguments, node: cst.CSTNode, st: State) -> Value:
    """Decided for certain arrays and for plain Python values."""
    if len(arguments.positional) != 2:
        return Static(type_name="bool")
    value, classes = arguments.positional
    names = _class_names(it, classes, st)
    if names is None:
        return Static(type_name="bool")
    if isinstance(value, Array) and value.kind is Kind.TRACED and "jax.core.Tracer" in names:
        return Static(True)
    if isinstance(value, Array) and value.certain and value.kind is not Kind.HOST:
        if names & _ARRAY_CLASSES:
            return Static(True)
        if "jax.core.Tracer" in names:
            return Static(type_name="bool")
        return Static(False) if names <= _NEVER_ARRAYS else Static(type_name="bool")
    if "jax.core.Tracer" in names and not isinstance(value, Static):
        return Static(type_name=TRACER_TEST)
    if isinstance(value, Static) and value.type_name:
        if f"builtins.{value.type_name}" in names:
            return Static(True)
        if names <= _NEVER_STATIC:
            return Static(False)
    return Static(type_name="bool")


_ARRAY_CLASSES = frozenset({"jax.Array", "jax.numpy.ndarray", "chex.Array"})
_NEVER_ARRAYS = frozenset(
    {
        "builtins.int",
        "builtins.float",
        "builtins.bool",
        "builtins.complex",
        "builtins.str",
        "builtins.list",
        "builtins.tuple",
        "builtins.dict",
        "builtins.set",
        "numbers.Number",
        "numbers.Real",
        "numbers.Integral",
        "numpy.ndarray",
        "numpy.generic",
        "builtins.bytes",
        "numpy.integer",
        "numpy.floating",
    }
)
_NEVER_STATIC = _ARRAY_CLASSES | {"jax.core.Tracer", "numpy.ndarray"}


_EVERY_ARRAY_HAS = STATIC_ATTRIBUTES | ARRAY_ATTRIBUTES | ARRAY_METHODS | {UPDATE_ATTRIBUTE}


def _hasattr(it: Interpreter, name: str, arguments: Arguments, node: cst.CSTNode, st: State) -> Value:
    """Decided for arrays and the attributes that every array has."""
    if len(arguments.positional) == 2:
        value, attribute = arguments.positional
        if isinstance(value, Array) and value.certain and isinstance(attribute, Static):
            if attribute.const in _EVERY_ARRAY_HAS:
                return Static(True)
    return Static(type_name="bool")


def _class_names(it: Interpreter, classes: Value, st: State) -> set[str] | None:
    if isinstance(classes, Library):
        return {classes.name}
    if isinstance(classes, Tuple):
        out: set[str] = set()
        for item in classes.items:
            names = _class_names(it, item, st)
            if names is None:
                return None
            out |= names
        return out
    return None


def _fold_bool(it: Interpreter, name: str, arguments: Arguments, node: cst.CSTNode, st: State) -> Value:
    """any, all: a Python bool. min, max: one of the arguments."""
    _call_key(it, arguments, node, st)
    if name in ("any", "all"):
        return Static(type_name="bool")
    values = arguments.positional
    if len(values) > 1 and all(isinstance(v, Static) for v in values):
        extents = [v.extent_of for v in values if isinstance(v, Static) and v.extent_of is not None]
        # the smaller of a length and something else is bounded by the other
        extent = extents[0] if extents and (name == "max" or len(extents) == len(values)) else None
        consts = [v.const for v in values if isinstance(v, Static) and v.known and isinstance(v.const, (int, float))]
        if len(consts) == len(values):
            return Static(min(consts) if name == "min" else max(consts), extent_of=extent)
        return Static(extent_of=extent)
    if len(values) == 1:
        return combine(it, node, (elements.element(it, values[0], None, st, node),))
    return combine(it, node, values)


def _call_key(it: Interpreter, arguments: Arguments, node: cst.CSTNode, st: State) -> None:
    """``key=`` is called for the elements."""
    key = arguments.keywords.get("key")
    if key is not None and arguments.positional:
        values = arguments.positional
        item = values[0] if len(values) > 1 else elements.element(it, values[0], None, st, node)
        it.call_value(key, (item,), {}, node, st)


def _sum(it: Interpreter, name: str, arguments: Arguments, node: cst.CSTNode, st: State) -> Value:
    value = _first(arguments)
    if value is None:
        return it.unknown(node)
    inner = elements.element(it, value, None, st, node)
    if isinstance(inner, Static):
        return Static(extent_of=inner.extent_of)
    return combine(it, node, (inner, *arguments.positional[1:]))


def _arith(it: Interpreter, name: str, arguments: Arguments, node: cst.CSTNode, st: State) -> Value:
    values = arguments.positional
    if values and all(isinstance(v, Static) for v in values):
        return Static(extent_of=next((v.extent_of for v in values if isinstance(v, Static) and v.extent_of), None))
    result = combine(it, node, values)
    return Tuple((result, result)) if name == "divmod" else result


def _sorted(it: Interpreter, name: str, arguments: Arguments, node: cst.CSTNode, st: State) -> Value:
    value = _first(arguments)
    _call_key(it, arguments, node, st)
    inner = elements.part(it, value, None, st, node) if value is not None else it.unknown(node)
    return it.allocate("list", node, Contents(None, None, inner), st)


def _map(it: Interpreter, name: str, arguments: Arguments, node: cst.CSTNode, st: State) -> Value:
    """map, filter: the function is called for two elements."""
    if len(arguments.positional) < 2:
        return it.unknown(node)
    fn, *iterables = arguments.positional
    got: list[Value] = []

    def one(turn: int, state: State) -> bool:
        items = tuple(elements.iterated(it, each, turn, state, node) for each in iterables)
        got.append(it.call_value(fn, items, {}, node, state) if fn is not NONE else items[0])
        return True

    twice(it, node, st, one)
    value = got[-1] if name == "map" else elements.element(it, iterables[0], None, st, node)
    return Sequence("generator", (value.like(key=None) if isinstance(value, Array) else value,))


def _getattr(it: Interpreter, name: str, arguments: Arguments, node: cst.CSTNode, st: State) -> Value:
    if len(arguments.positional) >= 2:
        owner, attribute = arguments.positional[:2]
        if isinstance(attribute, Static) and isinstance(attribute.const, str) and not isinstance(owner, Library):
            return attributes.get(it, owner, attribute.const, st, node)
    return it.unknown(node)


def _print(it: Interpreter, name: str, arguments: Arguments, node: cst.CSTNode, st: State) -> Value:
    return NONE


def _str(it: Interpreter, name: str, arguments: Arguments, node: cst.CSTNode, st: State) -> Value:
    from jaxlint.tracing.expressions import traced_in

    value = _first(arguments)
    if value is None or (name == "format" and len(arguments.positional) > 1):
        return Static(type_name="str")
    return Static(type_name="str", tainted=traced_in(value))


def _super(it: Interpreter, name: str, arguments: Arguments, node: cst.CSTNode, st: State) -> Value:
    frame = it.context.frame
    if frame is None or frame.cls is None or frame.owner is None:
        return it.unknown(node)
    return LibraryObject("super", frame.owner)


_HANDLERS: dict[str, Any] = {
    "int": _number,
    "float": _number,
    "bool": _number,
    "complex": _number,
    "len": _len,
    "range": _range,
    "enumerate": _form,
    "zip": _form,
    "iter": _form,
    "reversed": _form,
    "next": _next,
    "list": _collect,
    "tuple": _collect,
    "set": _collect,
    "frozenset": _collect,
    "dict": _dict,
    "isinstance": _isinstance,
    "hasattr": _hasattr,
    "any": _fold_bool,
    "all": _fold_bool,
    "min": _fold_bool,
    "max": _fold_bool,
    "sum": _sum,
    "abs": _arith,
    "round": _arith,
    "pow": _arith,
    "divmod": _arith,
    "sorted": _sorted,
    "map": _map,
    "filter": _map,
    "getattr": _getattr,
    "print": _print,
    "str": _str,
    "repr": _str,
    "format": _str,
    "super": _super,
}
