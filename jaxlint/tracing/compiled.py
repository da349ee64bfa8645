"""Compile boundaries: what is passed to a function that JAX traces and keeps compiled, and what it makes of it.

A static argument must be hashable, any other one must be an array or a pytree of arrays and numbers. What breaks that
is noted here, where the heap is at hand; rules judge it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import libcst as cst

from jaxlint.knowledge.annotations import python_type
from jaxlint.knowledge.compile_boundary import (
    NAMES_OF_ARRAYS,
    NEVER_TRACED,
    OPAQUE_FAMILIES,
    UNHASHABLE_FORMS,
)
from jaxlint.tracing.arguments import Arguments
from jaxlint.tracing.definitions import info_of
from jaxlint.tracing.values import (
    Array,
    Bound,
    ClassValue,
    Function,
    Kind,
    Library,
    Ref,
    Sequence,
    Static,
    Step,
    Transformed,
    Tuple,
    Unknown,
    Value,
)

if TYPE_CHECKING:
    from jaxlint.tracing.boundary import StaticChoice
    from jaxlint.tracing.context import Context
    from jaxlint.tracing.interpreter import Interpreter
    from jaxlint.tracing.state import State


class Passed(NamedTuple):
    """One argument of a call of a transformed function.

    ``node``: the expression that was written for it, where there is one. ``trouble``: what it is, in words, if a static
    argument cannot be hashed or any other one cannot be traced ("a list", "a string").
    """

    name: str
    param: cst.Param | None
    value: Value
    static: bool
    node: cst.BaseExpression | None
    trouble: str


class JitCall(NamedTuple):
    """A call of a transformed function. ``assumed``: nobody calls it where we can see it; JAX's callers will.

    ``loops``: the loops of the calling function around the call, outermost first.
    """

    node: cst.CSTNode
    wrapped: Transformed
    function: Function | None
    static: StaticChoice
    passed: tuple[Passed, ...]
    loops: tuple[cst.CSTNode, ...]
    assumed: bool
    context: Context


class Flag(NamedTuple):
    """A Python truth value that a trace takes the value from: a parameter that should be static."""

    name: str
    wrapped: Transformed
    call: cst.CSTNode
    assumed: bool


class Repeated(NamedTuple):
    """A call of a function that is made again and again: in a ``loop``, or (None) by a function that is in one."""

    node: cst.CSTNode
    loop: cst.CSTNode | None


def note_repetition(it: Interpreter, function: cst.CSTNode, node: cst.CSTNode) -> None:
    """A function is called: remember it if that happens again and again, outside of any trace."""
    if it.context.regions or it.quiet or function in it.facts.repeated:
        return
    if it.loops:
        it.facts.repeated[function] = Repeated(node, it.loops[-1])
    elif it.context.function in it.facts.repeated:
        it.facts.repeated[function] = Repeated(node, None)


def note_call(
    it: Interpreter,
    wrapped: Transformed,
    static: StaticChoice,
    given: Arguments,
    traced: Arguments,
    node: cst.CSTNode,
    st: State,
) -> None:
    """Leave a fact about a call. ``given`` is what the caller passes, ``traced`` what the function gets."""
    from jaxlint.tracing.calls import signature

    if it.quiet or it.muted or given.open:
        return
    found = signature(it, wrapped.fn)
    function, bound, named = found if found is not None else (None, 0, frozenset())
    if wrapped.transform.filtered:
        given = Arguments((), {})  # whatever is passed is taken as it should be
    params = _parameters(it, function, bound, named)
    written = _written(node, len(given.positional))
    passed: list[Passed] = []
    for i, value in enumerate(given.positional):
        param = params[i] if i < len(params) else None
        fixed = static.position(i)
        passed.append(_passed(it, param, "", value, fixed, written.get(i), st))
        if not fixed and function is not None and param is not None:
            _note_flag(it, wrapped, function, param, value, traced.positional[i], node)
    by_name = {param.name.value: param for param in params}
    if function is not None:
        by_name.update((param.name.value, param) for param in info_of(it, function).kwonly)
    for name, value in given.keywords.items():
        param = by_name.get(name)
        fixed = static.name(name)
        passed.append(_passed(it, param, name, value, fixed, written.get(name), st))
        if not fixed and function is not None and param is not None:
            _note_flag(it, wrapped, function, param, value, traced.keywords[name], node)
    if function is not None:
        it.facts.spaces.setdefault(function.space)
    it.facts.spaces.setdefault(it.context.space)
    assumed = node is wrapped.node
    it.facts.jit_calls.append(JitCall(node, wrapped, function, static, tuple(passed), it.loops, assumed, it.context))


def _parameters(it: Interpreter, function: Function | None, bound: int, named: frozenset[str]) -> tuple[cst.Param, ...]:
    """The parameters that a positional argument can still reach."""
    if function is None:
        return ()
    return tuple(param for param in info_of(it, function).params[bound:] if param.name.value not in named)


def _written(node: cst.CSTNode, count: int) -> dict[int | str, cst.BaseExpression]:
    """The expressions that were written for arguments, by position and name. ``count``: positional arguments in all."""
    if type(node) is not cst.Call or any(arg.star for arg in node.args):
        return {}
    positional = [arg.value for arg in node.args if arg.keyword is None]
    shift = count - len(positional)  # a bound ``self``, arguments of a partial
    out: dict[int | str, cst.BaseExpression] = {i + shift: value for i, value in enumerate(positional)}
    out.update((arg.keyword.value, arg.value) for arg in node.args if arg.keyword is not None)
    return out


def _passed(
    it: Interpreter,
    param: cst.Param | None,
    name: str,
    value: Value,
    static: bool,
    node: cst.BaseExpression | None,
    st: State,
) -> Passed:
    trouble = unhashable(it, value, st) if static else untraceable(it, value, st)
    return Passed(name or (param.name.value if param is not None else ""), param, value, static, node, trouble)


def _note_flag(
    it: Interpreter,
    wrapped: Transformed,
    function: Function,
    param: cst.Param,
    given: Value,
    traced: Value,
    node: cst.CSTNode,
) -> None:
    """A Python truth value that is traced: remember it by the story that everything made of it will carry."""
    if not isinstance(traced, Array) or not isinstance(given, (Static, Unknown)):
        return
    declared = param.annotation is not None and python_type(param.annotation.annotation) == "bool"
    missing = type(param.default) is cst.Name and param.default.value == "None"
    if isinstance(given, Static):
        if given.type_name != "bool":
            return
    elif not declared or missing:
        return
    name = param.name.value
    entered = Step(wrapped.node, f"`{function.name}` is {wrapped.transform.label} here")
    traced.origin = Step(param, f"`{name}` is traced: a parameter of `{function.name}`", entered)
    traced.dtype, traced.ndim, traced.certain = "bool", 0, True
    it.facts.flags[traced.origin] = Flag(name, wrapped, node, node is wrapped.node)


# What JAX cannot take -----------------------------------------------------------------------------------------------


def untraceable(it: Interpreter, value: Value, st: State, depth: int = 0) -> str:
    """What a value is that JAX cannot trace, in words ("a string"), or ``""``."""
    if isinstance(value, Static):
        return NEVER_TRACED.get(value.type_name, "") if value.known else ""
    if isinstance(value, (Function, Bound)):
        return "a function"
    if isinstance(value, Transformed):
        return "" if value.transform.filtered else "a function"
    if isinstance(value, ClassValue):
        return "a class"
    if isinstance(value, Library):
        return _untraceable_name(value.name)
    if isinstance(value, Sequence):
        return "a range" if value.form == "range" else ""
    if isinstance(value, Tuple) and depth < 3:
        return _inside("a tuple", tuple(untraceable(it, item, st, depth + 1) for item in value.items))
    if isinstance(value, Ref) and depth < 3:
        return _untraceable_object(it, value, st, depth)
    return ""


def _inside(holder: str, parts: tuple[str, ...]) -> str:
    found = next((part for part in parts if part), "")
    return f"{holder} with {found.partition(' with ')[2] or found} in it" if found else ""


def _untraceable_name(name: str) -> str:
    root, _, last = name.rpartition(".")
    if root == "builtins":
        return "a class" if last in ("int", "float", "bool", "str", "complex") else ""
    if root in ("jax.numpy", "jax.nn", "jax.lax") and last not in NAMES_OF_ARRAYS:
        return "a function or a dtype"
    return ""


def _untraceable_object(it: Interpreter, ref: Ref, st: State, depth: int) -> str:
    obj = ref.obj
    if obj.form == "set":
        return "a set"
    if obj.form == "instance":
        return f"a `{obj.cls.name}`" if obj.cls is not None and is_opaque(it, obj.cls) else ""
    held = it.contents(obj, st)
    if held is None or obj.form not in ("list", "dict"):
        return ""
    values = (*(held.items or ()), *held.fields.values())
    return _inside(f"a {obj.form}", tuple(untraceable(it, value, st, depth + 1) for value in values))


def is_opaque(it: Interpreter, cls: ClassValue) -> bool:
    """Whether an instance is certainly no pytree: nothing in its file registers classes, and it does not itself."""
    if cls.family not in OPAQUE_FAMILIES or cls.node.keywords:
        return False
    if len(cls.node.decorators) > (cls.family == "dataclass"):
        return False
    space = next((value.space for value in cls.members.values() if isinstance(value, Function)), it.context.space)
    if "register" in space.source.text or "register" in it.context.space.source.text:
        return False
    if any(name in cls.members for name in ("tree_flatten", "__init_subclass__", "__jax_array__")):
        return False
    return all(not isinstance(base, ClassValue) or is_opaque(it, base) for base in cls.bases)


def unhashable(it: Interpreter, value: Value, st: State, depth: int = 0) -> str:
    """What a value is that has no hash, in words ("a list"), or ``""``."""
    if isinstance(value, Array):
        # NumPy's numbers have a hash: of NumPy only what was made as an array for certain.
        known = value.kind is not Kind.HOST or value.origin is not None
        return "an array" if value.certain and known else ""
    if isinstance(value, Tuple) and depth < 3:
        return _inside("a tuple", tuple(unhashable(it, item, st, depth + 1) for item in value.items))
    if not isinstance(value, Ref):
        return ""
    if value.obj.form != "instance":
        return UNHASHABLE_FORMS.get(value.obj.form, "")
    cls = value.obj.cls
    if cls is None:
        return ""
    if cls.family == "dataclass":
        return f"a `{cls.name}`, a dataclass that is not frozen," if _is_unhashable_dataclass(cls) else ""
    if cls.family == "plain" and "__eq__" in cls.members and "__hash__" not in cls.members:
        return f"a `{cls.name}`, a class with `__eq__` and without `__hash__`,"
    return ""


def _is_unhashable_dataclass(cls: ClassValue) -> bool:
    """``@dataclass`` makes ``__eq__`` and takes the hash away, unless it is frozen or told otherwise."""
    if "__hash__" in cls.members or len(cls.node.decorators) != 1:
        return False
    decorator = cls.node.decorators[0].decorator
    if type(decorator) is not cst.Call:
        return True
    words = {arg.keyword.value for arg in decorator.args if arg.keyword is not None}
    return not words & {"frozen", "eq", "unsafe_hash"}
