"""Transforms that run their function at once: scan, cond, while_loop, map, tree.map, callbacks, vjp, eval_shape."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jaxlint.knowledge.transform_rows import Transform
from jaxlint.tracing import elements
from jaxlint.tracing.arguments import Arguments
from jaxlint.tracing.boundary import concrete_result, enter, leave, region_of, trace
from jaxlint.tracing.loops import turns_of, twice
from jaxlint.tracing.state import State, join_states
from jaxlint.tracing.trees import row_of, tree_map
from jaxlint.tracing.values import (
    NONE,
    UNKNOWN,
    Array,
    Kind,
    LibraryObject,
    Mode,
    Static,
    Tuple,
    Value,
    join,
)
from jaxlint.tracing.witnesses import solve

if TYPE_CHECKING:
    import libcst as cst

    from jaxlint.tracing.interpreter import Interpreter


def _scan(
    it: Interpreter, row: Transform, options: dict[str, Value], arguments: Arguments, node: cst.CSTNode, st: State
) -> Value:
    region = region_of(it, row, node)
    body = options.get("f", UNKNOWN)
    carry = [trace(it, options.get("init", UNKNOWN), Mode.STAGED, st)]
    xs = options.get("xs", NONE)
    outs: list[Value] = []

    def one(turn: int, state: State) -> bool:
        x = xs if _is_none(xs) else row_of(it, xs, turn, state, node)
        x = trace(it, x, Mode.STAGED, state)
        result = enter(it, body, Arguments((carry[-1], x), {}), region, node, state)
        if isinstance(result, Tuple) and len(result.items) == 2:
            carry.append(trace(it, result.items[0], Mode.STAGED, state))
            outs.append(result.items[1])
        else:
            carry.append(trace(it, it.unknown(node), Mode.STAGED, state))
            outs.append(it.unknown(node))
        return True

    _repeat(it, node, st, one)
    final = leave(it, carry[-1], arguments.all(), st, node, every_leaf=True)
    stacked = leave(it, outs[-1], arguments.all(), st, node, every_leaf=True)
    return Tuple((final, _stacked(stacked)))


def _repeat(it: Interpreter, node: cst.CSTNode, st: State, one: Any) -> None:
    """Two iterations, always (the carry changes in between)."""
    before = it.turn
    for turn in range(turns_of(it)):
        it.turn = (*before, turn)
        one(turn, st)
    it.turn = before


def _is_none(value: Value) -> bool:
    return isinstance(value, Static) and value.known and value.const is None


def _stacked(value: Value) -> Value:
    if isinstance(value, Array):
        return value.like(key=None)
    if isinstance(value, Tuple):
        return Tuple(tuple(_stacked(item) for item in value.items), value.names, value.cls)
    return value


def _fori(
    it: Interpreter, row: Transform, options: dict[str, Value], arguments: Arguments, node: cst.CSTNode, st: State
) -> Value:
    region = region_of(it, row, node)
    body = options.get("body_fun", UNKNOWN)
    carry = [trace(it, options.get("init_val", UNKNOWN), Mode.STAGED, st)]

    def one(turn: int, state: State) -> bool:
        index = trace(it, Static(type_name="int"), Mode.STAGED, state)
        result = enter(it, body, Arguments((index, carry[-1]), {}), region, node, state)
        carry.append(trace(it, result, Mode.STAGED, state))
        return True

    _repeat(it, node, st, one)
    return leave(it, carry[-1], arguments.all(), st, node, every_leaf=True)


def _while(
    it: Interpreter, row: Transform, options: dict[str, Value], arguments: Arguments, node: cst.CSTNode, st: State
) -> Value:
    region = region_of(it, row, node)
    carry = [trace(it, options.get("init_val", UNKNOWN), Mode.STAGED, st)]

    def one(turn: int, state: State) -> bool:
        enter(it, options.get("cond_fun", UNKNOWN), Arguments((carry[-1],), {}), region, node, state)
        result = enter(it, options.get("body_fun", UNKNOWN), Arguments((carry[-1],), {}), region, node, state)
        carry.append(trace(it, result, Mode.STAGED, state))
        return True

    _repeat(it, node, st, one)
    return leave(it, carry[-1], arguments.all(), st, node, every_leaf=True)


def _branches(
    it: Interpreter,
    row: Transform,
    branches: list[Value],
    operands: Any,
    arguments: Arguments,
    node: cst.CSTNode,
    st: State,
) -> Value:
    """cond and switch: one of the branches runs, all are traced."""
    region = region_of(it, row, node)
    end: State | None = None
    result: Value | None = None
    for branch in branches:
        taken = st.copy()
        inputs = [trace(it, operand, Mode.STAGED, taken) for operand in operands]
        got = enter(it, branch, Arguments(inputs, {}), region, node, taken)
        result = got if result is None else join(result, got)
        end = join_states(end, taken)
    if end is None or result is None:
        return it.unknown(node)
    st.become(end)
    return leave(it, result, arguments.all(), st, node, every_leaf=True)


def _cond(
    it: Interpreter, row: Transform, options: dict[str, Value], arguments: Arguments, node: cst.CSTNode, st: State
) -> Value:
    branches = [options[name] for name in ("true_fun", "false_fun") if name in options]
    operands = list(arguments.positional[3:])
    if "operand" in options:
        operands.append(options["operand"])
    return _branches(it, row, branches, operands, arguments, node, st)


def _switch(
    it: Interpreter, row: Transform, options: dict[str, Value], arguments: Arguments, node: cst.CSTNode, st: State
) -> Value:
    listed = options.get("branches", UNKNOWN)
    count = elements.length(it, listed, st)
    branches = [elements.element(it, listed, i, st, node) for i in range(min(count or 0, 12))]
    return _branches(it, row, branches, arguments.positional[2:], arguments, node, st)


def _map(
    it: Interpreter, row: Transform, options: dict[str, Value], arguments: Arguments, node: cst.CSTNode, st: State
) -> Value:
    region = region_of(it, row, node)
    xs = options.get("xs", UNKNOWN)
    results: list[Value] = []

    def one(turn: int, state: State) -> bool:
        x = trace(it, row_of(it, xs, turn, state, node), Mode.STAGED, state)
        results.append(enter(it, options.get("f", UNKNOWN), Arguments((x,), {}), region, node, state))
        return True

    twice(it, node, st, one)
    return _stacked(leave(it, results[-1], arguments.all(), st, node, every_leaf=True))


def _callback(
    it: Interpreter, row: Transform, options: dict[str, Value], arguments: Arguments, node: cst.CSTNode, st: State
) -> Value:
    """Host code again: it receives arrays with data."""
    region = region_of(it, row, node)
    skip = len(row.params)
    positional = [_to_host(arg) for arg in arguments.positional[skip:]]
    keywords = {name: _to_host(arg) for name, arg in arguments.keywords.items() if name not in _CALLBACK_OPTIONS}
    enter(it, options.get(row.params[0], UNKNOWN), Arguments(positional, keywords), region, node, st)
    if row.name == "jax.debug.callback":
        return NONE
    return it.array(node, "the result of a host callback", certain=False)


_CALLBACK_OPTIONS = frozenset(
    {
        "callback",
        "result_shape_dtypes",
        "ordered",
        "sharding",
        "vectorized",
        "vmap_method",
        "result_shape",
        "partitioned",
        "callback_func",
        "tap_func",
        "arg",
        "result",
    }
)


def _to_host(value: Value) -> Value:
    return Array(Kind.HOST, certain=value.certain) if isinstance(value, Array) else value


def _associative(
    it: Interpreter, row: Transform, options: dict[str, Value], arguments: Arguments, node: cst.CSTNode, st: State
) -> Value:
    from jaxlint.tracing.calls import call

    elems = arguments.positional[1] if len(arguments.positional) > 1 else UNKNOWN
    fn = options.get(row.params[0], UNKNOWN)
    if row.name == "jax.lax.associative_scan":
        result = call(it, fn, Arguments((elems, elems), {}), node, st)
        return result if isinstance(result, Array) else it.unknown(node)
    region = region_of(it, row, node)
    enter(it, fn, Arguments((trace(it, elems, Mode.STAGED, st),), {}), region, node, st)
    return it.unknown(node)


def _vjp(
    it: Interpreter, row: Transform, options: dict[str, Value], arguments: Arguments, node: cst.CSTNode, st: State
) -> Value:
    region = region_of(it, row, node)
    fn = options.get("fun", UNKNOWN)
    primals = list(arguments.positional[1:])
    if row.name == "jax.jvp":
        listed = options.get("primals", UNKNOWN)
        count = elements.length(it, listed, st)
        if count is None:
            return it.unknown(node)
        primals = [elements.element(it, listed, i, st, node) for i in range(count)]
    traced = [trace(it, value, Mode.DIFF, st) for value in primals]
    result = leave(
        it, enter(it, fn, Arguments(traced, {}), region, node, st), tuple(primals), st, node, every_leaf=False
    )
    if "has_aux" in options:
        return it.unknown(node)
    second = concrete_result(it, tuple(primals), node, certain=False) if row.name == "jax.jvp" else LibraryObject("vjp")
    return Tuple((result, second))


def _eval_shape(
    it: Interpreter, row: Transform, options: dict[str, Value], arguments: Arguments, node: cst.CSTNode, st: State
) -> Value:
    region = region_of(it, row, node)
    inputs = [trace(it, value, Mode.STAGED, st, filtered=row.filtered) for value in arguments.positional[1:]]
    inside = st.copy()  # only shapes are computed: no key is drawn from
    enter(it, options.get("fun", UNKNOWN), Arguments(inputs, {}), region, node, inside)
    return it.unknown(node)


DIRECT: dict[str, Any] = {
    "scan": _scan,
    "fori": _fori,
    "while": _while,
    "cond": _cond,
    "switch": _switch,
    "map": _map,
    "tree": tree_map,
    "callback": _callback,
    "associative": _associative,
    "vjp": _vjp,
    "call": _eval_shape,
    "solve": solve,
}
