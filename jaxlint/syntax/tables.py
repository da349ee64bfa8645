"""Which nodes a node can hold, field by field, in lexical order: read from a checked-in table, never from samples."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Literal, NamedTuple

import libcst as cst

from jaxlint.syntax import _table

Shape = Literal["one", "many", "either"]
_SHAPES: dict[str, Shape] = {":": "one", "*": "many", "?": "either"}

#: Modules of libcst whose nodes carry layout and operators, no structure of the program.
_TRIVIA_MODULES = ("libcst._nodes.whitespace", "libcst._nodes.op")
_TRIVIA_NAMES = frozenset(
    ("LeftParen", "RightParen", "LeftSquareBracket", "RightSquareBracket", "LeftCurlyBrace", "RightCurlyBrace")
)


class Field(NamedTuple):
    """One field of a node class: its name, how many nodes it holds, and the kinds that they can be."""

    name: str
    shape: Shape
    kinds: frozenset[type[cst.CSTNode]]


Table = dict[type[cst.CSTNode], tuple[Field, ...]]


@cache
def fields() -> Table:
    """The fields that hold nodes, for every concrete node class of the installed libcst."""
    specifications, classes = _specifications()
    kinds = _kinds(classes)
    return {cls: tuple(_field(part, kinds) for part in specifications[name].split()) for name, cls in classes.items()}


@cache
def known_names() -> frozenset[str]:
    """Names of node classes, of the installed libcst and of the one that the table was made for."""
    return frozenset(cls.__name__ for cls in fields()) | frozenset(_entries())


@cache
def trivia() -> frozenset[type[cst.CSTNode]]:
    """Whitespace, comments, punctuation, brackets and operators: what the meaning of a program can be read without."""
    return frozenset(cls for cls in fields() if cls.__module__ in _TRIVIA_MODULES or cls.__name__ in _TRIVIA_NAMES)


@cache
def structure() -> dict[type[cst.CSTNode], tuple[tuple[str, Shape], ...]]:
    """``fields()`` without trivia: names and shapes only."""
    dropped = trivia()
    return {
        cls: tuple((field.name, field.shape) for field in row if not field.kinds <= dropped)
        for cls, row in fields().items()
    }


def children(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """The direct children in lexical order, trivia left out. Far cheaper than ``node.children``."""
    rows = structure()
    for name, shape in rows[type(node)]:
        value = getattr(node, name)
        if shape == "many" or (shape == "either" and isinstance(value, (tuple, list))):
            # FormattedStringExpression.format_spec is a sequence or None.
            yield from value or ()
        elif type(value) in rows:  # neither None nor a MaybeSentinel
            yield value


def _specifications() -> tuple[dict[str, str], dict[str, type[cst.CSTNode]]]:
    from libcst._version import version

    classes = node_classes()
    table = _entries()
    if version != _table.VERSION or table.keys() != classes.keys():
        from jaxlint.syntax import derive

        if derive.fingerprint(classes) != _table.FINGERPRINT:
            # Another libcst with other nodes: right and slow beats fast and wrong.
            table = derive.derive(classes)
    return table, classes


@cache
def _entries() -> dict[str, str]:
    """Specification of the fields by class name."""
    table: dict[str, str] = {}
    for line in _table.ENTRIES.replace("\n    ", " ").splitlines():
        names, _, specification = line.partition("=")
        table.update(dict.fromkeys(names.split(), specification))
    return table


def node_classes() -> dict[str, type[cst.CSTNode]]:
    """Every concrete node class of the installed libcst, by name."""
    found: dict[str, type[cst.CSTNode]] = {}
    for name, value in vars(cst).items():
        # Testing the MRO avoids the slow ABC check; a concrete node is one that visitors have a method for.
        is_node = isinstance(value, type) and cst.CSTNode in value.__mro__ and hasattr(cst.CSTVisitor, f"visit_{name}")
        if is_node and not value.__abstractmethods__:
            found[name] = value
    return found


def _kinds(classes: dict[str, type[cst.CSTNode]]) -> dict[str, frozenset[type[cst.CSTNode]]]:
    """For each class name, base classes included, the concrete classes that it stands for."""
    kinds: dict[str, set[type[cst.CSTNode]]] = {}
    for cls in classes.values():
        for base in cls.__mro__:
            kinds.setdefault(base.__name__, set()).add(cls)
    return {name: frozenset(members) for name, members in kinds.items()}


def _field(part: str, kinds: dict[str, frozenset[type[cst.CSTNode]]]) -> Field:
    mark = next(mark for mark in _SHAPES if mark in part)
    name, names = part.split(mark)
    members = frozenset[type[cst.CSTNode]]().union(*(kinds[kind] for kind in names.split("|")))
    return Field(name, _SHAPES[mark], members)
