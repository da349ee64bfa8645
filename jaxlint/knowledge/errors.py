"""Exceptions that JAX raises where a tracer stands for a Python value, and what catches them.

Source: jax.errors (all are subclasses of TypeError, NonConcreteBooleanIndexError of IndexError).
"""

from __future__ import annotations

_CATCHING = frozenset({
    "", "Exception", "BaseException", "TypeError", "ValueError", "IndexError", "JAXTypeError", "JAXIndexError", "ConcretizationTypeError",
    "TracerBoolConversionError", "TracerIntegerConversionError", "TracerArrayConversionError",
    "NonConcreteBooleanIndexError", "UnexpectedTracerError", "JaxRuntimeError",
})  # fmt: skip


def catches_tracer_errors(names: list[str]) -> bool:
    """Whether an ``except`` clause naming these classes (last part only; ``""`` for a bare one) catches them."""
    return any(name in _CATCHING for name in names)
