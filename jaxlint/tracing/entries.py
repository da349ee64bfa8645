"""Entries: functions that nobody calls where we can see it.

A transformed function is witnessed: JAX will trace it with arrays. Its parameters without a default are traced;
one with a default may never be passed, and a default that nobody passes stays a Python value. A plain function is
run with unknown arguments: enough for keys and for concrete arrays.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from jaxlint.knowledge.annotations import is_array_annotation, never_array, python_type
from jaxlint.tracing.arguments import Arguments, Raw
from jaxlint.tracing.boundary import leading, static_choice
from jaxlint.tracing.calls import call_function, plain_arguments, signature
from jaxlint.tracing.definitions import info_of
from jaxlint.tracing.objects import class_named, declarations, summary_of
from jaxlint.tracing.state import Contents, State
from jaxlint.tracing.transforms import call_transformed
from jaxlint.tracing.values import Array, ClassValue, Function, Kind, Static, Transformed, Tuple, Unknown, Value
from jaxlint.tracing.witnesses import given_by, made_argument

if TYPE_CHECKING:
    from jaxlint.tracing.interpreter import Interpreter
    from jaxlint.tracing.modules import ModuleSpace


def run_pending(it: Interpreter, st: State) -> None:
    """Run what this context made and did not call."""
    from jaxlint.tracing.assumed import run_assumed

    queue, it.pending = it.pending, []
    for value in queue:
        if value.ran or it.fuel < 0:
            continue
        if isinstance(value, Transformed):
            run_transformed(it, value, st)
    for value in queue:
        if isinstance(value, Function) and not value.ran and it.fuel >= 0:
            run_plain(it, value, st)
            if value.node in it.assumed:
                run_assumed(it, value, st, it.assumed[value.node], "returned by a public function")
    if it.pending and it.fuel >= 0 and len(it.active) < 20:
        run_pending(it, st)


def run_plain(it: Interpreter, fn: Function, st: State) -> None:
    """Run a function with unknown arguments; ``self`` is the class's summary instance."""
    info = info_of(it, fn)
    arguments = plain_arguments(it, fn, info)
    if fn.cls is not None and fn.kind != "static" and arguments.positional:
        owner: Value = fn.cls if fn.kind == "class" else summary_of(it, fn.cls, st)
        arguments = Arguments((owner, *arguments.positional[1:]), arguments.keywords, open=True)
    inside = _start(it, st)
    inside.used = {}  # whether and when it is called, after which other use of a key, is not known
    with it.baked.apart():
        call_function(it, fn, arguments, fn.node, inside)


def _start(it: Interpreter, st: State) -> State:
    """The state in which an entry begins. A module's own objects are seen from everywhere and need not come along."""
    return st.copy() if it.context.frame is not None else State({}, {}, {}, {})


def run_inherited(it: Interpreter, cls: ClassValue, st: State) -> None:
    """Run the transformed methods that a class inherits: what they call may be its own methods."""
    seen = set(cls.members)
    bases = [base for base in cls.bases if isinstance(base, ClassValue)]
    while bases and it.fuel >= 0:
        base = bases.pop(0)
        for name, value in base.members.items():
            if isinstance(value, Transformed) and name not in seen and set(cls.members) - _PLUMBING:
                run_transformed(it, value, st, owner=cls)
            seen.add(name)
        bases.extend(one for one in base.bases if isinstance(one, ClassValue))


#: Methods that no inherited method calls on an instance.
_PLUMBING = frozenset({"__init__", "__post_init__", "__repr__", "__str__"})


def run_transformed(it: Interpreter, value: Transformed, st: State, owner: ClassValue | None = None) -> None:
    """Run a transformed function that nobody calls, with the arguments that JAX would trace.

    ``owner``: the class whose instance ``self`` is, where that is not the one that defines the method.
    """
    value.ran = True
    found = signature(it, value)
    if found is None:
        return
    fn, bound, named = found
    info = info_of(it, fn)
    positional: list[Value] = []
    keywords: dict[str, Value] = {}
    static = static_choice(it, value) if value.transform.binder in ("jit", "checkpoint", "vmap") else None
    owner_first = fn.cls is not None and bound == 0 and fn.kind != "static"
    positional.extend(Unknown() for _ in leading(value))
    for number, param in enumerate(info.params):
        if number < bound or param.name.value in named:
            continue
        if owner_first and number == 0:
            assert fn.cls is not None
            positional.append(summary_of(it, owner or fn.cls, st))
            continue
        if value.transform.binder == "witness":
            positional.append(_witnessed(it, value, fn, param, number - bound - owner_first, st))
            continue
        if static is not None and (static.position(len(positional)) or static.name(param.name.value)):
            positional.append(Raw(Unknown()))
            continue
        positional.append(entry_argument(it, fn, param, st, assumed=param.default is not None))
    for param in info.kwonly:
        if param.name.value not in named and value.transform.binder != "witness":
            keywords[param.name.value] = entry_argument(it, fn, param, st, assumed=param.default is not None)
    inside = _start(it, st)
    inside.used = {}
    inside.conditions = (*inside.conditions, *value.conditions)
    call_transformed(it, value, Arguments(tuple(positional), keywords), value.node, inside)


def _witnessed(it: Interpreter, value: Transformed, fn: Function, param: cst.Param, index: int, st: State) -> Value:
    """What a library passes to a function that it was made with."""
    word = given_by(value.transform, index)
    if word == "tree":
        return entry_argument(it, fn, param, st, assumed=False)
    return made_argument(word)


def entry_argument(it: Interpreter, fn: Function, param: cst.Param, st: State, *, assumed: bool) -> Value:
    """What an unseen caller passes. ``assumed``: the caller may leave it to its default."""
    if assumed or (param.annotation is not None and never_array(param.annotation.annotation)):
        return Raw(Unknown())
    if param.annotation is None:
        return Unknown()
    return annotated(it, fn.space, param.annotation.annotation, st, 0)


def annotated(it: Interpreter, space: ModuleSpace, annotation: cst.BaseExpression, st: State, depth: int) -> Value:
    """A value of an annotated type: an array, a number, a NamedTuple or dataclass of the project, else unknown."""
    if is_array_annotation(annotation):
        return Array(Kind.CONCRETE)
    name = python_type(annotation)
    if name:
        return Static(type_name=name)
    cls = class_named(it, space, annotation) if depth <= 3 else None
    if cls is None or cls.family not in ("namedtuple", "pytree", "dataclass"):
        return Unknown()
    declared = declarations(cls)
    fields = {
        field: annotated(it, cls.space or space, declared[field].annotation.annotation, st, depth + 1)
        if field in declared
        else Unknown()
        for field in cls.fields
    }
    if cls.family == "namedtuple":
        return Tuple(tuple(fields.values()), tuple(fields), cls)
    return it.allocate("instance", cls.node, Contents(None, fields), st, cls)
