"""What expressions give: ``eval(node, state) -> Value``."""

from __future__ import annotations

import ast
import builtins
from typing import TYPE_CHECKING, Any

import libcst as cst

from jaxlint.knowledge.array_api import UPDATE_ATTRIBUTE
from jaxlint.tracing import attributes, donation, elements, keys, stale
from jaxlint.tracing.aval import Aval
from jaxlint.tracing.avals import ANY, made
from jaxlint.tracing.calls import eval_call
from jaxlint.tracing.comprehensions import eval_dict_comp, eval_list_comp
from jaxlint.tracing.definitions import make_function
from jaxlint.tracing.facts import Fault
from jaxlint.tracing.indexing import indexed
from jaxlint.tracing.logic import (
    eval_binary,
    eval_boolean,
    eval_comparison,
    eval_ifexp,
    eval_unary,
    is_list,
)
from jaxlint.tracing.state import Contents
from jaxlint.tracing.values import (
    NONE,
    UNKNOWN,
    Array,
    ClassValue,
    Kind,
    Library,
    LibraryObject,
    Mode,
    Ref,
    Static,
    Tuple,
    Unknown,
    Value,
    join,
)

if TYPE_CHECKING:
    from jaxlint.tracing.interpreter import Interpreter
    from jaxlint.tracing.state import State

_BUILTINS = frozenset(dir(builtins))
_CONSTANTS: dict[str, Static] = {"True": Static(True), "False": Static(False), "None": NONE}


def eval_name(it: Interpreter, node: cst.Name, st: State) -> Value:
    """A variable, a constant or a builtin."""
    name = node.value
    found = st.locals.get(name)
    if found is not None:
        return found
    constant = _CONSTANTS.get(name)
    if constant is not None:
        return constant
    found = it.lookup(name, st)
    if found is not None:
        if name in it.context.space.rebound and it.context.frame is not None:
            found = it.unknown(node)
        if it.context.is_staged:
            stale.read_name(it, name, found, node, st)
        return found
    if it.context.space.stars:
        brought = it.program.from_star(it, name)
        if brought is not None:
            return brought
    return Library(f"builtins.{name}") if name in _BUILTINS else UNKNOWN


def eval_integer(it: Interpreter, node: cst.Integer, st: State) -> Value:
    """A whole number."""
    try:
        return Static(int(node.value, 0))
    except ValueError:
        return Static(type_name="int")


def eval_float(it: Interpreter, node: cst.Float, st: State) -> Value:
    """A number with a point."""
    return Static(float(node.value))


def eval_imaginary(it: Interpreter, node: cst.Imaginary, st: State) -> Value:
    """``1j``."""
    return Static(type_name="complex")


def eval_string(it: Interpreter, node: cst.SimpleString, st: State) -> Value:
    """A string, known if it is short."""
    if len(node.value) > 200:
        return Static(type_name="str")
    text = node.value
    if text[0] in "\"'" and "\\" not in text:  # no prefix, no escapes: the characters themselves
        width = 3 if len(text) >= 6 and text[:3] == text[0] * 3 else 1
        return Static(text[width:-width])
    try:
        return Static(ast.literal_eval(text))
    except (ValueError, SyntaxError):
        return Static(type_name="str")


def eval_concatenated(it: Interpreter, node: cst.ConcatenatedString, st: State) -> Value:
    """Strings side by side."""
    left, right = it.eval(node.left, st), it.eval(node.right, st)
    tainted = next((v.tainted for v in (left, right) if isinstance(v, Static) and v.tainted is not None), None)
    return Static(type_name="str", tainted=tainted)


def eval_formatted(it: Interpreter, node: cst.FormattedString, st: State) -> Value:
    """An f-string: remembers the traced value that it prints."""
    tainted: Array | None = None
    for part in node.parts:
        if type(part) is cst.FormattedStringExpression:
            value = it.eval(part.expression, st)
            if not part.format_spec or part.conversion:  # a tracer with a format raises: there is no string
                tainted = tainted or traced_in(value)
    return Static(type_name="str", tainted=tainted)


def traced_in(value: Value) -> Array | None:
    """The tracer that formatting ``value`` would print (one without a Python value); a pytree prints its leaves."""
    if isinstance(value, Array):
        shows = value.kind is Kind.TRACED and value.mode >= Mode.MAPPED and value.key is None
        return value if shows and not value.maybe_name else None
    if isinstance(value, Static):
        return value.tainted
    if isinstance(value, Tuple):
        return next((found for item in value.items if (found := traced_in(item)) is not None), None)
    return None


def eval_attribute(it: Interpreter, node: cst.Attribute, st: State) -> Value:
    """``value.attr``."""
    return attributes.get(it, it.eval(node.value, st), node.attr.value, st, node)


