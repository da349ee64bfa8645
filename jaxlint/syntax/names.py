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
