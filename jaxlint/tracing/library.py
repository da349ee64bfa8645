"""Calls into libraries: which table or handler answers for a name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import libcst as cst

from jaxlint.knowledge import jax_numpy, key_takers, layers, libraries
from jaxlint.knowledge.host_objects import MAKERS
from jaxlint.knowledge.transforms import TRANSFORMS, TRANSPARENT_DECORATORS
from jaxlint.tracing import builtin_calls, elements, random_calls, takers
from jaxlint.tracing.deferred import deferred_call
from jaxlint.tracing.facts import Sync
from jaxlint.tracing.host_effects import HostObject
from jaxlint.tracing.library_calls import LIBRARY_CALLS, distribution, optax_call
from jaxlint.tracing.numpy_calls import call_numpy
from jaxlint.tracing.operators import combine
from jaxlint.tracing.results import of_call
from jaxlint.tracing.state import Contents
from jaxlint.tracing.stdlib_calls import STDLIB
from jaxlint.tracing.transforms import apply_transform
from jaxlint.tracing.values import (
    Array,
    Bound,
    Choice,
    Function,
    Kind,
    Library,
    LibraryObject,
    Partial,
    Ref,
    Sequence,
    Static,
    Transformed,
    Tuple,
    Unknown,
    Value,
)

if TYPE_CHECKING:
    from jaxlint.tracing.arguments import Arguments
    from jaxlint.tracing.interpreter import Interpreter
    from jaxlint.tracing.state import State

_ARRAY_MODULES = ("jax.numpy.", "jax.lax.", "jax.nn.", "jax.scipy.", "jax.image.", "jax.ops.", "optax.losses.")
_NOT_ARRAYS = (
    "jax.nn.initializers.",
    "jax.scipy.stats.gaussian_kde",
    "jax.lax.GatherDimensionNumbers",
    "jax.lax.ConvDimensionNumbers",
)


def call_library(it: Interpreter, name: str, written: str, arguments: Arguments, node: cst.CSTNode, st: State) -> Value:
    """Call the library function with this canonical name."""
    row = TRANSFORMS.get(name)
    if row is not None:
        return apply_transform(it, row, arguments, node, st)
    if name in MAKERS:
        return HostObject(MAKERS[name], node, it.context.trace_depth, arguments)
    if name in key_takers.FUNCTIONS:
        takers.note_function(it, name, arguments, node, st)
    elif name in key_takers.MAKERS and not _is_read_here(name):
        return takers.make(it, name, arguments, node, st)
    if name.startswith("builtins."):
        return builtin_calls.call_builtin(it, name[9:], arguments, node, st)
    if name.startswith("jax."):
        return _call_jax(it, name, arguments, node, st)
    if name.startswith("numpy."):
        return call_numpy(it, name[6:], arguments, node, st)
    if name.startswith("math."):
        return _call_math(it, arguments, node)
    special = _SPECIAL.get(name)
    if special is not None:
        result: Value = special(it, name, arguments, node, st)
        return result
    if name in layers.ARRAY_FUNCTIONS or name in libraries.ARRAY_FUNCTIONS:
        return combine(it, node, flat(it, arguments, st), jax=True)
    if name in libraries.TREE_FUNCTIONS:
        return _maybe_tree(combine(it, node, flat(it, arguments, st, ("list", "set", "dict")), jax=True))
    if name in libraries.LIKE_THEIR_INPUT:
        return combine(it, node, flat(it, arguments, st))
    if libraries.is_distribution(name):
        return distribution(it, name, arguments)
    made = optax_call(it, name, arguments, node, st) if name.startswith("optax.") else None
    if made is not None:
        return made
    if name in TRANSPARENT_DECORATORS:
        return _decorator(arguments)
    if name in layers.CELLS:
        return LibraryObject(name)
    if layers.is_layer_class(name):
        return LibraryObject(name)
    if name.startswith("scipy."):
        return combine(it, node, tuple(v for v in flat(it, arguments, st) if not _traced(v)))
    return _in_project(it, name, written, arguments, node, st)


def _decorator(arguments: Arguments) -> Value:
    """A decorator that changes nothing: applied, or given its options (``jaxtyped(typechecker=…)``)."""
    first = arguments.positional[0] if arguments.positional else None
    return first if isinstance(first, (Function, Transformed, Bound, Partial)) else Library("jaxlint.identity")


def _is_read_here(name: str) -> bool:
    """Whether an object that takes keys is more than that: its methods say themselves what they do to keys."""
    return name in LIBRARY_CALLS or layers.is_layer_class(name) or libraries.is_distribution(name)


def _maybe_tree(value: Value) -> Value:
    return value.like(certain=False) if isinstance(value, Array) else value


def _in_project(it: Interpreter, name: str, written: str, arguments: Arguments, node: cst.CSTNode, st: State) -> Value:
    """A function that is none of the tables': followed into the project's own files if what it is given matters."""
    from jaxlint.tracing.calls import call

    if it.context.is_traced or matters(it, arguments):
        found = it.program.resolve(it, Library(name, written))
        if found is not None:
            return call(it, found, arguments, node, st)
    elif it.program.is_own(it, written):
        put_off = deferred_call(it, Library(name, written), arguments, node, st)
        _unknown(it, arguments, node, st)
        return put_off
    return _unknown(it, arguments, node, st)


def matters(it: Interpreter, arguments: Arguments) -> bool:
    """Whether following a call from host code can tell anything: it gets keys, functions or objects."""
    in_test = it.context.space.is_test
    return any(_matters(value, in_test) for value in arguments.all())


def _matters(value: Value, in_test: bool) -> bool:
    """Whether following a call from host code with this argument can tell anything: keys, functions, objects.

    A call with concrete arrays makes nothing traced, and a test's keys are its own business.
    """
    if isinstance(value, (Function, Transformed, Bound, Partial, Choice)):
        return True
    if in_test:
        return False
    if isinstance(value, Unknown):
        return value.token is not None
    if isinstance(value, Tuple):
        return any(_matters(item, in_test) for item in value.items)
    if isinstance(value, Array):
        return value.key is not None
    return isinstance(value, Ref) and value.obj.form == "instance"


def _unknown(it: Interpreter, arguments: Arguments, node: cst.CSTNode, st: State) -> Value:
    from jaxlint.tracing.calls import call_unknown

    return call_unknown(it, arguments, node, st)


def _traced(value: Value) -> bool:
    return isinstance(value, Array) and value.kind is Kind.TRACED


def flat(
    it: Interpreter, arguments: Arguments, st: State, forms: tuple[str, ...] = ("list", "set")
) -> tuple[Value, ...]:
    """Every argument, containers of these forms opened (``jnp.stack([a, b])``)."""
    out: list[Value] = []
    for value in arguments.all():
        _open(it, value, st, out, 0, forms)
    return tuple(out)


def _open(it: Interpreter, value: Value, st: State, out: list[Value], depth: int, forms: tuple[str, ...]) -> None:
    if isinstance(value, Tuple) and depth < 3:
        for item in value.items:
            _open(it, item, st, out, depth + 1, forms)
    elif isinstance(value, Ref) and value.obj.form in forms and depth < 3:
        held = it.contents(value.obj, st)
        if held is not None:
            rest = (held.rest,) if held.rest is not None else ()
            for item in (*(held.items or ()), *held.fields.values(), *rest):
                _open(it, item, st, out, depth + 1, forms)
    else:
        out.append(value)


# jax --------------------------------------------------------------------------------------------------------------


def _call_jax(it: Interpreter, name: str, arguments: Arguments, node: cst.CSTNode, st: State) -> Value:
    if name.startswith("jax.random."):
        return random_calls.call_random(it, name, arguments, node, st)
    if name in jax_numpy.RETURNS_STATIC:
        return _metadata(name, arguments)
    if name in jax_numpy.RETURNS_TUPLE:
        return _several(it, name, arguments, node, st)
    if name in jax_numpy.HOST_FUNCTIONS:
        return Static()
    if name.startswith(_ARRAY_MODULES) and not name.startswith(_NOT_ARRAYS):
        return _array_call(it, name, arguments, node, st)
    special = _SPECIAL.get(name)
    if special is not None:
        result: Value = special(it, name, arguments, node, st)
        return result
    if name in libraries.ARRAY_FUNCTIONS:
        return combine(it, node, flat(it, arguments, st), jax=True)
    return _unknown(it, arguments, node, st)


def _metadata(name: str, arguments: Arguments) -> Value:
    first = arguments.positional[0] if arguments.positional else None
    if name in ("jax.numpy.shape", "jax.numpy.size") and isinstance(first, Array):
        return Static(extent_of=first)
    return Static()


def _several(it: Interpreter, name: str, arguments: Arguments, node: cst.CSTNode, st: State) -> Value:
    """Functions that return several arrays; ``where`` and ``unique`` do only in some forms."""
    count = jax_numpy.RETURNS_TUPLE[name]
    condition = jax_numpy.NEEDS_KEYWORD.get(name)
    result = combine(it, node, flat(it, arguments, st), jax=True)
    if not isinstance(result, Array):
        return result
    if name == "jax.numpy.where" and len(arguments.positional) >= 3:
        result.aval = of_call(it, name, arguments.positional, arguments.keywords, st)
        return result
    if condition is not None:
        return result.like(certain=False)
    if count is not None:
        return Tuple(tuple(result.like() for _ in range(count)))
    return result.like(certain=False)


def _array_call(it: Interpreter, name: str, arguments: Arguments, node: cst.CSTNode, st: State) -> Value:
    first = arguments.positional[0] if arguments.positional else None
    if name == "jax.lax.axis_size" or (name == "jax.lax.psum" and isinstance(first, Static)):
        return Static(type_name="int")  # psum of a Python number is the size of the axis
    dtype = "bool" if name in jax_numpy.BOOLEAN_RESULT else "int" if name in jax_numpy.INTEGER_RESULT else ""
    result = combine(it, node, flat(it, arguments, st), dtype=dtype, jax=True)
    if isinstance(result, Array) and not arguments.open:
        result.aval = of_call(it, name, arguments.positional, arguments.keywords, st)
    if isinstance(result, Array) and name in jax_numpy.OVER_TREES:
        return result.like(certain=False)
    return result


def _tree_leaves(it: Interpreter, name: str, arguments: Arguments, node: cst.CSTNode, st: State) -> Value:
    tree = arguments.positional[0] if arguments.positional else it.unknown(node)
    leaf = leaf_of(it, tree, st, node)
    leaves = it.allocate("list", node, Contents(None, None, leaf), st)
    return leaves if name.endswith("leaves") else Tuple((leaves, it.unknown(node)))


def leaf_of(it: Interpreter, tree: Value, st: State, node: cst.CSTNode) -> Value:
    """A value that stands for any leaf of a pytree."""
    for _ in range(6):
        if isinstance(tree, Array):
            return tree.like(certain=tree.kind is Kind.TRACED or tree.certain, key=None)
        if not isinstance(tree, (Tuple, Ref)):
            return it.unknown(node)
        tree = elements.element(it, tree, None, st, node)
    return it.unknown(node)


def _tree_reduce(it: Interpreter, name: str, arguments: Arguments, node: cst.CSTNode, st: State) -> Value:
    """``jax.tree.reduce(f, tree, initializer)``: the function is called in place."""
    if len(arguments.positional) < 2:
        return _unknown(it, arguments, node, st)
    fn, tree = arguments.positional[:2]
    leaf = leaf_of(it, tree, st, node)
    first = arguments.positional[2] if len(arguments.positional) > 2 else arguments.keywords.get("initializer", leaf)
    return it.call_value(fn, (first, leaf), {}, node, st)


def _unflatten(it: Interpreter, name: str, arguments: Arguments, node: cst.CSTNode, st: State) -> Value:
    leaves = arguments.positional[1] if len(arguments.positional) > 1 else it.unknown(node)
    leaf = leaf_of(it, leaves, st, node)
    return leaf.like(certain=False) if isinstance(leaf, Array) else it.unknown(node)


def _ravel(it: Interpreter, name: str, arguments: Arguments, node: cst.CSTNode, st: State) -> Value:
    """``ravel_pytree(tree)``: one vector, and the function back."""
    made = combine(it, node, flat(it, arguments, st, ("list", "set", "dict")), jax=True)
    return Tuple((made, it.unknown(node)))


def _device_get(it: Interpreter, name: str, arguments: Arguments, node: cst.CSTNode, st: State) -> Value:
    value = arguments.positional[0] if arguments.positional else it.unknown(node)
    leaves = flat(it, arguments, st, ("list", "set", "dict"))
    found = next((v for v in leaves if isinstance(v, Array) and v.kind is Kind.CONCRETE), None)
    if found is not None:
        note_sync(it, node, "jax.device_get", found)
    return to_host(it, value, st, node)


def note_sync(it: Interpreter, node: cst.CSTNode, how: str, value: Array) -> None:
    """Leave a fact: the device is waited for and its data copied."""
    if not it.quiet and not it.context.regions:
        it.facts.syncs.append(Sync(node, how, value, it.loops, it.context))


def to_host(it: Interpreter, value: Value, st: State, node: cst.CSTNode) -> Value:
    """The same structure with its device arrays copied to the host."""
    if isinstance(value, Array):
        return value if value.kind is Kind.TRACED else value.like(kind=Kind.HOST)
    if isinstance(value, Tuple):
        return Tuple(tuple(to_host(it, item, st, node) for item in value.items), value.names, value.cls)
    return it.unknown(node)


def _same(it: Interpreter, name: str, arguments: Arguments, node: cst.CSTNode, st: State) -> Value:
    return arguments.positional[0] if arguments.positional else it.unknown(node)


def _device_put(it: Interpreter, name: str, arguments: Arguments, node: cst.CSTNode, st: State) -> Value:
    value = arguments.positional[0] if arguments.positional else it.unknown(node)
    if isinstance(value, Array) and value.kind is Kind.HOST:
        return combine(it, node, (value,), jax=True)
    return value.like() if isinstance(value, Array) else value


def _static(it: Interpreter, name: str, arguments: Arguments, node: cst.CSTNode, st: State) -> Value:
    return Static()


def _truth(it: Interpreter, name: str, arguments: Arguments, node: cst.CSTNode, st: State) -> Value:
    return Static(type_name="bool")


# Others -----------------------------------------------------------------------------------------------------------


def _call_math(it: Interpreter, arguments: Arguments, node: cst.CSTNode) -> Value:
    return Static(type_name="float")


def _identity_decorator(it: Interpreter, name: str, arguments: Arguments, node: cst.CSTNode, st: State) -> Value:
    return Library("jaxlint.identity")


def _zipped(it: Interpreter, name: str, arguments: Arguments, node: cst.CSTNode, st: State) -> Value:
    return Sequence("zip", arguments.positional)


_SPECIAL: dict[str, Any] = {
    **STDLIB,
    **LIBRARY_CALLS,
    "functools.wraps": _identity_decorator,
    "itertools.zip_longest": _zipped,
    "jaxlint.identity": _same,
    "jax.tree.leaves": _tree_leaves,
    "jax.tree_util.tree_leaves": _tree_leaves,
    "jax.tree.flatten": _tree_leaves,
    "jax.tree_util.tree_flatten": _tree_leaves,
    "jax.tree.reduce": _tree_reduce,
    "jax.tree_util.tree_reduce": _tree_reduce,
    "jax.tree.all": _truth,
    "jax.tree_util.tree_all": _truth,
    "jax.tree.unflatten": _unflatten,
    "jax.tree_util.tree_unflatten": _unflatten,
    "jax.flatten_util.ravel_pytree": _ravel,
    "jax.device_get": _device_get,
    "jax.device_put": _device_put,
    "jax.block_until_ready": _same,
    "jax.tree.structure": _static,
    "jax.tree_util.tree_structure": _static,
    "jax.device_count": _static,
    "jax.local_device_count": _static,
    "jax.devices": _static,
    "jax.local_devices": _static,
    "jax.default_backend": _static,
    "jax.process_index": _static,
    "jax.process_count": _static,
    "jax.dtypes.canonicalize_dtype": _static,
    "jax.dtypes.issubdtype": _static,
    "jax.dtypes.result_type": _static,
}
