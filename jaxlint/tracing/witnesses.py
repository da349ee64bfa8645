"""Functions handed to libraries: solvers and samplers trace them, ``hk.transform`` wraps them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jaxlint.knowledge.key_takers import MAKERS
from jaxlint.knowledge.libraries import REFERENCE
from jaxlint.knowledge.library_transforms import HAIKU_APPLY, HAIKU_INIT
from jaxlint.knowledge.transforms import TRANSFORMS
from jaxlint.tracing import attributes, elements, takers
from jaxlint.tracing.arguments import Arguments, Raw
from jaxlint.tracing.boundary import concrete_result, enter, enter_marked, leave, region_of, trace
from jaxlint.tracing.definitions import info_of
from jaxlint.tracing.values import (
    UNKNOWN,
    Bound,
    Function,
    Library,
    LibraryObject,
    Mode,
    Partial,
    Ref,
    Static,
    Transformed,
    Tuple,
    Unknown,
    Value,
)

if TYPE_CHECKING:
    import libcst as cst

    from jaxlint.knowledge.transform_rows import Transform
    from jaxlint.tracing.interpreter import Interpreter
    from jaxlint.tracing.state import State

_MODES = {"stage": Mode.STAGED, "map": Mode.MAPPED, "diff": Mode.DIFF}
#: Under this name the functions of a haiku pair remember the object that they belong to: keys are told apart by it.
_HOLDER = "haiku object"
#: What `gives` may say beside names of parameters.
_MADE = {"number": "float", "integer": "int"}


def is_function(value: Value | None) -> bool:
    """Whether a value can be called and its text is at hand."""
    return isinstance(value, (Function, Bound, Partial, Transformed))


def as_function(it: Interpreter, value: Value, st: State, node: cst.CSTNode) -> Value | None:
    """The function that is called when ``value`` is: an object's is its ``__call__``. None if it cannot be read."""
    if isinstance(value, Ref) and value.obj.cls is not None and attributes.member(value.obj.cls, "__call__"):
        return attributes.get(it, value, "__call__", st, node)
    return value if is_function(value) else None


# Witnesses: a library object that will trace the function that it is made with ------------------------------------


def witness(it: Interpreter, row: Transform, options: dict[str, Value], node: cst.CSTNode, st: State) -> Value:
    """``NUTS(model)``, ``jaxopt.BFGS(fun)``: note that the functions among the arguments are traced."""
    for name, value in options.items():
        special = TRANSFORMS.get(f"{row.name}.{name}")
        if special is None and (name not in row.params or _runs_once(row, options)):
            continue
        fn = as_function(it, value, st, node)
        if fn is not None:
            it.pending.append(promise(special or row, fn, node, st))
    return LibraryObject(row.name, None if row.name in MAKERS else LibraryObject("made of functions"))


def promise(row: Transform, fn: Value, node: cst.CSTNode, st: State) -> Transformed:
    """A function that ``row`` traces later."""
    made = Transformed(row, fn, {}, node)
    made.conditions = st.conditions
    return made


def _runs_once(row: Transform, options: dict[str, Value]) -> bool:
    """A `Predictive` of one sample runs the model as it is."""
    count = options.get("num_samples")
    return row.name == "numpyro.infer.Predictive" and isinstance(count, Static) and count.const == 1


def given_by(row: Transform, index: int) -> str:
    """What the library passes for a parameter: a word of ``gives``, or ``""`` if that is not known."""
    gives = row.gives
    if gives and gives[-1] == "..." and index >= len(gives) - 1:
        return "tree"
    return gives[index] if index < len(gives) else ""


def made_argument(word: str) -> Value:
    """An argument by its word: a number, anything (to be traced), or left alone."""
    if word in _MADE:
        return Static(type_name=_MADE[word])
    return Unknown() if word == "tree" else Raw(Unknown())


def call_witness(it: Interpreter, value: Transformed, arguments: Arguments, node: cst.CSTNode, st: State) -> Value:
    """Run the function as the library does: what it was given to trace is traced."""
    row = value.transform
    positional = [_traced(it, row, arg, st) for arg in arguments.positional]
    keywords = {name: _traced(it, row, arg, st) for name, arg in arguments.keywords.items()}
    enter(it, value.fn, Arguments(positional, keywords), region_of(it, row, value.node), node, st)
    return it.unknown(node)


def _traced(it: Interpreter, row: Transform, value: Value, st: State) -> Value:
    return trace(it, value, _MODES[row.region], st, filtered=row.filtered)


# Solvers that run their function at once --------------------------------------------------------------------------


