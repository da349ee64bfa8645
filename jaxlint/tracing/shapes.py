"""The shapes of what functions of JAX return: one rule for each kind named in `knowledge/result_types.py`."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any

from jaxlint.tracing.avals import Dim, Extent, More, Shape, Whole, added, broadcast, is_ranked, rank, shape_of
from jaxlint.tracing.values import NONE, Array, Ref, Static, Tuple, Value

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jaxlint.tracing.interpreter import Interpreter
    from jaxlint.tracing.state import State


class Call:
    """The arguments of a call, as the rules ask about them."""

    def __init__(self, it: Interpreter, positional: tuple[Value, ...], keywords: dict[str, Value], st: State) -> None:
        self.it = it
        self.positional = positional
        self.keywords = keywords
        self.st = st

    def argument(self, position: int, name: str) -> Value | None:
        """An argument by position or keyword."""
        if 0 <= position < len(self.positional):
            return self.positional[position]
        return self.keywords.get(name)

    def items(self, value: Value) -> tuple[Value, ...] | None:
        """The elements of a tuple or list, where all are known."""
        if isinstance(value, Tuple):
            return value.items
        if isinstance(value, Ref) and value.obj.form == "list":
            held = self.it.contents(value.obj, self.st)
            if held is not None and held.rest is None:
                return held.items
        return None

    def everything(self) -> list[Value]:
        """All arguments, lists opened."""
        out: list[Value] = []
        waiting = [*self.positional, *self.keywords.values()]
        while waiting:
            value = waiting.pop()
            items = self.items(value)
            if items is None:
                out.append(value)
            else:
                waiting.extend(items)
        return out

    def shape(self) -> Shape:
        """The first argument's shape."""
        return shape_of(self.positional[0]) if self.positional else None

    def axis(self, position: int, default: int | None) -> int | tuple[int, ...] | str | None:
        """The argument ``axis``; ``"?"`` where it cannot be read."""
        value = self.argument(position, "axis")
        if value is None:
            return default
        if value is NONE:
            return None
        if isinstance(value, Static):
            return value.const if type(value.const) is int else "?"
        numbers = self.items(value)
        if numbers is None or not all(isinstance(n, Static) and type(n.const) is int for n in numbers):
            return "?"
        return tuple(n.const for n in numbers if isinstance(n, Static))


def given(call: Call, name: str, where: list[str]) -> Shape:
    """An argument is the shape."""
    value = call.argument(int(where[0]), where[1])
    if value is None:
        return () if name.startswith("jax.random.") else None
    return read(call, value)


def read(call: Call, value: Value) -> Shape:
    """The shape that an argument says: a number or a tuple of numbers."""
    if isinstance(value, Static):
        return (_number(value),) if value.type_name == "int" else None
    items = call.items(value)
    if items is None:
        return None
    return tuple(_number(item) for item in items)


def _number(value: Value) -> Dim:
    return value.const if isinstance(value, Static) and type(value.const) is int and value.const >= 0 else None


def _broadcast(call: Call, name: str) -> Shape:
    return broadcast([shape_of(value) for value in call.positional])


def _first(call: Call, name: str) -> Shape:
    return None if call.argument(1, "axis") is NONE else call.shape()


def _reduce(call: Call, name: str) -> Shape:
    shape = call.shape()
    if len(call.positional) > 2 or "keepdims" in call.keywords or (name.endswith("norm") and len(call.positional) > 1):
        return None
    axis = call.axis(1, None)
    if axis is None:
        return ()
    if isinstance(axis, int) and isinstance(shape, Whole):
        return Whole(shape.symbol, changed=True) if not shape.changed else None
    count = rank(shape)
    if count is None or isinstance(axis, str):
        return None
    gone = {n % count for n in (axis if isinstance(axis, tuple) else (axis,))} if count else set()
    return tuple(dim for i, dim in enumerate(shape) if i not in gone)


def _cumulative(call: Call, name: str) -> Shape:
    shape = call.shape()
    if shape == ():
        return (1,)
    return shape if call.axis(1, None) is not None or rank(shape) == 1 else None


def _numbers(shape: Shape) -> bool:
    return rank(shape) is not None and all(isinstance(dim, int) for dim in shape)


