"""Attributes: of arrays, objects, classes and libraries; methods bind, properties run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from jaxlint.knowledge.array_api import ARRAY_ATTRIBUTES, STATIC_ATTRIBUTES, UPDATE_ATTRIBUTE
from jaxlint.knowledge.host_objects import METHODS
from jaxlint.knowledge.names import canonical
from jaxlint.tracing import stale
from jaxlint.tracing.avals import without_shape
from jaxlint.tracing.host_effects import HostObject
from jaxlint.tracing.late import Deferred
from jaxlint.tracing.state import Contents, HeapObject
from jaxlint.tracing.values import (
    UNKNOWN,
    Array,
    Bound,
    ClassValue,
    Function,
    Kind,
    Library,
    LibraryObject,
    Partial,
    Ref,
    Static,
    Transformed,
    Tuple,
    Unknown,
    Value,
)

if TYPE_CHECKING:
    from jaxlint.tracing.interpreter import Interpreter
    from jaxlint.tracing.state import State

#: Frameworks whose modules handle attribute writes themselves.
_OWN_RULES = frozenset({"linen", "nnx", "variable", "haiku", "foreign", "equinox", "pytree", "enum"})


def get(it: Interpreter, owner: Value, name: str, st: State, node: cst.CSTNode) -> Value:
    """``owner.name``."""
    if isinstance(owner, Library):
        found = owner.fields.get(name)
        if found is None:
            found = owner.fields[name] = Library(canonical(f"{owner.name}.{name}"), f"{owner.written}.{name}")
        return found
    if isinstance(owner, Array):
        if not owner.certain and name in _SAYS_ARRAY:
            owner = _certainly(owner, st, node)
        return _of_array(it, owner, name, node)
    if isinstance(owner, Ref):
        return _of_object(it, owner, name, st, node)
    if isinstance(owner, Tuple):
        return _of_tuple(it, owner, name, node)
    if isinstance(owner, Unknown) and owner is not UNKNOWN:
        if isinstance(owner, Deferred):
            return _of_deferred(it, owner, name, st, node)
        return _of_unknown(it, owner, name, node)
    if isinstance(owner, ClassValue):
        value = member(owner, name)
        if value is not None and owner.family == "enum" and not isinstance(value, (Function, Bound)):
            return _member_of_enum(owner, name, value)
        if value is not None:
            return Bound(value, owner) if isinstance(value, Function) and value.kind == "class" else value
        return it.unknown(node)
    if isinstance(owner, LibraryObject):
        from jaxlint.tracing.library_calls import read_attribute

        if owner.cls == "super" and owner.owner is not None:
            inherited = super_member(it, owner, name)
            return it.unknown(node) if inherited is None else _bind_member(it, inherited, owner.owner, node)
        if isinstance(owner, HostObject) and name not in METHODS[owner.cls]:
            return it.unknown(node)
        read = read_attribute(it, owner, name, node)
        return LibraryObject("", owner, name) if read is None else read
    if isinstance(owner, (Static, Transformed, Function, Partial)):
        return LibraryObject("", owner, name)
    return it.unknown(node)


def _member_of_enum(cls: ClassValue, name: str, value: Value) -> Value:
    """``Mode.FAST``. A member of an ``IntEnum`` is a number, one of a plain ``Enum`` is itself and nothing else."""
    bases = {base.name for base in cls.bases if isinstance(base, Library)}
    return Static(f"{cls.name}.{name}", type_name="Enum") if bases == {"enum.Enum"} else value


#: Read from it, a value that might be a whole pytree is one array.
_SAYS_ARRAY = frozenset({"shape", "dtype", "ndim", "at"})


def _certainly(owner: Array, st: State, node: cst.CSTNode) -> Array:
    """From here on this path knows that it is one array; the variable is bound to what is known now."""
    made = owner.like(certain=True)
    if isinstance(node, cst.Attribute) and isinstance(node.value, cst.Name):
        name = node.value.value
        if st.locals.get(name) is owner:
            st.locals[name] = made
    return made


def _of_array(it: Interpreter, owner: Array, name: str, node: cst.CSTNode) -> Value:
    if name in STATIC_ATTRIBUTES:
        return Static(
            type_name="int" if name in ("ndim", "size") else "",
            extent_of=owner.like(certain=True) if name in ("shape", "size") and owner.kind is Kind.TRACED else None,
        )
    if name == UPDATE_ATTRIBUTE:
        return owner
    if name in ARRAY_ATTRIBUTES:
        known = without_shape(owner.aval) if name in ("T", "mT") else None
        return owner.like(certain=True, key=None, aval=known)
    return LibraryObject("", owner, name)


def _of_tuple(it: Interpreter, owner: Tuple, name: str, node: cst.CSTNode) -> Value:
    if name in owner.names:
        return owner.items[owner.names.index(name)]
    if owner.cls is not None:
        found = member(owner.cls, name)
        if found is not None:
            return _bind_member(it, found, owner, node)
    return LibraryObject("", owner, name)


def _of_deferred(it: Interpreter, owner: Deferred, name: str, st: State, node: cst.CSTNode) -> Value:
    from jaxlint.tracing.deferred import deferred_part, needed

    made = needed(it, owner)
    if isinstance(made, Deferred):
        return deferred_part(it, owner, ".", name, node)
    return get(it, made, name, st, node)


def _of_unknown(it: Interpreter, owner: Unknown, name: str, node: cst.CSTNode) -> Value:
    """An attribute of something unknown: unknown, but the same each time until something may have changed it."""
    if owner.fields is None:
        owner.fields = {}
    found = owner.fields.get(name)
    if found is None:
        found = owner.fields[name] = Unknown(owner.birth or it.context, node)
    return found


def _of_object(it: Interpreter, ref: Ref, name: str, st: State, node: cst.CSTNode) -> Value:
    obj = ref.obj
    if obj.cls is None:
        return LibraryObject("", ref, name)
    held = it.contents(obj, st)
    if held is not None and name in held.fields:
        if it.context.is_staged:
            stale.read(it, obj, name, held.fields[name], node)
        return held.fields[name]
    if obj.cls.family == "linen" and name in ("apply", "init", "init_with_output"):
        return LibraryObject("linen", ref, name)
    inherited = member(obj.cls, name)
    if inherited is not None:
        if isinstance(inherited, Function) and inherited.kind == "property":
            return it.call_value(inherited, (ref,), {}, node, st)
        return _bind_member(it, inherited, ref, node)
    if name == "replace" and obj.cls.family == "pytree":
        return LibraryObject("", ref, name)
    made = it.unknown(node)
    st.heap[obj] = (held or Contents()).with_field(name, made)
    if obj.summary and isinstance(made, Unknown):
        it.heap[obj] = it.heap[obj].with_field(name, made)  # nothing that can be read assigns it: one value for all
        it.settings.add(made)
    if it.context.is_staged:
        stale.read(it, obj, name, made, node)
    return made


def _bind_member(it: Interpreter, found: Value, owner: Value, node: cst.CSTNode) -> Value:
    if isinstance(found, Function):
        if found.kind == "static":
            return found
        if found.kind == "property":
            return it.unknown(node)
        return Bound(found, owner)
    if isinstance(found, (Transformed, Partial)):
        return found if _is_static(found) else Bound(found, owner)
    if isinstance(found, Ref) and found.obj.cls is not None and member(found.obj.cls, "__get__") is not None:
        return it.unknown(node)  # a descriptor
    return found


def _is_static(value: Value) -> bool:
    """Whether a function under transforms is a ``staticmethod``."""
    while isinstance(value, (Transformed, Partial)):
        value = value.fn
    return isinstance(value, Function) and value.kind == "static"


def super_member(it: Interpreter, value: LibraryObject, name: str) -> Value | None:
    """What ``super().name`` finds in the visible bases of the method's class."""
    frame = it.context.frame
    if frame is None or frame.cls is None:
        return None
    for base in frame.cls.bases:
        found = member(base, name) if isinstance(base, ClassValue) else None
        if found is not None:
            return found
    return None


def member(cls: ClassValue, name: str, depth: int = 0) -> Value | None:
    """A class attribute by Python's lookup through the visible bases."""
    found = cls.members.get(name)
    if found is not None:
        return found
    if depth > 10:
        return None
    for base in cls.bases:
        if isinstance(base, ClassValue):
            found = member(base, name, depth + 1)
            if found is not None:
                return found
    return None


def sets_through_property(obj: HeapObject, name: str) -> bool:
    """Whether ``obj.name = …`` calls a setter that we do not follow."""
    if obj.cls is None:
        return False
    found = member(obj.cls, name)
    return isinstance(found, Function) and found.kind == "property"


def writes_count(it: Interpreter, obj: HeapObject) -> bool:
    """Whether a write to ``obj`` in a trace is a plain Python write (a framework may handle it: then it is not)."""
    return obj.cls is None or obj.cls.family not in _OWN_RULES
