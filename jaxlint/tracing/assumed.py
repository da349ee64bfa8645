"""Assumed entries: public functions of modules that the settings say are traced by their users (``assume-traced``).

Nobody shows what is passed to them, so a parameter is traced only if the function itself says that it is an array, by
its annotation, its docstring or what is done with it, and nothing says otherwise. A function without any such parameter
is left alone, and so is one that does what only host code does.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import libcst as cst

from jaxlint.knowledge.annotations import assumed_array, for_the_host
from jaxlint.knowledge.protocols import PROTOCOLS
from jaxlint.knowledge.transforms import TRANSPARENT_DECORATORS
from jaxlint.syntax import children, dotted
from jaxlint.tracing.arguments import Arguments
from jaxlint.tracing.boundary import enter, trace
from jaxlint.tracing.context import AssumedRegion
from jaxlint.tracing.definitions import info_of
from jaxlint.tracing.evidence import Uses, documented
from jaxlint.tracing.objects import assigned_attributes, declarations, summary_of
from jaxlint.tracing.state import Contents, State
from jaxlint.tracing.values import (
    Array,
    ClassValue,
    Function,
    Kind,
    Library,
    Mode,
    Ref,
    Static,
    Step,
    Tuple,
    Unknown,
    Value,
)

if TYPE_CHECKING:
    from jaxlint.config.assumed import AssumedModule
    from jaxlint.tracing.interpreter import Interpreter
    from jaxlint.tracing.modules import ModuleSpace

#: Decorators under which a function is called with the arguments that its signature shows.
_PLAIN_DECORATORS = (TRANSPARENT_DECORATORS | {"builtins.staticmethod", "builtins.classmethod"}) - {
    "functools.lru_cache", "functools.cache", "typing.overload", "typing_extensions.overload",
}  # fmt: skip


def mark_returned(it: Interpreter, space: ModuleSpace, module: AssumedModule) -> None:
    """Note the closures that public functions return: they are run as assumed entries when their makers have run."""
    for fn in _public(it, space):
        returns = _Returns(fn.node)
        for inner in returns.functions:
            it.assumed[inner] = module
        for record in returns.records:
            _note_parts(it, space, returns, record)


def _note_parts(it: Interpreter, space: ModuleSpace, returns: _Returns, record: cst.Call) -> None:
    """The functions of a library's record that a function returns: what each of them will get."""
    protocol = PROTOCOLS.get(space.library_name(record.func))
    if protocol is None:
        return
    names = [name for name, _ in protocol]
    given: dict[str, str] = {}
    for index, arg in enumerate(record.args):
        if type(arg.value) is cst.Name and index < len(names) and not arg.star:
            given[arg.keyword.value if arg.keyword is not None else names[index]] = arg.value.value
    for name, words in protocol:
        inner = returns.inner.get(given.get(name, ""))
        if inner is not None:
            it.parts[inner] = tuple(f"={given.get(word[1:], '')}" if word[0] == "=" else word for word in words)


def run_public(it: Interpreter, space: ModuleSpace, module: AssumedModule) -> None:
    """Run the public functions of a module. Those that return functions are called while a program is set up."""
    public = _public(it, space)
    if not module.named:
        public = _likely(public)
    for fn in public:
        if it.fuel >= 0 and not _makes_functions(it, fn, 0):
            run_assumed(it, fn, State({}, {}, {}, {}), module, "a public function")


def run_assumed(it: Interpreter, fn: Function, st: State, module: AssumedModule, what: str) -> None:
    """Run one function as its users' traces would, if any of its parameters is certainly an array."""
    node = fn.node
    if type(node) is not cst.FunctionDef or it.context.is_traced or info_of(it, fn).is_async:
        return
    uses = Uses(node, fn.space)
    if uses.generator or (uses.host and not module.named) or (fn.cls is not None and assigned_attributes(node)):
        return
    inside = st.copy()
    inside.used = {}
    region = AssumedRegion(module, fn.name, node.name, what)
    values = _Parameters(it, fn, uses, region, inside)
    arguments = values.arguments()
    if not values.any_traced:
        return
    # What an assumption shows is nothing that the rest of the program has been through.
    it.facts.assumed = True
    saved = it.counts, it.general, it.entry
    it.counts, it.general, it.entry = {}, set(it.general), region
    try:
        enter(it, fn, arguments, region, node.name, inside)
    finally:
        it.counts, it.general, it.entry = saved


