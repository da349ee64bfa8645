"""The shape of what indexing an array gives."""

from __future__ import annotations

from typing import Any

from jaxlint.knowledge.dtypes import INTEGERS
from jaxlint.tracing.avals import Dim, Shape, Whole
from jaxlint.tracing.values import NONE, Array, Static, Value


def indexed(shape: Shape, parts: list[Any]) -> Shape:
    """The shape of ``x[parts]``: None stands for a whole axis, ``"?"`` for some other slice."""
    if isinstance(shape, Whole):
        return _indexed_whole(shape, parts)
    if shape is None:
        return (1, ...) if shape is None and parts == [NONE] else None
    out: list[Dim] = []
    rest = list(shape)
    for part in parts:
        if part is NONE:
            out.append(1)
            continue
        if not rest or rest[0] is ...:
            return None
        dim = rest.pop(0)
        if part is None:
            out.append(dim)
        elif part == "?":
            out.append(None)
        elif not _drops(part):
            return None
    return (*out, *rest)


def _indexed_whole(shape: Whole, parts: list[Any]) -> Shape:
    """A carry of unknown rank: an index or a new axis makes another rank, a slice may leave everything as it is."""
    if shape.changed or not parts:
        return None
    new = sum(1 for part in parts if part is NONE)
    dropped = sum(1 for part in parts if isinstance(part, Value) and part is not NONE and _drops(part))
    sliced = sum(1 for part in parts if not isinstance(part, Value))
    if new != dropped and new + dropped + sliced == len(parts):
        return Whole(shape.symbol, changed=True)
    return None


def _drops(part: Value | str | None) -> bool:
    """Whether an index is one number: it takes the axis away."""
    if isinstance(part, Static):
        return part.type_name == "int"
    return isinstance(part, Array) and part.aval is not None and part.aval.shape == () and _is_integer(part)


def _is_integer(part: Array) -> bool:
    return part.aval is not None and not part.aval.types & ~INTEGERS
