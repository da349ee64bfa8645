"""Transforms: functions are called the way JAX calls them, inside the region that the transform opens."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jaxlint.knowledge.transform_rows import Transform
from jaxlint.knowledge.transforms import WITH_VALUE
from jaxlint.tracing import elements, stale
from jaxlint.tracing.arguments import Arguments
from jaxlint.tracing.boundary import (
    StaticChoice,
    concrete_result,
    enter,
    forget_shapes,
    leave,
    region_of,
    static_choice,
    trace,
)
from jaxlint.tracing.compiled import note_call
from jaxlint.tracing.context import RegionKind
from jaxlint.tracing.direct import DIRECT
from jaxlint.tracing.donation import donate
from jaxlint.tracing.lifted import lifted_class
from jaxlint.tracing.state import State
from jaxlint.tracing.values import (
    UNKNOWN,
    Array,
    ClassValue,
    Library,
    Mode,
    Partial,
    Ref,
    Static,
    Transformed,
    Tuple,
    Value,
)
from jaxlint.tracing.witnesses import WITNESSED, witness

if TYPE_CHECKING:
    import libcst as cst

    from jaxlint.tracing.interpreter import Interpreter


def apply_transform(it: Interpreter, row: Transform, arguments: Arguments, node: cst.CSTNode, st: State) -> Value:
    """A call of the transform itself: wrap a function, or run it at once."""
    options = dict(arguments.keywords)
    for name, value in zip(row.params, arguments.positional, strict=False):
        options[name] = value
    if row.binder == "witness":
        return witness(it, row, options, node, st)
    if row.returns == "result":
        direct: Value = DIRECT[row.binder](it, row, options, arguments, node, st)
        return direct
    fn = options.pop(row.params[0], None)
    if fn is None:
        return Partial(Library(row.name), (), dict(arguments.keywords))
    if isinstance(fn, ClassValue) and row.lifts == "linen":
        return lifted_class(row, fn, options, node)
    made = Transformed(row, fn, options, node)
    made.conditions = st.conditions
    if arguments.open:
        made.options["**"] = UNKNOWN
    if row.binder == "lead":
        _mark(fn)  # what it is around runs inside it only
    it.pending.append(made)
    return made


def call_transformed(it: Interpreter, value: Transformed, arguments: Arguments, node: cst.CSTNode, st: State) -> Value:
    """A call of a transformed function."""
    if not it.forcing:
        _mark(value)
    handler = _WRAPPED[value.transform.binder]
    result: Value = handler(it, value, arguments, node, st)
    return result


def _mark(value: Value) -> None:
    while isinstance(value, Transformed):
        value.ran = True
        value = value.fn


# Wrapped functions ------------------------------------------------------------------------------------------------


def _call_jit(it: Interpreter, value: Transformed, arguments: Arguments, node: cst.CSTNode, st: State) -> Value:
    """jit, checkpoint, shard_map, make_jaxpr: every argument that is not static is traced."""
    with stale.compiled(it, value, arguments, node, st):
        return _traced_call(it, value, arguments, node, st)


def _traced_call(it: Interpreter, value: Transformed, arguments: Arguments, node: cst.CSTNode, st: State) -> Value:
    row = value.transform
    region = region_of(it, row, value.node)
    static = static_choice(it, value)
    mode = Mode.STAGED
    positional = [
        _hashable(it, arg, node) if static.position(i) else trace(it, arg, mode, st, filtered=row.filtered)
        for i, arg in enumerate(arguments.positional)
    ]
    keywords = {
        name: _hashable(it, arg, node) if static.name(name) else trace(it, arg, mode, st, filtered=row.filtered)
        for name, arg in arguments.keywords.items()
    }
    blocks = row.binder == "shard" or row.name in _OVER_DEVICES  # each device sees its part of the arrays
    if blocks:
        for value_inside in (*positional, *keywords.values()):
            forget_shapes(it, value_inside, st)
    call_arguments = Arguments(positional, keywords)
    call_arguments.open = arguments.open
    note_call(it, value, static, arguments, call_arguments, node, st)
    result = enter(it, value.fn, call_arguments, region, node, st)
    if row.binder == "shape":
        return it.unknown(node)
    if "donate_argnums" in value.options or "donate_argnames" in value.options:
        donate(it, value, arguments, node, st)
    given = leave(it, result, arguments.all(), st, node, every_leaf=True)
    if blocks:
        forget_shapes(it, given, st)
    return given


_OVER_DEVICES = frozenset({"jax.pmap", "equinox.filter_pmap"})


def _hashable(it: Interpreter, value: Value, node: cst.CSTNode) -> Value:
    """A static argument. An array cannot be one: what looks like it was made a tuple in a way that we did not see."""
    return it.unknown(node) if isinstance(value, Array) else value


def _call_vmap(it: Interpreter, value: Transformed, arguments: Arguments, node: cst.CSTNode, st: State) -> Value:
    region = region_of(it, value.transform, value.node)
    axes = value.options.get("in_axes")
    filtered = value.transform.filtered
    excluded = static_choice(it, value)  # of jnp.vectorize
    kept = frozenset(i for i in range(len(arguments.positional)) if _unmapped(it, axes, i, st) or excluded.position(i))
    positional = [
        arg if i in kept else trace(it, arg, Mode.MAPPED, st, filtered=filtered)
        for i, arg in enumerate(arguments.positional)
    ]
    keywords = {
        name: arg if excluded.name(name) else trace(it, arg, Mode.MAPPED, st, filtered=filtered)
        for name, arg in arguments.keywords.items()
    }
    inner = Arguments(positional, keywords)
    note_call(it, value, StaticChoice(kept, frozenset(), (), everything=False), arguments, inner, node, st)
    mapped = (new for new, old in zip(inner.all(), arguments.all(), strict=True) if new is not old)
    it.lanes[region] = tuple(leaf for tree in mapped for leaf in _leaves(it, tree, st, 0))
    result = enter(it, value.fn, inner, region, node, st)
    given = leave(it, result, arguments.all(), st, node, every_leaf=True)
    forget_shapes(it, given, st)
    return given


def _leaves(it: Interpreter, tree: Value, st: State, depth: int) -> tuple[Value, ...]:
    """The parts of what is mapped over, containers opened."""
    held = it.contents(tree.obj, st) if isinstance(tree, Ref) and depth < 4 else None
    if held is None:
        return (tree,)
    rest = (held.rest,) if held.rest is not None else ()
    parts = (*(held.items or ()), *held.fields.values(), *rest)
    return tuple(leaf for part in parts for leaf in _leaves(it, part, st, depth + 1))


def _unmapped(it: Interpreter, axes: Value | None, index: int, st: State) -> bool:
    """Whether ``in_axes`` leaves an argument as it is (or says what we cannot read)."""
    if axes is None:
        return False
    if isinstance(axes, Static) and axes.known:
        return axes.const is None
    if isinstance(axes, (Tuple, Ref)):
        axis = elements.element(it, axes, index, st, it.facts.module)
        return not (isinstance(axis, Static) and axis.known and isinstance(axis.const, int))
    return True


def _call_grad(it: Interpreter, value: Transformed, arguments: Arguments, node: cst.CSTNode, st: State) -> Value:
    row = value.transform
    region = region_of(it, row, value.node)
    chosen = _argnums(value.options.get("argnums"))
    positional = [
        trace(it, arg, Mode.DIFF, st, filtered=row.filtered) if chosen is not None and i in chosen else arg
        for i, arg in enumerate(arguments.positional)
    ]
    inner = Arguments(positional, arguments.keywords)
    inner.open = arguments.open
    result = leave(it, enter(it, value.fn, inner, region, node, st), arguments.all(), st, node, every_leaf=False)
    given = arguments.all()
    grads: Value = it.unknown(node)
    if chosen is not None and len(chosen) == 1 and min(chosen) < len(arguments.positional):
        grads = concrete_result(it, given, node, certain=False)
    has_aux = value.options.get("has_aux")
    with_aux = has_aux is not None and not (isinstance(has_aux, Static) and has_aux.const is False)
    if row.name in WITH_VALUE:
        if not with_aux and not (isinstance(result, Array) and result.certain):
            result = concrete_result(it, given, node, certain=True)
        return Tuple((result, grads))
    if with_aux:
        aux = result.items[1] if isinstance(result, Tuple) and len(result.items) == 2 else it.unknown(node)
        return Tuple((grads, aux))
    return grads


def _argnums(value: Value | None) -> frozenset[int] | None:
    if value is None:
        return frozenset({0})
    if isinstance(value, Static) and isinstance(value.const, int):
        return frozenset({value.const})
    if isinstance(value, Tuple) and all(isinstance(v, Static) and isinstance(v.const, int) for v in value.items):
        return frozenset(v.const for v in value.items if isinstance(v, Static))
    return None


def _nondiff(value: Transformed) -> frozenset[int] | None:
    """The arguments that a custom rule gets first and as they are; None if they cannot be read."""
    given = value.options.get("nondiff_argnums")
    return _argnums(given) if given is not None else frozenset()


def _call_custom(it: Interpreter, value: Transformed, arguments: Arguments, node: cst.CSTNode, st: State) -> Value:
    """custom_vjp and custom_jvp: the function sees its caller's primals; under differentiation its rules run."""
    from jaxlint.tracing.calls import call

    before = st.copy()
    result = call(it, value.fn, arguments, node, st)
    if any(region.kind is RegionKind.DIFF for region in it.context.regions) or it.context.caller is None:
        _run_rules(it, value, arguments, node, before)
    return result