def eval_tuple(it: Interpreter, node: cst.Tuple, st: State) -> Value:
    """A tuple; unknown length if it is starred."""
    items: list[Value] = []
    for part in node.elements:
        if type(part) is cst.StarredElement:
            inner = it.eval(part.value, st)
            if not isinstance(inner, Tuple):
                for rest in node.elements:
                    if rest is not part and type(rest) is not cst.StarredElement:
                        it.eval(rest.value, st)
                return it.unknown(node)
            items.extend(inner.items)
        else:
            items.append(it.eval(part.value, st))
    return Tuple(tuple(items))


def eval_list(it: Interpreter, node: cst.List | cst.Set, st: State) -> Value:
    """A new list or set."""
    known: list[Value] | None = []
    rest: Value | None = None
    for part in node.elements:
        value = it.eval(part.value, st)
        if type(part) is cst.StarredElement:
            inner = elements.element(it, value, None, st, part)
            rest = inner if rest is None else join(rest, inner)
        else:
            assert known is not None
            known.append(value)
    form = "list" if type(node) is cst.List else "set"
    if rest is not None:
        for value in known or ():
            rest = join(rest, value)
        return it.allocate(form, node, Contents(None, None, rest), st)
    return it.allocate(form, node, Contents(tuple(known or ())), st)


def eval_dict(it: Interpreter, node: cst.Dict, st: State) -> Value:
    """A new dict."""
    fields: dict[Any, Value] = {}
    rest: Value | None = None
    for part in node.elements:
        value = it.eval(part.value, st)
        if type(part) is cst.DictElement:
            key = it.eval(part.key, st)
            if isinstance(key, Static) and key.known and isinstance(key.const, (str, int, bool, float, type(None))):
                fields[key.const] = value
                continue
        elif isinstance(value, Ref) and value.obj.form == "dict":
            held = it.contents(value.obj, st)
            if held is not None and held.rest is None:
                fields.update(held.fields)
                continue
            value = it.unknown(part)
        else:
            value = elements.element(it, value, None, st, part)
        rest = value if rest is None else join(rest, value)
    return it.allocate("dict", node, Contents(None, fields, rest), st)


def eval_subscript(it: Interpreter, node: cst.Subscript, st: State) -> Value:
    """``value[index]``."""
    owner = it.eval(node.value, st)
    if st.donated and isinstance(owner, Array):
        donation.check(it, node.value, owner, st)
    if len(node.slice) == 1 and isinstance(node.slice[0].slice, cst.Index):
        index = it.eval(node.slice[0].slice.value, st)
        return _index(it, node, owner, index, st)
    has_slice = False
    parts: list[Value] = []
    for part in node.slice:
        if type(part.slice) is cst.Index:
            parts.append(it.eval(part.slice.value, st))
        else:
            has_slice = True
            _eval_bounds(it, part.slice, st)
    if isinstance(owner, Array):
        _check_index(it, node, owner, parts)
        return combine_index(it, node, owner, parts)
    if isinstance(owner, (Library, ClassValue)) and not has_slice:  # Generic[A, B]
        return LibraryObject(owner.name) if isinstance(owner, Library) else owner
    if has_slice and isinstance(owner, (Static, Tuple)):
        return _slice(it, node, owner, st)
    if isinstance(owner, LibraryObject):
        return elements.element(it, owner, None, st, node)
    return it.unknown(node)


def _eval_bounds(it: Interpreter, node: cst.BaseSlice, st: State) -> None:
    if type(node) is cst.Slice:
        for bound in (node.lower, node.upper, node.step):
            if bound is not None:
                it.eval(bound, st)


def _slice(it: Interpreter, node: cst.Subscript, owner: Value, st: State) -> Value:
    if isinstance(owner, Static):
        return Static(type_name=owner.type_name, extent_of=owner.extent_of)
    bounds: list[Any] = []
    part = node.slice[0].slice
    if isinstance(owner, Tuple) and type(part) is cst.Slice and len(node.slice) == 1:
        for bound in (part.lower, part.upper, part.step):
            value = it.eval(bound, st) if bound is not None else NONE
            if not (isinstance(value, Static) and value.known and isinstance(value.const, (int, type(None)))):
                return it.unknown(node)
            bounds.append(value.const)
        if bounds[2] != 0:
            return Tuple(owner.items[slice(*bounds)])
    return it.unknown(node)


def _index(it: Interpreter, node: cst.Subscript, owner: Value, index: Value, st: State) -> Value:
    if isinstance(owner, Array):
        _check_index(it, node, owner, [index])
        if owner.key is not None:
            return elements.array_element(it, owner, keys.index_identity(index), node)
        return combine_index(it, node, owner, [index])
    elements.check_hashable(it, owner, index, node)
    if isinstance(index, Array) and index.kind is Kind.TRACED and index.mode >= Mode.MAPPED and is_list(owner):
        it.fault(Fault("list-index", node, index, it.context))
        return it.unknown(node)
    if isinstance(owner, (Library, ClassValue)):
        return LibraryObject(owner.name) if isinstance(owner, Library) else owner
    if isinstance(index, Static) and index.known:
        return elements.element(it, owner, index.const, st, node)
    if isinstance(owner, Unknown) and owner.token is not None and not isinstance(index, Unknown):
        return elements.element(it, owner, None, st, node)
    return elements.element(it, owner, index if isinstance(owner, Unknown) and index is not UNKNOWN else None, st, node)