_KEY_NAME = re.compile(r"(?:^|_)(?:key|rng|prng_key|seed)s?$|^(?:key|rng)")


class _Parameters:
    """What the users of a function pass, as far as its text tells."""

    def __init__(self, it: Interpreter, fn: Function, uses: Uses, region: AssumedRegion, st: State) -> None:
        self.it = it
        self.fn = fn
        self.uses = uses
        self.st = st
        self.region = region
        self.story = Step(region.node, region.sentence(fn.name))
        self.arrays, self.others = documented(_docstring(fn))
        self.any_traced = False

    def arguments(self) -> Arguments:
        """All arguments; what is not traced is unknown."""
        info = info_of(self.it, self.fn)
        positional = [self._part(index, param) or self._value(param) for index, param in enumerate(info.params)]
        if self.fn.cls is not None and self.fn.kind != "static" and positional:
            positional[0] = self.fn.cls if self.fn.kind == "class" else summary_of(self.it, self.fn.cls, self.st)
        keywords = {param.name.value: self._value(param) for param in info.kwonly}
        return Arguments(tuple(positional), keywords, open=bool(info.star or info.star_star))

    def _part(self, index: int, param: cst.Param) -> Value | None:
        """What the library passes, if the function is part of one of its records."""
        words = self.it.parts.get(self.fn.node, ())
        if index >= len(words) or param.default is not None or param.name.value in self.uses.never:
            return None
        name = param.name.value
        if words[index] == "tree":
            return self._traced(param, f"`{name}` is a tree of arrays", certain=False)
        maker = self.st.locals.get(words[index][1:])
        if not isinstance(maker, Function):
            return None
        made = self._array(param, f"`{name}` is made by `{maker.name}`", certain=False)
        with self.it.silent():
            result = enter(self.it, maker, Arguments((made,), {}), self.region, param, self.st.copy())
        state = trace(self.it, result, Mode.STAGED, self.st)
        return made if isinstance(state, (Unknown, Array)) else state

    def _value(self, param: cst.Param) -> Value:
        name = param.name.value
        if param.default is not None:
            # A switch that is off by default asks for something besides: checks, printing.
            off = type(param.default) is cst.Name and param.default.value == "False"
            return Static(False) if off else Unknown()
        if name in self.uses.never:
            return Unknown()
        annotation = param.annotation.annotation if param.annotation is not None else None
        if annotation is None:
            return self._by_use(name, param)
        kind = assumed_array(annotation)
        if kind == "number" and name in self.uses.hardly:
            return Unknown()
        if kind:
            return self._traced(param, f"`{name}` is annotated as an array", certain=kind != "tree")
        return self._of_class(annotation, param, 0) or Unknown()

    def _of_class(self, annotation: cst.BaseExpression, param: cst.Param, depth: int) -> Value | None:
        """A pytree or NamedTuple of a class of this file: fields that are annotated as arrays are traced."""
        cls = self.it.lookup(annotation.value, self.st) if type(annotation) is cst.Name else None
        if not isinstance(cls, ClassValue) or cls.family not in ("namedtuple", "pytree") or depth > 3:
            return None
        fields: dict[str, Value] = {}
        for name, declared in declarations(cls).items():
            kind = declared.annotation.annotation
            array = assumed_array(kind)
            if array in ("array", "tree"):
                text = f"`{name}` of `{param.name.value}` is annotated as an array"
                fields[name] = self._array(param, text, certain=array == "array")
            else:
                fields[name] = self._of_class(kind, param, depth + 1) or Unknown()
        if cls.family == "namedtuple":
            return Tuple(tuple(fields.values()), tuple(fields), cls)
        return self.it.allocate("instance", cls.node, Contents(None, fields), self.st, cls)

    def _by_use(self, name: str, param: cst.Param) -> Value:
        if name in self.uses.hardly or name in self.others:
            return Unknown()
        if name in self.arrays:
            return self._traced(param, f"the docstring says that `{name}` is an array", certain=False)
        operation = self.uses.arrays.get(name)
        if operation is not None:
            return self._traced(param, f"`{name}` is used as an array (`{operation}`)", certain=False)
        return Unknown()

    def _traced(self, param: cst.Param, why: str, *, certain: bool) -> Array:
        # Keys are made and split on the host as well: a key alone says nothing about a trace.
        self.any_traced = self.any_traced or not _KEY_NAME.search(param.name.value)
        return self._array(param, why, certain=certain)

    def _array(self, param: cst.Param, why: str, *, certain: bool) -> Array:
        depth = self.it.context.trace_depth + 1
        return Array(Kind.TRACED, Mode.STAGED, certain=certain, origin=Step(param, why, self.story), depth=depth)


