"""The interpreter's hub: dispatch, recording, budgets. What each construct means is in the modules beside it."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import libcst as cst

from jaxlint.tracing.arguments import Arguments
from jaxlint.tracing.context import Context
from jaxlint.tracing.facts import Facts, Fault, Write
from jaxlint.tracing.stale import Baked
from jaxlint.tracing.state import Contents, Exit, HeapObject, State
from jaxlint.tracing.values import UNKNOWN, Array, Kind, Ref, Static, Step, Unknown, Value

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from jaxlint.config.assumed import AssumedModule
    from jaxlint.tracing.context import AssumedRegion, Region
    from jaxlint.tracing.definitions import FunctionInfo
    from jaxlint.tracing.keys import KeyToken
    from jaxlint.tracing.memo import Summary
    from jaxlint.tracing.modules import ModuleSpace
    from jaxlint.tracing.program import Program
    from jaxlint.tracing.state import Frame
    from jaxlint.tracing.values import ClassValue, Function, Transformed

    Evaluator = Callable[["Interpreter", Any, State], Value]
    Executor = Callable[["Interpreter", Any, State], Exit | None]

#: A function is interpreted under at most so many different argument kinds with their constants; then constants
#: are dropped, and past twice as many the call gives Unknown.
CONTEXT_CAP = 16
DEPTH_CAP = 12
#: Loops inside so many others are interpreted for one iteration: each level would double the work.
LOOP_CAP = 4


class Interpreter:
    """One run over one module. Holds what is global to the run; what changes along paths is in State."""

    def __init__(
        self,
        facts: Facts,
        evaluators: dict[type, Evaluator],
        executors: dict[type, Executor],
        program: Program,
    ) -> None:
        self.facts = facts
        self.program = program
        self.evaluators = evaluators
        self.executors = executors
        self.fuel = 0
        self.context = Context(facts.space, facts.module, "<module>")
        self.heap: dict[HeapObject, Contents] = {}
        self.lists: dict[HeapObject, Contents] = {}
        self.quiet = 0  # > 0: nothing is recorded (the code is expected to fail, or may not run)
        self.muted = 0  # > 0: tracer errors are expected (they are caught)
        self.forcing = 0  # deferred values that are being worked out
        self.turn: tuple[int, ...] = ()
        self.loops: tuple[cst.CSTNode, ...] = ()
        self.memo: dict[Any, Summary] = {}
        self.counts: dict[cst.CSTNode, int] = {}
        self.active: list[cst.CSTNode] = []
        self.classes: list[ClassValue] = []  # being defined, innermost last
        self.pending: list[Transformed | Function] = []  # made in this context and not called so far
        self.deferred: list[Transformed] = []  # traced unless the program is seen to call them with numbers
        self.started: set[cst.CSTNode] = set()
        self.factories: set[cst.CSTNode] = set()  # functions that return functions of their own
        self.entry: AssumedRegion | None = None  # the assumed entry that is being run
        self.assumed: dict[cst.CSTNode, AssumedModule] = {}  # closures that the users of a module trace
        self.parts: dict[cst.CSTNode, tuple[str, ...]] = {}  # functions of a record: what its library passes
        self.general: set[cst.CSTNode] = set()  # functions that ran without a constant argument
        self.infos: dict[cst.CSTNode, FunctionInfo] = {}
        self.settings: set[Value] = set()  # fields of summary instances: the same in every method
        self.closures: dict[Frame, dict[str, Value]] = {}
        self.chained: dict[cst.CSTNode, Array] = {}
        self.newborn: tuple[KeyToken, ...] = ()  # symbolic keys of the function about to be entered
        self.yields: list[list[Value]] = []
        self.baked = Baked()
        self.region_cache: dict[tuple[str, cst.CSTNode], Region] = {}
        self.lanes: dict[Region, tuple[Value, ...]] = {}  # what a vmap maps over, as its function gets it

    def enter(self, facts: Facts, fuel: int) -> None:
        """Begin with a file: its facts, and how much may be interpreted for it."""
        self.facts, self.fuel = facts, fuel
        self.context = Context(facts.space, facts.module, "<module>")

    @contextmanager
    def in_module(self, space: ModuleSpace) -> Iterator[None]:
        """Run a module's own statements: no caller, no region, no loop around them."""
        saved = self.context, self.turn, self.loops, self.quiet, self.muted, self.pending, self.yields, self.classes
        self.context = Context(space, space.module, "<module>")
        self.turn, self.loops, self.quiet, self.muted = (), (), 0, 0
        self.pending, self.yields, self.classes = [], [], []
        try:
            yield
        finally:
            self.context, self.turn, self.loops, self.quiet, self.muted = saved[:5]
            self.pending, self.yields, self.classes = saved[5:]

    @contextmanager
    def as_host(self, space: ModuleSpace) -> Iterator[None]:
        """Make up for a call that host code of a module made: nothing of it is noted."""
        self.quiet, self.forcing = self.quiet + 1, self.forcing + 1
        quiet = self.quiet
        try:
            with self.in_module(space):
                self.quiet = quiet
                yield
        finally:
            self.quiet, self.forcing = quiet - 1, self.forcing - 1

    @property
    def globals(self) -> dict[str, Value]:
        """The variables of the module whose code runs."""
        return self.context.space.state.locals

    @property
    def turns(self) -> int:
        """How many iterations of a loop to interpret. Tests are let off with one: the second is mostly about keys."""
        return 1 if len(self.loops) >= LOOP_CAP or self.context.space.is_test else 2

    # Dispatch ---------------------------------------------------------------------------------------------------

    def eval(self, node: cst.BaseExpression, st: State) -> Value:
        """The value of an expression; records it if it is an array or a string made from one."""
        handler = self.evaluators.get(node.__class__)
        if handler is None:
            return UNKNOWN
        value = handler(self, node, st)
        if isinstance(value, Array):
            if value.kind is not Kind.HOST and not self.quiet and not self.muted:
                self.record(node, value)
        elif isinstance(value, Static) and value.tainted is not None and not self.quiet:
            self.record(node, value)
        return value

    def block(self, body: Any, st: State) -> Exit | None:
        """Run statements in order. None: the end was reached on every path (``st`` is the state there)."""
        out: Exit | None = None
        executors = self.executors
        for statement in body:
            self.fuel -= 1
            handler = executors.get(statement.__class__)
            if handler is None:
                continue
            left = handler(self, statement, st)
            if left is not None:
                if out is None:
                    out = left
                else:
                    out.absorb(left)
                    out.falls = left.falls
                if not left.falls:
                    return out
        return out

    # Recording --------------------------------------------------------------------------------------------------

    def record(self, node: cst.CSTNode, value: Value) -> None:
        """Keep ``value`` for rules; of several in one context the most telling."""
        if isinstance(value, Array) and value.kind is Kind.TRACED:
            if not self.context.is_traced:
                return  # a leaked tracer: the leak is the fault
            self.facts.spaces.setdefault(self.context.space)
        known = self.facts.recorded.get(node)
        if known is None:
            self.facts.recorded[node] = {self.context: value}
            return
        before = known.get(self.context)
        if before is None or _rank(value) > _rank(before):
            known[self.context] = value

    def write(self, how: str, node: cst.CSTNode, target: str, value: Value | None, obj: HeapObject | None) -> None:
        """Note a write that leaves its trace; it leaks if the value belongs to a deeper trace than the object."""
        if self.quiet:
            return
        born = 0 if obj is None else obj.depth
        leaks = isinstance(value, Array) and value.kind is Kind.TRACED and value.depth > born
        if self.context.assumed and not (leaks and (obj is None or (obj.is_global and obj.form != "instance"))):
            return  # who keeps state may well be called from the host alone
        self.facts.spaces.setdefault(self.context.space)
        self.facts.writes.append(Write(how, node, target, value, leaks, self.context, obj))

    def fault(self, fault: Fault) -> None:
        """Note an operation that a rule will judge."""
        if not self.quiet and not self.muted:
            self.facts.spaces.setdefault(self.context.space)
            self.facts.faults.append(fault)

    @contextmanager
    def silent(self) -> Iterator[None]:
        """Interpret without leaving facts."""
        self.quiet += 1
        try:
            yield
        finally:
            self.quiet -= 1

    def found(self, fn: Function) -> None:
        """A function was defined: it is run on its own later if nothing calls it."""
        if fn.frame is not None:
            fn.frame.captured = True
            self.pending.append(fn)
        elif type(fn.node) is cst.FunctionDef:
            fn.space.functions.append(fn)
        if self.classes and self.classes[-1].frame is fn.frame:
            fn.cls = self.classes[-1]

    def found_class(self, cls: ClassValue) -> None:
        """A class was defined."""
        self.context.space.classes.append(cls)

    def finish_context(self, st: State) -> None:
        """Before a function is left: run what it made and nobody called (its closure is at hand only now)."""
        from jaxlint.tracing.entries import run_pending

        if self.forcing or self.context.expects_failure:
            return  # made up for host code; or what a test makes for `pytest.raises`, which may fail
        if self.pending:
            run_pending(self, st)

    def call_value(
        self, func: Value, args: tuple[Value, ...], kwargs: dict[str, Value], node: cst.CSTNode, st: State
    ) -> Value:
        """Call any value with plain arguments."""
        from jaxlint.tracing.calls import call

        return call(self, func, Arguments(args, kwargs), node, st)

    # Making values ----------------------------------------------------------------------------------------------

    def unknown(self, node: cst.CSTNode | None = None) -> Unknown:
        """A fresh unknown born here."""
        return Unknown(self.context, node)

    def allocate(
        self, form: str, node: cst.CSTNode, contents: Contents, st: State, cls: ClassValue | None = None
    ) -> Ref:
        """A new object on the heap."""
        obj = HeapObject(form, node, self.context.trace_depth, cls)
        if self.context.caller is None and self.context.frame is None:
            obj.is_global = True
            self.heap[obj] = contents
        st.heap[obj] = contents
        if form == "list":
            self.lists[obj] = contents  # as it was made: static_argnames=[…] is read later
        return Ref(obj)

    def contents(self, obj: HeapObject, st: State) -> Contents | None:
        """What an object holds here; module-level objects are visible everywhere."""
        held = st.heap.get(obj)
        return held if held is not None else self.heap.get(obj)

    def array(self, node: cst.CSTNode, text: str, **attributes: Any) -> Array:
        """The result of an operation on no traced operand: traced where everything is staged, else concrete."""
        context = self.context
        if context.is_staged:
            step = Step(node, text, _region_step(context))
            return Array(Kind.TRACED, context.mode, origin=step, depth=context.trace_depth, **attributes)
        return Array(Kind.CONCRETE, **attributes)

    def lookup(self, name: str, st: State) -> Value | None:
        """A variable by Python's scoping, or None if unbound (a builtin, a star import)."""
        found = st.locals.get(name)
        if found is not None:
            return found
        frame = self.context.frame
        if frame is not None:
            if name in frame.global_names:
                return self.globals.get(name)
            outer = frame.parent
            while outer is not None:
                found = (st.frames.get(outer) or self.closures.get(outer) or {}).get(name)
                if found is not None:
                    return found
                outer = outer.parent
        return self.globals.get(name)


def _region_step(context: Context) -> Step | None:
    step: Step | None = None
    for region in context.regions:
        step = Step(region.node, region.place, step)
    return step


def _rank(value: Value) -> int:
    if isinstance(value, Array):
        array: Array = value
        return 10 * array.certain + 3 * (array.kind is Kind.TRACED) + int(array.mode)
    return 0
