"""Objects: making instances, and the summary instance that stands for ``self`` where nobody shows one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from jaxlint.knowledge.annotations import JAX_ARRAYS, is_array_annotation, never_array, python_type
from jaxlint.knowledge.libraries import VARIABLE
from jaxlint.knowledge.names import canonical
from jaxlint.syntax import dotted, visit
from jaxlint.tracing import attributes
from jaxlint.tracing.arguments import Arguments
from jaxlint.tracing.keys import KeyToken
from jaxlint.tracing.state import Contents, HeapObject, State
from jaxlint.tracing.values import (
    Array,
    ClassValue,
    Function,
    Kind,
    Library,
    LibraryObject,
    Partial,
    Ref,
    Static,
    Transformed,
    Tuple,
    Unknown,
    Value,
)

if TYPE_CHECKING:
    from jaxlint.tracing.context import Context
    from jaxlint.tracing.definitions import FunctionInfo
    from jaxlint.tracing.interpreter import Interpreter
    from jaxlint.tracing.modules import ModuleSpace

_GENERATED_INIT = frozenset({"linen", "equinox", "dataclass", "pytree", "namedtuple"})


def instantiate(it: Interpreter, cls: ClassValue, arguments: Arguments, node: cst.CSTNode, st: State) -> Value:
    """``Class(…)``."""
    from jaxlint.tracing.calls import call, call_unknown

    if cls.family == "namedtuple":
        return _named_tuple(it, cls, arguments, node)
    if cls.family == "variable" and attributes.member(cls, "__init__") is None:
        return LibraryObject(VARIABLE, held=arguments.positional[:1])
    if cls.family == "enum" or attributes.member(cls, "__new__") is not None:
        return call_unknown(it, arguments, node, st)
    init = attributes.member(cls, "__init__")
    ref = it.allocate("instance", node, Contents(), st, cls)
    if init is not None:
        made, ref.obj.is_global = ref.obj.is_global, False  # its fields are the caller's to see
        call(it, init, Arguments((ref, *arguments.positional), arguments.keywords, open=arguments.open), node, st)
        ref.obj.is_global = made
        return ref
    if cls.family in _GENERATED_INIT:
        st.heap[ref.obj] = Contents(None, _fields(it, cls, arguments, node))
        post = attributes.member(cls, "__post_init__")
        if isinstance(post, Function):
            call(it, post, Arguments((ref,), {}), node, st)
    elif cls.family == "foreign":
        return call_unknown(it, arguments, node, st)
    return ref


def _fields(it: Interpreter, cls: ClassValue, arguments: Arguments, node: cst.CSTNode) -> dict[str, Value]:
    out: dict[str, Value] = {}
    positional = list(arguments.positional)
    for name, default in cls.fields.items():
        if name in arguments.keywords:
            out[name] = arguments.keywords[name]
        elif positional:
            out[name] = positional.pop(0)
        elif default is not None and not arguments.open and isinstance(default, (Static, Tuple)):
            out[name] = default
        else:
            out[name] = it.unknown(node)
    return out


def _named_tuple(it: Interpreter, cls: ClassValue, arguments: Arguments, node: cst.CSTNode) -> Value:
    fields = _fields(it, cls, arguments, node)
    return Tuple(tuple(fields.values()), tuple(fields), cls)


def summary_of(it: Interpreter, cls: ClassValue, st: State) -> Ref:
    """The instance that stands for any ``self`` of the class: fields as ``__init__`` leaves them.

    A field that another method assigns too is unknown: which value it has depends on the calls so far.
    """
    if cls.summary is not None:
        return cls.summary
    obj = HeapObject("instance", cls.node, 0, cls)
    cls.summary = ref = Ref(obj)
    contents = Contents()
    if cls.family in _GENERATED_INIT:
        contents = Contents(None, {name: _field_value(it, cls, name) for name in cls.fields})
    it.heap[obj] = contents
    init = attributes.member(cls, "__init__")
    if isinstance(init, Function) and init.frame is None:
        contents = _after_init(it, init, ref, st) or contents
    obj.summary = True
    rewritten = _assigned_outside_init(cls)
    fields = {name: Unknown() if name in rewritten else value for name, value in contents.fields.items()}
    it.settings.update(v for name, v in fields.items() if isinstance(v, Unknown) and name not in rewritten)
    it.heap[obj] = Contents(None, fields)
    return ref


def default_callable(fn: Function, param: cst.Param) -> Value | None:
    """The function that is a parameter's default: what runs unless somebody passes another one."""
    default = fn.defaults.get(param.name.value)
    return default if isinstance(default, (Function, Transformed, Partial)) else None


