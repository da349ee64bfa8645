"""Walks a tree for many visitors at once and calls only the methods that they define.

libcst's own walk asks every visitor about every node, whitespace included, and rebuilds the tree as it goes. Here each
node class gets a small generated function that knows which fields can lead to a wanted node and goes nowhere else.
What depends on the visitors' classes alone (a ``Plan``) is made once and kept; a ``Driver`` binds it to instances.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache, lru_cache
from typing import Any, NamedTuple

import libcst as cst

from jaxlint.syntax.tables import fields, known_names

Walk = Callable[[cst.CSTNode], None]
Lookup = Callable[[object], "Walk | None"]
Hook = tuple[int, str]  # index of the visitor, name of its method
VisitorClasses = tuple[type[cst.CSTVisitor], ...]

#: Hooks of libcst that see every node or every attribute; to call them would cost what this driver saves.
_CATCH_ALL = ("on_visit", "on_leave", "on_visit_attribute", "on_leave_attribute")


class UnsupportedVisitor(TypeError):
    """A visitor asks for what the driver does not do. Raised before anything is walked."""


class _Step(NamedTuple):
    """What happens at nodes of one class: which methods to call, and how to go on."""

    factory: Callable[..., Walk]
    visits: tuple[Hook, ...]
    leaves: tuple[Hook, ...]


Plan = dict[object, _Step]


class Driver:
    """Walks trees for a list of visitors: at each node every ``visit_*``, then the children, then every ``leave_*``.

    As in libcst, a visitor whose ``visit_*`` returns False does not see what is below that node; the others do.
    """

    def __init__(self, visitors: Sequence[cst.CSTVisitor]) -> None:
        self._visitors = tuple(visitors)
        self._lookup = self._bind()
        self._without: dict[int, Lookup] = {}

    def walk(self, node: cst.CSTNode) -> None:
        """Visits ``node`` (a module, or any part of one) and all below it."""
        walk = self._lookup(node.__class__)
        if walk is not None:
            walk(node)

    def _bind(self) -> Lookup:
        return _Walks(self._visitors, self._mute).__getitem__

    def _mute(self, muted: int) -> Lookup:
        """The lookup for the children of a node where the visitors in the bit set ``muted`` returned False."""
        lookup = self._without.get(muted)
        if lookup is None:
            rest = [visitor for index, visitor in enumerate(self._visitors) if not muted >> index & 1]
            lookup = self._without[muted] = Driver(rest)._lookup
        return lookup


class _Walks(dict[object, "Walk | None"]):
    """The walk for each class, or None: made when the first node of the class is met, as most trees are small."""

    def __init__(self, visitors: Sequence[cst.CSTVisitor], mute: Callable[[int], Lookup]) -> None:
        super().__init__()
        self._visitors = visitors
        self._mute = mute
        self._plan = _plan(tuple(type(visitor) for visitor in visitors))

    def __missing__(self, cls: object) -> Walk | None:
        step = self._plan.get(cls)
        walk: Walk | None = None
        if step is not None:
            visitors = self._visitors
            walk = step.factory(
                self.__getitem__,
                tuple((1 << index, getattr(visitors[index], name)) for index, name in step.visits),
                tuple(getattr(visitors[index], name) for index, name in step.leaves),
                self._mute,
            )
        self[cls] = walk
        return walk


def visit(module: cst.CSTNode, visitors: Iterable[cst.CSTVisitor]) -> None:
    """Walks ``module`` once for all ``visitors``. Raises UnsupportedVisitor for hooks that are not honoured."""
    Driver(tuple(visitors)).walk(module)


@lru_cache(maxsize=1024)
def _plan(classes: VisitorClasses) -> Plan:
    """The steps for every node class that is wanted or lies above a wanted one."""
    visits: dict[type[cst.CSTNode], list[Hook]] = {}
    leaves: dict[type[cst.CSTNode], list[Hook]] = {}
    for index, visitor in enumerate(classes):
        for name, kind in _hooks(visitor):
            (visits if name.startswith("visit_") else leaves).setdefault(kind, []).append((index, name))
    table = fields()
    live = _above(visits.keys() | leaves.keys())
    steps: Plan = {}
    for cls in table:
        if cls in live:
            followed = tuple((field.name, field.shape) for field in table[cls] if not live.isdisjoint(field.kinds))
            factory = _factory(followed, cls in visits, cls in leaves)
            steps[cls] = _Step(factory, tuple(visits.get(cls, ())), tuple(leaves.get(cls, ())))
    return steps


@cache
def _hooks(visitor: type[cst.CSTVisitor]) -> tuple[tuple[str, type[cst.CSTNode]], ...]:
    """The ``visit_X`` and ``leave_X`` that a visitor class or its bases define beyond libcst's empty ones."""
    if not issubclass(visitor, cst.CSTVisitor):
        raise UnsupportedVisitor(f"{visitor.__name__} is not a libcst.CSTVisitor")
    if getattr(visitor, "METADATA_DEPENDENCIES", ()):
        raise UnsupportedVisitor(f"{visitor.__name__}.METADATA_DEPENDENCIES: no metadata is computed here")
    kinds = {cls.__name__: cls for cls in fields()}
    known = known_names()
    inherited = frozenset(cst.CSTVisitor.__mro__)
    names = dict.fromkeys(name for base in visitor.__mro__ if base not in inherited for name in vars(base))
    found = []
    for name in sorted(names):
        if name in _CATCH_ALL:
            raise UnsupportedVisitor(f"{visitor.__name__}.{name}: only visit_<Node> and leave_<Node> are called")
        verb, _, kind = name.partition("_")
        if verb not in ("visit", "leave") or not kind[:1].isupper():
            continue
        if getattr(visitor, name) is getattr(cst.CSTVisitor, name, None):
            continue  # a mix-in's method, hidden by libcst's own
        if kind in kinds:
            found.append((name, kinds[kind]))
        elif hasattr(cst.CSTVisitor, name) and "_" in kind:
            raise UnsupportedVisitor(f"{visitor.__name__}.{name}: hooks of attributes are not called")
        elif kind not in known:
            raise UnsupportedVisitor(f"{visitor.__name__}.{name}: libcst has no node class {kind}")
    return tuple(found)


