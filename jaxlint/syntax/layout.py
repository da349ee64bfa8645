"""Whitespace, commas and dots made once per file instead of once per place.

Two of three nodes of a tree are layout, and most of them are alike: half of all are a space or nothing. libcst's parser
calls a class of the package ``libcst`` for each of its nodes. While it works, calls for layout are answered from a
cache. That is a tenth of the parser's time and half of the tree's memory.

Nodes are immutable, so nobody can tell, except that a piece of layout no longer has one place. Nothing here asks for
the place of a comma. Whatever has a meaning (names, operators, statements) and comments stay one node per place.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from types import ModuleType

_SHARED = (
    "SimpleWhitespace",
    "ParenthesizedWhitespace",
    "TrailingWhitespace",
    "EmptyLine",
    "Newline",
    "Comma",
    "Dot",
    "AssignEqual",
    "LeftParen",
    "RightParen",
    "LeftSquareBracket",
    "RightSquareBracket",
    "LeftCurlyBrace",
    "RightCurlyBrace",
)


@contextmanager
def shared_layout() -> Iterator[None]:
    """Inside, libcst's parser makes equal pieces of layout once.

    The parser looks the package up in ``sys.modules`` for every node, so a copy of it stands there for so long: with
    the same content otherwise, for whoever else imports it in the meantime.
    """
    package = sys.modules["libcst"]
    copy = ModuleType("libcst")
    vars(copy).update(vars(package))
    for name in _SHARED:
        setattr(copy, name, lru_cache(maxsize=None)(getattr(package, name)))
    sys.modules["libcst"] = copy
    try:
        yield
    finally:
        sys.modules["libcst"] = package
