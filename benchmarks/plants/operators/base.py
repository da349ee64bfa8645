"""What all operators share: a parsed file with spans and parents, sites in it, and text edits that know their lines."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar, TypeVar

import libcst as cst
from libcst.metadata import MetadataWrapper, PositionProvider

Node = TypeVar("Node", bound=cst.CSTNode)


@dataclass(frozen=True)
class Change:
    """Replace text[start:end] by `content`."""

    start: int
    end: int
    content: str


@dataclass
class Plan:
    """What an operator wants done at one site, and the spans of the original text where the fault then shows.

    A mark that lies inside a change (an inserted statement, say) stands for what the change put there.
    """

    changes: list[Change] = field(default_factory=list)
    marks: list[tuple[int, int]] = field(default_factory=list)


@dataclass(frozen=True)
class Site:
    """One place where an operator can plant: the nth (from 0) of its kind in that function."""

    function: str
    occurrence: int
    node: cst.CSTNode
    line: int


class File:
    """A parsed file: text, spans, parents, qualified names of functions."""

    def __init__(self, text: str) -> None:
        self.text = text
        wrapper = MetadataWrapper(cst.parse_module(text), unsafe_skip_copy=True)
        self.module = wrapper.module
        self.positions = wrapper.resolve(PositionProvider)
        self.starts = [0]
        for line in text.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))
        self.parents: dict[cst.CSTNode, cst.CSTNode] = {}
        self.order: list[cst.CSTNode] = []
        stack: list[cst.CSTNode] = [self.module]
        while stack:
            node = stack.pop()
            self.order.append(node)
            children = node.children
            for child in children:
                self.parents[child] = node
            stack.extend(reversed(children))

    def span(self, node: cst.CSTNode) -> tuple[int, int]:
        where = self.positions[node]
        start = self.starts[where.start.line - 1] + where.start.column
        return start, self.starts[where.end.line - 1] + where.end.column

    def line(self, node: cst.CSTNode) -> int:
        return int(self.positions[node].start.line)

    def source(self, node: cst.CSTNode) -> str:
        start, end = self.span(node)
        return self.text[start:end]

    def nodes(self, kind: type[Node], inside: cst.CSTNode | None = None) -> Iterator[Node]:
        """All nodes of a kind in source order, in the whole file or inside one node."""
        if inside is None:
            yield from (node for node in self.order if isinstance(node, kind))
            return
        stack: list[cst.CSTNode] = [inside]
        while stack:
            node = stack.pop()
            if isinstance(node, kind):
                yield node
            stack.extend(reversed(node.children))

    def ancestors(self, node: cst.CSTNode) -> Iterator[cst.CSTNode]:
        while node in self.parents:
            node = self.parents[node]
            yield node

    def enclosing(self, node: cst.CSTNode, kind: type[Node]) -> Node | None:
        return next((a for a in self.ancestors(node) if isinstance(a, kind)), None)

    def function(self, node: cst.CSTNode) -> cst.FunctionDef | None:
        """The function whose body (not decorators or defaults) holds the node."""
        below = node
        for above in self.ancestors(node):
            if isinstance(above, cst.FunctionDef) and below is above.body:
                return above
            below = above
        return None

    def qualname(self, node: cst.CSTNode) -> str:
        names = [a.name.value for a in [node, *self.ancestors(node)] if isinstance(a, cst.FunctionDef | cst.ClassDef)]
        return ".".join(reversed(names)) or "<module>"

    def statement(self, node: cst.CSTNode) -> cst.SimpleStatementLine | cst.BaseCompoundStatement:
        """The innermost statement that holds the node."""
        for item in [node, *self.ancestors(node)]:
            if isinstance(item, cst.SimpleStatementLine | cst.BaseCompoundStatement):
                return item
        raise LookupError("no statement around the node")

    def mark(self, node: cst.CSTNode) -> tuple[int, int]:
        """The span of the innermost statement, a compound statement's only up to its colon."""
        statement = self.statement(node)
        start, end = self.span(statement)
        if isinstance(statement, cst.SimpleStatementLine):
            return start, end
        head_end = self.span(statement.body)[0]
        return start, min(end, head_end)

    def indent(self, node: cst.CSTNode) -> str:
        start = self.span(self.statement(node))[0]
        line_start = max(i for i in self.starts if i <= start)
        return self.text[line_start:start]

    def dotted(self, node: cst.CSTNode) -> str:
        """`jax.lax.cond` for a Name or an Attribute of names; else an empty string."""
        if isinstance(node, cst.Name):
            return node.value
        if isinstance(node, cst.Attribute):
            left = self.dotted(node.value)
            return f"{left}.{node.attr.value}" if left else ""
        return ""

    def called(self, node: cst.Call) -> str:
        return self.dotted(node.func)

    def after_imports(self) -> int:
        """Offset where a new module-level statement may stand: after the last top-level import."""
        last = 0
        for statement in self.module.body:
            if isinstance(statement, cst.SimpleStatementLine) and isinstance(
                statement.body[0], cst.Import | cst.ImportFrom
            ):
                last = self.starts[self.positions[statement].end.line]
        return last

    def numpy_name(self) -> tuple[str, list[Change]]:
        """The file's own name for numpy, and the import to add if it has none."""
        for item in self.nodes(cst.ImportAlias):
            if isinstance(self.parents[item], cst.Import) and self.dotted(item.name) == "numpy":
                if item.asname is None:
                    return "numpy", []
                return self.source(item.asname.name), []
        at = self.after_imports()
        return "np", [Change(at, at, "import numpy as np\n")]

    def block(self, node: cst.CSTNode, text: str) -> str:
        """Several lines in place of a statement: the first stands where the statement stood."""
        indent = self.indent(node)
        return textwrap.indent(text, indent)[len(indent) :]


