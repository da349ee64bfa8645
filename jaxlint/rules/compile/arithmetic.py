"""Numbers that a traced function only computes with: a tracer would do as well. No rule of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from jaxlint.knowledge.compile_boundary import TAKES_NUMBERS
from jaxlint.syntax import children

if TYPE_CHECKING:
    from jaxlint.tracing.facts import Facts


def only_computes(facts: Facts, body: cst.CSTNode, name: str) -> bool:
    """Whether each use of ``name`` in ``body`` is an operand of an operation that gives a traced array."""
    uses: list[bool] = []
    _uses(facts, body, name, False, uses)
    return bool(uses) and all(uses)


def _uses(facts: Facts, node: cst.CSTNode, name: str, computes: bool, out: list[bool]) -> None:
    if type(node) is cst.Name:
        if node.value == name:
            out.append(computes)
    elif type(node) is cst.Attribute:
        _uses(facts, node.value, name, False, out)
    elif type(node) is cst.Call:
        _uses(facts, node.func, name, False, out)
        computes = facts.callee(node) in TAKES_NUMBERS
        for arg in node.args:
            _uses(facts, arg.value, name, computes, out)
    else:
        if type(node) is cst.BinaryOperation:
            computes = computes or facts.traced(node) is not None
        elif type(node) is not cst.UnaryOperation:
            computes = False
        for part in children(node):
            _uses(facts, part, name, computes, out)
