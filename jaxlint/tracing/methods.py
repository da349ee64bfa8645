"""Method calls: on arrays, containers, strings, library objects."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import libcst as cst

from jaxlint.knowledge.array_api import ARRAY_METHODS, SYNC_METHODS, UPDATE_ATTRIBUTE, UPDATE_METHODS
from jaxlint.knowledge.formats import braces_with_format
from jaxlint.knowledge.host_effects import MUTATORS
from jaxlint.knowledge.layers import CELLS
from jaxlint.tracing import assign, attributes, elements, host_effects, takers
from jaxlint.tracing.aval import Aval
from jaxlint.tracing.avals import without_shape
from jaxlint.tracing.host_effects import HostObject
from jaxlint.tracing.library_calls import call_method_of
from jaxlint.tracing.operators import combine
from jaxlint.tracing.results import of_method
from jaxlint.tracing.state import Contents
from jaxlint.tracing.values import (
    NONE,
    Array,
    Kind,
    LibraryObject,
    Ref,
    Sequence,
    Static,
    Transformed,
    Tuple,
    Value,
    join,
)

if TYPE_CHECKING:
    from jaxlint.tracing.arguments import Arguments
    from jaxlint.tracing.interpreter import Interpreter
    from jaxlint.tracing.state import State


def call_method(it: Interpreter, func: LibraryObject, arguments: Arguments, node: cst.CSTNode, st: State) -> Value:
    """Call ``owner.method`` or an instance of a library class."""
    from jaxlint.tracing.calls import call_unknown
    from jaxlint.tracing.library import flat

    owner = func.owner
    if owner is None or isinstance(owner, LibraryObject):
        taken = takers.call_object(it, func, arguments, node, st)
        if taken is not None:
            return taken
    if func.cls == "linen" and isinstance(owner, Ref):
        takers.note_linen(it, owner, func.method, arguments, node, st)
        return _linen(it, owner, func.method, arguments, node, st)
    if owner is None:  # nn.Dense(3)(x)
        result = combine(it, node, flat(it, arguments, st), jax=True)
        if func.cls in CELLS and isinstance(result, Array):
            return Tuple((result.like(certain=False), result.like(certain=False)))
        return result.like(certain=False) if isinstance(result, Array) else result
    if isinstance(owner, Array):
        return _of_array(it, owner, func.method, arguments, node, st)
    if isinstance(owner, Ref):
        return _of_container(it, owner, func.method, arguments, node, st)
    if isinstance(owner, Static):
        return _of_static(it, owner, func.method, arguments, node, st)
    if isinstance(owner, Transformed):
        return _of_transformed(it, owner, func.method, arguments, node, st)
    if isinstance(owner, HostObject):
        return host_effects.call_method(it, owner, func.method, arguments, node, st)
    if isinstance(owner, Tuple):
        return _of_tuple(it, owner, func.method, arguments, node, st)
    if isinstance(owner, LibraryObject):
        known = call_method_of(it, owner, func.method, arguments, node, st)
        if known is not None:
            return known
    return call_unknown(it, arguments, node, st)


#: Methods of dicts and sets that look their first argument up.
_HASHING = frozenset({"get", "pop", "setdefault", "add", "discard", "remove"})
_VIEWS = frozenset({"items", "values", "keys"})


def _of_array(it: Interpreter, owner: Array, method: str, arguments: Arguments, node: cst.CSTNode, st: State) -> Value:
    from jaxlint.tracing.calls import call_unknown
    from jaxlint.tracing.library import flat, note_sync

    if method in SYNC_METHODS:
        if owner.kind is Kind.CONCRETE and method != "block_until_ready":
            note_sync(it, node, f".{method}()", owner)
        return owner if method == "block_until_ready" else Static()
    if not owner.certain and method in _VIEWS:
        return Sequence(method, (owner,))
    if not owner.certain and method in ("get", "pop", "setdefault"):
        return it.unknown(node)
    if method in ARRAY_METHODS or method in UPDATE_METHODS or owner.kind is Kind.HOST:
        if not owner.certain and method == "copy":
            return owner.like()
        result = combine(it, node, (owner, *flat(it, arguments, st)))
        if isinstance(result, Array) and result.kind is not Kind.HOST:
            result.aval = _aval(it, owner, method, arguments, node, st)
        if owner.key is not None and method in ("copy", "reshape", "ravel") and isinstance(result, Array):
            return result.like(key=None)
        return result
    return call_unknown(it, arguments, node, st)


def _aval(
    it: Interpreter, owner: Array, method: str, arguments: Arguments, node: cst.CSTNode, st: State
) -> Aval | None:
    """What is known of ``x.method(…)``; ``x.at[i].set(v)`` has the dtype and the shape of ``x``."""
    target = node.func.value if type(node) is cst.Call and type(node.func) is cst.Attribute else None
    updated = target.value if type(target) is cst.Subscript else None
    if type(updated) is cst.Attribute and updated.attr.value == UPDATE_ATTRIBUTE:
        return owner.aval if method != "get" else without_shape(owner.aval)
    if arguments.open:
        return None
    return of_method(it, owner, method, arguments.positional, arguments.keywords, st)


def _of_container(it: Interpreter, ref: Ref, method: str, arguments: Arguments, node: cst.CSTNode, st: State) -> Value:
    obj = ref.obj
    held = it.contents(obj, st) or Contents(None, None, it.unknown(node))
    values = arguments.positional
    if values and method in _HASHING and elements.check_hashable(it, ref, values[0], node):
        return it.unknown(node)
    if obj.form == "instance":
        from jaxlint.tracing.calls import call_unknown

        if method == "replace" and not values and not arguments.open:
            fields = {**held.fields, **arguments.keywords}
            return it.allocate("instance", node, Contents(None, fields), st, obj.cls)
        return call_unknown(it, arguments, node, st)
    if method in MUTATORS.get(obj.form, frozenset()) or method in ("appendleft", "extendleft", "popleft", "rotate"):
        value = values[-1] if values else None
        if method in ("extend", "update") and value is not None:
            value = elements.element(it, value, None, st, node)
        assign.mutated(it, obj, node, value, st)
        return _mutate(it, ref, method, arguments, held, node, st)
    if method in _VIEWS:
        return Sequence(method, (ref,))
    if method == "get" and values:
        return _get(it, ref, held, values, node, st)
    if method == "copy":
        return it.allocate(obj.form, node, held, st)
    return Static() if method in ("index", "count") else it.unknown(node)


def _get(it: Interpreter, ref: Ref, held: Contents, values: tuple[Value, ...], node: cst.CSTNode, st: State) -> Value:
    name = values[0].const if isinstance(values[0], Static) and values[0].known else None
    default = values[1] if len(values) > 1 else NONE
    if name is not None and name in held.fields:
        return held.fields[name]
    if held.rest is None and name is not None:
        return default
    return join(elements.anything_in(it, held, node), default)


def _mutate(
    it: Interpreter, ref: Ref, method: str, arguments: Arguments, held: Contents, node: cst.CSTNode, st: State
) -> Value:
    obj, values = ref.obj, arguments.positional
    if obj.form == "list" and method == "append" and len(values) == 1:
        if held.items is not None and not it.loops and len(held.items) < 64:
            st.heap[obj] = Contents((*held.items, values[0]), held.fields, held.rest)
        else:
            st.heap[obj] = Contents(None, held.fields, _more(held, values[0]))
        return NONE
    if obj.form == "dict" and method == "update":
        return _update(it, ref, arguments, held, node, st)
    if method in ("pop", "popitem"):
        taken = elements.anything_in(it, held, node)
        index = values[0].const if values and isinstance(values[0], Static) and values[0].known else None
        if obj.form == "list" and held.items and not values:
            taken, st.heap[obj] = held.items[-1], Contents(held.items[:-1], held.fields, held.rest)
        elif obj.form == "dict" and index in held.fields:
            taken = held.fields[index]
            st.heap[obj] = Contents(held.items, {k: v for k, v in held.fields.items() if k != index}, held.rest)
        return taken
    if method == "setdefault" and values:
        found = _get(it, ref, held, values, node, st)
        name = values[0].const if isinstance(values[0], Static) and values[0].known else None
        if name is not None:
            st.heap[obj] = held.with_field(name, found)
        return found
    if method == "clear":
        st.heap[obj] = Contents(() if obj.form == "list" else None)
        return NONE
    added = elements.element(it, values[-1], None, st, node) if values else it.unknown(node)
    st.heap[obj] = Contents(None, held.fields, _more(held, added))
    return NONE


def _more(held: Contents, value: Value) -> Value:
    rest = value if held.rest is None else join(held.rest, value)
    for item in held.items or ():
        rest = join(rest, item)
    return rest.like(key=None) if isinstance(rest, Array) else rest


def _update(it: Interpreter, ref: Ref, arguments: Arguments, held: Contents, node: cst.CSTNode, st: State) -> Value:
    fields: dict[Any, Value] = {**held.fields, **arguments.keywords}
    rest = held.rest
    for value in arguments.positional:
        other = it.contents(value.obj, st) if isinstance(value, Ref) else None
        if other is not None and other.rest is None:
            fields.update(other.fields)
        else:
            rest = it.unknown(node)
    st.heap[ref.obj] = Contents(held.items, fields, rest)
    return NONE


def _of_static(
    it: Interpreter, owner: Static, method: str, arguments: Arguments, node: cst.CSTNode, st: State
) -> Value:
    if owner.type_name == "str" and method == "format":
        from jaxlint.tracing.expressions import traced_in

        formatted = braces_with_format(owner.const) if isinstance(owner.const, str) else frozenset()
        given = (*enumerate(arguments.positional), *arguments.keywords.items())
        shown = (traced_in(value) for place, value in given if place not in formatted)  # the others raise
        return Static(type_name="str", tainted=next((found for found in shown if found is not None), owner.tainted))
    return Static(extent_of=owner.extent_of if owner.type_name != "str" else None)


def _of_transformed(
    it: Interpreter, owner: Transformed, method: str, arguments: Arguments, node: cst.CSTNode, st: State
) -> Value:
    if method in ("defvjp", "defjvp", "def_fwd", "def_bwd") and arguments.positional:
        owner.rules = (*owner.rules, *arguments.positional)
        return arguments.positional[0]
    if method in ("lower", "trace", "eval_shape"):
        it.call_value(owner, arguments.positional, arguments.keywords, node, st.copy())
    return it.unknown(node)


def _of_tuple(it: Interpreter, owner: Tuple, method: str, arguments: Arguments, node: cst.CSTNode, st: State) -> Value:
    if method == "_replace" and owner.names and not arguments.open:
        items = tuple(arguments.keywords.get(name, item) for name, item in zip(owner.names, owner.items, strict=False))
        return Tuple(items, owner.names, owner.cls)
    return Static() if method in ("index", "count") else it.unknown(node)


def _linen(it: Interpreter, ref: Ref, method: str, arguments: Arguments, node: cst.CSTNode, st: State) -> Value:
    """``module.apply(variables, *args)`` calls the module with the arguments after the variables."""
    chosen = arguments.keywords.get("method")
    if method != "apply" or (chosen is not None and chosen is not NONE):
        return it.unknown(node)
    target = attributes.get(it, ref, "__call__", st, node)
    keywords = {
        k: v for k, v in arguments.keywords.items() if k not in ("rngs", "mutable", "method", "capture_intermediates")
    }
    result = it.call_value(target, arguments.positional[1:], keywords, node, st)
    return Tuple((result, it.unknown(node))) if "mutable" in arguments.keywords else result