def _public(it: Interpreter, space: ModuleSpace) -> list[Function]:
    exported = _exported(it, space)
    return [fn for fn in space.functions if _is_public(fn, exported) and _is_plain(fn, space)]


def _likely(public: list[Function]) -> list[Function]:
    """Of the functions in a package those that are likely to be meant for its users' traces.

    Where a module documents its functions, one without a docstring is a helper of its own.
    """
    documents = any(_docstring(fn) for fn in public if fn.cls is None)
    return [
        fn for fn in public if not _returns_no_array(fn) and (_docstring(fn) or fn.cls is not None or not documents)
    ]


def _returns_no_array(fn: Function) -> bool:
    returns = fn.node.returns if type(fn.node) is cst.FunctionDef else None
    return returns is not None and for_the_host(returns.annotation)


def _docstring(fn: Function) -> str:
    return (fn.node.get_docstring() or "") if type(fn.node) is cst.FunctionDef else ""


def _exported(it: Interpreter, space: ModuleSpace) -> frozenset[str] | None:
    """The names in ``__all__`` that the module itself defines; None without such."""
    listed = space.state.locals.get("__all__")
    held = it.contents(listed.obj, space.state) if isinstance(listed, Ref) else None
    items = listed.items if isinstance(listed, Tuple) else held.items if held is not None else None
    names = frozenset(str(item.const) for item in items or () if isinstance(item, Static) and item.known)
    return names or None


def _is_public(fn: Function, exported: frozenset[str] | None) -> bool:
    outer = fn.cls.name if fn.cls is not None else fn.name
    if fn.cls is not None and fn.name.startswith("_") and fn.name != "__call__":
        return False
    return outer in exported if exported is not None else not outer.startswith("_")


def _is_plain(fn: Function, space: ModuleSpace) -> bool:
    if type(fn.node) is not cst.FunctionDef or fn.kind == "property":
        return False
    makers = [one.decorator.func if type(one.decorator) is cst.Call else one.decorator for one in fn.node.decorators]
    return all(space.library_name(maker) in _PLAIN_DECORATORS for maker in makers)


def _makes_functions(it: Interpreter, fn: Function, depth: int) -> bool:
    """Whether a function returns functions: its own, or what another one of the project makes."""
    returns = _Returns(fn.node)
    if returns.functions or returns.makes_lambda:
        return True
    for name in returns.calls if depth < 4 else ():
        root, dot, rest = name.partition(".")
        maker = fn.space.state.locals.get(root)
        if isinstance(maker, Library):
            with it.in_module(fn.space):
                maker = it.program.resolve(it, Library("", f"{maker.written}{dot}{rest}"))
        if isinstance(maker, Function) and maker is not fn and _makes_functions(it, maker, depth + 1):
            return True
    return False


class _Returns:
    """What a function returns, by its text: functions of its own, a lambda, the results of which calls."""

    def __init__(self, node: Any) -> None:
        inner: dict[str, cst.FunctionDef] = {}
        self.inner = inner
        self.records: list[cst.Call] = []
        self.names: set[str] = set()
        self.calls: set[str] = set()
        self.makes_lambda = False
        stack: list[Any] = [node.body]
        while stack:
            one = stack.pop()
            if type(one) is cst.FunctionDef:
                inner[one.name.value] = one
            elif type(one) is cst.Return and one.value is not None:
                self._value(one.value)
            elif type(one) not in (cst.ClassDef, cst.Lambda):
                stack.extend(children(one))
        self.functions = [fn for name, fn in inner.items() if name in self.names]

    def _value(self, node: cst.BaseExpression) -> None:
        """A value that is handed on as it is: alone, in a tuple, or as an argument of a call."""
        if type(node) is cst.Name:
            self.names.add(node.value)
        elif type(node) is cst.Lambda:
            self.makes_lambda = True
        elif isinstance(node, (cst.Tuple, cst.List)):
            for element in node.elements:
                self._value(element.value)
        elif type(node) is cst.Call:
            self.calls.add(dotted(node.func))
            self.records.append(node)
            for arg in node.args:
                if type(arg.value) is not cst.Lambda:  # jax.tree.map(lambda …)
                    self._value(arg.value)
