"""Operators, comparisons and choices: ``a + b``, ``not a``, ``a and b``, ``a < b < c``, ``a if t else b``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from jaxlint.tracing import donation, elements, guards
from jaxlint.tracing.avals import ANY
from jaxlint.tracing.choices import choice
from jaxlint.tracing.facts import Fault
from jaxlint.tracing.operators import binary, compare
from jaxlint.tracing.values import CALLABLE, TRACER_TEST, Array, Kind, Mode, Ref, Static, Tuple, Value, join

if TYPE_CHECKING:
    from jaxlint.tracing.interpreter import Interpreter
    from jaxlint.tracing.state import Condition, State


def eval_binary(it: Interpreter, node: cst.BinaryOperation, st: State) -> Value:
    """``left op right``. Long chains lean left: they are walked, not recursed into."""
    chain: list[cst.BinaryOperation] = [node]
    left_node = node.left
    while type(left_node) is cst.BinaryOperation:
        chain.append(left_node)
        left_node = left_node.left
    value = it.eval(left_node, st)
    for part in reversed(chain):
        right = it.eval(part.right, st)
        if st.donated:
            donation.check(it, part.left, value, st)
            donation.check(it, part.right, right, st)
        value = binary(it, part, part.operator, value, right)
        if part is not node and isinstance(value, Array) and not it.quiet and not it.muted:
            it.record(part, value)
    return value


def eval_unary(it: Interpreter, node: cst.UnaryOperation, st: State) -> Value:
    """``-x``, ``not x``, ``~x``."""
    value = it.eval(node.expression, st)
    if type(node.operator) is cst.Not:
        decided = guards.truth(it, value, node.expression)
        if decided is None and isinstance(value, Array) and value.blocks_bool:
            return it.unknown(node)  # it fails here
        if decided is None:
            return Static(type_name=TRACER_TEST if is_tracer_test(value) else "bool")
        return Static(not decided)
    if isinstance(value, Static):
        if value.known and isinstance(value.const, (int, float)) and type(node.operator) is cst.Minus:
            return Static(-value.const, extent_of=value.extent_of)
        return Static(type_name=value.type_name, extent_of=value.extent_of)
    if isinstance(value, Array):
        return value.like(
            certain=True,
            key=None,
            depth=max(value.depth, it.context.trace_depth if value.kind is Kind.TRACED else 0),
            aval=value.aval or ANY,
        )
    return it.unknown(node)


def is_tracer_test(value: Value) -> bool:
    """Whether a value is the answer to "is it a tracer?", and the answer is not known."""
    return isinstance(value, Static) and value.type_name == TRACER_TEST


def eval_boolean(it: Interpreter, node: cst.BooleanOperation, st: State) -> Value:
    """``and`` / ``or``: each part runs only on one outcome of those before it. Long chains are walked in a row."""
    operator = node.operator.__class__
    parts = [node.right]
    left: cst.BaseExpression = node.left
    while type(left) is cst.BooleanOperation and left.operator.__class__ is operator:
        parts.append(left.right)
        left = left.left
    parts.append(left)
    parts.reverse()
    is_and = operator is cst.And
    inside = st.copy()
    result: Value | None = None
    for number, part in enumerate(parts):
        value = it.eval(part, inside)
        decided = guards.truth(it, value, part)
        known = decided is not None
        if known and decided is not is_and:
            result = value if result is None else join(result, value)
            break
        if not known or number == len(parts) - 1:
            result = value if result is None else join(result, value)
        guards.refine(it, inside, part, is_and, decided=known)
    st.heap, st.used = inside.heap, inside.used
    for name, value in inside.locals.items():
        if name not in st.locals:
            st.locals[name] = value  # a walrus on the right
    assert result is not None
    return result


def eval_comparison(it: Interpreter, node: cst.Comparison, st: State) -> Value:
    """``a < b < c``."""
    left = it.eval(node.left, st)
    result: Value | None = None
    for part in node.comparisons:
        right = it.eval(part.comparator, st)
        if st.donated and not isinstance(part.operator, (cst.Is, cst.IsNot)):
            donation.check(it, node.left, left, st)
            donation.check(it, part.comparator, right, st)
        one = compare(it, node, part.operator, left, right)
        if isinstance(left, Array) and (type(part.operator) is cst.In or type(part.operator) is cst.NotIn):
            _check_membership(it, node, left, right, st)
        if result is None:
            result = one
        else:
            if isinstance(result, Array) and result.blocks_bool:
                it.chained.setdefault(node, result)
            result = one if isinstance(result, Static) else join(result, one)
        left = right
    assert result is not None
    if len(node.comparisons) > 1 and node in it.chained:
        it.fault(Fault("chained", node, it.chained.pop(node), it.context))
    return result


def _check_membership(it: Interpreter, node: cst.Comparison, left: Array, right: Value, st: State) -> None:
    """``traced in [1, 2]``: Python compares one by one and asks for the truth of each."""
    if left.kind is not Kind.TRACED or left.mode < Mode.MAPPED or not is_list(right):
        return
    item = elements.element(it, right, 0, st, node)
    if isinstance(item, Array) or (isinstance(item, Static) and item.type_name in ("int", "float")):
        it.fault(Fault("membership", node, left, it.context))


def eval_ifexp(it: Interpreter, node: cst.IfExp, st: State) -> Value:
    """``body if test else orelse``."""
    value = it.eval(node.test, st)
    decided = guards.truth(it, value, node.test)
    results: list[Value] = []
    tests: list[tuple[Condition, ...]] = []
    used = st.used
    for holds, branch in ((True, node.body), (False, node.orelse)):
        if decided is not None and decided is not holds:
            continue
        inside = st.copy()
        guards.refine(it, inside, node.test, holds)
        results.append(it.eval(branch, inside))
        tests.append(inside.conditions)
        used = {**used, **inside.used}
        st.heap.update({obj: held for obj, held in inside.heap.items() if obj not in st.heap})
    st.used = used
    if len(results) == 1:
        return results[0]
    if isinstance(results[0], CALLABLE) and isinstance(results[1], CALLABLE):
        return choice(results[0], results[1], tests[0], tests[1])
    return join(results[0], results[1])


def is_list(value: Value) -> bool:
    """Certainly a Python list or tuple."""
    return isinstance(value, Tuple) or (isinstance(value, Ref) and value.obj.form == "list")