class Operator:
    """One kind of fault. Subclasses say where it goes and what it changes there, and if it takes a trace to be one."""

    name: ClassVar[str]
    codes: ClassVar[tuple[str, ...]]
    topics: ClassVar[str]
    needs_trace: ClassVar[bool] = True

    def candidates(self, file: File) -> Iterator[cst.CSTNode]:
        raise NotImplementedError

    def plan(self, file: File, node: cst.CSTNode) -> Plan:
        raise NotImplementedError

    def sites(self, file: File) -> list[Site]:
        seen: dict[str, int] = {}
        out = []
        for node in self.candidates(file):
            name = file.qualname(node)
            seen[name] = seen.get(name, -1) + 1
            out.append(Site(name, seen[name], node, file.line(node)))
        return out


def apply(text: str, plan: Plan) -> tuple[str, list[tuple[int, int]]]:
    """The planted text, and the ranges of lines in it (both ends included) where the fault shows."""
    pieces, at = [], 0
    changes = sorted(plan.changes, key=lambda c: (c.start, c.end))
    for change in changes:
        if change.start < at:
            raise ValueError("changes overlap")
        pieces += [text[at : change.start], change.content]
        at = change.end
    planted = "".join([*pieces, text[at:]])

    def moved(offset: int, *, end: bool) -> int:
        shift = 0
        for change in changes:
            if (
                change.end < offset
                or (change.end == offset and end)
                or (change.end <= offset and change.start < offset)
            ):
                shift += len(change.content) - (change.end - change.start)
            elif change.start < offset:
                shift += change.start - offset + (len(change.content) if end else 0)
        return offset + shift

    ranges = []
    for start, end in plan.marks:
        first, last = moved(start, end=False), moved(end, end=True)
        part = planted[first:last]
        first += len(part) - len(part.lstrip())
        last -= len(part) - len(part.rstrip())
        row = planted.count("\n", 0, first) + 1
        ranges.append((row, row + planted.count("\n", first, last)))
    return planted, sorted(set(ranges))