def _above(wanted: Iterable[type[cst.CSTNode]]) -> set[type[cst.CSTNode]]:
    """``wanted`` and every class that can hold one of them at any depth."""
    holders = _holders()
    live = set(wanted)
    todo = list(live)
    while todo:
        for holder in holders.get(todo.pop(), ()):
            if holder not in live:
                live.add(holder)
                todo.append(holder)
    return live


@cache
def _holders() -> dict[type[cst.CSTNode], set[type[cst.CSTNode]]]:
    """For each class, the classes with a field that can hold it."""
    holders: dict[type[cst.CSTNode], set[type[cst.CSTNode]]] = {}
    for cls, row in fields().items():
        for field in row:
            for kind in field.kinds:
                holders.setdefault(kind, set()).add(cls)
    return holders


_ONE = """
        child = node.{name}
        walk = lookup(child.__class__)
        if walk is not None:
            walk(child)"""
_MANY = """
        for child in node.{name}:
            walk = lookup(child.__class__)
            if walk is not None:
                walk(child)"""
_MANY_OR_NONE = """
        for child in node.{name} or ():
            walk = lookup(child.__class__)
            if walk is not None:
                walk(child)"""
_EITHER = """
        child = node.{name}
        for child in child if child.__class__ is tuple or child.__class__ is list else (child,):
            walk = lookup(child.__class__)
            if walk is not None:
                walk(child)"""
_TEMPLATES = {"one": _ONE, "many": _MANY, "either": _EITHER}


@cache
def _factory(followed: tuple[tuple[str, str], ...], has_visits: bool, has_leaves: bool) -> Callable[..., Walk]:
    """Generates ``make(lookup, visits, leaves, mute) -> walk`` for a list of fields.

    None and MaybeSentinel need no test: no walk is registered for their classes.
    """
    lines = ["def make(here, visits, leaves, mute):", "    def walk_node(node):"]
    if has_visits and followed:
        lines += [
            "        lookup = here",
            "        muted = 0",
            "        for bit, visit in visits:",
            "            if visit(node) is False:",
            "                muted |= bit",
            "        if muted:",
            "            lookup = mute(muted)",
        ]
    elif has_visits:
        lines += ["        for bit, visit in visits:", "            visit(node)"]
    elif followed:
        lines += ["        lookup = here"]
    source = "\n".join(lines)
    for name, shape in followed:
        # format_spec is the one sequence that may be None instead of empty.
        template = _MANY_OR_NONE if name == "format_spec" else _TEMPLATES[shape]
        source += template.format(name=name)
    if has_leaves:
        source += "\n        for leave in leaves:\n            leave(node)"
    if not followed and not has_visits and not has_leaves:
        source += "\n        pass"
    source += "\n    return walk_node\n"
    namespace: dict[str, Any] = {}
    exec(compile(source, "<jaxlint.syntax.driver>", "exec"), namespace)
    make: Callable[..., Walk] = namespace["make"]
    return make
