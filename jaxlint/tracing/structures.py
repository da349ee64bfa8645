"""The structure of a value as a pytree, with what is known of each leaf; and where two of them certainly differ."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from jaxlint.knowledge.dtypes import ANY_DTYPE, differ, promote, strong, weak_part
from jaxlint.tracing.aval import Aval
from jaxlint.tracing.avals import ANY, Whole, aval_of, is_ranked, made, symbolic, text, unlike
from jaxlint.tracing.objects import static_fields
from jaxlint.tracing.values import Array, ClassValue, Library, Ref, Static, Tuple, Value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jaxlint.tracing.interpreter import Interpreter
    from jaxlint.tracing.state import State

_DEEPEST = 8


class Leaf(NamedTuple):
    """An array. ``certain``: it is one array and no container."""

    aval: Aval
    certain: bool


class Node(NamedTuple):
    """A container. ``kind``: its class, or "tuple", "list", "dict", "None"; ``names``: its fields or keys."""

    kind: Any
    names: tuple[Any, ...]
    children: tuple[Tree, ...]


Tree = Any  # Leaf | Node | None, which is unknown


class Difference(NamedTuple):
    """Where two structures differ: the way there, what is in one and in the other, and in which respect."""

    path: tuple[Any, ...]
    before: str
    after: str
    how: str  # "structure", "shape", "dtype"


def tree_of(it: Interpreter, value: Value, st: State, depth: int = 0) -> Tree:
    """The structure of a value here and now (lists and dicts change later)."""
    if isinstance(value, Array):
        return _leaf(value)
    if isinstance(value, (Static, Library)):
        if isinstance(value, Static) and value.type_name == "NoneType":
            return Node("None", (), ())
        known = aval_of(value)
        return None if known is None else Leaf(known, certain=True)
    if depth > _DEEPEST:
        return None
    if isinstance(value, Tuple):
        children = tuple(tree_of(it, item, st, depth + 1) for item in value.items)
        return Node(value.cls or value.names or "tuple", value.names or tuple(range(len(children))), children)
    return _object(it, value, st, depth) if isinstance(value, Ref) else None


def _leaf(value: Array) -> Leaf | None:
    if value.dtype == "key" or value.key is not None:
        return None
    return Leaf(value.aval or ANY, certain=value.certain and value.aval is not None)


def _object(it: Interpreter, ref: Ref, st: State, depth: int) -> Node | None:
    held, obj = it.contents(ref.obj, st), ref.obj
    if held is None or held.rest is not None:
        return None
    if obj.form == "list":
        if held.items is None:
            return None
        return Node("list", tuple(range(len(held.items))), tuple(tree_of(it, v, st, depth + 1) for v in held.items))
    if obj.form == "dict":
        return Node("dict", tuple(held.fields), tuple(tree_of(it, v, st, depth + 1) for v in held.fields.values()))
    if obj.form != "instance" or obj.cls is None or obj.cls.family not in ("pytree", "equinox"):
        return None
    static = static_fields(obj.cls)
    if static is None:
        return None
    fields = {name: value for name, value in held.fields.items() if name not in static}
    return Node(obj.cls, tuple(fields), tuple(tree_of(it, v, st, depth + 1) for v in fields.values()))


def arrays(it: Interpreter, value: Value, tree: Tree, st: State) -> Iterator[tuple[Array, Leaf]]:
    """The arrays of a value beside the leaves of a structure, as far as both look alike."""
    if isinstance(value, Array):
        if isinstance(tree, Leaf):
            yield value, tree
    elif isinstance(tree, Node):
        for name, child in zip(tree.names, tree.children, strict=True):
            inner = _child(it, value, name, st)
            if inner is not None:
                yield from arrays(it, inner, child, st)


def _child(it: Interpreter, value: Value, name: Any, st: State) -> Value | None:
    if isinstance(value, Tuple):
        index = value.names.index(name) if name in value.names else name
        return value.items[index] if isinstance(index, int) and index < len(value.items) else None
    held = it.contents(value.obj, st) if isinstance(value, Ref) else None
    if held is None:
        return None
    if held.items is not None:
        return held.items[name] if isinstance(name, int) and name < len(held.items) else None
    return held.fields.get(name)


def named(it: Interpreter, value: Value, symbol: tuple[Any, ...], st: State) -> None:
    """Give a carry's unknown shapes names, so that what the body makes of them can be compared (see `avals`)."""
    for number, array in enumerate(_all(it, value, st, 0)):
        if array.key is None and array.dtype != "key":
            known = array.aval or ANY
            array.aval = made(known.types, symbolic(known.shape, (*symbol, number)))
            if array.certain and known is ANY:
                array.aval = Aval(known.types, array.aval.shape)


