"""Names in a piece of code, for rules that follow them by text."""

from __future__ import annotations

import libcst as cst

from jaxlint.syntax import visit


class Names(cst.CSTVisitor):
    """Every name in an expression."""

    def __init__(self) -> None:
        super().__init__()
        self.names: set[str] = set()

    def visit_Name(self, node: cst.Name) -> None:
        """Collect."""
        self.names.add(node.value)


def names_in(node: cst.CSTNode) -> set[str]:
    """The names in a piece of code."""
    visit(node, [finder := Names()])
    return finder.names
