"""Names as they are written."""

from __future__ import annotations

import libcst as cst


def called_name(node: cst.CSTNode | None) -> str:
    """The last part of what a call calls (``"c"`` for ``a.b.c(x)``), or of a name itself; else ``""``."""
    if type(node) is cst.Call:
        node = node.func
    if type(node) is cst.Attribute:
        return node.attr.value
    return node.value if type(node) is cst.Name else ""


def dotted(node: cst.BaseExpression | None) -> str:
    """``a.b.c`` of a Name or Attribute; ``""`` for anything else."""
    if type(node) is cst.Name:
        return node.value
    if type(node) is cst.Attribute:
        head = dotted(node.value)
        return f"{head}.{node.attr.value}" if head else ""
    return ""
