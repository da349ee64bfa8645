"""libcst made cheap: one parse, a visitor driver that goes only where it must, positions only when asked for."""

from __future__ import annotations

from jaxlint.syntax.driver import Driver, UnsupportedVisitor, visit
from jaxlint.syntax.limits import RECURSION_LIMIT, STACK_BYTES
from jaxlint.syntax.names import called_name, dotted
from jaxlint.syntax.parsing import SyntaxFault, parse
from jaxlint.syntax.positions import NodeNotFound, locate
from jaxlint.syntax.tables import children

__all__ = [
    "RECURSION_LIMIT",
    "STACK_BYTES",
    "Driver",
    "NodeNotFound",
    "SyntaxFault",
    "UnsupportedVisitor",
    "called_name",
    "children",
    "dotted",
    "locate",
    "parse",
    "visit",
]
