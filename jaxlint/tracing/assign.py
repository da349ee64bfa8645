"""Binding: names, unpacking, attributes, items; and what a write means for the trace it happens in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import libcst as cst

from jaxlint.tracing import attributes, elements, stale
from jaxlint.tracing.context import RegionKind
from jaxlint.tracing.deferred import forget
from jaxlint.tracing.facts import Fault
from jaxlint.tracing.late import Deferred
from jaxlint.tracing.operators import binary
from jaxlint.tracing.state import Contents, Frame, HeapObject
from jaxlint.tracing.values import Array, ClassValue, Function, Kind, Ref, Static, Tuple, Unknown, Value, join

if TYPE_CHECKING:
    from jaxlint.tracing.interpreter import Interpreter
    from jaxlint.tracing.state import State


def bind(
    it: Interpreter, target: cst.BaseExpression, value: Value, st: State, source: cst.CSTNode | None = None
) -> None:
    """``target = value`` for any target. ``source``: the expression that gave the value."""
    if type(target) is cst.Name:
        _bind_name(it, target, value, st, source)
    elif type(target) is cst.Tuple or type(target) is cst.List:
        _unpack(it, target, value, st)
    elif type(target) is cst.Attribute:
        _bind_attribute(it, target, _number_if_counted(value, source), st, source)
    elif type(target) is cst.Subscript:
        _bind_item(it, target, value, st, source)
    elif type(target) is cst.StarredElement:
        bind(it, target.value, it.unknown(target), st)


def _bind_name(it: Interpreter, target: cst.Name, value: Value, st: State, source: cst.CSTNode | None) -> None:
    name = target.value
    value = _number_if_counted(value, source)
    frame = it.context.frame
    if frame is not None:
        if name in frame.global_names:
            if (lost(it, 0) and not deliberate(value)) or leaks(it, value, 0):
                it.write("global", target, name, value, None)
        elif name in frame.nonlocal_names:
            _bind_nonlocal(it, target, value, st, frame)
            return
    if it.baked.places:
        stale.wrote_name(it, target, value, source)
    st.locals[name] = value


def _bind_nonlocal(it: Interpreter, target: cst.Name, value: Value, st: State, frame: Frame) -> None:
    name = target.value
    outer = frame.parent
    while outer is not None:
        held = st.frames.get(outer) or it.closures.get(outer)
        if held is not None and name in held:
            if (lost(it, outer.depth) and not deliberate(value)) or leaks(it, value, outer.depth):
                owner = HeapObject("frame", target, outer.depth)
                it.write("nonlocal", target, name, value, owner)
            if it.baked.places:
                stale.wrote(it, outer, name, value, target, None)
            if outer in st.frames:
                st.frames = {**st.frames, outer: {**held, name: value}}
            else:
                it.closures[outer] = {**held, name: value}
            return
        outer = outer.parent


def _number_if_counted(value: Value, source: cst.CSTNode | None) -> Value:
    """``n = n + 1``: whatever ``n`` was, it is a number now."""
    if isinstance(value, Unknown) and type(source) is cst.BinaryOperation:
        if any(type(side) is cst.Integer or type(side) is cst.Float for side in (source.left, source.right)):
            return Static(type_name="int")
    return value


def lost(it: Interpreter, depth: int) -> bool:
    """Whether a write to something born under ``depth`` regions happens only while JAX traces."""
    context = it.context
    return context.is_traced and any(region.kind is RegionKind.STAGE for region in context.regions[depth:])


def deliberate(value: Value | None) -> bool:
    """Whether a write in a trace keeps what only the trace knows: shapes, tree structures, things we cannot see.

    Collecting those while tracing is an idiom; a number or a string that is written once is a mistake.
    """
    if value is None:
        return False
    if isinstance(value, Array):
        return value.kind is not Kind.TRACED  # a table of constants, computed once
    return not isinstance(value, Static) or not value.type_name


def leaks(it: Interpreter, value: Value | None, depth: int) -> bool:
    """Whether ``value`` is a tracer of a deeper trace than an object born under ``depth`` regions."""
    return isinstance(value, Array) and value.kind is Kind.TRACED and value.depth > depth and it.context.is_traced


def _unpack(it: Interpreter, target: Any, value: Value, st: State) -> None:
    targets = target.elements
    starred = next((i for i, e in enumerate(targets) if type(e) is cst.StarredElement), None)
    for i, part in enumerate(targets):
        if starred is not None and i >= starred:
            index: Any = None if i == starred else i - len(targets)
            if isinstance(value, Array):
                index = None
        else:
            index = i
        if i == starred:
            bind(it, part.value, _rest(it, value, i, len(targets), st, part), st)
        else:
            one = elements.element(it, value, index, st, part.value)
            if isinstance(value, Array) and isinstance(one, Array) and one.maybe_name:
                one = one.like(maybe_name=False)  # nobody unpacks the keys of a dict
            bind(it, part.value, one, st)


def _rest(it: Interpreter, value: Value, start: int, count: int, st: State, node: cst.CSTNode) -> Value:
    if isinstance(value, Tuple):
        items = value.items
        return it.allocate("list", node, Contents(items[start : len(items) - (count - start - 1)]), st)
    if isinstance(value, Array):
        return value.like(key=None, certain=False)
    return it.unknown(node)


def _bind_attribute(
    it: Interpreter, target: cst.Attribute, value: Value, st: State, source: cst.CSTNode | None
) -> None:
    owner = it.eval(target.value, st)
    name = target.attr.value
    if isinstance(owner, (ClassValue, Function)):
        _bind_static_attribute(it, target, owner, value)
    if isinstance(owner, Deferred):
        forget(owner)
    if isinstance(owner, Unknown) and owner.fields is not None:
        owner.fields.pop(name, None)  # what it holds now differs between paths: each read is another value
    if not isinstance(owner, Ref):
        return
    obj: HeapObject = owner.obj
    held = it.contents(obj, st)
    if attributes.sets_through_property(obj, name):
        return
    meant = _fills_cache(held, name, st)
    written = (lost(it, obj.depth) and not (meant or deliberate(value))) or leaks(it, value, obj.depth)
    if it.baked.places and not meant:
        stale.wrote(it, obj, name, value, target, source)
    if written and attributes.writes_count(it, obj):
        it.write("attribute", target, name, value, obj)
    st.heap[obj] = (held or Contents()).with_field(name, value)


def _fills_cache(held: Contents | None, name: str, st: State) -> bool:
    """``if self._size is None: self._size = …``, ``if not self._initialized: …``: computed once, on purpose."""
    if held is None or not st.conditions:
        return False
    old = held.fields.get(name)
    flags = [value for field, value in held.fields.items() if any(word in field for word in _ONCE)]
    for atom, truth in st.conditions:
        if truth and atom[0] == "==" and atom[1] is old and old is not None:
            return True
        if atom[0] == "t" and not truth and any(atom[1] is flag for flag in flags):
            return True
    return False


#: Parts of the names of flags that say that something was done already.
_ONCE = ("init", "setup", "built", "build", "cache", "ready", "compiled", "done")


def _bind_static_attribute(it: Interpreter, target: cst.Attribute, owner: ClassValue | Function, value: Value) -> None:
    """An attribute of a class or of a function: there is one for the whole program."""
    if owner.frame is None and ((lost(it, 0) and not deliberate(value)) or leaks(it, value, 0)):
        it.write("attribute", target, target.attr.value, value, None)
    if isinstance(owner, ClassValue):
        owner.members[target.attr.value] = it.unknown(target)


def _bind_item(it: Interpreter, target: cst.Subscript, value: Value, st: State, source: cst.CSTNode | None) -> None:
    owner = it.eval(target.value, st)
    index = _index(it, target, st)
    if isinstance(owner, Array):
        if owner.kind is Kind.HOST and isinstance(value, Array) and value.kind is Kind.TRACED:
            it.fault(Fault("host-store", target, value, it.context))
        return
    if not isinstance(owner, Ref):
        return
    obj: HeapObject = owner.obj
    if elements.check_hashable(it, owner, index, target):
        return
    mutated(it, obj, target, value, st)
    if it.baked.places and isinstance(index, Static) and index.known:
        stale.wrote(it, obj, index.const, value, target, source)
    held = it.contents(obj, st) or Contents(rest=value)
    st.heap[obj] = stored(it, obj, held, index, value)


def _index(it: Interpreter, target: cst.Subscript, st: State) -> Value:
    values = []
    for part in target.slice:
        if type(part.slice) is cst.Index:
            values.append(it.eval(part.slice.value, st))
        elif type(part.slice) is cst.Slice:
            for bound in (part.slice.lower, part.slice.upper, part.slice.step):
                if bound is not None:
                    it.eval(bound, st)
            values.append(it.unknown(part))
    return values[0] if len(values) == 1 else Tuple(tuple(values))


def stored(it: Interpreter, obj: HeapObject, held: Contents, index: Value, value: Value) -> Contents:
    """What an object holds after ``obj[index] = value``."""
    place = index.const if isinstance(index, Static) and index.known else None
    if (
        obj.form == "dict"
        and isinstance(place, (str, int, bool, type(None)))
        and isinstance(index, Static)
        and index.known
    ):
        return held.with_field(place, value)
    if (
        obj.form == "list"
        and held.items is not None
        and isinstance(place, int)
        and -len(held.items) <= place < len(held.items)
    ):
        items = list(held.items)
        items[place] = value
        return Contents(tuple(items), held.fields, held.rest)
    rest = value if held.rest is None else join(held.rest, value)
    if held.items is not None and obj.form == "list":
        for old in held.items:
            rest = join(rest, old)
        return Contents(None, held.fields, rest)
    return Contents(held.items, held.fields, rest)


def mutated(it: Interpreter, obj: HeapObject, node: cst.CSTNode, value: Value | None, st: State) -> None:
    """Note that a container was changed, if it outlives the trace."""
    if obj.form == "instance" and not attributes.writes_count(it, obj):
        return
    if (obj.depth == 0 and lost(it, 0) and not deliberate(value)) or leaks(it, value, obj.depth):
        it.write("container", node, "", value, obj)


def delete(it: Interpreter, target: cst.BaseExpression, st: State) -> None:
    """``del target`` for an item or attribute."""
    if type(target) is cst.Subscript:
        owner = it.eval(target.value, st)
        index = _index(it, target, st)
        if isinstance(owner, Ref):
            mutated(it, owner.obj, target, None, st)
            held = it.contents(owner.obj, st)
            if held is not None and isinstance(index, Static) and index.known and index.const in held.fields:
                fields = {name: value for name, value in held.fields.items() if name != index.const}
                st.heap[owner.obj] = Contents(held.items, fields, held.rest)


def augment(it: Interpreter, node: cst.AugAssign, st: State) -> None:
    """``target op= value``; a list grows in place, an array name is bound anew."""
    old = it.eval(node.target, st)
    value = it.eval(node.value, st)
    if isinstance(old, Ref) and isinstance(node.operator, (cst.AddAssign, cst.BitOrAssign)):
        mutated(it, old.obj, node.target, elements.element(it, value, None, st, node), st)
        held = it.contents(old.obj, st) or Contents()
        added = elements.element(it, value, None, st, node)
        st.heap[old.obj] = Contents(
            None,
            held.fields,
            elements.anything_in(it, Contents(held.items, {}, join(held.rest, added) if held.rest else added), node),
        )
        return
    result = binary(it, node, node.operator, old, value)
    if isinstance(result, Unknown) and isinstance(value, Static):
        result = Static(type_name=value.type_name)  # a counter: whatever it was, it is a number now
    bind(it, node.target, result, st, node.value)
