"""Baked reads: what compiled code read of the outside while it was traced, and what the program changed since.

A compiled function keeps what it read when JAX traced it: an attribute of `self`, a global, a variable of an enclosing
function, an entry of a dict. Where the program writes there and calls the function again, the call sees the old value.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

import libcst as cst

from jaxlint.tracing.facts import Stale
from jaxlint.tracing.values import Array, Function, Ref, Static, Transformed, Tuple, Unknown, Value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jaxlint.tracing.arguments import Arguments
    from jaxlint.tracing.context import Context
    from jaxlint.tracing.interpreter import Interpreter
    from jaxlint.tracing.state import Frame, HeapObject, State

#: The owner (an object, a frame, a module) and the name of an attribute, variable or entry.
Place = tuple[Any, Any]


class Read(NamedTuple):
    """A read by traced code of something outside its trace."""

    place: Place
    node: cst.CSTNode
    value: Value
    context: Context
    version: int


class Written(NamedTuple):
    """The last write by host code to a place that was read, and how many there were."""

    version: int
    node: cst.CSTNode
    source: cst.CSTNode | None
    value: Value


class Baked:
    """The reads of each compiled function, and the writes since."""

    def __init__(self) -> None:
        self.compiled: Any = None  # the function whose compiled code is run from host code
        self.log: list[Read] = []
        self._clear()

    def _clear(self) -> None:
        self.places: set[Place] = set()
        self.reads: dict[Any, dict[Place, Read]] = {}
        self.writes: dict[Place, Written] = {}

    @contextmanager
    def apart(self) -> Iterator[None]:
        """Run an entry: in which order entries are called is not known."""
        saved = self.compiled, self.places, self.reads, self.writes
        self.compiled = None
        self._clear()
        try:
            yield
        finally:
            self.compiled, self.places, self.reads, self.writes = saved


@contextmanager
def compiled(it: Interpreter, value: Transformed, arguments: Arguments, node: cst.CSTNode, st: State) -> Iterator[None]:
    """Enter a jitted function. Called from host code, it runs what was compiled the first time."""
    baked = it.baked
    # What runs because nobody calls it has no call of its own; what makes a new jaxpr each time keeps nothing.
    called = type(node) is cst.Call and node is not value.node and value.transform.binder == "jit"
    if not called or it.context.is_traced or it.quiet or baked.compiled is not None:
        yield
        return
    function = value.fn if isinstance(value.fn, Function) else value
    if not _static_numbers(arguments, value):
        _compare(it, function, node)
    it.facts.dispatches.setdefault(node, value.fn)
    baked.compiled = function
    try:
        yield
    finally:
        baked.compiled = None


def _static_numbers(arguments: Arguments, value: Transformed) -> bool:
    """Whether something besides an object is static: another value of that is compiled anew."""
    given = [option for name, option in value.options.items() if name.startswith("static_")]
    if not given and "**" not in value.options:
        return False
    first = arguments.positional[0] if arguments.positional else None
    only_self = len(given) == 1 and _is_zero(given[0]) and isinstance(first, Ref)
    return not (only_self and isinstance(first, Ref) and _by_identity(first.obj))


def _is_zero(option: Value) -> bool:
    if isinstance(option, Tuple) and len(option.items) == 1:
        option = option.items[0]
    return isinstance(option, Static) and option.const in (0, "self")


def _by_identity(obj: HeapObject) -> bool:
    """Whether an object is hashed by what it is, not by what it holds."""
    from jaxlint.tracing.attributes import member

    return obj.cls is not None and member(obj.cls, "__hash__") is None and member(obj.cls, "__eq__") is None


def _compare(it: Interpreter, function: Any, call: cst.CSTNode) -> None:
    for place, read in it.baked.reads.get(function, {}).items():
        written = it.baked.writes.get(place)
        if written is None or written.version <= read.version or _same(read.value, written.value):
            continue
        it.facts.spaces.setdefault(read.context.space)
        it.facts.stale.append(Stale(read.node, written.node, written.source, call, read.context))


def _same(a: Value, b: Value) -> bool:
    if isinstance(a, Static) and isinstance(b, Static) and a.known and b.known:
        return bool(a.const == b.const)
    return a is b


# Reads ------------------------------------------------------------------------------------------------------------


def read_name(it: Interpreter, name: str, value: Value, node: cst.CSTNode, st: State) -> None:
    """Traced code reads a variable that is not its function's own."""
    if not isinstance(value, (Static, Array, Tuple, Unknown, Ref)):
        return
    frame = it.context.frame
    outer = frame.parent if frame is not None and name not in frame.global_names else None
    while outer is not None:
        if name in (st.frames.get(outer) or it.closures.get(outer) or {}):
            if outer.depth == 0:
                _note(it, (outer, name), value, node)
            return
        outer = outer.parent
    _note(it, (it.context.space, name), value, node)


def read(it: Interpreter, obj: HeapObject, name: Any, value: Value, node: cst.CSTNode) -> None:
    """Traced code reads an attribute or an entry of an object."""
    from jaxlint.tracing.attributes import writes_count

    if obj.depth == 0 and isinstance(value, (Static, Array, Tuple, Unknown, Ref)) and writes_count(it, obj):
        _note(it, (obj, name), value, node)


def _note(it: Interpreter, place: Place, value: Value, node: cst.CSTNode) -> None:
    if it.quiet or it.muted:
        return
    one = Read(place, node, value, it.context, 0)
    it.baked.log.append(one)
    if it.baked.compiled is not None:
        _bake(it.baked, one)


def read_again(it: Interpreter, reads: tuple[Read, ...]) -> None:
    """A call that is not interpreted again reads what it read the first time."""
    it.baked.log.extend(reads)
    for one in reads:
        _bake(it.baked, one)


def _bake(baked: Baked, one: Read) -> None:
    written = baked.writes.get(one.place)
    one = one._replace(version=0 if written is None else written.version)
    baked.places.add(one.place)
    baked.reads.setdefault(baked.compiled, {}).setdefault(one.place, one)


# Writes -----------------------------------------------------------------------------------------------------------


def wrote_name(it: Interpreter, target: cst.Name, value: Value, source: cst.CSTNode | None) -> None:
    """Host code binds a name: the module's, or one that a function inside it sees."""
    frame: Frame | None = it.context.frame
    owner = it.context.space if frame is None or target.value in frame.global_names else frame
    wrote(it, owner, target.value, value, target, source)


def wrote(
    it: Interpreter, owner: Any, name: Any, value: Value, target: cst.CSTNode, source: cst.CSTNode | None
) -> None:
    """Host code writes an attribute, a variable or an entry."""
    place = (owner, name)
    if place in it.baked.places and not it.context.is_traced and not it.quiet:
        before = it.baked.writes.get(place)
        it.baked.writes[place] = Written(1 if before is None else before.version + 1, target, source, value)
