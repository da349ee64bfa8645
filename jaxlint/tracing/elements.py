"""Elements: what one gets by indexing, unpacking and iterating."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jaxlint.tracing import keys, stale
from jaxlint.tracing.aval import Aval
from jaxlint.tracing.avals import is_ranked, made
from jaxlint.tracing.facts import Fault
from jaxlint.tracing.late import Deferred
from jaxlint.tracing.values import (
    UNKNOWN,
    Array,
    Kind,
    LibraryObject,
    Ref,
    Sequence,
    Static,
    Tuple,
    Unknown,
    Value,
    join,
)

if TYPE_CHECKING:
    import libcst as cst

    from jaxlint.tracing.interpreter import Interpreter
    from jaxlint.tracing.state import Contents, State


def element(it: Interpreter, value: Value, index: Any, st: State, node: cst.CSTNode) -> Value:
    """The element at a constant ``index``; for keys also at any index that has an identity."""
    if isinstance(value, Array):
        return array_element(it, value, index, node)
    if isinstance(value, Tuple):
        items = value.items
        if isinstance(index, int) and -len(items) <= index < len(items):
            found: Value = items[index]
            return found
        return _any_of(items)
    if isinstance(value, Ref):
        return _object_element(it, value, index, st, node)
    if isinstance(value, Sequence):
        return _sequence_element(it, value, index, st, node)
    if isinstance(value, Unknown) and value is not UNKNOWN:
        if isinstance(value, Deferred) and index is not None:
            return _deferred_element(it, value, index, st, node)
        return _unknown_element(it, value, index, node)
    if isinstance(value, Static):
        return _static_element(value, index)
    if isinstance(value, LibraryObject):
        from jaxlint.tracing.library_calls import read_item

        return read_item(it, value, node)
    return it.unknown(node)


def iterated(it: Interpreter, value: Value, turn: int, st: State, node: cst.CSTNode) -> Value:
    """What the ``turn``-th round of a loop over ``value`` gets: of a dict its keys."""
    if isinstance(value, Ref) and value.obj.form == "dict":
        held = it.contents(value.obj, st)
        if held is not None and held.rest is None and turn < len(held.fields):
            return Static(list(held.fields)[turn])
        return Static(type_name="str")
    return element(it, value, turn, st, node)


def check_hashable(it: Interpreter, owner: Value, index: Value, node: cst.CSTNode) -> bool:
    """Note a tracer that a dict or a set is asked to hash: that fails."""
    if isinstance(owner, Ref) and owner.obj.form in ("dict", "set"):
        for part in index.items if isinstance(index, Tuple) else (index,):
            if isinstance(part, Array) and part.kind is Kind.TRACED and not part.maybe_name:
                it.fault(Fault("hash", node, part, it.context))
                return True
    return False


def array_element(it: Interpreter, value: Array, index: Any, node: cst.CSTNode) -> Array:
    """An element of an array: of a family of keys the key at that index."""
    key = None
    if value.key is not None and index is not None:
        key = keys.child(it, value.key, index, node)
    ndim = None if value.ndim is None else value.ndim - 1
    return value.like(key=key, ndim=ndim, maybe_name=not value.certain, aval=_row_aval(value))


def _row_aval(value: Array) -> Aval | None:
    """What is known of one row of an array."""
    if not value.certain or value.aval is None:
        return None
    shape = value.aval.shape
    return made(value.aval.types, shape[1:] if is_ranked(shape) else None)


def _deferred_element(it: Interpreter, value: Deferred, index: Any, st: State, node: cst.CSTNode) -> Value:
    from jaxlint.tracing.deferred import deferred_part, needed

    found = needed(it, value)
    if not isinstance(found, Deferred):
        return element(it, found, index, st, node)
    if value.token is None and isinstance(index, (int, str)):
        return deferred_part(it, value, "[]", index, node)
    return _unknown_element(it, value, index, node)


def _unknown_element(it: Interpreter, value: Unknown, index: Any, node: cst.CSTNode) -> Value:
    if index is None:
        return it.unknown(node)
    if value.fields is None:
        value.fields = {}
    name = ("[]", index)
    found = value.fields.get(name)
    if found is None:
        made = Unknown(value.birth or it.context, node)
        if value.token is not None:
            made.token = keys.child(it, value.token, index, node)
        value.fields[name] = made
        return made
    return found


def _static_element(value: Static, index: Any) -> Value:
    if value.known and isinstance(index, int):
        try:
            return Static(value.const[index])
        except (TypeError, IndexError, KeyError):
            return Static()
    return Static(extent_of=value.extent_of) if value.extent_of is not None else Static()


def _object_element(it: Interpreter, ref: Ref, index: Any, st: State, node: cst.CSTNode) -> Value:
    held = it.contents(ref.obj, st)
    if held is None:
        return it.unknown(node)
    if ref.obj.form == "list" and held.items is not None and isinstance(index, int):
        if -len(held.items) <= index < len(held.items):
            return held.items[index]
    elif ref.obj.form == "dict" and index in held.fields:
        if it.context.is_staged:
            stale.read(it, ref.obj, index, held.fields[index], node)
        return held.fields[index]
    return anything_in(it, held, node)


def anything_in(it: Interpreter, held: Contents, node: cst.CSTNode) -> Value:
    """A value that stands for any element of an object."""
    values = [*(held.items or ()), *held.fields.values()]
    if held.rest is not None:
        values.append(held.rest)
    return fresh(it, _any_of(tuple(values)), node) if values else it.unknown(node)


def fresh(it: Interpreter, value: Value, node: cst.CSTNode) -> Value:
    """The same kind of value with an identity of its own: which of many it is, is not known."""
    if isinstance(value, Array):
        return value.like(key=None)
    if isinstance(value, Unknown):
        return it.unknown(node)
    if isinstance(value, Tuple):
        return Tuple(tuple(fresh(it, item, node) for item in value.items), value.names, value.cls)
    return value


def _without_key(value: Array) -> Array:
    return value.like(key=None) if value.key is not None else value


def _any_of(values: tuple[Value, ...]) -> Value:
    if not values:
        return UNKNOWN
    out = values[0]
    for value in values[1:]:
        out = join(out, value)
    if isinstance(out, Array):
        return _without_key(out)
    return out


def _sequence_element(it: Interpreter, value: Sequence, index: Any, st: State, node: cst.CSTNode) -> Value:
    parts = value.parts
    if value.form == "range":
        return Static(type_name="int")
    if value.form == "enumerate":
        return Tuple((Static(type_name="int"), part(it, parts[0], index, st, node)))
    if value.form == "product":
        return Tuple(tuple(part(it, one, None, st, node) for one in parts))
    if value.form == "zip":
        return Tuple(tuple(part(it, one, index, st, node) for one in parts))
    if value.form in ("iter", "reversed"):
        return part(it, parts[0], index if value.form == "iter" else None, st, node)
    if value.form == "items":
        return _item_pair(it, parts[0], index, st, node)
    if value.form == "values":
        pair = _item_pair(it, parts[0], index, st, node)
        return pair.items[1]
    if value.form == "keys":
        return Static(type_name="str")
    return fresh(it, parts[0], node) if parts else it.unknown(node)  # a generator: what it yields


def part(it: Interpreter, value: Value, index: Any, st: State, node: cst.CSTNode) -> Value:
    """What iterating gives at ``index`` (None: anywhere): of a dict its keys."""
    if isinstance(value, Ref) and value.obj.form == "dict":
        return iterated(it, value, index if isinstance(index, int) else 1 << 20, st, node)
    return element(it, value, index, st, node)


def _item_pair(it: Interpreter, mapping: Value, index: Any, st: State, node: cst.CSTNode) -> Tuple:
    if isinstance(mapping, Ref):
        held = it.contents(mapping.obj, st)
        if held is not None:
            if held.rest is None and isinstance(index, int) and index < len(held.fields):
                name = list(held.fields)[index]
                return Tuple((Static(name), held.fields[name]))
            return Tuple((Static(), anything_in(it, held, node)))
    if isinstance(mapping, Array):
        return Tuple((Static(), mapping.like(key=None)))
    return Tuple((it.unknown(node), it.unknown(node)))


def length(it: Interpreter, value: Value, st: State) -> int | None:
    """How many elements an iterable has, where known."""
    if isinstance(value, Tuple):
        return len(value.items)
    if isinstance(value, Ref):
        held = it.contents(value.obj, st)
        if held is None:
            return None
        if value.obj.form == "dict":
            return len(held.fields) if held.rest is None else None
        return len(held.items) if held.items is not None and held.rest is None else None
    if isinstance(value, Static) and value.known and isinstance(value.const, (str, bytes, tuple)):
        return len(value.const)
    if isinstance(value, Sequence):
        return _sequence_length(it, value, st)
    return None


def _sequence_length(it: Interpreter, value: Sequence, st: State) -> int | None:
    if value.form == "range":
        bounds = [part.const for part in value.parts if isinstance(part, Static) and isinstance(part.const, int)]
        if bounds and len(bounds) == len(value.parts) and (len(bounds) < 3 or bounds[2] != 0):
            return len(range(*bounds))
        return None
    if value.form in ("enumerate", "iter", "reversed", "items", "values", "keys") and value.parts:
        return length(it, value.parts[0], st)
    if value.form == "zip":
        known = [n for n in (length(it, part, st) for part in value.parts) if n is not None]
        return min(known) if len(known) == len(value.parts) and known else None
    return None


def extent(it: Interpreter, value: Value) -> Array | None:
    """The array whose rows or length an iterable walks: ``xs``, ``range(xs.shape[0])``, ``zip(xs, ys)``."""
    if isinstance(value, Array):
        return value if value.certain and value.key is None else None
    if not isinstance(value, Sequence) or value.form in ("items", "keys", "values", "generator"):
        return None
    if value.form == "range":
        return _range_extent(value.parts)
    found = [extent(it, part) for part in value.parts]
    if value.form == "zip" and None in found:
        return None  # the other sequence may be a short one
    return next((one for one in found if one is not None), None)


def _range_extent(bounds: tuple[Value, ...]) -> Array | None:
    """The array that a ``range`` is as long as: not one between two bounds that both come from its length."""
    found = [bound.extent_of for bound in bounds if isinstance(bound, Static) and bound.extent_of is not None]
    return found[0] if len(found) == 1 else None