def _reshape(call: Call, name: str) -> Shape:
    value = call.argument(1, "shape")
    if value is None or len(call.positional) > 2:
        return None
    shape = read(call, value)
    old = call.shape()
    if shape is None or not _numbers(old) or shape.count(None) != 1 or not _says_rest(call, value):
        return shape
    known = prod(dim for dim in shape if dim is not None)
    return tuple((prod(old) // known if known else None) if dim is None else dim for dim in shape)


def _says_rest(call: Call, value: Value) -> bool:
    """Whether the one open dimension is a literal -1."""
    parts = call.items(value) or (value,)
    return any(isinstance(part, Static) and part.const == -1 for part in parts)


def _ravel(call: Call, name: str) -> Shape:
    shape = call.shape()
    if _numbers(shape):
        return (prod(shape),)
    return shape if rank(shape) == 1 else (None,)


def _squeeze(call: Call, name: str) -> Shape:
    shape = call.shape()
    if not _numbers(shape) or len(call.positional) > 1 or call.keywords:
        return None
    return tuple(dim for dim in shape if dim != 1)


def _transpose(call: Call, name: str) -> Shape:
    shape = call.shape()
    if rank(shape) is None or len(call.positional) > 1 or call.keywords:
        return None
    return tuple(reversed(shape)) if name.endswith(".transpose") or rank(shape) == 2 else None


def _expand_dims(call: Call, name: str) -> Shape:
    axis, shape = call.axis(1, None), call.shape()
    if not isinstance(axis, int):
        return None
    if isinstance(shape, Whole):
        return Whole(shape.symbol, changed=True) if not shape.changed else None
    count = rank(shape)
    if count is None:
        return (1, ...) if axis == 0 else None
    at = axis % (count + 1)
    return (*shape[:at], 1, *shape[at:])


def _parts(call: Call) -> tuple[Value, ...] | None:
    return call.items(call.positional[0]) if call.positional else None


def _concatenate(call: Call, name: str) -> Shape:
    parts = _parts(call)
    if not parts:
        return None
    known = [shape_of(part) for part in parts]
    if name.endswith("vstack"):
        known = [_two_dimensional(shape) for shape in known]
    if name.endswith("hstack"):
        ranks = {rank(shape) for shape in known} - {None}
        return joined(known, 0 if ranks == {1} else 1) if ranks and 0 not in ranks else None
    axis = call.axis(1, 0) if not name.endswith("vstack") else 0
    return joined(known, axis) if isinstance(axis, int) else None


def _two_dimensional(shape: Shape) -> Shape:
    count = rank(shape)
    if count is None or count >= 2:
        return shape
    return (1, *shape) if count == 1 else (1, 1)


def joined(parts: Sequence[Shape], axis: int) -> Shape:
    """Arrays one after the other along an axis."""
    ranked = next((shape for shape in parts if rank(shape) is not None), None)
    if ranked is None:
        return _joined_whole(parts, axis)
    if not -len(ranked) <= axis < len(ranked):
        return None
    at = axis % len(ranked)
    dims = [_along(shape, at, len(ranked)) for shape in parts]
    total = added(dims)
    if total is None:
        least = added([dim for dim in dims if dim is not None])
        if isinstance(least, int) and least > 0:
            total = More(least - 1)
        elif isinstance(least, Extent) and least.plus > 0:
            total = More(Extent(least.symbol, least.plus - 1))
    return tuple(total if i == at else dim for i, dim in enumerate(ranked))


def _along(shape: Shape, at: int, count: int) -> Dim:
    if rank(shape) == count:
        return shape[at]
    return shape[0] if at == 0 and is_ranked(shape) else None


def _joined_whole(parts: Sequence[Shape], axis: int) -> Shape:
    """Without any known rank: a carry to which something is joined has another shape."""
    whole = [shape for shape in parts if isinstance(shape, Whole)]
    others = [shape for shape in parts if not isinstance(shape, Whole)]
    if axis != 0:
        return None
    if not whole:
        return (added([shape[0] for shape in parts]), ...) if all(is_ranked(shape) for shape in parts) else None
    grows = any(is_ranked(shape) and isinstance(shape[0], int) and shape[0] > 0 for shape in others)
    if grows and len(whole) == 1 and not whole[0].changed:
        return Whole(whole[0].symbol, changed=True)
    return None


def _stack(call: Call, name: str) -> Shape:
    parts, axis = _parts(call), call.axis(1, 0)
    if not parts or not isinstance(axis, int):
        return None
    known = [shape_of(part) for part in parts]
    return stacked(known, axis)


def stacked(parts: Sequence[Shape], axis: int) -> Shape:
    """Arrays of one shape side by side along a new axis."""
    for shape in parts:
        if isinstance(shape, Whole):
            return Whole(shape.symbol, changed=True) if not shape.changed else None
    ranked = next((shape for shape in parts if rank(shape) is not None), None)
    if ranked is None:
        return (len(parts), ...) if axis == 0 else None
    if not -len(ranked) - 1 <= axis <= len(ranked):
        return None
    at = axis % (len(ranked) + 1)
    return (*ranked[:at], len(parts), *ranked[at:])


def _append(call: Call, name: str) -> Shape:
    if len(call.positional) != 2:
        return None
    left, right = (shape_of(value) for value in call.positional)
    axis = call.axis(2, None)
    if isinstance(axis, int):
        return joined([left, right], axis)
    if axis is not None:
        return None
    if _may_be_empty(call.positional[1]):
        return (None,)
    if isinstance(left, Whole):
        return Whole(left.symbol, changed=True) if not left.changed else None
    if rank(left) is None:
        return (None,)
    size = left[0] if len(left) == 1 else prod(left) if _numbers(left) else None
    if _numbers(right):
        return (added([size, prod(right)]),)
    return (More(size),) if isinstance(size, (int, Extent)) else (None,)


def _may_be_empty(value: Value) -> bool:
    """Whether one may have no elements. Parameters and rows, of which nothing is known, are thought to have some."""
    shape = shape_of(value)
    if isinstance(value, Array) and value.aval is None:
        return False
    return shape is None or isinstance(shape, Whole) or any(dim in (None, ..., 0) for dim in shape)


def _like(call: Call, name: str) -> Shape:
    if len(call.positional) > (3 if name.endswith("full_like") else 2):
        return None  # the shape by position
    value = call.keywords.get("shape")
    return call.shape() if value is None else read(call, value)


def _range(call: Call, name: str) -> Shape:
    alone = len(call.positional) == 1 and not call.keywords.keys() - {"dtype"}
    return (_number(call.positional[0]),) if alone else (None,)


def _linspace(call: Call, name: str) -> Shape:
    if any(shape_of(value) != () for value in call.positional[:2]) or "axis" in call.keywords:
        return None
    value = call.argument(2, "num")
    return (50,) if value is None else (_number(value),)


def _eye(call: Call, name: str) -> Shape:
    rows = _number(call.positional[0]) if call.positional else None
    other = call.argument(1, "M") if name.endswith("eye") else None
    return (rows, rows if other is None or other is NONE else _number(other))


def _object(call: Call, name: str) -> Shape:
    return _of_object(call, call.positional[0], 0) if call.positional else None


def _of_object(call: Call, value: Value, depth: int) -> Shape:
    if not isinstance(value, (Tuple, Ref)):
        return shape_of(value)
    items = call.items(value)
    if items is None:
        return None
    if not items or depth > 4:
        return (0,) if not items else None
    return stacked([_of_object(call, item, depth + 1) for item in items], 0)


def _none(call: Call, name: str) -> Shape:
    return None


def _scalar(call: Call, name: str) -> Shape:
    return ()


RULES: dict[str, Any] = {
    "broadcast": _broadcast,
    "first": _first,
    "reduce": _reduce,
    "cumulative": _cumulative,
    "reshape": _reshape,
    "ravel": _ravel,
    "squeeze": _squeeze,
    "transpose": _transpose,
    "expand_dims": _expand_dims,
    "concatenate": _concatenate,
    "stack": _stack,
    "append": _append,
    "like": _like,
    "range": _range,
    "linspace": _linspace,
    "eye": _eye,
    "object": _object,
    "none": _none,
    "scalar": _scalar,
}
