"""Definitions: functions with their defaults and decorators, classes with their families and fields."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import libcst as cst

from jaxlint.knowledge.classes import DATACLASS_DECORATORS, FAMILY_BY_BASE, HARMLESS_BASES, PYTREE_DECORATORS
from jaxlint.knowledge.transforms import TRANSPARENT_DECORATORS
from jaxlint.tracing import elements
from jaxlint.tracing.values import (
    UNKNOWN,
    ClassValue,
    Function,
    Library,
    LibraryObject,
    Partial,
    Static,
    Transformed,
    Unknown,
    Value,
)

if TYPE_CHECKING:
    from jaxlint.tracing.interpreter import Interpreter
    from jaxlint.tracing.modules import ModuleSpace
    from jaxlint.tracing.state import State


class FunctionInfo:
    """What a function's own text says, once: its parameters, the names it declares, whether it yields."""

    __slots__ = (
        "body",
        "global_names",
        "is_async",
        "is_generator",
        "keyword_names",
        "kwonly",
        "names",
        "nonlocal_names",
        "params",
        "star",
        "star_star",
    )

    def __init__(self, node: cst.FunctionDef | cst.Lambda, space: ModuleSpace) -> None:
        parameters = node.params
        self.params = (*parameters.posonly_params, *parameters.params)
        self.kwonly = tuple(parameters.kwonly_params)
        #: The names that positional arguments go to, and those that keywords may say.
        self.names = tuple(param.name.value for param in self.params)
        self.keyword_names = frozenset((*self.names, *(param.name.value for param in self.kwonly)))
        star = parameters.star_arg
        self.star = star.name.value if type(star) is cst.Param else ""
        self.star_star = parameters.star_kwarg.name.value if parameters.star_kwarg is not None else ""
        self.body: Any = node.body.body if type(node) is cst.FunctionDef else None
        self.is_async = type(node) is cst.FunctionDef and node.asynchronous is not None
        self.global_names: frozenset[str] = frozenset()
        self.nonlocal_names: frozenset[str] = frozenset()
        self.is_generator = False
        if type(node) is cst.FunctionDef and space.declares:
            self._scan(node.body)

    def _scan(self, body: cst.BaseSuite) -> None:
        globals_: set[str] = set()
        nonlocals: set[str] = set()
        stack: list[Any] = [body]
        while stack:
            node = stack.pop()
            kind = node.__class__
            if kind is cst.Yield:
                self.is_generator = True
            elif kind is cst.Global:
                globals_.update(item.name.value for item in node.names)
            elif kind is cst.Nonlocal:
                nonlocals.update(item.name.value for item in node.names)
            elif kind in _STATEMENTS:
                _push_statements(node, stack)
        self.global_names, self.nonlocal_names = frozenset(globals_), frozenset(nonlocals)


_STATEMENTS = frozenset(
    {
        cst.IndentedBlock,
        cst.SimpleStatementLine,
        cst.SimpleStatementSuite,
        cst.If,
        cst.Else,
        cst.For,
        cst.While,
        cst.With,
        cst.Try,
        cst.TryStar,
        cst.Match,
        cst.Expr,
        cst.Assign,
        cst.AugAssign,
        cst.AnnAssign,
        cst.Return,
        cst.Await,
        cst.ExceptHandler,
        cst.ExceptStarHandler,
        cst.Finally,
        cst.MatchCase,
    }
)


def _push_statements(node: Any, stack: list[Any]) -> None:
    for name in ("body", "orelse", "finalbody", "value"):
        part = getattr(node, name, None)
        if part is None:
            continue
        if isinstance(part, (tuple, list)):
            stack.extend(part)
        else:
            stack.append(part)
    if type(node) is cst.Try or type(node) is cst.TryStar:
        stack.extend(node.handlers)
    if type(node) is cst.Match:
        stack.extend(node.cases)


def info_of(it: Interpreter, fn: Function) -> FunctionInfo:
    """The function's info, computed once."""
    found = it.infos.get(fn.node)
    if found is None:
        found = it.infos[fn.node] = FunctionInfo(fn.node, fn.space)
    return found


def make_function(it: Interpreter, node: cst.FunctionDef | cst.Lambda, name: str, st: State) -> Function:
    """The function value, with its defaults evaluated here."""
    defaults: dict[str, Value] = {}
    for param in (*node.params.posonly_params, *node.params.params, *node.params.kwonly_params):
        if param.default is not None:
            defaults[param.name.value] = it.eval(param.default, st)
    return Function(node, name, it.context.frame, defaults, it.context.space)


def define_function(it: Interpreter, node: cst.FunctionDef, st: State) -> None:
    """``def``: bind the name to the function under its decorators."""
    name = node.name.value
    fn = make_function(it, node, name, st)
    it.found(fn)
    value: Value = fn
    for decorator in reversed(node.decorators):
        value = _decorate(it, decorator, value, fn, st)
    st.locals[name] = value


