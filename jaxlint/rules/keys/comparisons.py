"""Two results from one key that meet in a difference: common random numbers, on purpose. No rule of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from jaxlint.knowledge.host_effects import CLOCKS
from jaxlint.rules.names import names_in
from jaxlint.syntax import called_name, children, visit

if TYPE_CHECKING:
    from jaxlint.tracing.facts import Facts
    from jaxlint.tracing.keys import Reuse, Use

_COMPARING = frozenset(
    {"allclose", "array_equal", "isclose", "assert_allclose", "assert_array_equal", "assert_trees_all_close"}
)


def on_purpose(facts: Facts, reuse: Reuse) -> bool:
    """Whether a second use of a key is no fault: both results are compared, or the first is thrown away."""
    first, second = reuse.first.node, reuse.second.node
    function = reuse.second.context.function
    if compared(first, second, function) or discarded(first, function) or _mirrored(first, second, function):
        return True
    return _timed(facts, first, second, function) or _in_other_cells(facts, reuse) or _other_setting(reuse, function)


def _other_setting(reuse: Reuse, function: cst.CSTNode) -> bool:
    """``simulate(0.5, key)`` and ``simulate(0.8, key)``: the program's own function run again with another number.

    Not where the first result goes into the second call, as from layer to layer.
    """
    first, second = reuse.first.node, reuse.second.node
    if not (isinstance(first, cst.Call) and isinstance(second, cst.Call) and first.func.deep_equals(second.func)):
        return False
    if reuse.first.callee is None or len(first.args) != len(second.args):
        return False
    pairs = [(a.value, b.value) for a, b in zip(first.args, second.args, strict=True)]
    others = [pair for pair in pairs if not pair[0].deep_equals(pair[1])]
    if not others or not all(_is_setting(part) for pair in others for part in pair):
        return False
    visit(function, [finder := _Holders(first, second)])
    return not any(names_in(arg.value) & finder.names[0] for arg in second.args)


def _is_setting(node: cst.BaseExpression) -> bool:
    return isinstance(node, cst.Float) or (isinstance(node, cst.Name) and node.value in ("True", "False"))


def _in_other_cells(facts: Facts, reuse: Reuse) -> bool:
    """Whether the two uses stand in two cells of a notebook, where whole runs are compared with one another.

    Two draws of `jax.random` from one key are no such runs.
    """
    uses = (reuse.first, reuse.second)
    if not facts.source.path.endswith(".ipynb"):
        return False
    if all(_draws(facts, use) for use in uses):
        return False
    first, second = (facts.position(use.node, use.context) for use in uses)
    return first.cell != second.cell


def _draws(facts: Facts, use: Use) -> bool:
    """Whether a use is a call of a sampler of `jax.random` itself."""
    return use.how != "split" and isinstance(use.node, cst.Call) and facts.callee(use.node).startswith("jax.random.")


def _timed(facts: Facts, first: cst.CSTNode, second: cst.CSTNode, function: cst.CSTNode) -> bool:
    """Whether one call is written twice to be timed: once to compile, once beside a clock."""
    if not first.deep_equals(second):
        return False
    visit(function, [clocks := _Clocks(facts)])
    return clocks.found


class _Clocks(cst.CSTVisitor):
    def __init__(self, facts: Facts) -> None:
        super().__init__()
        self.facts = facts
        self.found = False

    def visit_Call(self, node: cst.Call) -> None:
        """``time.perf_counter()``."""
        self.found |= self.facts.callee(node) in CLOCKS


def compared(first: cst.CSTNode, second: cst.CSTNode, function: cst.CSTNode) -> bool:
    """Whether two uses of one key are to give the same numbers: their results meet in a difference, the calls are the
    two sides of a pair, or the second initialises anew under the same name."""
    if not isinstance(function, (cst.FunctionDef, cst.Module)):
        return False
    visit(function, [finder := _Holders(first, second)])
    one, other = finder.names
    if (one and one == other and _initialises(first) and first.deep_equals(second)) or _paired_calls(first, second):
        return True
    visit(function, [meeting := _Meetings({*one, first}, {*other, second})])
    return meeting.found


def _initialises(node: cst.CSTNode) -> bool:
    """``params = task.init(key)``."""
    name = called_name(node) if isinstance(node, cst.Call) else ""
    return "init" in name or "reset" in name


#: Words for a second model that begins as a copy of the first.
_COPIES = ("target", "teacher", "ema", "reference", "frozen", "copy")


def _mirrored(first: cst.CSTNode, second: cst.CSTNode, function: cst.CSTNode) -> bool:
    """``net = Net(key)`` and ``target_net = Net(key)``: one is made to equal the other."""
    if not (_makes(first) and _makes(second)) or not isinstance(function, (cst.FunctionDef, cst.Module)):
        return False
    code = cst.Module([]).code_for_node
    visit(function, [finder := _Receivers((first, second))])
    return any(word in text.lower() for text in (code(first), code(second), *finder.names) for word in _COPIES)


def _makes(node: cst.CSTNode) -> bool:
    """Whether a call makes a model or its parameters: by the name of what is called."""
    name = called_name(node) if isinstance(node, cst.Call) else ""
    return name[:1].isupper() or any(word in name.lower() for word in ("init", "create", "make", "build"))


class _Receivers(cst.CSTVisitor):
    """What is assigned from statements, or passed as keywords, that hold one of the nodes."""

    def __init__(self, nodes: tuple[cst.CSTNode, ...]) -> None:
        super().__init__()
        self.nodes = nodes
        self.names: list[str] = []

    def _hold(self, target: cst.CSTNode, value: cst.CSTNode) -> None:
        stack = [value]
        while stack:
            part = stack.pop()
            if part in self.nodes:
                self.names.append(cst.Module([]).code_for_node(target))
                return
            stack.extend(children(part))

    def visit_Assign(self, node: cst.Assign) -> None:
        """``name = … node …``."""
        for target in node.targets:
            self._hold(target.target, node.value)

    def visit_Arg(self, node: cst.Arg) -> None:
        """``name=… node …``."""
        if node.keyword is not None:
            self._hold(node.keyword, node.value)


#: Words for the two sides of a pair: what differs between two calls that are to see the same random numbers.
_SIDES = frozenset({
    ("pos", "neg"), ("positive", "negative"), ("plus", "minus"), ("up", "down"), ("train", "test"), ("train", "valid"),
    ("train", "eval"), ("train", "val"), ("+", "-"), ("left", "right"), ("forward", "backward"),
})  # fmt: skip


def _paired_calls(first: cst.CSTNode, second: cst.CSTNode) -> bool:
    """``unroll(pos_theta, key)`` and ``unroll(neg_theta, key)``: antithetic samples, or two sets under one noise."""
    if not (isinstance(first, cst.Call) and isinstance(second, cst.Call) and first.func.deep_equals(second.func)):
        return False
    if len(first.args) != len(second.args):
        return False
    code = cst.Module([]).code_for_node
    pairs = [(code(a.value), code(b.value)) for a, b in zip(first.args, second.args, strict=True)]
    return any(_sides(a, b) for a, b in pairs if a != b)


def _sides(a: str, b: str) -> bool:
    """Whether two expressions differ by the words of a pair, or by their initials (``p_state``, ``n_state``)."""
    start = 0
    while start < min(len(a), len(b)) and a[start] == b[start]:
        start += 1
    end = 0
    while end < min(len(a), len(b)) - start and a[-1 - end] == b[-1 - end]:
        end += 1
    x, y = a[start : len(a) - end], b[start : len(b) - end]
    words = [pair for one, other in _SIDES for pair in ((one, other), (other, one))]
    if any(one in a and other in b and a.replace(one, "", 1) == b.replace(other, "", 1) for one, other in words):
        return True
    return bool(x and y) and any(one.startswith(x) and other.startswith(y) for one, other in words)


class _Holders(cst.CSTVisitor):
    """The names that are assigned from each of two nodes."""

    def __init__(self, first: cst.CSTNode, second: cst.CSTNode) -> None:
        super().__init__()
        self.nodes = (first, second)
        self.names: tuple[set[str], set[str]] = (set(), set())

    def visit_Assign(self, node: cst.Assign) -> None:
        """``name = … node …``."""
        for wanted, names in zip(self.nodes, self.names, strict=True):
            if node.value is wanted:
                for target in node.targets:
                    names.update(_stored(target.target))


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
        if called_name(node) in _COMPARING and len(node.args) > 1:
            self._meet(node.args[0].value, node.args[1].value)


def _is_of(node: cst.CSTNode, side: set[object]) -> bool:
    while isinstance(node, cst.Attribute) and node.attr.value in ("T", "mT"):
        node = node.value
    return node in side or (type(node) is cst.Name and node.value in side)
