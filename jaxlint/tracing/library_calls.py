"""Calls into libraries beside JAX that need more than a table: haiku's state, optax, numpyro, nnx, distributions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jaxlint.knowledge import libraries, library_transforms
from jaxlint.knowledge.array_api import STATIC_ATTRIBUTES
from jaxlint.knowledge.classes import REGISTRATIONS
from jaxlint.tracing import elements
from jaxlint.tracing.arguments import Arguments
from jaxlint.tracing.boundary import concrete_result, trace
from jaxlint.tracing.definitions import register
from jaxlint.tracing.keys import KeyToken
from jaxlint.tracing.operators import combine
from jaxlint.tracing.values import (
    NONE,
    Array,
    ClassValue,
    Kind,
    Library,
    LibraryObject,
    Mode,
    Partial,
    Ref,
    Static,
    Transformed,
    Tuple,
    Value,
)
from jaxlint.tracing.witnesses import haiku_transform, is_function, promise, without_rng

if TYPE_CHECKING:
    import libcst as cst

    from jaxlint.tracing.interpreter import Interpreter
    from jaxlint.tracing.state import State


def _first(it: Interpreter, name: str, arguments: Arguments, node: cst.CSTNode, st: State) -> Value:
    return arguments.positional[0] if arguments.positional else it.unknown(node)


def _nothing(it: Interpreter, name: str, arguments: Arguments, node: cst.CSTNode, st: State) -> Value:
    return NONE


def _key(it: Interpreter, node: cst.CSTNode, how: str) -> Array:
    """A fresh key from a stream."""
    made = it.array(node, "a key that is drawn inside", dtype="key")
    made.key = KeyToken(it.context, node, how)
    return made


# haiku ------------------------------------------------------------------------------------------------------------


def _haiku_key(it: Interpreter, name: str, arguments: Arguments, node: cst.CSTNode, st: State) -> Value:
    made = _key(it, node, "stream")
    _leak(it, node, "Haiku's key sequence", made)
    return made if name.endswith("key") else made.like(certain=True)


def _haiku_write(it: Interpreter, name: str, arguments: Arguments, node: cst.CSTNode, st: State) -> Value:
    value = arguments.positional[1] if len(arguments.positional) > 1 else arguments.keywords.get("value")
    if isinstance(value, Array) and value.kind is Kind.TRACED:
        _leak(it, node, "Haiku's state", value)
    return NONE


def _leak(it: Interpreter, node: cst.CSTNode, target: str, value: Array) -> None:
    """A loop of JAX inside the transformed function: haiku, which is around it, keeps a tracer of its body."""
    context = it.context
    inside = next((count for mark, count in reversed(context.marks) if mark.startswith("haiku.")), 0)
    if any(region.name in library_transforms.PLAIN_LOOPS for region in context.regions[inside:]):
        it.write("library", node, target, value, None)


# nnx --------------------------------------------------------------------------------------------------------------


def _variable(it: Interpreter, name: str, arguments: Arguments, node: cst.CSTNode, st: State) -> Value:
    return LibraryObject(libraries.VARIABLE, held=arguments.positional[:1])


def _split(it: Interpreter, name: str, arguments: Arguments, node: cst.CSTNode, st: State) -> Value:
    """``graphdef, state = nnx.split(model)``: the graph remembers the model."""
    if not arguments.positional:
        return it.unknown(node)
    graph = LibraryObject("flax.nnx.GraphDef", LibraryObject("graph"), held=arguments.positional[:1])
    states = tuple(it.unknown(node) for _ in range(max(1, len(arguments.positional) - 1)))
    return Tuple((graph, *states))


def _merge(it: Interpreter, name: str, arguments: Arguments, node: cst.CSTNode, st: State) -> Value:
    """``nnx.merge(graphdef, state)``: the model again, with traced variables inside a trace."""
    graph = arguments.positional[0] if arguments.positional else None
    if not isinstance(graph, LibraryObject) or not graph.held:
        return it.unknown(node)
    model = graph.held[0]
    if isinstance(model, Ref) and it.context.is_staged:
        return trace(it, model, Mode.STAGED, st, filtered=True)
    return model


def _nnx_optimizer(it: Interpreter, name: str, arguments: Arguments, node: cst.CSTNode, st: State) -> Value:
    """``nnx.Optimizer(model, tx, wrt=…)`` runs the schedules of ``tx`` in its ``update``."""
    tx = arguments.positional[1] if len(arguments.positional) > 1 else arguments.keywords.get("tx")
    held = tx.held if isinstance(tx, LibraryObject) else ()
    schedules = tuple(value for value in held if isinstance(value, Transformed))
    return LibraryObject("optax.GradientTransformation", LibraryObject("optimizer"), held=schedules)


# optax ------------------------------------------------------------------------------------------------------------


def optax_call(it: Interpreter, name: str, arguments: Arguments, node: cst.CSTNode, st: State) -> Value | None:
    """A transformation holds its schedules and what it is made of; None if ``name`` makes none."""
    if name in library_transforms.SCHEDULES:
        return LibraryObject(name)
    scheduled = library_transforms.SCHEDULED.get(name)
    if scheduled is not None:
        fn = arguments.positional[0] if arguments.positional else arguments.keywords.get(scheduled)
        return _transformation(it, name, (fn,) if fn is not None else (), node, st)
    if name in library_transforms.COMBINED:
        return _transformation(it, name, arguments.all(), node, st)
    return None


def _transformation(
    it: Interpreter, name: str, parts: tuple[Value, ...], node: cst.CSTNode, st: State
) -> LibraryObject:
    held: list[Value] = []
    for part in parts:
        if isinstance(part, LibraryObject):
            held.extend(part.held)
        elif isinstance(part, Tuple) and part.names == ("init", "update"):
            held.append(part)
        elif isinstance(part, (Tuple, Ref)):
            held.extend(_within(it, part, st))
        elif is_function(part) and name in library_transforms.SCHEDULED:
            made = promise(library_transforms.SCHEDULE, part, node, st)
            it.deferred.append(made)
            held.append(made)
    return LibraryObject("optax.GradientTransformation", LibraryObject("optax"), held=tuple(held))


def _within(it: Interpreter, container: Value, st: State) -> tuple[Value, ...]:
    """The transformations inside a list, a tuple or a dict."""
    if isinstance(container, Tuple):
        items: tuple[Value, ...] = container.items
    else:
        held = it.contents(container.obj, st) if isinstance(container, Ref) else None
        items = (*(held.items or ()), *held.fields.values()) if held is not None else ()
    return tuple(value for item in items if isinstance(item, LibraryObject) for value in item.held)


def _gradient_transformation(it: Interpreter, name: str, arguments: Arguments, node: cst.CSTNode, st: State) -> Value:
    """``optax.GradientTransformation(init, update)``: a NamedTuple of two functions."""
    values = arguments.all()
    if len(values) != 2:
        return it.unknown(node)
    given = dict(zip(("init", "update"), arguments.positional, strict=False)) | arguments.keywords
    return Tuple((given.get("init", values[0]), given.get("update", values[1])), ("init", "update"))


def _inject(it: Interpreter, name: str, arguments: Arguments, node: cst.CSTNode, st: State) -> Value:
    """``inject_hyperparams(optax.sgd)``: called with schedules for any parameter."""
    return Partial(Library("jaxlint.injected"), (), {})


def _injected(it: Interpreter, name: str, arguments: Arguments, node: cst.CSTNode, st: State) -> Value:
    return _transformation(it, "optax.scale_by_schedule", arguments.all(), node, st)


def _join_schedules(it: Interpreter, name: str, arguments: Arguments, node: cst.CSTNode, st: State) -> Value:
    """``join_schedules(schedules, boundaries)``: called with a count it calls them all."""
    return Partial(Library("jaxlint.schedules"), arguments.positional[:1], {})


def _call_schedules(it: Interpreter, name: str, arguments: Arguments, node: cst.CSTNode, st: State) -> Value:
    schedules, count = arguments.positional[0], arguments.positional[1:]
    for index in range(min(elements.length(it, schedules, st) or 0, 12)):
        it.call_value(elements.element(it, schedules, index, st, node), count, {}, node, st)
    return combine(it, node, count, jax=True)


def update(it: Interpreter, owner: LibraryObject, arguments: Arguments, node: cst.CSTNode, st: State) -> Value:
    """``tx.update(grads, state, params)``: run the schedules with the step count, and user-written updates."""
    for value in owner.held:
        if isinstance(value, Transformed):
            value.ran = True
            if it.context.is_staged:
                count = it.array(node, "the step count, which optax passes to the schedule, is traced", dtype="int")
                it.call_value(value.fn, (count,), {}, node, st)
        elif isinstance(value, Tuple):
            it.call_value(value.items[1], arguments.positional, arguments.keywords, node, st)
    return Tuple((concrete_result(it, arguments.positional, node, certain=False), it.unknown(node)))


# numpyro and distributions ----------------------------------------------------------------------------------------


def _sample(it: Interpreter, name: str, arguments: Arguments, node: cst.CSTNode, st: State) -> Value:
    """``numpyro.sample(name, fn, obs=None)``: what was observed, else a draw, which is traced under inference."""
    obs = arguments.positional[2] if len(arguments.positional) > 2 else arguments.keywords.get("obs", NONE)
    if obs is not NONE:
        return obs if isinstance(obs, Array) else it.unknown(node)
    if arguments.open:
        return it.unknown(node)
    return it.array(node, "a sampled value is traced when the model is run by inference", certain=True)


def _param(it: Interpreter, name: str, arguments: Arguments, node: cst.CSTNode, st: State) -> Value:
    return it.array(node, "a parameter of the model", certain=False)


def _deterministic(it: Interpreter, name: str, arguments: Arguments, node: cst.CSTNode, st: State) -> Value:
    return arguments.positional[1] if len(arguments.positional) > 1 else it.unknown(node)


def distribution(it: Interpreter, name: str, arguments: Arguments) -> LibraryObject:
    """``dist.Normal(loc, scale)``."""
    return LibraryObject(name, held=arguments.all())


def _of_distribution(
    it: Interpreter, owner: LibraryObject, method: str, arguments: Arguments, node: cst.CSTNode
) -> Value:
    if method in libraries.DISTRIBUTION_SAME:
        return owner
    if method in libraries.DISTRIBUTION_ARRAYS:
        others = tuple(v.held for v in arguments.all() if isinstance(v, LibraryObject))
        values = (*owner.held, *(v for v in arguments.all() if not isinstance(v, LibraryObject)), *sum(others, ()))
        return combine(it, node, values, jax=True)
    return it.unknown(node)


# Methods ----------------------------------------------------------------------------------------------------------


def call_method_of(
    it: Interpreter, owner: LibraryObject, method: str, arguments: Arguments, node: cst.CSTNode, st: State
) -> Value | None:
    """A method of a library's object, or None if nothing is known about it."""
    if libraries.is_distribution(owner.cls):
        return _of_distribution(it, owner, method, arguments, node)
    if owner.cls == "optax.GradientTransformation" and method == "update":
        return update(it, owner, arguments, node, st)
    return None


