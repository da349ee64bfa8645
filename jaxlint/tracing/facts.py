"""Facts: what the interpreter leaves behind for rules and fixers. Read-only once ``analyse`` has returned."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import libcst as cst

from jaxlint.tracing.values import Array, Kind, Mode, Static, Step, Value

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from jaxlint.findings import Position
    from jaxlint.source.text import SourceFile
    from jaxlint.tracing.compiled import Flag, JitCall, Repeated
    from jaxlint.tracing.context import Context, Region
    from jaxlint.tracing.donation import DonatedUse
    from jaxlint.tracing.keys import KeyToken, Reuse
    from jaxlint.tracing.modules import ModuleSpace
    from jaxlint.tracing.state import HeapObject
    from jaxlint.tracing.structures import Difference


class Cause(NamedTuple):
    """A place that explains a report: a node and what happened there."""

    node: cst.CSTNode
    text: str


class Write(NamedTuple):
    """A write that escapes its trace. ``how``: "global", "nonlocal", "container", "attribute"."""

    how: str
    node: cst.CSTNode
    target: str
    value: Value | None
    leaks: bool
    context: Context
    obj: HeapObject | None


class Fault(NamedTuple):
    """An operation that cannot work on ``value``. ``how``: "host-store", "host-index", "list-index"."""

    how: str
    node: cst.CSTNode
    value: Value
    context: Context


class Mismatch(NamedTuple):
    """What a loop or a choice of JAX rejects. ``other``: the function that ``fn`` disagrees with.

    ``how``: "carry", "pair", "branches", "parameters" (of a loop's function), "operands" (of a branch).
    """

    how: str
    node: cst.CSTNode
    fn: Value
    difference: Difference
    context: Context
    other: Value | None


class Sync(NamedTuple):
    """A read of a concrete device array by Python. ``loops``: the loops of this function around it, outermost first."""

    node: cst.CSTNode
    how: str
    value: Array
    loops: tuple[cst.CSTNode, ...]
    context: Context


class Loop(NamedTuple):
    """A Python loop that was interpreted. ``iterates``: what a ``for`` walks; ``length``: its length, where known."""

    node: cst.For | cst.While
    iterates: Value
    length: int | None
    extent_of: Array | None
    context: Context


class ConstantKey(NamedTuple):
    """A key made from a constant seed. ``where``: "region", "loop" or "shadow" (a key parameter is at hand)."""

    node: cst.CSTNode
    where: str
    detail: str
    context: Context


class Broadcast(NamedTuple):
    """A use of one key by every lane of a ``vmap`` (``region``), in ``function``."""

    token: KeyToken
    node: cst.CSTNode
    how: str
    region: Region
    function: cst.CSTNode
    context: Context


class FieldKey(NamedTuple):
    """A draw from a key that is a field of a module object: the same key at every call."""

    node: cst.CSTNode
    name: str
    class_name: str
    context: Context


class Effect(NamedTuple):
    """A call under a transform that reaches outside the program: it happens while JAX traces.

    ``kind`` is that of `knowledge.host_objects`; ``shown``: a traced value among the arguments; ``made``: where the
    object whose method is called was made, and under how many regions.
    """

    kind: str
    name: str
    node: cst.CSTNode
    shown: Array | None
    made: tuple[cst.CSTNode, int] | None
    context: Context


class Stale(NamedTuple):
    """A read that compiled code did once, of what the program changed before it called the compiled code again.

    ``written``: the target of the change, ``source`` what was assigned, ``call`` the later call.
    """

    node: cst.CSTNode
    written: cst.CSTNode
    source: cst.CSTNode | None
    call: cst.CSTNode
    context: Context


class Traced(NamedTuple):
    """A node that is traced in a context."""

    node: cst.CSTNode
    context: Context
    value: Array


class Facts:
    """Facts of one run over a module; ``values`` holds what arrays and formatted strings expressions had."""

    def __init__(self, space: ModuleSpace) -> None:
        self.space = space
        self.module = space.module
        self.source = space.source
        #: Every module in which something was noted: a function that is called from here may stand elsewhere.
        self.spaces: dict[ModuleSpace, None] = {space: None}
        #: Whether a path is a test's; the runner sets it.
        self.is_test: Callable[[str], bool] = lambda path: False
        #: Whether any function was run because the settings say that it is traced.
        self.assumed = False
        self.recorded: dict[cst.CSTNode, dict[Context, Value]] = {}
        self.callees: dict[cst.Call, str] = {}
        self.reuses: list[Reuse] = []
        self.writes: list[Write] = []
        self.faults: list[Fault] = []
        self.mismatches: list[Mismatch] = []
        self.syncs: list[Sync] = []
        self.loops: list[Loop] = []
        self.constant_keys: list[ConstantKey] = []
        self.field_keys: list[FieldKey] = []
        self.broadcasts: list[Broadcast] = []
        self.jit_calls: list[JitCall] = []
        #: Functions that are called again and again.
        self.repeated: dict[cst.CSTNode, Repeated] = {}
        self.donated_uses: list[DonatedUse] = []
        #: Python truth values that are traced, by the step that everything made of them has in its story.
        self.flags: dict[Step, Flag] = {}
        self.effects: list[Effect] = []
        self.stale: list[Stale] = []
        #: Calls of compiled functions from host code, which return before the work is done, and the functions.
        self.dispatches: dict[cst.CSTNode, Value] = {}
        self.contexts_run = 0

    # What a value is --------------------------------------------------------------------------------------------

    def values(self, node: cst.CSTNode) -> Iterator[tuple[Context, Value]]:
        """The values that an expression had, per context. Only arrays and formatted strings are kept."""
        found = self.recorded.get(node)
        return iter(()) if found is None else iter(found.items())

    def traced(self, node: cst.CSTNode, *, sure: bool = True) -> Traced | None:
        """A context in which ``node`` is a tracer without a Python value, or None.

        ``sure``: it is one array for certain. Without it a pytree of tracers will do too, which is enough where the
        operation takes nothing but an array or a number.
        """
        return self._find(node, Mode.MAPPED, sure)

    def tracer(self, node: cst.CSTNode, *, sure: bool = True) -> Traced | None:
        """The same for any tracer, also one that only ``grad`` made (numpy and ``float()`` refuse it too)."""
        return self._find(node, Mode.DIFF, sure)

    def _find(self, node: cst.CSTNode, mode: Mode, sure: bool) -> Traced | None:
        for context, value in self.values(node):
            if isinstance(value, Array) and value.kind is Kind.TRACED and value.mode >= mode and value.key is None:
                if value.certain or not (sure or value.maybe_name):
                    return Traced(node, context, value)
        return None

    def callee(self, call: cst.Call) -> str:
        """The canonical dotted name of the library function that ``call`` calls, or ``""``."""
        return self.callees.get(call, "")

    def calls_any(self, names: frozenset[str]) -> bool:
        """Whether any of these library functions is called anywhere: cheap to ask before a closer look."""
        return not names.isdisjoint(self.callees.values())

    def regions(self, node: cst.CSTNode) -> Iterator[tuple[Context, tuple[Region, ...]]]:
        """The stacks of regions in which an expression was evaluated."""
        for context, _ in self.values(node):
            yield context, context.regions

    def owner(self, node: cst.CSTNode, context: Context | None) -> ModuleSpace:
        """The module that a node stands in, looked for along the chain of calls."""
        candidates = dict(self.spaces)
        while context is not None:
            candidates.setdefault(context.space)
            context = context.caller
        if len(candidates) == 1:
            return self.space
        return next((space for space in candidates if space.owns(node)), self.space)

    # How it came about ------------------------------------------------------------------------------------------

    def story(self, context: Context | None, value: Value | None) -> tuple[Cause, ...]:
        """The chain that led to a report, outermost first: calls, transforms, and the value's own steps."""
        step = value.origin if isinstance(value, Array) else None
        if isinstance(value, Static) and value.tainted is not None:
            step = value.tainted.origin
        steps: list[Step] = []
        while step is not None and len(steps) < 8:
            steps.append(step)
            step = step.before
        causes = list(_chain(context))
        places = {cause.node for cause in causes}
        causes.extend(Cause(one.node, one.text) for one in reversed(steps) if one.node not in places)
        return tuple(causes)

    def position(self, node: cst.CSTNode, context: Context | None) -> Position:
        """Where a node begins; in a notebook the cell, and the place in it."""
        source, start = self._start(node, context)
        return source.position(start)

    def comment_on(self, node: cst.CSTNode, context: Context | None) -> str:
        """The comments at the ends of the line on which a node begins and of the two after it."""
        source, start = self._start(node, context)
        first = source.line_at(start)
        return " ".join(source.line_text(line).partition("#")[2] for line in range(first, first + 3))

    def _start(self, node: cst.CSTNode, context: Context | None) -> tuple[SourceFile, int]:
        from jaxlint.syntax import locate

        space = self.owner(node, context)
        return space.source, locate(space.module, space.source.text, [node])[node].start

    def snippet(self, node: cst.CSTNode, limit: int = 60) -> str:
        """The source of ``node`` on one line, at most ``limit`` characters."""
        text = " ".join(self.module.code_for_node(node).split())
        return text if len(text) <= limit else text[: limit - 1] + "…"


def _chain(context: Context | None) -> Iterator[Cause]:
    """How a function came to run as it does: who called it, and which transforms were entered on the way."""
    contexts: list[Context] = []
    while context is not None and len(contexts) < 8:
        contexts.append(context)
        context = context.caller
    for one in reversed(contexts):
        caller = one.caller
        if caller is None or one.call is None or one.call is one.function:
            continue
        known = caller.caller.regions if caller.caller is not None else ()
        entered = caller.regions[len(known) :]
        if entered:
            yield Cause(entered[-1].node, entered[-1].sentence(one.name))
        if not entered or entered[-1].node is not one.call:
            yield Cause(one.call, f"`{one.name}` is called here")
