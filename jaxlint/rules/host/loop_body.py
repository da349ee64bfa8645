"""A host loop's body as text: where a read stands in it, and whether the loop needs it. No rule of its own."""

from __future__ import annotations

import libcst as cst

from jaxlint.rules.names import names_in
from jaxlint.syntax import visit


class LoopBody(cst.CSTVisitor):
    """Where ``node`` stands in a loop body, what the body stores, loads early and decides by.

    ``statement`` is the line that holds the node if it runs in every iteration; ``steps`` are the body's lines (names
    read, names stored); ``decision`` is true where the node is itself part of a test.
    """

    def __init__(self, node: cst.Call, loop: cst.For | cst.While) -> None:
        super().__init__()
        self.node = node
        self.statement: cst.SimpleStatementLine | None = None
        self.has_loop = False
        self.stored: set[str] = set()
        self.early: set[str] = set()
        self.decides: set[str] = set()
        self.decision = False
        self.steps: list[tuple[set[str], set[str]]] = []
        self._conditional = 0
        self._lines: list[cst.SimpleStatementLine] = []
        if isinstance(loop, cst.For):
            self.stored |= names_in(loop.target)
        else:
            self.decides |= names_in(loop.test)
        visit(loop.body, [self])

    def needs(self, names: set[str]) -> bool:
        """Whether a test, or what the next iteration computes, depends on ``names``.

        A sum that only its own line reads (``total += x``) is no reason: it could stay on the device.
        """
        reached = set(names)
        for _ in range(len(self.steps) + 1):
            grown = reached.union(*(stored for read, stored in self.steps if read & reached))
            if grown == reached:
                break
            reached = grown
        if reached & self.decides:
            return True
        return any(self._carried(name) for name in reached)

    def _carried(self, name: str) -> bool:
        """Whether the next iteration reads ``name`` elsewhere than in the line that stores it."""
        return name in self.early and any(name in read and name not in stored for read, stored in self.steps)

    def visit_Call(self, node: cst.Call) -> None:
        """Notice the node on the way down."""
        if node is self.node and self._lines and not self._conditional:
            self.statement = self._lines[-1]

    def visit_SimpleStatementLine(self, node: cst.SimpleStatementLine) -> None:
        """Keep what the line reads and stores."""
        self._lines.append(node)
        for part in node.body:
            self._step(part)

    def leave_SimpleStatementLine(self, original_node: cst.SimpleStatementLine) -> None:
        """The line is over."""
        self._lines.pop()

    def _step(self, part: cst.BaseSmallStatement) -> None:
        if type(part) is cst.Assign:
            read = names_in(part.value)
            stored = set().union(*(_stored(target.target) for target in part.targets))
            self.early |= read - self.stored
            for target in part.targets:
                read |= _indices(target.target)
            self.steps.append((read, stored))
            self.stored |= stored
        elif type(part) is cst.AugAssign:
            read = names_in(part.value) | names_in(part.target)
            self.early |= read - self.stored
            self.steps.append((read, _stored(part.target)))
            self.stored |= _stored(part.target)
        elif type(part) is cst.Expr:
            self.early |= names_in(part.value) - self.stored
            self.steps.append((names_in(part.value), set()))

    def _test(self, test: cst.BaseExpression) -> None:
        self.decides |= names_in(test)
        visit(test, [finder := _Holds(self.node)])
        self.decision |= finder.found

    def visit_If(self, node: cst.If) -> None:
        """What follows may not run."""
        self._test(node.test)
        self._conditional += 1

    def leave_If(self, original_node: cst.If) -> None:
        """Unconditional again."""
        self._conditional -= 1

    def visit_IfExp(self, node: cst.IfExp) -> None:
        """A decision."""
        self._test(node.test)

    def visit_Assert(self, node: cst.Assert) -> None:
        """A decision."""
        self._test(node.test)

    def visit_While(self, node: cst.While) -> None:
        """Not the innermost loop."""
        self.has_loop = True

    def visit_For(self, node: cst.For) -> None:
        """Not the innermost loop."""
        self.has_loop = True

    def visit_ExceptHandler(self, node: cst.ExceptHandler) -> None:
        """What follows may not run."""
        self._conditional += 1

    def leave_ExceptHandler(self, original_node: cst.ExceptHandler) -> None:
        """Unconditional again."""
        self._conditional -= 1

    def visit_FunctionDef(self, node: cst.FunctionDef) -> bool:
        """Another function's body."""
        return False


def _stored(target: cst.BaseExpression) -> set[str]:
    if isinstance(target, (cst.Subscript, cst.Attribute)):
        return _stored(target.value)
    return names_in(target)


def _indices(target: cst.BaseExpression) -> set[str]:
    """The names that say which item is stored."""
    if type(target) is cst.Subscript:
        return set().union(*(names_in(part) for part in target.slice)) | _indices(target.value)
    return set()


class _Holds(cst.CSTVisitor):
    """Whether a node is part of a piece of code."""

    def __init__(self, node: cst.Call) -> None:
        super().__init__()
        self.node = node
        self.found = False

    def visit_Call(self, node: cst.Call) -> None:
        """Compare."""
        self.found = self.found or node is self.node