def read_attribute(it: Interpreter, owner: LibraryObject, name: str, node: cst.CSTNode) -> Value | None:
    """An attribute of a library's object that is no method, or None."""
    if owner.cls == libraries.VARIABLE and name in libraries.VARIABLE_READS:
        return owner.held[0] if owner.held else it.unknown(node)
    if libraries.is_distribution(owner.cls) and name in libraries.DISTRIBUTION_PROPERTIES:
        if owner.cls.startswith("numpyro."):
            return combine(it, node, owner.held, jax=True)
    if owner.cls == libraries.REFERENCE and name in STATIC_ATTRIBUTES:
        return Static()
    return None


def read_item(it: Interpreter, owner: LibraryObject, node: cst.CSTNode) -> Value:
    """``ref[…]`` in a kernel, ``variable[…]`` of nnx."""
    if owner.cls == libraries.REFERENCE:
        return it.array(node, "what a kernel reads from a reference is traced")
    if owner.cls == libraries.VARIABLE and owner.held:
        return owner.held[0]
    return it.unknown(node)


def _register(it: Interpreter, name: str, arguments: Arguments, node: cst.CSTNode, st: State) -> Value:
    """``register_dataclass(Class, data_fields, meta_fields)``, ``register_pytree_node(Class, flatten, unflatten)``."""
    cls = arguments.positional[0] if arguments.positional else None
    if isinstance(cls, ClassValue):
        meta = arguments.positional[2] if len(arguments.positional) > 2 else arguments.keywords.get("meta_fields")
        register(it, cls, name, meta if name.endswith("dataclass") else None, st)
    return cls if cls is not None else Library("jaxlint.identity")


