"""Positions of a few nodes, found when they are needed.

libcst keeps no positions. Its PositionProvider prints the whole module and notes where every node begins and ends,
which costs twice the parse. Here the same printing code runs against a state that only counts, notes the wanted nodes
and stops as soon as it has them all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from typing import Any

import libcst as cst
from libcst._nodes.internal import CodegenState

from jaxlint.findings import Span


class NodeNotFound(LookupError):
    """A position was asked of a node that is not in the module, such as a copy or a node of another tree."""


def locate(module: cst.Module, text: str, nodes: Iterable[cst.CSTNode]) -> dict[cst.CSTNode, Span]:
    """The spans of ``nodes`` in ``text``, which ``module`` was parsed from. Raises NodeNotFound.

    The ranges are those of libcst's PositionProvider: a statement begins at its keyword, not at its decorators,
    comments or indentation, and an expression leaves out its own parentheses. A node that stands at several places of
    a hand-made tree has the first of them.
    """
    wanted = {id(node): node for node in nodes}
    if not wanted:
        return {}
    # libcst drops a byte-order mark, and a form feed before the first token of a line.
    offset = 1 if text.startswith("\ufeff") else 0
    try:
        state = _printed(module, wanted, text, offset)
    except RecursionError:
        with _shallow_codegen():
            state = _printed(module, wanted, text, offset)
    size = len(text)
    spans: dict[cst.CSTNode, Span] = {}
    for key, node in wanted.items():
        if key not in state.spans:
            raise NodeNotFound(f"this {type(node).__name__} has no place in the module; is it a copy?")
        start, end = state.spans[key]
        # A missing last newline is printed and then taken back: the module's own end may lie one newline too far.
        spans[node] = Span(min(state.start_of(start), size), min(end, size))
    return spans


def _printed(module: cst.Module, wanted: dict[int, cst.CSTNode], text: str, offset: int) -> _State:
    """The state after printing as much of the module as is needed to find all wanted nodes."""
    state = _FormFeedState(module, wanted, text, offset) if "\f" in text else _State(module, wanted, offset)
    with suppress(_AllFound):
        module._codegen(state)
    return state


@contextmanager
def _shallow_codegen() -> Iterator[None]:
    """Spares the C stack while a very deep tree is printed.

    libcst calls ``self._codegen_impl(state, **kwargs)``, which goes through C at every level, and Python 3.12 lets no
    more than some 1500 such calls nest, whatever the recursion limit. Called with ``**``, a plain function stays in the
    interpreter and a bound method does not.
    The stand-in does exactly what libcst's method does, so it harms nobody who prints at the same time.
    """
    original = cst.CSTNode._codegen

    def _codegen(self: cst.CSTNode, state: CodegenState, **kwargs: Any) -> None:
        state.before_codegen(self)
        type(self)._codegen_impl(self, state, **kwargs)
        state.after_codegen(self)

    cst.CSTNode._codegen = _codegen  # type: ignore[method-assign]
    try:
        yield
    finally:
        cst.CSTNode._codegen = original  # type: ignore[method-assign]


class _AllFound(Exception):
    """Leaves the printing of a module early."""


class _Nothing(AbstractContextManager[None]):
    """The context of a node that nobody asked for."""

    def __exit__(self, *_: object) -> None:
        return None


_NOTHING = _Nothing()


class _Recorder(AbstractContextManager[None]):
    """Notes what is printed within as the range of a node; a hoisted child may set its start or end."""

    __slots__ = ("end_node", "node", "start", "start_node", "state")

    def __init__(
        self, state: _State, node: cst.CSTNode, start_node: cst.CSTNode | None, end_node: cst.CSTNode | None
    ) -> None:
        self.state = state
        self.node = node
        self.start_node = start_node
        self.end_node = end_node
        self.start = state.position

    def __exit__(self, *error: object) -> None:
        if error[0] is None:
            spans = self.state.spans
            start = self.start if self.start_node is None else spans[id(self.start_node)][0]
            end = self.state.position if self.end_node is None else spans[id(self.end_node)][1]
            self.state.record(self.node, start, end)


class _State(CodegenState):
    """Stands in for libcst's printer: counts code points instead of collecting tokens."""

    def __init__(self, module: cst.Module, wanted: dict[int, cst.CSTNode], position: int) -> None:
        super().__init__(default_indent=module.default_indent, default_newline=module.default_newline)
        self.position = position
        self.spans: dict[int, tuple[int, int]] = {}
        self._wanted = wanted
        # Hoisted children are watched as well: their ranges are needed to find those of their parents.
        self._watched = set(wanted)
        self._starts: dict[int, int] = {}
        self._missing = len(wanted)
        self._indent = 0

    def increase_indent(self, value: str) -> None:
        self.indent_tokens.append(value)
        self._indent += len(value)

    def decrease_indent(self) -> None:
        self._indent -= len(self.indent_tokens.pop())

    def add_indent_tokens(self) -> None:
        self.position += self._indent

    def add_token(self, value: str) -> None:
        self.position += len(value)

    def pop_trailing_newline(self) -> None:
        pass

    def before_codegen(self, node: cst.CSTNode) -> None:
        if id(node) in self._watched:
            self._starts[id(node)] = self.position

    def after_codegen(self, node: cst.CSTNode) -> None:
        key = id(node)
        # The last node's span is complete only now, so this is the place to stop.
        if key in self._watched:
            start = self._starts.pop(key)
            if key not in self.spans:
                self.record(node, start, self.position)
            if not self._missing:
                raise _AllFound

    def record_syntactic_position(  # type: ignore[override]  # the base is a generator in a decorator
        self, node: cst.CSTNode, *, start_node: cst.CSTNode | None = None, end_node: cst.CSTNode | None = None
    ) -> AbstractContextManager[None]:
        if id(node) not in self._watched:
            return _NOTHING
        self._watched.update(id(child) for child in (start_node, end_node) if child is not None)
        return _Recorder(self, node, start_node, end_node)

    def record(self, node: cst.CSTNode, start: int, end: int) -> None:
        """Keeps the first range of a node."""
        key = id(node)
        if key not in self.spans:
            self.spans[key] = (start, end)
            if key in self._wanted:
                self._missing -= 1

    def start_of(self, position: int) -> int:
        """Where a node that was met at ``position`` begins."""
        return position


class _FormFeedState(_State):
    """Finds its place again where libcst has dropped a form feed, by comparing each token with the text."""

    def __init__(self, module: cst.Module, wanted: dict[int, cst.CSTNode], text: str, position: int) -> None:
        super().__init__(module, wanted, position)
        self._text = text
        self._dropped: dict[int, int] = {}

    def add_indent_tokens(self) -> None:
        for token in self.indent_tokens:
            self.add_token(token)

    def add_token(self, value: str) -> None:
        position = self.position
        if not self._text.startswith(value, position):
            end = position
            while self._text.startswith("\f", end):
                end += 1
            if end > position and self._text.startswith(value, end):
                self._dropped[position] = position = end
        self.position = position + len(value)

    def start_of(self, position: int) -> int:
        return self._dropped.get(position, position)
