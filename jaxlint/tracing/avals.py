"""Avals: what is known of an array's dtype and shape, and the arithmetic on shapes.

A dtype is a set of possibilities (`knowledge/dtypes.py`). A shape is None (unknown), a ``Whole``, or a tuple of
dimensions whose last entry may be ``...`` for a rest that is not known. Two shapes are told apart only where they
certainly differ; whatever cannot be followed is unknown.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from jaxlint.knowledge.dtypes import ANY_DTYPE, NUMBERS, PYTHON, describe
from jaxlint.tracing.aval import Aval
from jaxlint.tracing.values import Library, Static, Value

if TYPE_CHECKING:
    from collections.abc import Sequence

Shape = Any  # None | Whole | tuple[Dim, ...]
Dim = Any  # int | Extent | More | None | Ellipsis


class Extent(NamedTuple):
    """A dimension that nobody knows: a loop's carry has it, and what is made from the carry may be compared."""

    symbol: tuple[Any, ...]
    plus: int = 0


class More(NamedTuple):
    """A dimension that is larger than another by an unknown number."""

    base: int | Extent


class Whole(NamedTuple):
    """The shape, whatever its rank, of a loop's carry; ``changed``: certainly another one than that."""

    symbol: tuple[Any, ...]
    changed: bool = False


ANY = Aval(ANY_DTYPE, None)
_PYTHON = {name: Aval(types, ()) for name, types in PYTHON.items()}


def aval_of(value: Value) -> Aval | None:
    """What is known of a value that is used as an array; None if nothing is."""
    if isinstance(value, Static):
        return _PYTHON.get(value.type_name)
    if isinstance(value, Library):
        return _PYTHON["float"] if value.name in NUMBERS else None
    known: Aval | None = getattr(value, "aval", None)
    return known


def types_of(value: Value) -> int:
    """The dtypes that a value may have."""
    known = aval_of(value)
    return ANY_DTYPE if known is None else known.types


def shape_of(value: Value) -> Shape:
    """What is known of a value's shape."""
    known = aval_of(value)
    return None if known is None else known.shape


def made(types: int, shape: Shape) -> Aval:
    """An aval; the same object where nothing is known."""
    return ANY if shape is None and types == ANY_DTYPE else Aval(types, shape)


def without_shape(aval: Aval | None) -> Aval | None:
    """The same with its shape forgotten."""
    return aval if aval is None or aval.shape is None else Aval(aval.types, None)


def broadcast(shapes: Sequence[Shape]) -> Shape:
    """The shape of an element-wise operation that works."""
    out: Shape = ()
    for shape in shapes:
        if shape == () or shape == out:
            continue
        if out == ():
            out = shape
        elif _is_exact(out) and _is_exact(shape):
            out = _broadcast(out, shape)
        else:
            return None
    return out


def is_ranked(shape: Shape) -> bool:
    """Whether the first dimension is known to be there."""
    return isinstance(shape, tuple) and not isinstance(shape, Whole) and bool(shape) and shape[0] is not ...


def _is_exact(shape: Shape) -> bool:
    return isinstance(shape, tuple) and not isinstance(shape, Whole) and ... not in shape


def rank(shape: Shape) -> int | None:
    """The number of dimensions, where known."""
    return len(shape) if _is_exact(shape) else None


def _broadcast(a: tuple[Dim, ...], b: tuple[Dim, ...]) -> tuple[Dim, ...]:
    if len(a) < len(b):
        a, b = b, a
    ahead = len(a) - len(b)
    return (*a[:ahead], *(_wider(x, y) for x, y in zip(a[ahead:], b, strict=True)))


def _wider(x: Dim, y: Dim) -> Dim:
    if x == 1 or x == y:
        return y
    if y == 1:
        return x
    for one in (x, y):
        if isinstance(one, int) and one > 1:
            return one
    return None


def added(dims: Sequence[Dim]) -> Dim:
    """The extent of arrays joined along an axis."""
    total: Dim = 0
    for dim in dims:
        if dim is None or dim is ... or total is None:
            total = None
        elif isinstance(total, More) or isinstance(dim, More):
            total = _more(total, dim)
        elif isinstance(dim, int) and isinstance(total, int):
            total += dim
        elif isinstance(dim, Extent) and isinstance(total, int):
            total = Extent(dim.symbol, dim.plus + total)
        elif isinstance(dim, int):
            total = Extent(total.symbol, total.plus + dim)
        else:
            total = None
    return total


def _more(a: Dim, b: Dim) -> Dim:
    base, other = (a, b) if isinstance(a, More) else (b, a)
    inner = added((base.base, other.base if isinstance(other, More) else other))
    return None if inner is None else More(inner)


def unlike(a: Shape, b: Shape) -> bool:
    """Whether two shapes certainly differ."""
    if a is None or b is None:
        return False
    if isinstance(a, Whole) or isinstance(b, Whole):
        return isinstance(a, Whole) and isinstance(b, Whole) and a.symbol == b.symbol and a.changed != b.changed
    known_a, known_b = (shape[:-1] if ... in shape else shape for shape in (a, b))
    if len(known_a) != len(known_b):
        shorter = a if len(known_a) < len(known_b) else b
        if ... not in shorter:
            return True
    return any(_apart(x, y) for x, y in zip(known_a, known_b, strict=False))


def _apart(x: Dim, y: Dim) -> bool:
    if isinstance(x, int) and isinstance(y, int):
        return x != y
    if isinstance(x, Extent) and isinstance(y, Extent):
        return x.symbol == y.symbol and x.plus != y.plus
    for more, other in ((x, y), (y, x)):
        if isinstance(more, More) and not isinstance(other, More):
            return more.base == other or (isinstance(more.base, int) and isinstance(other, int) and other < more.base)
    return False


def symbolic(shape: Shape, symbol: tuple[Any, ...]) -> Shape:
    """The shape of a carry in its loop: what is not known gets a name, so that it can be seen to change."""
    if shape is None:
        return Whole(symbol)
    if _is_exact(shape) and None in shape:
        return tuple(Extent((*symbol, i)) if dim is None else dim for i, dim in enumerate(shape))
    return shape


def text(aval: Aval) -> str:
    """How a person writes it: `float32[3, 2]`."""
    types, shape = describe(aval.types), aval.shape
    if shape is None or isinstance(shape, Whole):
        shown = f"{types} array" if types else "array"
        article = "an" if shown[0] in "aiu" else "a"
        return f"{article} {shown}" + (" of another shape" if isinstance(shape, Whole) and shape.changed else "")
    return f"{types or 'array'}[{', '.join(_dimension(dim) for dim in shape)}]"


def _dimension(dim: Dim) -> str:
    if dim is ...:
        return "…"
    if isinstance(dim, int):
        return str(dim)
    if isinstance(dim, Extent):
        return f"n + {dim.plus}" if dim.plus else "n"
    return f"more than {_dimension(dim.base)}" if isinstance(dim, More) else "?"