def promised(fn: Function, param: cst.Param) -> Value:
    """What a function that nobody calls gets: its default callable, the JAX array that is promised, or unknown."""
    default = default_callable(fn, param)
    if default is not None:
        return default
    if param.annotation is None or not promises_jax_array(fn.space, param.annotation.annotation):
        return Unknown()
    return Array(Kind.CONCRETE)


def _after_init(it: Interpreter, init: Function, ref: Ref, st: State) -> Contents | None:
    from jaxlint.tracing.calls import call_function
    from jaxlint.tracing.definitions import info_of

    info = info_of(it, init)
    args = (ref, *(default_callable(init, param) or Unknown() for param in info.params[1:]))
    isolated = State({}, {}, {ref.obj: it.heap[ref.obj]}, {})
    names = {param.name.value: default_callable(init, param) or Unknown() for param in info.kwonly}
    call_function(it, init, Arguments(args, names, open=True), init.node, isolated)
    for obj, held in isolated.heap.items():
        if obj is not ref.obj:
            obj.is_global = True
            it.heap.setdefault(obj, held)
    return isolated.heap.get(ref.obj)


def _field_value(it: Interpreter, cls: ClassValue, name: str) -> Value:
    """A declared field: unknown, but a key if it is declared as one by name and type."""
    node = declarations(cls).get(name)
    value = Unknown(it.context, node if node is not None else cls.node)
    if node is not None and is_array_annotation(node.annotation.annotation) and ("key" in name or "rng" in name):
        token = KeyToken(it.context, node, "field")
        return Array(Kind.CONCRETE, key=token, certain=False, dtype="key")
    return value


def declarations(cls: ClassValue) -> dict[str, cst.AnnAssign]:
    """The annotated fields in the bodies of a class and its visible bases."""
    out: dict[str, cst.AnnAssign] = {}
    for base in cls.bases:
        if isinstance(base, ClassValue):
            out.update(declarations(base))
    for line in cls.node.body.body:
        if type(line) is cst.SimpleStatementLine:
            for statement in line.body:
                if type(statement) is cst.AnnAssign and type(statement.target) is cst.Name:
                    out[statement.target.value] = statement
    return out


def static_fields(cls: ClassValue) -> frozenset[str] | None:
    """The fields that are no part of the pytree (``pytree_node=False``, ``static=True``). None: it cannot be read."""
    if cls.family == "nnx":
        return frozenset()
    if cls.family not in ("pytree", "equinox") or cls.flattens:
        return None
    out = set(cls.meta)
    for name, declared in declarations(cls).items():
        value = declared.value
        if type(value) is not cst.Call:
            continue
        for arg in value.args:
            word = arg.keyword.value if arg.keyword is not None else ""
            if word == "metadata":
                static = _static_metadata(arg.value)
                if static is None:
                    return None
                if static:
                    out.add(name)
            setting = arg.value.value if type(arg.value) is cst.Name else ""
            if (word == "pytree_node" and setting == "False") or (word == "static" and setting == "True"):
                out.add(name)
    return frozenset(out)


def _static_metadata(node: cst.BaseExpression) -> bool | None:
    """Whether ``metadata={"static": True}`` or ``dict(static=True)`` makes a field static; None: it cannot be read."""
    pairs: list[tuple[str, cst.BaseExpression]] = []
    if type(node) is cst.Dict:
        for element in node.elements:
            if type(element) is not cst.DictElement or type(element.key) is not cst.SimpleString:
                return None
            pairs.append((element.key.raw_value, element.value))
    elif type(node) is cst.Call and type(node.func) is cst.Name and node.func.value == "dict":
        pairs = [(arg.keyword.value, arg.value) for arg in node.args if arg.keyword is not None]
        if len(pairs) != len(node.args):
            return None
    else:
        return None
    setting = dict(pairs).get("static")
    if setting is None:
        return False
    return setting.value == "True" if type(setting) is cst.Name else None


def open_trees(
    it: Interpreter, fn: Function, info: FunctionInfo, params: dict[str, Value], context: Context, st: State
) -> None:
    """A pytree of tracers for a parameter that is annotated with a class of this module has that class's fields."""
    if not context.is_traced:
        return
    for param in (*info.params, *info.kwonly):
        value = params.get(param.name.value)
        if (
            isinstance(value, Array)
            and not value.certain
            and value.kind is Kind.TRACED
            and param.annotation is not None
        ):
            made = opened(it, fn.space, param.annotation.annotation, value, st, 0)
            if made is not None:
                params[param.name.value] = made


