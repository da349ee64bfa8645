"""Calls: arguments, dispatch on what is called, parameters, memo, and running a body in a context of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import libcst as cst

from jaxlint.knowledge.annotations import is_array_annotation
from jaxlint.tracing import attributes, donation, elements, host_effects, keys, objects, stale, takers
from jaxlint.tracing.arguments import Arguments, Raw
from jaxlint.tracing.choices import call_one_of
from jaxlint.tracing.compiled import note_repetition
from jaxlint.tracing.context import Context
from jaxlint.tracing.deferred import call_deferred, force, needed
from jaxlint.tracing.definitions import info_of
from jaxlint.tracing.interpreter import CONTEXT_CAP, DEPTH_CAP
from jaxlint.tracing.late import Deferred
from jaxlint.tracing.library import call_library
from jaxlint.tracing.memo import Summary, portable, replay, retoken
from jaxlint.tracing.methods import call_method
from jaxlint.tracing.state import Contents, Frame, State, join_states
from jaxlint.tracing.transforms import call_transformed
from jaxlint.tracing.values import (
    NONE,
    UNKNOWN,
    Array,
    Bound,
    Choice,
    ClassValue,
    Function,
    Kind,
    Library,
    LibraryObject,
    Partial,
    Ref,
    Sequence,
    Static,
    Step,
    Transformed,
    Tuple,
    Unknown,
    Value,
    join,
    without_key,
)

if TYPE_CHECKING:
    from jaxlint.tracing.definitions import FunctionInfo
    from jaxlint.tracing.interpreter import Interpreter
    from jaxlint.tracing.state import Condition


def eval_call(it: Interpreter, node: cst.Call, st: State) -> Value:
    """``func(args)``."""
    func = it.eval(node.func, st)
    if isinstance(func, Library):
        it.facts.callees[node] = func.name
        if it.entry is not None:
            it.entry.calls(func.name)
    arguments = eval_arguments(it, node, st)
    if st.donated:
        donation.check_call(it, func, arguments, node, st)
    return call(it, func, arguments, node, st)


def eval_arguments(it: Interpreter, node: cst.Call, st: State) -> Arguments:
    """Evaluate the arguments in order."""
    positional: list[Value] = []
    keywords: dict[str, Value] = {}
    is_open = False
    for arg in node.args:
        value = it.eval(arg.value, st)
        if arg.star == "" and arg.keyword is None:
            positional.append(value)
        elif arg.star == "*":
            known = elements.length(it, value, st)
            if known is None or known > 20:
                is_open = True
            else:
                positional.extend(elements.element(it, value, i, st, arg) for i in range(known))
        elif arg.star == "**":
            held = it.contents(value.obj, st) if isinstance(value, Ref) else None
            if held is not None and held.rest is None:
                keywords.update({name: v for name, v in held.fields.items() if isinstance(name, str)})
            else:
                is_open = True
        elif arg.keyword is not None:
            keywords[arg.keyword.value] = value
    return Arguments(tuple(positional), keywords, open=is_open)


def call(it: Interpreter, func: Value, arguments: Arguments, node: cst.CSTNode, st: State) -> Value:
    """Call any value."""
    func = needed(it, func)
    if isinstance(func, Library):
        if it.context.is_traced:
            host_effects.of_function(it, func.name, arguments, node, st)
        return call_library(it, func.name, func.written, arguments, node, st)
    if isinstance(func, Function):
        return call_function(it, func, arguments, node, st)
    if isinstance(func, Bound):
        owned = Arguments((func.owner, *arguments.positional), arguments.keywords, open=arguments.open)
        return call(it, func.fn, owned, node, st)
    if isinstance(func, Partial):
        return call(it, func.fn, _merged(func, arguments), node, st)
    if isinstance(func, Transformed):
        return call_transformed(it, func, arguments, node, st)
    if isinstance(func, LibraryObject):
        return call_method(it, func, arguments, node, st)
    if isinstance(func, ClassValue):
        return objects.instantiate(it, func, arguments, node, st)
    if isinstance(func, Ref):
        method = attributes.get(it, func, "__call__", st, node)
        if not isinstance(method, Unknown):
            return call(it, method, arguments, node, st)
    if isinstance(func, Choice):
        return call_one_of(it, func, arguments, node, st)
    if isinstance(func, Deferred):
        return call_deferred(it, func, arguments, node, st)
    return call_unknown(it, arguments, node, st)


def _merged(func: Partial, arguments: Arguments) -> Arguments:
    return Arguments((*func.args, *arguments.positional), {**func.kwargs, **arguments.keywords}, open=arguments.open)


def call_unknown(it: Interpreter, arguments: Arguments, node: cst.CSTNode, st: State) -> Value:
    """A call of something we do not know: whatever it was given may have changed; keys are only lent."""
    if arguments.keywords:
        takers.note_unknown(it, arguments, node, st)
    for value in arguments.all():
        escape(it, value, st)
    return it.unknown(node)


def escape(it: Interpreter, value: Value, st: State) -> None:
    """An object is out of our hands: forget what it holds."""
    if isinstance(value, Ref):
        held = it.contents(value.obj, st)
        if held is not None and value.obj.form != "instance":
            st.heap[value.obj] = Contents(None, {}, it.unknown(value.obj.node))
    elif isinstance(value, Unknown) and value is not UNKNOWN and not isinstance(value, Deferred):
        value.fields = None
    elif isinstance(value, Tuple):
        for item in value.items:
            escape(it, item, st)


# Functions --------------------------------------------------------------------------------------------------------


def call_function(it: Interpreter, fn: Function, arguments: Arguments, node: cst.CSTNode, st: State) -> Value:
    """Interpret a function of this module with these arguments."""
    fn.ran = fn.ran or not it.forcing
    if (it.loops or it.facts.repeated) and not it.forcing:
        note_repetition(it, fn.node, node)
    if (
        it.fuel < 0
        or it.context.depth >= DEPTH_CAP
        or it.active.count(fn.node) >= 2
        or it.counts.get(fn.node, 0) >= 2 * CONTEXT_CAP
    ):
        return call_unknown(it, arguments, node, st)
    info = info_of(it, fn)
    params = bind_parameters(it, fn, info, arguments, st)
    if params is None:
        return call_unknown(it, arguments, node, st)
    if not it.forcing and not any(isinstance(value, Static) and value.known for value in params.values()):
        it.general.add(fn.node)
    if it.counts.get(fn.node, 0) >= CONTEXT_CAP:
        params = {name: _without_number(value) for name, value in params.items()}
    if info.is_async:
        _run(it, fn, info, params, node, st)
        return it.unknown(node)
    if fn.frame is None and not info.global_names and fn.node not in it.factories and not keys.is_loop_body(it, node):
        tokens: dict[Any, int] = {}
        key = portable(it, params, tokens)
        if key is not None:
            return _memoised(it, fn, info, params, key, node, st)
    it.counts[fn.node] = it.counts.get(fn.node, 0) + 1
    return _run(it, fn, info, params, node, st)


def _holds_closure(value: Value) -> bool:
    if isinstance(value, Function):
        return value.frame is not None
    if isinstance(value, (Transformed, Bound, Partial)):
        return _holds_closure(value.fn)
    if isinstance(value, Choice):
        return any(_holds_closure(fn) for fn, _ in value.options)
    return isinstance(value, Tuple) and any(_holds_closure(item) for item in value.items)


def _without_number(value: Value) -> Value:
    """The same kind of number: which one no longer makes a context of its own."""
    if isinstance(value, Static) and value.known and isinstance(value.const, (int, float)):
        return Static(type_name=value.type_name, extent_of=value.extent_of)
    return value


def _memoised(
    it: Interpreter, fn: Function, info: FunctionInfo, params: dict[str, Value], key: Any, node: cst.CSTNode, st: State
) -> Value:
    regions = tuple(region.name for region in it.context.regions)
    settings = tuple(one for one in st.conditions if one[0][1] in it.settings) if st.conditions else ()
    full = (fn.node, key, regions, it.context.marks, settings, bool(it.muted), bool(it.quiet))
    summary = it.memo.get(full)
    if summary is None:
        it.counts[fn.node] = it.counts.get(fn.node, 0) + 1
        symbolic, actual = retoken(it, params, fn, node)
        isolated = State(symbolic, {}, {}, {}, settings)
        it.newborn = tuple(actual)
        summary = Summary(tuple(symbolic.values()), actual)
        it.memo[full] = summary  # a recursive call sees an empty summary
        noted, start = len(it.facts.broadcasts), len(it.baked.log)
        summary.result = _run(it, fn, info, symbolic, node, isolated)
        keys.forget_broadcasts(it, noted, summary.params)
        summary.reads = tuple(it.baked.log[start:])
        if _holds_closure(summary.result):
            it.factories.add(fn.node)  # what it returns remembers this call's own arguments
            del it.memo[full]
            return _run(it, fn, info, params, node, st)
        summary.used = {token: keys.telling(uses) for token, uses in isolated.used.items()}
        summary.heap = isolated.heap
        summary.donated = isolated.donated
    elif it.baked.compiled is not None:
        stale.read_again(it, summary.reads)
    return replay(it, summary, fn, params, node, st)


def bind_parameters(
    it: Interpreter, fn: Function, info: FunctionInfo, arguments: Arguments, st: State
) -> dict[str, Value] | None:
    """Parameters by name, or None if the call cannot be matched. Defaults stand for what was not passed."""
    params: dict[str, Value] = {}
    names = info.names
    positional = arguments.positional
    for name, value in zip(names, positional, strict=False):
        params[name] = value
    if len(positional) > len(names):
        if not info.star:
            return None
        params[info.star] = Tuple(positional[len(names) :])
    elif info.star:
        params[info.star] = it.unknown(fn.node) if arguments.open else Tuple(())
    extra: dict[str, Value] = {}
    for name, value in arguments.keywords.items():
        if name in info.keyword_names:
            params[name] = value
        else:
            extra[name] = value
    if extra and not info.star_star:
        return None
    if info.star_star:
        params[info.star_star] = it.allocate(
            "dict", fn.node, Contents(None, extra, it.unknown(fn.node) if arguments.open else None), st
        )
    for param in (*info.params, *info.kwonly):
        name = param.name.value
        if name not in params:
            default = fn.defaults.get(name)
            params[name] = default if default is not None and not arguments.open else Unknown()
    return {name: value.value if isinstance(value, Raw) else value for name, value in params.items()}


def _run(
    it: Interpreter, fn: Function, info: FunctionInfo, params: dict[str, Value], node: cst.CSTNode, st: State
) -> Value:
    caller = it.context
    frame = Frame(fn.frame, caller.trace_depth)
    frame.global_names, frame.nonlocal_names = info.global_names, info.nonlocal_names
    frame.cls = fn.cls
    if fn.cls is not None and info.params:
        frame.owner = params.get(info.params[0].name.value)
    context = Context(fn.space, fn.node, fn.name, caller, node, caller.regions, frame)
    context.passed = tuple(params.values())
    for token in it.newborn:
        token.birth = context
    it.newborn = ()
    given = _given(fn, params)
    _settle(it, fn, info, params, context)
    objects.open_trees(it, fn, info, params, context, st)
    frames = st.frames if caller.frame is None else {**st.frames, caller.frame: st.locals}
    inner = State(params, frames, st.heap.copy(), st.used.copy(), (*st.conditions, *given), st.donated)
    saved = it.context, it.loops, it.pending, it.yields
    it.context, it.loops, it.pending = context, (), []
    it.yields = [*it.yields, []] if info.is_generator else it.yields
    it.active.append(fn.node)
    it.started.add(fn.node)
    it.facts.contexts_run += 1
    result, after = _body(it, fn, info, inner)
    if after is not None:
        if frame.captured:
            it.closures[frame] = after.locals
        it.finish_context(after)
    yielded = it.yields[-1] if info.is_generator else []
    it.active.pop()
    it.context, it.loops, it.pending, it.yields = saved
    if after is not None:
        st.heap, st.used, st.donated = after.heap, after.used, after.donated
        if caller.frame is not None:
            st.locals = after.frames.get(caller.frame, st.locals)
            st.frames = {f: v for f, v in after.frames.items() if f is not caller.frame and f in frames}
    if info.is_generator:
        return _generator(it, yielded, node)
    return result


def _given(fn: Function, params: dict[str, Value]) -> tuple[Condition, ...]:
    """Who passes an argument for a parameter that may be None means something else by it, as far as we can see.

    (What an entry makes up for a parameter has no birth: there the argument may be left out.)
    """
    out: list[Condition] = []
    for name, default in fn.defaults.items():
        value = params.get(name) if default is NONE else None
        if isinstance(value, Unknown) and value.birth is not None:
            out.append((("==", value, None), False))
    return tuple(out)


def _body(it: Interpreter, fn: Function, info: FunctionInfo, inner: State) -> tuple[Value, State | None]:
    if type(fn.node) is cst.Lambda:
        return it.eval(fn.node.body, inner), inner
    left = it.block(info.body, inner)
    if left is None:
        return NONE, inner
    after = left.returned
    result = left.result
    if left.falls:
        after = join_states(after, inner)
        result = NONE if result is None else join(result, NONE)
    return (result if result is not None else UNKNOWN), after


def _generator(it: Interpreter, yielded: list[Value], node: cst.CSTNode) -> Value:
    if not yielded:
        return it.unknown(node)
    value = yielded[0]
    for other in yielded[1:]:
        value = join(value, other)
    return Sequence("generator", (without_key(value),))


def _settle(it: Interpreter, fn: Function, info: FunctionInfo, params: dict[str, Value], context: Context) -> None:
    """Give parameters their birth and their story."""
    entered = context.regions and context.caller is not None and len(context.caller.regions) == len(context.regions)
    region = context.regions[-1] if entered else None
    for param in (*info.params, *info.kwonly):
        name = param.name.value
        value = params.get(name)
        if isinstance(value, Unknown) and value.birth is None:
            value.birth, value.node = context, param
        elif isinstance(value, Array) and value.kind is Kind.TRACED and value.origin is None and region is not None:
            text = f"`{name}` is traced: a parameter of `{fn.name}`"
            value.origin = Step(param, text, Step(region.node, region.sentence(fn.name)))
            if param.annotation is not None and is_array_annotation(param.annotation.annotation):
                value.certain = True


def signature(it: Interpreter, fn: Value) -> tuple[Function, int, frozenset[str]] | None:
    """The function under wrappers, how many leading parameters are bound already, and which by name."""
    bound = 0
    named: set[str] = set()
    for _ in range(12):
        if isinstance(fn, Function):
            return fn, bound, frozenset(named)
        if isinstance(fn, Bound):
            bound += 1
            fn = fn.fn
        elif isinstance(fn, Partial):
            bound += len(fn.args)
            named.update(fn.kwargs)
            fn = fn.fn
        elif isinstance(fn, Transformed):
            fn = fn.fn
        elif isinstance(fn, Choice):
            fn = fn.options[0][0]
        elif isinstance(fn, Deferred):
            made = force(it, fn)
            if isinstance(made, Deferred):
                return None
            fn = made
        else:
            found = it.program.resolve(it, fn) if isinstance(fn, Library) else None
            if found is None:
                return None
            fn = found
    return None


def plain_arguments(it: Interpreter, fn: Function, info: FunctionInfo) -> Arguments:
    """Arguments for a function that nobody calls: unknown, or the JAX array that the annotation promises."""
    names = {param.name.value: objects.promised(fn, param) for param in info.kwonly}
    return Arguments(tuple(objects.promised(fn, param) for param in info.params), names, open=True)
