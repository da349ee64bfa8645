"""Conditions: which part of a test is traced, and the shared words about it. No rule of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jaxlint.tracing.compiled import Flag
    from jaxlint.tracing.facts import Facts, Traced


def blame(facts: Facts, test: cst.BaseExpression) -> Traced | None:
    """The first part of a test whose truth Python asks for and JAX does not know."""
    for part in asked(test):
        found = facts.traced(part)
        if found is not None and flag_of(facts, found) is None:
            return found
    return None


def flag_of(facts: Facts, found: Traced) -> Flag | None:
    """The flag that a traced value is: the rule about static arguments speaks for it, once for all its branches."""
    value = found.value
    if value.origin is None or value.dtype != "bool" or value.ndim != 0:
        return None
    return facts.flags.get(value.origin)


def asked(test: cst.BaseExpression) -> Iterator[cst.BaseExpression]:
    """The parts of a test whose truth is asked for: operands of ``and``, ``or`` and ``not``, else the test itself."""
    if type(test) is cst.BooleanOperation:
        yield from asked(test.left)
        yield from asked(test.right)
    elif type(test) is cst.UnaryOperation and type(test.operator) is cst.Not:
        yield from asked(test.expression)
    else:
        yield test


def operators_in(test: cst.BaseExpression) -> Iterator[cst.BaseExpression]:
    """The ``and``, ``or`` and ``not`` nodes of a test itself: the rule about the test speaks for them."""
    if type(test) is cst.BooleanOperation:
        yield test
        yield from operators_in(test.left)
        yield from operators_in(test.right)
    elif type(test) is cst.UnaryOperation and type(test.operator) is cst.Not:
        yield test
        yield from operators_in(test.expression)


def why(found: Traced) -> str:
    """What kind of tracer it is, in words."""
    region = found.context.region()
    if region is None:
        return "traced"
    return f"traced ({region.label})" if region.label else "traced"