def _decorate(it: Interpreter, decorator: cst.Decorator, value: Value, fn: Function, st: State) -> Value:
    node = decorator.decorator
    maker = it.eval(node, st)
    name = ""
    if isinstance(maker, Library):
        name = maker.name
    elif isinstance(maker, LibraryObject) and maker.owner is None:
        name = maker.cls
    if name in TRANSPARENT_DECORATORS or name == "jaxlint.identity":
        return value
    if name == "builtins.staticmethod":
        fn.kind = "static"
        return value
    if name == "builtins.classmethod":
        fn.kind = "class"
        return value
    if name in ("builtins.property", "functools.cached_property"):
        fn.kind = "property"
        return value
    if isinstance(maker, LibraryObject) and maker.owner is not None:
        return _method_decorator(maker, value, fn)
    if isinstance(maker, (Library, Partial, Function, Transformed, Unknown)):
        result = it.call_value(maker, (value,), {}, node, st)
        if (
            isinstance(result, Unknown)
            and isinstance(maker, Library)
            and maker.name.startswith(("pytest.", "unittest.", "absl."))
        ):
            return value
        return result
    return UNKNOWN


def _method_decorator(maker: LibraryObject, value: Value, fn: Function) -> Value:
    """``@x.setter``, ``@f.defjvp``, ``@parameterized.parameters(…)``."""
    if maker.method in ("setter", "deleter", "getter"):
        fn.kind = "property"
    if isinstance(maker.owner, Transformed) and maker.method in _RULE_MAKERS:
        maker.owner.rules = (*maker.owner.rules, value)
    return value


#: Methods of a transformed function that take a rule of its differentiation or batching, as a decorator.
_RULE_MAKERS = frozenset({"defjvp", "defvjp", "def_vmap", "def_jvp", "def_fwd", "def_bwd"})


def define_class(it: Interpreter, node: cst.ClassDef, st: State) -> None:
    """``class``: evaluate bases and body, tell the family, collect fields and methods."""
    name = node.name.value
    bases = tuple(_base(it, it.eval(arg.value, st)) for arg in node.bases if arg.keyword is None and arg.star == "")
    cls = ClassValue(node, name, it.context.frame, bases)
    cls.family = _family(bases)
    cls.space = it.context.space
    inside = st.copy()
    it.classes.append(cls)
    it.block(node.body.body, inside)
    it.classes.pop()
    for key, value in inside.locals.items():
        if st.locals.get(key) is not value:
            cls.members[key] = value
            _own(value, cls)
    st.heap, st.used = inside.heap, inside.used
    for base in reversed(bases):
        if isinstance(base, ClassValue):
            cls.fields = {**base.fields, **cls.fields}
    _collect_fields(cls, node)
    for decorator in node.decorators:
        _decorate_class(it, cls, it.eval(decorator.decorator, st), st)
    it.found_class(cls)
    st.locals[name] = cls


def _base(it: Interpreter, value: Value) -> Value:
    """A base class; one that the tables do not know is looked for in the project's files."""
    if isinstance(value, Library) and value.name not in FAMILY_BY_BASE and value.name not in HARMLESS_BASES:
        found = it.program.resolve(it, value)
        return found if isinstance(found, ClassValue) else value
    return value


def _own(value: Value, cls: ClassValue) -> None:
    while isinstance(value, (Transformed, Partial)):
        value = value.args[0] if isinstance(value, Partial) and value.args else value.fn
    if isinstance(value, Function) and value.cls is None:
        value.cls = cls


def _family(bases: tuple[Value, ...]) -> str:
    for base in bases:
        if isinstance(base, ClassValue):
            if base.family != "plain":
                return base.family
        elif isinstance(base, Library):
            family = FAMILY_BY_BASE.get(base.name)
            if family is not None:
                return family
            if base.name not in HARMLESS_BASES:
                return "foreign"
        elif isinstance(base, LibraryObject):
            family = FAMILY_BY_BASE.get(base.cls)  # Generic[T], Protocol[T], nnx.Variable[T]
            if family is not None:
                return family
        else:
            return "foreign"
    return "plain"


def _collect_fields(cls: ClassValue, node: cst.ClassDef) -> None:
    for line in node.body.body:
        if type(line) is not cst.SimpleStatementLine:
            continue
        for statement in line.body:
            if type(statement) is cst.AnnAssign and type(statement.target) is cst.Name:
                name = statement.target.value
                default = cls.members.pop(name, None)
                cls.fields.pop(name, None)
                cls.fields[name] = default if statement.value is not None else None


def register(it: Interpreter, cls: ClassValue, name: str, meta: Value | None, st: State) -> None:
    """Make a class a pytree. ``meta``: the names of the fields that are static; without it all are leaves."""
    if cls.family in ("plain", "dataclass"):
        cls.family = "pytree"
    cls.flattens = name.startswith("jax.tree_util.register_") and name != "jax.tree_util.register_dataclass"
    if meta is not None:
        count = elements.length(it, meta, st)
        words = [elements.element(it, meta, index, st, cls.node) for index in range(count or 0)]
        cls.meta = frozenset(word.const for word in words if isinstance(word, Static) and isinstance(word.const, str))
        cls.flattens = cls.flattens or count is None or len(cls.meta) != count


def _decorate_class(it: Interpreter, cls: ClassValue, maker: Value, st: State) -> None:
    name = maker.name if isinstance(maker, Library) else maker.cls if isinstance(maker, LibraryObject) else ""
    if isinstance(maker, Partial) and isinstance(maker.fn, Library):
        name = maker.fn.name
    if name in PYTREE_DECORATORS:
        register(it, cls, name, maker.kwargs.get("meta_fields") if isinstance(maker, Partial) else None, st)
    elif name in DATACLASS_DECORATORS:
        cls.family = "dataclass" if cls.family == "plain" else cls.family
    elif name not in HARMLESS_BASES and cls.family == "plain":
        cls.family = "foreign"
