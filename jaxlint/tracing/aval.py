"""What is known of an array's type (JAX calls it an abstract value, aval)."""

from __future__ import annotations

from typing import Any, NamedTuple


class Aval(NamedTuple):
    """What is known of an array's dtype (a set of `knowledge.dtypes`) and shape (see `tracing.avals`)."""

    types: int
    shape: Any


def join_avals(a: Aval | None, b: Aval | None) -> Aval | None:
    """What is known of an array that is one or the other."""
    if a is None or b is None:
        return None
    return Aval(a.types | b.types, a.shape if a.shape == b.shape else None)
