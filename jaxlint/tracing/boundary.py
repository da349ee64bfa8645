"""The boundary of a trace: what values become when they enter a region, and what they are after it."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from jaxlint.knowledge.dtypes import NUMBERS
from jaxlint.knowledge.libraries import VARIABLE
from jaxlint.tracing.avals import aval_of, without_shape
from jaxlint.tracing.context import Context, Region, RegionKind
from jaxlint.tracing.definitions import info_of
from jaxlint.tracing.objects import static_fields
from jaxlint.tracing.state import Contents, HeapObject
from jaxlint.tracing.values import (
    NONE,
    UNKNOWN,
    Array,
    Bound,
    Choice,
    Function,
    Kind,
    Library,
    LibraryObject,
    Mode,
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
    from collections.abc import Iterator

    import libcst as cst

    from jaxlint.knowledge.transform_rows import Transform
    from jaxlint.tracing.arguments import Arguments
    from jaxlint.tracing.interpreter import Interpreter
    from jaxlint.tracing.state import State

_KINDS = {"stage": RegionKind.STAGE, "map": RegionKind.MAP, "diff": RegionKind.DIFF, "host": RegionKind.HOST}
_NUMBERS = {"int": "int", "float": "float", "bool": "bool", "complex": ""}


def region_of(it: Interpreter, row: Transform, node: cst.CSTNode) -> Region:
    """The region that applying ``row`` at ``node`` opens (the same object each time: contexts compare it)."""
    known = it.region_cache.get((row.name, node))
    if known is None:
        known = Region(_KINDS[row.region], row.name, row.label, node)
        it.region_cache[(row.name, node)] = known
    return known


def enter(it: Interpreter, fn: Value, arguments: Arguments, region: Region, node: cst.CSTNode, st: State) -> Value:
    """Call ``fn`` inside ``region``."""
    from jaxlint.tracing.calls import call

    if len(it.context.regions) > 16:
        return it.unknown(node)
    with _around(it, (*it.context.regions, region)):
        return call(it, fn, arguments, node, st)


def enter_marked(it: Interpreter, fn: Value, arguments: Arguments, mark: str, node: cst.CSTNode, st: State) -> Value:
    """Call ``fn`` where a library is around it that traces nothing but changes what calls of it mean."""
    from jaxlint.tracing.calls import call

    with _around(it, it.context.regions) as inside:
        inside.marks = (*inside.marks, (mark, len(inside.regions)))
        return call(it, fn, arguments, node, st)


@contextmanager
def _around(it: Interpreter, regions: tuple[Region, ...]) -> Iterator[Context]:
    """The same place in the program, inside these regions."""
    outer = it.context
    inside = Context(outer.space, outer.function, outer.name, outer.caller, outer.call, regions, outer.frame)
    inside.passed, inside.marks = outer.passed, outer.marks
    it.context = inside
    try:
        yield inside
    finally:
        it.context = outer


def trace(it: Interpreter, value: Value, mode: Mode, st: State, *, filtered: bool = False) -> Value:
    """What a value is inside a region that traces it. ``filtered``: only arrays are traced (equinox)."""
    depth = it.context.trace_depth + 1
    mapped = mode is Mode.MAPPED
    if it.context.is_staged:
        mode = Mode.STAGED
    traced = _trace(it, value, mode, depth, st, filtered, 0)
    if mapped:
        forget_shapes(it, traced, st)
    return traced


def forget_shapes(it: Interpreter, value: Value, st: State) -> None:
    """A slice of each array takes its place (or many are stacked): of what was made just now, only dtypes hold."""
    for array in leaves(it, value, st):
        array.aval = without_shape(array.aval)


def leaves(it: Interpreter, value: Value, st: State, depth: int = 0) -> Iterator[Array]:
    """The arrays in a value and its containers."""
    if isinstance(value, Array):
        yield value
    elif isinstance(value, Tuple) and depth < 8:
        for item in value.items:
            yield from leaves(it, item, st, depth + 1)
    elif isinstance(value, Ref) and depth < 8:
        held = it.contents(value.obj, st)
        if held is not None:
            for item in (*(held.items or ()), *held.fields.values(), *((held.rest,) if held.rest else ())):
                yield from leaves(it, item, st, depth + 1)


def _trace(it: Interpreter, value: Value, mode: Mode, depth: int, st: State, filtered: bool, nesting: int) -> Value:
    if isinstance(value, Array):
        return _trace_array(value, mode, depth)
    if isinstance(value, Static):
        return value if filtered else _trace_static(value, mode, depth)
    if isinstance(value, Unknown):
        return value if filtered else _trace_unknown(value, mode, depth)
    if nesting > 6:
        return it.unknown(None)
    if isinstance(value, Tuple):
        items = tuple(_trace(it, item, mode, depth, st, filtered, nesting + 1) for item in value.items)
        return Tuple(items, value.names, value.cls)
    if isinstance(value, Ref):
        return _trace_object(it, value, mode, depth, st, filtered, nesting)
    if isinstance(value, Sequence):
        return it.unknown(None)
    if isinstance(value, LibraryObject) and value.cls == VARIABLE:
        inside = tuple(_trace(it, item, mode, depth, st, False, nesting + 1) for item in value.held)
        return LibraryObject(value.cls, held=inside)
    if isinstance(value, Library) and value.name in NUMBERS and not filtered:
        return _trace_static(Static(type_name="float"), mode, depth)
    return value


def _trace_array(value: Array, mode: Mode, depth: int) -> Array:
    if value.kind is Kind.TRACED:
        mode = max(mode, value.mode)
    made = Array(
        Kind.TRACED,
        mode,
        certain=value.certain,
        key=value.key,
        dtype=value.dtype,
        ndim=value.ndim,
        aval=value.aval,
        origin=value.origin if value.kind is Kind.TRACED else None,
        depth=depth,
    )
    made.outside = value if value.key is None else None
    return made


def _trace_static(value: Static, mode: Mode, depth: int) -> Value:
    if value.type_name in _NUMBERS:
        return Array(Kind.TRACED, mode, dtype=_NUMBERS[value.type_name], ndim=0, depth=depth, aval=aval_of(value))
    if value.type_name:
        return value if value.type_name == "NoneType" else Unknown()
    return Array(Kind.TRACED, mode, certain=False, depth=depth)


def _trace_unknown(value: Unknown, mode: Mode, depth: int) -> Array:
    made = Array(Kind.TRACED, mode, certain=False, key=value.token, depth=depth)
    made.outside = value if value is not UNKNOWN else None
    return made


def _trace_object(it: Interpreter, ref: Ref, mode: Mode, depth: int, st: State, filtered: bool, nesting: int) -> Value:
    """Containers and pytrees are rebuilt inside the trace; any other object is not an argument that JAX takes."""
    obj = ref.obj
    static: frozenset[str] = frozenset()
    if obj.form == "instance":
        assert obj.cls is not None
        if obj.cls.family not in ("pytree", "equinox", "nnx"):
            return ref
        filtered = filtered or obj.cls.family == "nnx"  # what is no array belongs to its graph
        declared = static_fields(obj.cls)
        if declared is None:
            return Unknown()
        static = declared
    held = it.contents(obj, st)
    if held is None:
        return Array(Kind.TRACED, mode, certain=False, depth=depth)
    made = HeapObject(obj.form, obj.node, depth, obj.cls)
    fields = {
        name: item if name in static else _trace(it, item, mode, depth, st, filtered, nesting + 1)
        for name, item in held.fields.items()
    }
    items = None
    if held.items is not None:
        items = tuple(_trace(it, item, mode, depth, st, filtered, nesting + 1) for item in held.items)
    rest = None if held.rest is None else _trace(it, held.rest, mode, depth, st, filtered, nesting + 1)
    st.heap[made] = Contents(items, fields, rest)
    return Ref(made)


def leave(
    it: Interpreter, value: Value, inputs: tuple[Value, ...], st: State, node: cst.CSTNode, *, every_leaf: bool
) -> Value:
    """What a result of a region is outside it. ``every_leaf``: whatever comes out is an array (jit, not grad)."""
    if isinstance(value, Array):
        if value.kind is Kind.TRACED or every_leaf:
            made = concrete_result(it, inputs, node, certain=value.certain)
            made.dtype, made.key, made.aval = value.dtype, value.key, value.aval
            return made
        return value
    if isinstance(value, Tuple):
        items = tuple(leave(it, item, inputs, st, node, every_leaf=every_leaf) for item in value.items)
        return Tuple(items, value.names, value.cls)
    if isinstance(value, Static) and every_leaf:
        if value.type_name in _NUMBERS:
            made = concrete_result(it, inputs, node, certain=True)
            made.aval = aval_of(value)
            return made
        return value if value is NONE else it.unknown(node)
    if isinstance(value, Ref) and value.obj.form in ("list", "dict"):
        return _leave_object(it, value, inputs, st, node, every_leaf)
    if isinstance(value, Unknown) and every_leaf and value is not UNKNOWN:
        made = concrete_result(it, inputs, node, certain=False)
        made.key = value.token
        return made
    if isinstance(value, (Function, Transformed, Partial, Bound, Choice)):
        return value
    return concrete_result(it, inputs, node, certain=False) if every_leaf else it.unknown(node)


def _leave_object(
    it: Interpreter, ref: Ref, inputs: tuple[Value, ...], st: State, node: cst.CSTNode, every_leaf: bool
) -> Value:
    held = it.contents(ref.obj, st)
    if held is None:
        return it.unknown(node)
    made = HeapObject(ref.obj.form, ref.obj.node, it.context.trace_depth)

    def out(item: Value) -> Value:
        return leave(it, item, inputs, st, node, every_leaf=every_leaf)

    items = None if held.items is None else tuple(out(item) for item in held.items)
    fields = {name: out(item) for name, item in held.fields.items()}
    st.heap[made] = Contents(items, fields, None if held.rest is None else out(held.rest))
    return Ref(made)


def concrete_result(it: Interpreter, inputs: tuple[Value, ...], node: cst.CSTNode, *, certain: bool) -> Array:
    """An array made from ``inputs`` outside the region: traced if they are or if everything here is, else concrete."""
    context = it.context
    if context.is_staged:
        return it.array(node, "the result of a transformed function inside a trace", certain=certain)
    mode, origin, depth = Mode.NONE, None, 0
    for value in inputs:
        if isinstance(value, Array) and value.kind is Kind.TRACED and value.mode > mode:
            mode, origin, depth = value.mode, value.origin, value.depth
    if mode is Mode.NONE:
        return Array(Kind.CONCRETE, certain=certain and not context.is_traced)
    return Array(Kind.TRACED, mode, certain=certain, origin=origin, depth=depth)


class StaticChoice:
    """Which arguments of a jitted function stay Python values. ``everything``: the declaration cannot be read."""

    def __init__(
        self, numbers: frozenset[int], names: frozenset[str], parameters: tuple[str, ...], *, everything: bool
    ) -> None:
        self.numbers = {n if n >= 0 else n + len(parameters) for n in numbers}
        self.names = names | {parameters[n] for n in self.numbers if 0 <= n < len(parameters)}
        self.parameters = parameters
        self.everything = everything

    def position(self, index: int) -> bool:
        """Whether the positional argument ``index`` is static."""
        if self.everything or index in self.numbers:
            return True
        return index < len(self.parameters) and self.parameters[index] in self.names

    def name(self, name: str) -> bool:
        """Whether the keyword argument ``name`` is static."""
        return self.everything or name in self.names


_STATIC_OPTIONS = ("static_argnums", "static_argnames", "static_broadcasted_argnums", "excluded")


def static_choice(it: Interpreter, value: Transformed) -> StaticChoice:
    """Read ``static_argnums`` and ``static_argnames``; each implies the other through the function's parameters."""
    parameters = parameters_of(it, value.fn)
    numbers: set[int] = set()
    names: set[str] = set()
    everything = "**" in value.options
    for option in _STATIC_OPTIONS:
        given = value.options.get(option)
        if given is None:
            continue
        consts = constants(it, given)
        if consts is None:
            everything = True
            continue
        for const in consts:
            if isinstance(const, int):
                numbers.add(const)
            else:
                names.add(str(const))
    return StaticChoice(frozenset(numbers), frozenset(names), parameters, everything=everything)


