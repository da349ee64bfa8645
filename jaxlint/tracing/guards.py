"""Guards: what a test decides, and what is known of its names on either side of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import libcst as cst

from jaxlint.syntax import children
from jaxlint.tracing.choices import TRACED_FLAG
from jaxlint.tracing.values import (
    NONE,
    UNKNOWN,
    Array,
    ClassValue,
    Function,
    Static,
    Tuple,
    Value,
)

if TYPE_CHECKING:
    from jaxlint.tracing.interpreter import Interpreter
    from jaxlint.tracing.state import Condition, State


def truth(it: Interpreter, value: Value, node: cst.BaseExpression) -> bool | None:
    """Which way a test goes, where reading decides it. Module switches (``DEBUG = False``) are left open."""
    if isinstance(value, Static):
        if not value.known or _is_switch(it, node):
            return None
        return bool(value.const)
    if isinstance(value, Tuple):
        return bool(value.items)
    if isinstance(value, (Function, ClassValue)):
        return True
    return None


def _is_switch(it: Interpreter, node: cst.BaseExpression) -> bool:
    if type(node) is cst.UnaryOperation:
        return _is_switch(it, node.expression)
    if type(node) is cst.Name:
        return node.value in it.globals and (it.context.frame is not None)
    return False


def contrary(it: Interpreter, test: cst.BaseExpression, holds: bool) -> bool:
    """Whether a branch is taken only when a module switch is set to other than what the module says."""
    if type(test) is cst.UnaryOperation and type(test.operator) is cst.Not:
        return contrary(it, test.expression, not holds)
    if type(test) is not cst.Name or not _is_switch(it, test):
        return False
    value = it.globals.get(test.value)
    return isinstance(value, Static) and isinstance(value.const, bool) and value.const is not holds


def refine(it: Interpreter, st: State, test: cst.BaseExpression, holds: bool, *, decided: bool = False) -> None:
    """Narrow the state to the side of ``test`` where it is ``holds``. ``decided``: it can only go this way."""
    if type(test) is cst.UnaryOperation and type(test.operator) is cst.Not:
        refine(it, st, test.expression, not holds, decided=decided)
        return
    if type(test) is cst.BooleanOperation:
        both = holds if type(test.operator) is cst.And else not holds
        if both:
            refine(it, st, test.left, holds, decided=decided)
            refine(it, st, test.right, holds, decided=decided)
        else:
            _weaken_names(it, st, test)
            if not decided:
                _assume(st, _opaque(), holds)
        return
    _narrow(it, st, test, holds, decided=decided)
    if says_traced(test):
        _assume(st, (TRACED_FLAG, test), holds)
    atom = _atom(it, st, test)
    if not decided or atom[0] != "?":
        _assume(st, atom, holds is not _is_negated(test))


def settled(it: Interpreter, st: State, test: cst.BaseExpression) -> bool | None:
    """Which way a test goes because the same test of the same value was passed on the way here."""
    if type(test) is cst.UnaryOperation and type(test.operator) is cst.Not:
        inner = settled(it, st, test.expression)
        return None if inner is None else not inner
    negated = False
    if type(test) is cst.Comparison and len(test.comparisons) == 1:
        operator = test.comparisons[0].operator
        negated = isinstance(operator, (cst.IsNot, cst.NotEqual))
        if not negated and not isinstance(operator, (cst.Is, cst.Equal)):
            return None
    elif type(test) is not cst.Name and type(test) is not cst.Attribute:
        return None
    atom = _atom(it, st, test)
    for known, holds in st.conditions:
        if known == atom and known[0] != "?":
            return holds is not negated
    return None


def says_traced(test: cst.BaseExpression) -> bool:
    """Whether a test asks for a setting named for compiling (``if self.jit``): what it picks knows of traces."""
    name = test.attr.value if type(test) is cst.Attribute else test.value if type(test) is cst.Name else ""
    return "jit" in name.lower() or "eager" in name.lower()


def _assume(st: State, atom: Any, holds: bool) -> None:
    condition: Condition = (atom, holds)
    st.conditions = (*st.conditions, condition)


def _is_negated(test: cst.BaseExpression) -> bool:
    return type(test) is cst.Comparison and isinstance(test.comparisons[0].operator, (cst.IsNot, cst.NotEqual))


#: Sets, because libcst's classes are abstract ones, and `isinstance` of those costs ten times as much.
_SAME = frozenset({cst.Is, cst.Equal})
_EQUALITIES = frozenset({cst.Is, cst.IsNot, cst.Equal, cst.NotEqual})
_STRINGS = frozenset({cst.SimpleString, cst.ConcatenatedString, cst.FormattedString})
_PLAIN = frozenset({cst.Name, cst.Attribute, cst.SimpleString, cst.Integer})


def _opaque() -> Any:
    return ("?", object())


def _atom(it: Interpreter, st: State, test: cst.BaseExpression) -> Any:
    """A test as something that two places can share: the truth of a value, or its equality with a constant."""
    if type(test) is cst.NamedExpr:
        test = test.target
    if type(test) is cst.Comparison and len(test.comparisons) == 1:
        target = test.comparisons[0]
        if type(target.operator) in _EQUALITIES:
            left, right = _peek(it, st, test.left), _peek(it, st, target.comparator)
            if isinstance(left, Static) and left.known:
                left, right = right, left
            if isinstance(right, Static) and right.known and left is not UNKNOWN and _hashable(right.const):
                return ("==", left, right.const)
        return _opaque()
    if type(test) is cst.Name or type(test) is cst.Attribute:
        value = _peek(it, st, test)
        return _opaque() if value is UNKNOWN else ("t", value)
    return _opaque()


def _peek(it: Interpreter, st: State, node: cst.BaseExpression) -> Value:
    if type(node) in _PLAIN:
        with it.silent():
            return it.eval(node, st)
    return UNKNOWN


def _hashable(const: Any) -> bool:
    return isinstance(const, (str, int, float, bool, bytes, type(None)))


def _narrow(it: Interpreter, st: State, test: cst.BaseExpression, holds: bool, *, decided: bool = False) -> None:
    if type(test) is cst.Comparison and len(test.comparisons) == 1:
        _narrow_comparison(it, st, test, holds)
    elif type(test) is cst.Call and not decided:
        name = test.args[0].value if test.args else None
        if holds and type(name) is cst.Name and it.facts.callee(test) == "builtins.isinstance":
            if name.value in st.locals:
                st.locals[name.value] = it.unknown(name)  # of a class that we cannot tell
        for arg in test.args:  # isinstance(x, …), hasattr(x, …), is_concrete(x): what x is depends on the answer
            weaken(it, st, arg.value)
        if type(test.func) is cst.Attribute:
            weaken(it, st, test.func.value)


def _narrow_comparison(it: Interpreter, st: State, test: cst.Comparison, holds: bool) -> None:
    target = test.comparisons[0]
    sides = (test.left, target.comparator)
    for side, other in (sides, sides[::-1]):
        if type(other) is cst.Name and other.value == "None" and type(side) is cst.Name:
            is_none = holds if type(target.operator) in _SAME else not holds
            if is_none and type(target.operator) in _EQUALITIES:
                st.locals[side.value] = NONE
        if type(other) in _STRINGS:
            weaken(it, st, side)  # whoever compares with a string does not expect an array
    if type(test.left) is cst.Call and type(test.left.func) is cst.Name and test.left.func.value == "type":
        weaken(it, st, test.left.args[0].value if test.left.args else test.left)


def _weaken_names(it: Interpreter, st: State, test: cst.BaseExpression) -> None:
    if type(test) is cst.BooleanOperation:
        _weaken_names(it, st, test.left)
        _weaken_names(it, st, test.right)
    elif type(test) is cst.UnaryOperation:
        _weaken_names(it, st, test.expression)
    else:
        if not _is_none_test(test):
            _narrow(it, st, test, False)


def _is_none_test(test: cst.BaseExpression) -> bool:
    return type(test) is cst.Comparison and any(
        type(side) is cst.Name and side.value == "None" for side in (test.left, test.comparisons[0].comparator)
    )


def weaken(it: Interpreter, st: State, node: cst.BaseExpression) -> None:
    """Forget that a name may be traced, unless it is certainly an array: a test asked what it is."""
    if type(node) is cst.Name:
        value = st.locals.get(node.value)
        if isinstance(value, Array) and not value.certain:
            st.locals[node.value] = it.unknown(node)


def captured_names(pattern: cst.MatchPattern) -> list[str]:
    """Names that a pattern binds."""
    out: list[str] = []
    stack: list[Any] = [pattern]
    while stack:
        node = stack.pop()
        if type(node) is cst.MatchAs:
            if node.name is not None:
                out.append(node.name.value)
            if node.pattern is not None:
                stack.append(node.pattern)
        elif type(node) is cst.MatchStar:
            if node.name is not None:
                out.append(node.name.value)
        else:
            stack.extend(children(node))
    return out


def is_wildcard(pattern: cst.MatchPattern) -> bool:
    """Whether a pattern matches anything."""
    return type(pattern) is cst.MatchAs and pattern.pattern is None