def solve(
    it: Interpreter, row: Transform, options: dict[str, Value], arguments: Arguments, node: cst.CSTNode, st: State
) -> Value:
    """``odeint(func, y0, t, *args)``: call the function with what the row says."""
    fn = options.get(row.params[0], UNKNOWN)
    if not isinstance(fn, Library):
        found = as_function(it, fn, st, node)
        if found is None:
            return it.unknown(node)
        fn = found
    given: list[Value] = []
    for word in row.gives:
        if word == "*":
            given.extend(_traced(it, row, arg, st) for arg in arguments.positional[len(row.params) :])
        elif word.startswith("="):
            listed = options.get(word[1:], Tuple(()))
            count = elements.length(it, listed, st)
            if count is None:
                return it.unknown(node)
            given.extend(elements.element(it, listed, i, st, node) for i in range(count))
        elif word in options:
            given.append(_traced(it, row, options[word], st))
        else:
            made = made_argument(word)
            given.append(_traced(it, row, made, st))
    enter(it, fn, Arguments(given, {}), region_of(it, row, node), node, st)
    if row.region == "map":
        return concrete_result(it, arguments.all(), node, certain=False)
    return it.unknown(node)


# Wrappers ---------------------------------------------------------------------------------------------------------


def call_checked(it: Interpreter, value: Transformed, arguments: Arguments, node: cst.CSTNode, st: State) -> Value:
    """``checkify(f)(*args)`` gives an error and the result."""
    row = value.transform
    positional = [_traced(it, row, arg, st) for arg in arguments.positional]
    keywords = {name: _traced(it, row, arg, st) for name, arg in arguments.keywords.items()}
    result = enter(it, value.fn, Arguments(positional, keywords), region_of(it, row, value.node), node, st)
    return Tuple((it.unknown(node), leave(it, result, arguments.all(), st, node, every_leaf=True)))


def call_kernel(it: Interpreter, value: Transformed, arguments: Arguments, node: cst.CSTNode, st: State) -> Value:
    """``pallas_call(kernel, …)(*arrays)``: every parameter of the kernel is a reference."""
    from jaxlint.tracing.calls import signature

    found = signature(it, value.fn)
    if found is not None:
        fn, bound, named = found
        free = [param for param in info_of(it, fn).params[bound:] if param.name.value not in named]
        refs = [LibraryObject(REFERENCE) for _ in free]
        enter(it, value.fn, Arguments(refs, {}), region_of(it, value.transform, value.node), node, st)
    return concrete_result(it, arguments.all(), node, certain=False)


def call_lead(it: Interpreter, value: Transformed, arguments: Arguments, node: cst.CSTNode, st: State) -> Value:
    """``apply(params, rng, *args)`` calls the function with the arguments after the leading ones."""
    row = value.transform
    holder = value.options.get(_HOLDER)
    if isinstance(holder, LibraryObject):
        takers.note_haiku(it, holder, "init" if row is HAIKU_INIT else "apply", arguments, node, st)
    keywords = {name: arg for name, arg in arguments.keywords.items() if name not in row.lead}
    passed = len([name for name in row.lead if name not in arguments.keywords])
    rest = Arguments(arguments.positional[passed:], keywords, open=arguments.open)
    result = enter_marked(it, value.fn, rest, row.name, node, st)
    if row.name == HAIKU_INIT.name:
        return it.unknown(node)
    return Tuple((result, it.unknown(node))) if "state" in row.lead else result


def haiku_transform(it: Interpreter, name: str, arguments: Arguments, node: cst.CSTNode, st: State) -> Value:
    """``hk.transform(f)``: a pair of ``init`` and ``apply``. It traces nothing."""
    fn = arguments.positional[0] if arguments.positional else arguments.keywords.get("f")
    if fn is None:
        return it.unknown(node)
    held: dict[str, Value] = {_HOLDER: LibraryObject(name, fn)}
    init, apply = Transformed(HAIKU_INIT, fn, held, node), Transformed(HAIKU_APPLY[name], fn, held, node)
    return Tuple((init, apply), ("init", "apply"))


def without_rng(it: Interpreter, name: str, arguments: Arguments, node: cst.CSTNode, st: State) -> Value:
    """``hk.without_apply_rng(pair)``: ``apply`` takes no key."""
    pair = arguments.positional[0] if arguments.positional else None
    if not isinstance(pair, Tuple) or pair.names != ("init", "apply") or not isinstance(pair.items[1], Transformed):
        return it.unknown(node)
    row = pair.items[1].transform
    fewer = _without(row, "rng")
    held: dict[str, Value] = {_HOLDER: LibraryObject(name, pair.items[1].fn)}
    fn = pair.items[1].fn
    return Tuple((Transformed(HAIKU_INIT, fn, held, node), Transformed(fewer, fn, held, node)), pair.names)


def _without(row: Transform, name: str) -> Transform:
    from dataclasses import replace

    return replace(row, lead=tuple(lead for lead in row.lead if lead != name))


WITNESSED: dict[str, Any] = {
    "witness": call_witness,
    "checked": call_checked,
    "kernel": call_kernel,
    "lead": call_lead,
}
