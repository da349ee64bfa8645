"""Modes: parameters whose default says that they are Python values, and the branches on them. No rule of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from jaxlint.rules.names import names_in
from jaxlint.rules.tracing.conditions import asked
from jaxlint.syntax import visit

if TYPE_CHECKING:
    from collections.abc import Iterator


def mode_tests(
    function: cst.FunctionDef | cst.Lambda,
) -> Iterator[tuple[cst.Param, cst.BaseExpression, str]]:
    """Parameters with a flag or a string for a default, the test that needs its Python value, and what it is."""
    defaults = {}
    for param in (*function.params.params, *function.params.kwonly_params):
        what = _kind(param.default)
        if what:
            defaults[param.name.value] = (param, what)
    if not defaults:
        return
    visit(function.body, [finder := _Tests(frozenset(defaults))])
    for name, test in finder.found.items():
        if name not in finder.stored:
            param, what = defaults[name]
            yield param, test, what


def _kind(default: cst.BaseExpression | None) -> str:
    if type(default) is cst.Name and default.value in ("True", "False"):
        return "a Python flag"
    return "a string" if type(default) is cst.SimpleString else ""


class _Tests(cst.CSTVisitor):
    """Tests that need the Python value of a name: its truth, or whether it equals a string."""

    def __init__(self, names: frozenset[str]) -> None:
        super().__init__()
        self.names = names
        self.found: dict[str, cst.BaseExpression] = {}
        self.stored: set[str] = set()

    def _ask(self, test: cst.BaseExpression) -> None:
        for part in asked(test):
            if type(part) is cst.Name and part.value in self.names:
                self.found.setdefault(part.value, test)
            elif type(part) is cst.Comparison and type(part.left) is cst.Name and part.left.value in self.names:
                target = part.comparisons[0]
                if (
                    isinstance(target.operator, (cst.Equal, cst.NotEqual))
                    and type(target.comparator) is cst.SimpleString
                ):
                    self.found.setdefault(part.left.value, test)

    def visit_If(self, node: cst.If) -> None:
        """``if mode``."""
        self._ask(node.test)

    def visit_IfExp(self, node: cst.IfExp) -> None:
        """``a if mode else b``."""
        self._ask(node.test)

    def visit_AssignTarget(self, node: cst.AssignTarget) -> None:
        """A name that is written is no longer the parameter."""
        self.stored |= names_in(node.target)

    def visit_FunctionDef(self, node: cst.FunctionDef) -> bool:
        """Another function's names."""
        return False