def _run_rules(it: Interpreter, value: Transformed, arguments: Arguments, node: cst.CSTNode, st: State) -> None:
    from jaxlint.tracing.calls import call

    if len(value.rules) == 1 and value.transform.name == "jax.custom_jvp":
        _run_jvp_rule(it, value, arguments, node, st)
    if len(value.rules) != 2 or arguments.keywords:
        return
    forward, backward = value.rules
    inside = st.copy()
    saved = call(it, forward, arguments, node, inside)
    residuals = saved.items[1] if isinstance(saved, Tuple) and len(saved.items) == 2 else it.unknown(node)
    nondiff = _nondiff(value)
    kept = [arg for i, arg in enumerate(arguments.positional) if nondiff is not None and i in nondiff]
    cotangent: Value = it.unknown(node)
    if it.context.is_staged:
        cotangent = it.array(node, "the cotangent of a traced value", certain=False)
    inside.used = {}  # the backward pass draws the forward's masks again from the same keys, by design
    call(it, backward, Arguments([*kept, residuals, cotangent], {}), node, inside)


def _run_jvp_rule(it: Interpreter, value: Transformed, arguments: Arguments, node: cst.CSTNode, st: State) -> None:
    """The rule of a custom_jvp gets the primals, and tangents that are traced as they are."""
    from jaxlint.tracing.calls import call

    nondiff = _nondiff(value)
    if nondiff is None:
        return
    kept = [arg for i, arg in enumerate(arguments.positional) if i in nondiff]
    primals = tuple(arg for i, arg in enumerate(arguments.positional) if i not in nondiff)
    inside = st.copy()
    inside.used = {}
    call(it, value.rules[0], Arguments([*kept, Tuple(primals), Tuple(primals)], {}), node, inside)


def _call_through(it: Interpreter, value: Transformed, arguments: Arguments, node: cst.CSTNode, st: State) -> Value:
    from jaxlint.tracing.calls import call

    return call(it, value.fn, arguments, node, st)


_WRAPPED: dict[str, Any] = {
    "jit": _call_jit,
    "checkpoint": _call_jit,
    "shard": _call_jit,
    "shape": _call_jit,
    "vmap": _call_vmap,
    "grad": _call_grad,
    "custom": _call_custom,
    "wrap": _call_through,
    **WITNESSED,
}