def leading(value: Value) -> tuple[str, ...]:
    """The names of the arguments that a wrapped function takes before its own (``params`` of haiku's ``apply``)."""
    names: tuple[str, ...] = ()
    while isinstance(value, Transformed):
        names = (*names, *value.transform.lead)
        value = value.fn
    return names


def parameters_of(it: Interpreter, fn: Value) -> tuple[str, ...]:
    """The names of the parameters that positional arguments can reach."""
    from jaxlint.tracing.calls import signature

    found = signature(it, fn)
    if found is None:
        return ()
    function, bound, named = found
    names = tuple(param.name.value for param in info_of(it, function).params)
    return (*leading(fn), *(name for name in names[bound:] if name not in named))


def constants(it: Interpreter, value: Value) -> list[int | str] | None:
    """The numbers and names that an option like ``static_argnums`` lists, or None if it cannot be read."""
    if isinstance(value, Static):
        if value.known and value.const is None:
            return []
        if value.known and isinstance(value.const, (int, str)):
            return [value.const]
        return None
    parts = value.items if isinstance(value, Tuple) else None
    if isinstance(value, Ref):
        held = it.heap.get(value.obj) or it.lists.get(value.obj)
        parts = held.items if held is not None else None
    if parts is None:
        return None
    out: list[int | str] = []
    for part in parts:
        one = constants(it, part)
        if one is None:
            return None
        out.extend(one)
    return out