def combine_index(it: Interpreter, node: cst.CSTNode, owner: Array, parts: list[Value]) -> Array:
    """The result of indexing an array: traced if the array or an index is."""
    traced = next((part for part in parts if isinstance(part, Array) and part.kind is Kind.TRACED), None)
    aval = _indexed_aval(node, owner, parts)
    if traced is not None and owner.kind is not Kind.TRACED:
        return owner.like(
            kind=Kind.TRACED, mode=traced.mode, origin=traced.origin, depth=traced.depth, key=None, aval=aval
        )
    if owner.kind is Kind.CONCRETE and it.context.is_staged:
        return it.array(node, "indexing inside is a traced operation", dtype=owner.dtype, aval=aval)
    return owner.like(key=None, ndim=None, aval=aval)


def _indexed_aval(node: cst.CSTNode, owner: Array, parts: list[Value]) -> Aval | None:
    """What is known of ``x[…]``; of ``x.at[…]`` what is known of ``x``, which its methods give back."""
    if type(node) is not cst.Subscript:
        return None
    if type(node.value) is cst.Attribute and node.value.attr.value == UPDATE_ATTRIBUTE:
        return owner.aval
    whole: list[Value | str | None] = []
    given = iter(parts)
    for part in node.slice:
        if type(part.slice) is cst.Slice:
            bounds = (part.slice.lower, part.slice.upper, part.slice.step)
            whole.append(None if all(bound is None for bound in bounds) else "?")
        else:
            index = next(given)
            whole.extend(index.items if isinstance(index, Tuple) else (index,))
    if not owner.certain and len(whole) == 1 and NONE not in whole:
        return ANY if whole == ["?"] else None  # an element or a part of a tuple or a dict, for all we know
    known = owner.aval or ANY
    return made(known.types, indexed(known.shape, whole))


def _check_index(it: Interpreter, node: cst.CSTNode, owner: Array, parts: list[Value]) -> None:
    if owner.kind is Kind.HOST:
        for part in parts:
            if isinstance(part, Array) and part.kind is Kind.TRACED and part.mode >= Mode.MAPPED:
                it.fault(Fault("host-index", node, part, it.context))


def eval_lambda(it: Interpreter, node: cst.Lambda, st: State) -> Value:
    """A lambda closing over this frame."""
    fn = make_function(it, node, "<lambda>", st)
    it.found(fn)
    return fn


def eval_walrus(it: Interpreter, node: cst.NamedExpr, st: State) -> Value:
    """``(name := value)``."""
    value = it.eval(node.value, st)
    if type(node.target) is cst.Name:
        st.locals[node.target.value] = value
    return value


def eval_yield(it: Interpreter, node: cst.Yield, st: State) -> Value:
    """Remember what a generator yields."""
    if node.value is None:
        return it.unknown(node)
    inner = node.value.item if isinstance(node.value, cst.From) else node.value
    value = it.eval(inner, st)
    if isinstance(node.value, cst.From):
        value = elements.element(it, value, None, st, node)
    if it.yields:
        it.yields[-1].append(value)
    return it.unknown(node)


def eval_await(it: Interpreter, node: cst.Await, st: State) -> Value:
    """What a coroutine gives is unknown."""
    it.eval(node.expression, st)
    return it.unknown(node)


def eval_ellipsis(it: Interpreter, node: cst.Ellipsis, st: State) -> Value:
    """``...``"""
    return Static(type_name="ellipsis")


EVALUATORS: dict[type, Any] = {
    cst.Name: eval_name,
    cst.Integer: eval_integer,
    cst.Float: eval_float,
    cst.Imaginary: eval_imaginary,
    cst.SimpleString: eval_string,
    cst.ConcatenatedString: eval_concatenated,
    cst.FormattedString: eval_formatted,
    cst.Ellipsis: eval_ellipsis,
    cst.Attribute: eval_attribute,
    cst.Tuple: eval_tuple,
    cst.List: eval_list,
    cst.Set: eval_list,
    cst.Dict: eval_dict,
    cst.BinaryOperation: eval_binary,
    cst.UnaryOperation: eval_unary,
    cst.BooleanOperation: eval_boolean,
    cst.Comparison: eval_comparison,
    cst.IfExp: eval_ifexp,
    cst.Subscript: eval_subscript,
    cst.Lambda: eval_lambda,
    cst.NamedExpr: eval_walrus,
    cst.Yield: eval_yield,
    cst.Await: eval_await,
    cst.Call: eval_call,
    cst.ListComp: eval_list_comp,
    cst.SetComp: eval_list_comp,
    cst.GeneratorExp: eval_list_comp,
    cst.DictComp: eval_dict_comp,
}