def _all(it: Interpreter, value: Value, st: State, depth: int) -> Iterator[Array]:
    if isinstance(value, Array):
        yield value
    elif isinstance(value, (Tuple, Ref)) and depth < _DEEPEST:
        held = it.contents(value.obj, st) if isinstance(value, Ref) else None
        inside = () if held is None else (*(held.items or ()), *held.fields.values())
        for item in value.items if isinstance(value, Tuple) else inside:
            yield from _all(it, item, st, depth + 1)


def unnamed(aval: Aval) -> Aval:
    """What is left of an aval outside the loop whose names it bears."""
    shape = aval.shape
    if isinstance(shape, Whole):
        return made(aval.types, None)
    if is_ranked(shape):
        return Aval(aval.types, tuple(dim if isinstance(dim, int) or dim is ... else None for dim in shape))
    return aval


def second_pass(before: Tree, after: Tree) -> Tree:
    """What a loop starts from when JAX has seen its body once: weak types are promoted to what came out."""
    if isinstance(before, Leaf):
        types = before.aval.types
        weak = weak_part(types)
        if weak and not isinstance(after, Leaf):
            return Leaf(Aval(ANY_DTYPE, before.aval.shape), before.certain)
        if weak:
            promoted = strong(promote(weak, after.aval.types))
            kept = types if not differ(types, after.aval.types) else types & ~weak
            return Leaf(Aval(kept | promoted, before.aval.shape), before.certain)
        return before
    if isinstance(before, Node):
        alike = isinstance(after, Node) and before.names == after.names
        others = after.children if alike else (None,) * len(before.children)
        children = zip(before.children, others, strict=True)
        return Node(before.kind, before.names, tuple(second_pass(x, y) for x, y in children))
    return before


def difference(a: Tree, b: Tree, *, dtypes: bool = True, path: tuple[Any, ...] = ()) -> Difference | None:
    """The first place where two structures certainly differ. ``dtypes``: whether those are compared, too."""
    if a is None or b is None:
        return None
    if isinstance(a, Node) and isinstance(b, Node):
        return _nodes(a, b, dtypes, path)
    if isinstance(a, Leaf) and isinstance(b, Leaf):
        return _leaves(a, b, dtypes, path)
    leaf = a if isinstance(a, Leaf) else b
    if not leaf.certain:
        return None
    return Difference(path, describe(a), describe(b), "structure")


def _nodes(a: Node, b: Node, dtypes: bool, path: tuple[Any, ...]) -> Difference | None:
    if isinstance(a.kind, ClassValue) and isinstance(b.kind, ClassValue) and a.kind is not b.kind:
        return None  # an annotation names a base class, or a protocol, as often as the class itself
    if a.kind is not b.kind and a.kind != b.kind:
        return Difference(path, describe(a), describe(b), "structure")
    if isinstance(a.kind, ClassValue):
        shared = [name for name in a.names if name in b.names]
    elif set(a.names) != set(b.names):
        return Difference(path, describe(a), describe(b), "structure")
    else:
        shared = list(a.names)
    for name in shared:
        x, y = a.children[a.names.index(name)], b.children[b.names.index(name)]
        found = difference(x, y, dtypes=dtypes, path=(*path, name))
        if found is not None:
            return found
    return None


def _leaves(a: Leaf, b: Leaf, dtypes: bool, path: tuple[Any, ...]) -> Difference | None:
    if unlike(a.aval.shape, b.aval.shape):
        return Difference(path, text(a.aval), text(b.aval), "shape")
    if dtypes and differ(a.aval.types, b.aval.types):
        return Difference(path, text(a.aval), text(b.aval), "dtype")
    return None


def describe(tree: Tree) -> str:
    """A structure in a few words."""
    if isinstance(tree, Leaf):
        return text(tree.aval)
    if not isinstance(tree, Node):
        return "something else"
    if isinstance(tree.kind, ClassValue):
        return f"a `{tree.kind.name}`"
    if tree.kind == "None":
        return "None"
    if tree.kind == "dict":
        keys = ", ".join(repr(name) for name in tree.names[:4]) + (", …" if len(tree.names) > 4 else "")
        return f"a dict with the keys {keys}" if tree.names else "an empty dict"
    kind = tree.kind if isinstance(tree.kind, str) else "named tuple"
    return f"a {kind} of {len(tree.children)}" if tree.children else f"an empty {kind}"
