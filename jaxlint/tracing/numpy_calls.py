"""Calls of NumPy: what they give, and what they do to arrays of JAX."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.knowledge import numpy_api
from jaxlint.knowledge.host_effects import HOST_RANDOM
from jaxlint.tracing.operators import combine
from jaxlint.tracing.results import of_numpy
from jaxlint.tracing.values import Array, Kind, Ref, Static, Step, Unknown, Value

if TYPE_CHECKING:
    import libcst as cst

    from jaxlint.tracing.arguments import Arguments
    from jaxlint.tracing.interpreter import Interpreter
    from jaxlint.tracing.state import State


def call_numpy(it: Interpreter, name: str, arguments: Arguments, node: cst.CSTNode, st: State) -> Value:
    """Call NumPy's function of this name (without the module's)."""
    from jaxlint.tracing.library import flat, note_sync

    values = flat(it, arguments, st)
    if name in numpy_api.STATIC_RESULT:
        first = values[0] if values else None
        return Static(extent_of=first if isinstance(first, Array) and name in ("shape", "size") else None)
    if name.startswith("random."):
        return Array(Kind.HOST, certain=False) if f"numpy.{name}" in HOST_RANDOM else it.unknown(node)
    if any(isinstance(value, Ref) for value in values):
        return it.unknown(node)  # a dict or an object: NumPy wraps it
    device = next((v for v in values if isinstance(v, Array) and v.kind is Kind.CONCRETE), None)
    if device is not None and name in ("asarray", "array", "copy", "ascontiguousarray"):
        note_sync(it, node, f"np.{name}", device)
    if any(isinstance(v, Array) and v.kind is Kind.TRACED for v in values):
        if name.rpartition(".")[2] in numpy_api.WORKS_ON_TRACER:
            return combine(it, node, values)
        return it.unknown(node)
    known = of_numpy(it, f"numpy.{name}", arguments.positional, arguments.keywords, st)
    if name in numpy_api.BUFFER_MAKERS:
        return Array(Kind.HOST, origin=Step(node, f"an array made by `np.{name}`"), aval=known)
    if not any(isinstance(v, Unknown) for v in values):
        return Array(Kind.HOST, aval=known)
    return Array(Kind.HOST, certain=False) if name not in numpy_api.WORKS_ON_TRACER else it.unknown(node)