def class_named(it: Interpreter, space: ModuleSpace, annotation: cst.BaseExpression) -> ClassValue | None:
    """The project's class that an annotation names (``State``, ``"State"``, ``types.State``), from whichever file."""
    value = _named(space, annotation)
    if isinstance(value, Library):
        value = it.program.resolve(it, value, space)
    return value if isinstance(value, ClassValue) else None


def promises_jax_array(space: ModuleSpace, annotation: cst.BaseExpression) -> bool:
    """Whether an annotation says ``jax.Array`` (``jnp.ndarray``, ``Float[Array, "n"]``): no NumPy array, no number."""
    named = _named(space, annotation.value if isinstance(annotation, cst.Subscript) else annotation)
    if not isinstance(named, Library):
        return False
    if isinstance(annotation, cst.Subscript) and named.name.startswith("jaxtyping."):
        first = annotation.slice[0].slice
        return isinstance(first, cst.Index) and promises_jax_array(space, first.value)
    return named.name in JAX_ARRAYS


def _named(space: ModuleSpace, annotation: cst.BaseExpression) -> Value | None:
    """The module's class, or the imported name, that an annotation spells."""
    name = annotation.value.strip("\"'") if isinstance(annotation, cst.SimpleString) else dotted(annotation)
    first, _, more = name.partition(".")
    value = space.state.locals.get(first)
    if more and isinstance(value, Library):
        return Library(canonical(f"{value.name}.{more}"), f"{value.written}.{more}")
    return None if more else value


def opened(
    it: Interpreter, space: ModuleSpace, annotation: cst.BaseExpression, tree: Array, st: State, depth: int
) -> Value | None:
    """A traced pytree as an instance of the class that an annotation names, or None if that is no pytree class."""
    cls = class_named(it, space, annotation) if depth <= 3 else None
    if cls is None or cls.family not in ("namedtuple", "pytree"):
        return None
    static: frozenset[str] | None = frozenset() if cls.family == "namedtuple" else static_fields(cls)
    if static is None:
        return None
    declared = declarations(cls)
    fields: dict[str, Value] = {}
    for name in cls.fields:
        kind = declared[name].annotation.annotation if name in declared else None
        if name in static or (kind is not None and never_array(kind)):
            fields[name] = Unknown()
            continue
        inner = opened(it, cls.space or space, kind, tree, st, depth + 1) if kind is not None else None
        leaf = kind is not None and (is_array_annotation(kind) or python_type(kind) != "")
        fields[name] = inner if inner is not None else tree.like(certain=leaf)
    if cls.family == "namedtuple":
        return Tuple(tuple(fields.values()), tuple(fields), cls)
    obj = HeapObject("instance", cls.node, tree.depth, cls)
    st.heap[obj] = Contents(None, fields)
    return Ref(obj)


def assigned_attributes(method: cst.FunctionDef) -> set[str]:
    """The attributes of ``self`` that a method assigns, by its text."""
    finder = _SelfWrites()
    visit(method.body, [finder])
    return finder.names


def _assigned_outside_init(cls: ClassValue) -> set[str]:
    """Attributes of ``self`` that methods other than ``__init__`` assign (by the text of the visible classes)."""
    names: set[str] = set()
    for line in cls.node.body.body:
        if type(line) is cst.FunctionDef and line.name.value not in ("__init__", "__post_init__", "setup"):
            names |= assigned_attributes(line)
    for base in cls.bases:
        if isinstance(base, ClassValue):
            names |= _assigned_outside_init(base)
    return names


class _SelfWrites(cst.CSTVisitor):
    def __init__(self) -> None:
        super().__init__()
        self.names: set[str] = set()

    def _target(self, node: cst.BaseExpression) -> None:
        if type(node) is cst.Attribute and type(node.value) is cst.Name and node.value.value == "self":
            self.names.add(node.attr.value)
        elif type(node) is cst.Tuple or type(node) is cst.List:
            for part in node.elements:
                self._target(part.value)

    def visit_AssignTarget(self, node: cst.AssignTarget) -> None:
        """``self.x = …``"""
        self._target(node.target)

    def visit_AugAssign(self, node: cst.AugAssign) -> None:
        """``self.x += …``"""
        self._target(node.target)

    def visit_AnnAssign(self, node: cst.AnnAssign) -> None:
        """``self.x: T = …``"""
        self._target(node.target)
