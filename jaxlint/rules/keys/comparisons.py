"""Two results from one key that meet in a difference: common random numbers, on purpose. No rule of its own."""

from __future__ import annotations

import libcst as cst

from jaxlint.syntax import visit

_COMPARING = frozenset(
    {"allclose", "array_equal", "isclose", "assert_allclose", "assert_array_equal", "assert_trees_all_close"}
)


def compared(first: cst.CSTNode, second: cst.CSTNode, function: cst.CSTNode) -> bool:
    """Whether ``function`` subtracts or compares the results of two calls (or names that hold them)."""
    if type(function) is not cst.FunctionDef:
        return False
    finder = _Holders(first, second)
    visit(function.body, [finder])
    one, other = finder.names
    meeting = _Meetings({*one, first}, {*other, second})
    visit(function.body, [meeting])
    return meeting.found


class _Holders(cst.CSTVisitor):
    """The names that are assigned from each of two nodes."""

    def __init__(self, first: cst.CSTNode, second: cst.CSTNode) -> None:
        super().__init__()
        self.nodes = (first, second)
        self.names: tuple[set[str], set[str]] = (set(), set())

    def visit_Assign(self, node: cst.Assign) -> None:
        """``name = … node …``."""
        for wanted, names in zip(self.nodes, self.names, strict=False):
            if node.value is wanted:
                names.update(t.target.value for t in node.targets if type(t.target) is cst.Name)


def _stored(target: cst.BaseExpression) -> list[str]:
    if isinstance(target, cst.Name):
        return [target.value]
    if isinstance(target, (cst.Tuple, cst.List)):
        return [name for part in target.elements for name in _stored(part.value)]
    return []


def discarded(first: cst.CSTNode, function: cst.CSTNode) -> bool:
    """Whether what a call gives is thrown away, or overwritten before anything reads it."""
    if not isinstance(function, (cst.FunctionDef, cst.Module)):
        return False
    visit(function, [finder := _NextUse(first)])
    return bool(finder.names) and not finder.read


class _NextUse(cst.CSTVisitor):
    """What happens next to the names that a node is assigned to, in the order of the text."""

    def __init__(self, first: cst.CSTNode) -> None:
        super().__init__()
        self.first = first
        self.names: set[str] = set()
        self.read = False
        self._open: set[str] = set()

    def visit_Assign(self, node: cst.Assign) -> bool:
        """Values are read before targets are stored."""
        visit(node.value, [self])
        stored = {name for target in node.targets for name in _stored(target.target)}
        if node.value is self.first:
            self.names = stored
            self._open = {name for name in stored if not name.startswith("_")}
        else:
            self._open -= stored
        return False

    def visit_Name(self, node: cst.Name) -> None:
        """A read."""
        self.read |= node.value in self._open


class _Meetings(cst.CSTVisitor):
    """Differences, ratios and comparisons of one side with the other."""

    def __init__(self, one: set[object], other: set[object]) -> None:
        super().__init__()
        self.sides = (one, other)
        self.found = False

    def _meet(self, left: cst.CSTNode, right: cst.CSTNode) -> None:
        one, other = self.sides
        self.found |= (_is_of(left, one) and _is_of(right, other)) or (_is_of(left, other) and _is_of(right, one))

    def visit_BinaryOperation(self, node: cst.BinaryOperation) -> None:
        """``a - b``."""
        if isinstance(node.operator, (cst.Subtract, cst.MatrixMultiply)):
            self._meet(node.left, node.right)

    def visit_Comparison(self, node: cst.Comparison) -> None:
        """``a == b``."""
        self._meet(node.left, node.comparisons[0].comparator)

    def visit_Call(self, node: cst.Call) -> None:
        """``allclose(a, b)``."""
        name = node.func.attr.value if type(node.func) is cst.Attribute else getattr(node.func, "value", "")
        if name in _COMPARING and len(node.args) > 1:
            self._meet(node.args[0].value, node.args[1].value)


def _is_of(node: cst.CSTNode, side: set[object]) -> bool:
    while isinstance(node, cst.Attribute) and node.attr.value in ("T", "mT"):
        node = node.value
    return node in side or (type(node) is cst.Name and node.value in side)