LIBRARY_CALLS: dict[str, Any] = {
    **dict.fromkeys(REGISTRATIONS, _register),
    "haiku.transform": haiku_transform,
    "haiku.transform_with_state": haiku_transform,
    "haiku.without_apply_rng": without_rng,
    **dict.fromkeys(library_transforms.HAIKU_DRAWS, _haiku_key),
    **dict.fromkeys(library_transforms.HAIKU_WRITES, _haiku_write),
    **dict.fromkeys(libraries.VARIABLES, _variable),
    "flax.nnx.List": _first,
    "flax.nnx.Dict": _first,
    "flax.nnx.data": _first,
    "flax.nnx.static": _first,
    "flax.nnx.split": _split,
    "flax.nnx.merge": _merge,
    "flax.nnx.Optimizer": _nnx_optimizer,
    "optax.GradientTransformation": _gradient_transformation,
    "optax.GradientTransformationExtraArgs": _gradient_transformation,
    "optax.inject_hyperparams": _inject,
    "optax.join_schedules": _join_schedules,
    "jaxlint.injected": _injected,
    "jaxlint.schedules": _call_schedules,
    "numpyro.sample": _sample,
    "numpyro.param": _param,
    "numpyro.deterministic": _deterministic,
    "numpyro.factor": _nothing,
    "equinox.error_if": _first,
}
