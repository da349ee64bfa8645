"""Operators: ``combine`` (traced absorbs static), as against ``join`` where control flow meets."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

import libcst as cst

from jaxlint.knowledge.formats import TAKES_ANYTHING, percent_types
from jaxlint.tracing.results import of_operands
from jaxlint.tracing.values import NO_CONST, Array, Kind, Library, Mode, Ref, Static, Step, Tuple, Unknown, Value

if TYPE_CHECKING:
    from jaxlint.tracing.interpreter import Interpreter

_FOLDABLE: dict[type, Any] = {
    cst.Add: operator.add,
    cst.Subtract: operator.sub,
    cst.Multiply: operator.mul,
    cst.FloorDivide: operator.floordiv,
    cst.Divide: operator.truediv,
    cst.Modulo: operator.mod,
    cst.AddAssign: operator.add,
    cst.SubtractAssign: operator.sub,
    cst.MultiplyAssign: operator.mul,
}
_LIMIT = 1 << 40  # numbers beyond that are not worth knowing


def combine(
    it: Interpreter, node: cst.CSTNode, values: tuple[Value, ...], *, dtype: str = "", jax: bool = False
) -> Value:
    """The result of an operation on ``values``. ``jax``: a jnp operation, which gives an array in any case."""
    mode = Mode.NONE
    kind: Kind | None = None
    depth = 0
    origin: Step | None = None
    unknown = False
    for value in values:
        if isinstance(value, Array):
            array: Array = value
            kind = array.kind if kind is None or array.kind > kind else kind
            if array.kind is Kind.TRACED and array.mode > mode:
                mode, origin = array.mode, array.origin
            depth = max(depth, array.depth)
        elif not isinstance(value, (Static, Library, Tuple)):
            unknown = True
    context = it.context
    if context.is_staged and (jax or (kind is not None and kind >= Kind.CONCRETE)):
        if origin is None:
            return it.array(node, "every operation inside is traced, also on constants", dtype=dtype)
        return Array(Kind.TRACED, Mode.STAGED, dtype=dtype, origin=origin, depth=context.trace_depth)
    if kind is Kind.TRACED and mode is Mode.DIFF and dtype in ("bool", "int"):
        return Array(Kind.CONCRETE, dtype=dtype)  # under grad alone comparisons and integers are not traced at all
    if kind is Kind.TRACED:
        return Array(kind, mode, dtype=dtype, origin=origin, depth=depth)
    if unknown and context.is_traced and mode is Mode.NONE:
        return it.unknown(node)  # under vmap or grad an unknown operand may be the traced one
    if kind is Kind.CONCRETE or jax:
        return Array(Kind.CONCRETE, dtype=dtype)
    if kind is Kind.HOST:
        return it.unknown(node) if unknown else Array(Kind.HOST, dtype=dtype)
    return it.unknown(node)


def binary(it: Interpreter, node: cst.CSTNode, op: cst.CSTNode, left: Value, right: Value) -> Value:
    """``left op right``."""
    if isinstance(left, Static) and isinstance(right, Static):
        return _fold(op, left, right)
    if isinstance(left, Array) or isinstance(right, Array):
        if type(op) in _ADDITIONS and (_is_list(left) or _is_list(right)):
            return it.unknown(node)  # a tuple or list of tracers grows
        if isinstance(left, Static) and left.type_name == "str":
            return Static(type_name="str", tainted=_shown(left, (right,)))
        masks = type(op) in _LOGICAL and any(isinstance(v, Array) and v.dtype == "bool" for v in (left, right))
        result = combine(it, node, (left, right), dtype="bool" if masks else "")
        if type(op) in _ADDITIONS and _may_be_lists(left, right) and isinstance(result, Array):
            return result.like(certain=False)
        return _with_aval(it, result, (left, right), _RULES.get(type(op), "promote"))
    if isinstance(left, Static) and left.type_name == "str" and type(op) is cst.Modulo:
        return Static(type_name="str", tainted=_shown(left, right.items if isinstance(right, Tuple) else ()))
    if type(op) in _ADDITIONS and isinstance(left, Tuple) and isinstance(right, Tuple):
        return Tuple(left.items + right.items)
    if type(op) is cst.Multiply and _is_list(left) and isinstance(left, Ref):
        return it.unknown(node)
    return it.unknown(node)


def _shown(text: Static, items: tuple[Value, ...]) -> Array | None:
    """The tracer that ``text % items`` shows. (Where a number is asked for there is no string: it raises.)"""
    types = percent_types(text.const) if isinstance(text.const, str) else None
    for number, item in enumerate(items):
        if isinstance(item, Array) and item.blocks_bool:
            if types is None or number >= len(types) or types[number] in TAKES_ANYTHING:
                return item
    return text.tainted


# (libcst's classes are abstract ones: to ask `isinstance` of them costs ten times as much as `type(…) in`.)
_IDENTITIES = frozenset({cst.Is, cst.IsNot})
_MEMBERSHIPS = frozenset({cst.In, cst.NotIn})
_ADDITIONS = frozenset({cst.Add, cst.AddAssign})
_DIFFERENCES = frozenset(
    {cst.Subtract, cst.SubtractAssign, cst.FloorDivide, cst.FloorDivideAssign, cst.Modulo, cst.ModuloAssign}
)
_LOGICAL = frozenset({cst.BitAnd, cst.BitOr, cst.BitXor, cst.BitAndAssign, cst.BitOrAssign})

_RULES: dict[type[cst.CSTNode], str] = {
    cst.Divide: "inexact",
    cst.DivideAssign: "inexact",
    cst.Power: "loose",
    cst.PowerAssign: "loose",
    cst.MatrixMultiply: "none",
    cst.MatrixMultiplyAssign: "none",
}


def _with_aval(it: Interpreter, made: Value, operands: tuple[Value, ...], rule: str) -> Value:
    """The result of an operation of JAX with its dtype and shape (a fresh array: nobody else has it)."""
    if isinstance(made, Array) and made.kind is not Kind.HOST:
        made.aval = of_operands(it, operands, rule)
    return made


def _is_list(value: Value) -> bool:
    return isinstance(value, (Tuple, Ref))


def _may_be_lists(left: Value, right: Value) -> bool:
    """Whether ``left + right`` may join two tuples of arrays: neither is certainly an array or a number."""
    return all(not value.certain if isinstance(value, Array) else isinstance(value, Unknown) for value in (left, right))


def _fold(op: cst.CSTNode, left: Static, right: Static) -> Static:
    extent = left.extent_of or right.extent_of
    if left.extent_of is not None and right.extent_of is not None and type(op) in _DIFFERENCES:
        extent = None  # what two lengths differ by is not itself as long as an array
    tainted = left.tainted or right.tainted
    fold = _FOLDABLE.get(op.__class__)
    if fold is not None and left.known and right.known and _small(left.const) and _small(right.const):
        try:
            return Static(fold(left.const, right.const), extent_of=extent, tainted=tainted)
        except (TypeError, ArithmeticError, ValueError):
            return Static(extent_of=extent)
    name = left.type_name if left.type_name == right.type_name else ""
    if type(op) is cst.Modulo and left.type_name == "str":
        name = "str"
    return Static(NO_CONST, name, extent, tainted)


def _small(const: Any) -> bool:
    if isinstance(const, (int, float)):
        return abs(const) < _LIMIT
    return isinstance(const, str) and len(const) < 200


def compare(it: Interpreter, node: cst.CSTNode, op: cst.CSTNode, left: Value, right: Value) -> Value:
    """``left op right`` for one comparison."""
    if type(op) in _IDENTITIES:
        return _identity(op, left, right)
    if type(op) in _MEMBERSHIPS:
        return Static(type_name="bool")
    arrays = [value for value in (left, right) if isinstance(value, Array)]
    if not arrays:
        return _compare_static(it, node, op, left, right)
    for value in (left, right):
        if isinstance(value, Static) and value.type_name in ("str", "NoneType", "bytes"):
            return Static(type_name="bool")
        if isinstance(value, (Tuple, Ref)):
            return it.unknown(node)
    result = _with_aval(it, combine(it, node, (left, right), dtype="bool"), (left, right), "bool")
    if isinstance(result, Array) and isinstance(op, (cst.Equal, cst.NotEqual)) and not any(a.certain for a in arrays):
        if not _is_number(left) and not _is_number(right):
            return result.like(certain=False)
    return result


def _is_number(value: Value) -> bool:
    return isinstance(value, Static) and value.type_name in ("int", "float")


def _identity(op: cst.CSTNode, left: Value, right: Value) -> Static:
    same = type(op) is cst.Is
    for value, other in ((left, right), (right, left)):
        if isinstance(other, Static) and other.known and other.const is None:
            if isinstance(value, Static) and value.type_name:
                return Static((value.type_name == "NoneType") is same)
            certain_array = isinstance(value, Array) and value.certain
            if certain_array or isinstance(value, (Tuple, Ref)):
                return Static(not same)
    return Static(type_name="bool")


def _compare_static(it: Interpreter, node: cst.CSTNode, op: cst.CSTNode, left: Value, right: Value) -> Value:
    if isinstance(left, Static) and isinstance(right, Static):
        if left.known and right.known:
            return _decide(op, left.const, right.const)
        return Static(type_name="bool")
    return it.unknown(node)


_COMPARE: dict[type, Any] = {
    cst.Equal: operator.eq,
    cst.NotEqual: operator.ne,
    cst.LessThan: operator.lt,
    cst.GreaterThan: operator.gt,
    cst.LessThanEqual: operator.le,
    cst.GreaterThanEqual: operator.ge,
}


def _decide(op: cst.CSTNode, left: Any, right: Any) -> Static:
    try:
        return Static(bool(_COMPARE[op.__class__](left, right)))
    except (TypeError, KeyError):
        return Static(type_name="bool")
