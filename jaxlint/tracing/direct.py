"""Transforms that run their function at once: scan, cond, while_loop, map, tree.map, callbacks, vjp, eval_shape."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jaxlint.knowledge.dtypes import INTEGERS
from jaxlint.knowledge.transform_rows import Transform
from jaxlint.tracing import elements
from jaxlint.tracing.arguments import Arguments
from jaxlint.tracing.aval import Aval
from jaxlint.tracing.boundary import concrete_result, enter, forget_shapes, leave, region_of, trace
from jaxlint.tracing.loops import twice
from jaxlint.tracing.mismatches import Carry, check_parameters, compare_branches, forget_names, not_a_pair
from jaxlint.tracing.state import State, join_states
from jaxlint.tracing.structures import named, tree_of
from jaxlint.tracing.trees import row_of, tree_map
from jaxlint.tracing.values import (
    NONE,
    UNKNOWN,
    Array,
    Bound,
    Function,
    Kind,
    LibraryObject,
    Mode,
    Partial,
    Static,
    Transformed,
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
    carry = Carry(it, node, body, options.get("init", UNKNOWN), st)
    fits = arguments.open or check_parameters(it, node, body, 2, "parameters")
    xs = options.get("xs", NONE)
    outs: list[Value] = []

    def one(turn: int, state: State) -> bool:
        x = xs if _is_none(xs) else row_of(it, xs, turn, state, node)
        x = trace(it, x, Mode.STAGED, state)
        result = enter(it, body, Arguments((carry.value, x), {}), region, node, state)
        if isinstance(result, Tuple) and len(result.items) == 2:
            carry.comes_back(result.items[0], state)
            outs.append(result.items[1])
        else:
            if turn == 0 and fits:
                not_a_pair(it, node, body, result, state)
            carry.comes_back(it.unknown(node), state)
            outs.append(it.unknown(node))
        return True

    _repeat(it, node, st, one)
    final = leave(it, carry.value, arguments.all(), st, node, every_leaf=True)
    stacked = leave(it, outs[-1], arguments.all(), st, node, every_leaf=True)
    forget_shapes(it, stacked, st)
    return Tuple((forget_names(it, final, st), _stacked(stacked)))


def _repeat(it: Interpreter, node: cst.CSTNode, st: State, one: Any) -> None:
    """Two iterations, always (the carry changes in between)."""
    before = it.turn
    for turn in range(it.turns):
        it.turn = (*before, turn)
        one(turn, st)
    it.turn = before


def _is_none(value: Value) -> bool:
    return isinstance(value, Static) and value.known and value.const is None


def _stacked(value: Value) -> Value:
    if isinstance(value, Array):
        return value.like(key=None, aval=value.aval)
    if isinstance(value, Tuple):
        return Tuple(tuple(_stacked(item) for item in value.items), value.names, value.cls)
    return value


def _fori(
    it: Interpreter, row: Transform, options: dict[str, Value], arguments: Arguments, node: cst.CSTNode, st: State
) -> Value:
    region = region_of(it, row, node)
    body = options.get("body_fun", UNKNOWN)
    carry = Carry(it, node, body, options.get("init_val", UNKNOWN), st)
    fits = arguments.open or check_parameters(it, node, body, 2, "parameters")
    bounds = [options.get(name) for name in ("lower", "upper")]
    is_weak = all(isinstance(bound, Static) and bound.type_name == "int" for bound in bounds)

    def one(turn: int, state: State) -> bool:
        index = trace(it, Static(type_name="int"), Mode.STAGED, state)
        if isinstance(index, Array) and not is_weak:
            index.aval = Aval(INTEGERS, ())
        result = enter(it, body, Arguments((index, carry.value), {}), region, node, state)
        carry.comes_back(result if fits else it.unknown(node), state)
        return True

    _repeat(it, node, st, one)
    return forget_names(it, leave(it, carry.value, arguments.all(), st, node, every_leaf=True), st)


def _while(
    it: Interpreter, row: Transform, options: dict[str, Value], arguments: Arguments, node: cst.CSTNode, st: State
) -> Value:
    region = region_of(it, row, node)
    test, body = options.get("cond_fun", UNKNOWN), options.get("body_fun", UNKNOWN)
    carry = Carry(it, node, body, options.get("init_val", UNKNOWN), st)
    fits = arguments.open or _all_fit(it, node, [(test, 1), (body, 1)], "parameters")

    def one(turn: int, state: State) -> bool:
        enter(it, test, Arguments((carry.value,), {}), region, node, state)
        result = enter(it, body, Arguments((carry.value,), {}), region, node, state)
        carry.comes_back(result if fits else it.unknown(node), state)
        return True

    _repeat(it, node, st, one)
    return forget_names(it, leave(it, carry.value, arguments.all(), st, node, every_leaf=True), st)


def _all_fit(it: Interpreter, node: cst.CSTNode, calls: list[tuple[Value, int]], how: str) -> bool:
    return all([check_parameters(it, node, fn, count, how) for fn, count in calls])  # noqa: C419 - each is checked


def _branches(
    it: Interpreter,
    row: Transform,
    branches: list[tuple[Value, tuple[Value, ...]]],
    arguments: Arguments,
    node: cst.CSTNode,
    st: State,
) -> Value:
    """cond and switch: one of the branches runs on its operands, all are traced."""
    region = region_of(it, row, node)
    end: State | None = None
    result: Value | None = None
    fits = arguments.open or _all_fit(it, node, [(fn, len(operands)) for fn, operands in branches], "operands")
    trees: list[Any] = []
    for branch, operands in branches:
        taken = st.copy()
        inputs = [trace(it, operand, Mode.STAGED, taken) for operand in operands]
        for number, value in enumerate(inputs):
            named(it, value, (node, it.context.trace_depth, number), taken)
        got = enter(it, branch, Arguments(inputs, {}), region, node, taken)
        trees.append(tree_of(it, got, taken) if fits else None)
        result = got if result is None else join(result, got)
        end = join_states(end, taken)
    if end is None or result is None:
        return it.unknown(node)
    compare_branches(it, node, [branch for branch, _ in branches], trees)
    st.become(end)
    return forget_names(it, leave(it, result, arguments.all(), st, node, every_leaf=True), st)


def _cond(
    it: Interpreter, row: Transform, options: dict[str, Value], arguments: Arguments, node: cst.CSTNode, st: State
) -> Value:
    positional = arguments.positional
    if len(positional) == 5 and not _callable(positional[1]):
        old: list[tuple[Value, tuple[Value, ...]]] = [(positional[i + 1], (positional[i],)) for i in (1, 3)]
        if _callable(positional[4]) or _is_data(positional[1]):
            return _branches(it, row, old, arguments, node, st)
        if not _is_data(positional[4]):
            return _branches(it, row, [(UNKNOWN, old[0][1])], arguments, node, st)  # may be one form or the other
    branches = [options[name] for name in ("true_fun", "false_fun") if name in options]
    operands = _operands(positional[3:], options)
    return _branches(it, row, [(branch, operands) for branch in branches], arguments, node, st)


def _operands(given: tuple[Value, ...], options: dict[str, Value]) -> tuple[Value, ...]:
    return (*given, options["operand"]) if "operand" in options else given


def _callable(value: Value) -> bool:
    return isinstance(value, (Function, Partial, Bound, Transformed))


def _is_data(value: Value) -> bool:
    return isinstance(value, (Array, Static, Tuple))


def _switch(
    it: Interpreter, row: Transform, options: dict[str, Value], arguments: Arguments, node: cst.CSTNode, st: State
) -> Value:
    listed = options.get("branches", UNKNOWN)
    count = elements.length(it, listed, st)
    branches = [elements.element(it, listed, i, st, node) for i in range(min(count or 0, 12))]
    operands = _operands(arguments.positional[2:], options)
    return _branches(it, row, [(branch, operands) for branch in branches], arguments, node, st)


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
    stacked = leave(it, results[-1], arguments.all(), st, node, every_leaf=True)
    forget_shapes(it, stacked, st)
    return _stacked(stacked)


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
