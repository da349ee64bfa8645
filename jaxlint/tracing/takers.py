"""Keys handed to libraries: layers, samplers and streams that consume them (the table is knowledge/key_takers.py)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from jaxlint.knowledge import key_takers, layers
from jaxlint.knowledge.key_takers import Taker
from jaxlint.knowledge.libraries import is_distribution
from jaxlint.syntax import children
from jaxlint.tracing import keys
from jaxlint.tracing.operators import combine
from jaxlint.tracing.random_calls import constant_seed, repeats, should_vary
from jaxlint.tracing.values import (
    Array,
    Bound,
    ClassValue,
    Function,
    Kind,
    LibraryObject,
    Partial,
    Ref,
    Static,
    Transformed,
    Unknown,
    Value,
)

if TYPE_CHECKING:
    from jaxlint.tracing.arguments import Arguments
    from jaxlint.tracing.interpreter import Interpreter
    from jaxlint.tracing.keys import KeyToken
    from jaxlint.tracing.state import State


def note_function(it: Interpreter, name: str, arguments: Arguments, node: cst.CSTNode, st: State) -> None:
    """A library function, or a class of layers, that takes a key when it is called."""
    _take(it, key_takers.FUNCTIONS[name], arguments, node, st, None)


def make(it: Interpreter, name: str, arguments: Arguments, node: cst.CSTNode, st: State) -> Value:
    """An object whose methods take keys."""
    from jaxlint.tracing.calls import call_unknown

    call_unknown(it, arguments, node, st)  # what it is given may change
    if name == "flax.nnx.Rngs":
        return _rngs(it, arguments, node, st)
    wraps = key_takers.MAKERS[name] in key_takers.WRAPPERS and arguments.positional
    return LibraryObject(name, arguments.positional[0] if wraps else None)


def family_of(value: Value | None) -> str:
    """The family of an object that ``make`` made, or ``""``."""
    return key_takers.MAKERS.get(value.cls, "") if isinstance(value, LibraryObject) else ""


def call_object(
    it: Interpreter, func: LibraryObject, arguments: Arguments, node: cst.CSTNode, st: State
) -> Value | None:
    """Call a method of such an object, or the object. None: what it returns is for others to say."""
    owner: Value = func if func.owner is None else func.owner
    family = family_of(owner)
    if not family:
        return None
    if (family, func.method) in key_takers.SAME_FAMILY:
        return owner
    if family == "nnx.Rngs":
        return _from_stream(it, owner, func.method, node)
    taker = key_takers.METHODS.get((family, func.method))
    if taker is not None and not _is_off(arguments):
        _take(it, taker, arguments, node, st, owner)
    if family == "initialiser":
        return combine(it, node, arguments.all(), jax=True)
    more = layers.is_layer_class(func.cls) or (isinstance(owner, LibraryObject) and is_distribution(owner.cls))
    return None if more else it.unknown(node)


def note_haiku(
    it: Interpreter, owner: LibraryObject, method: str, arguments: Arguments, node: cst.CSTNode, st: State
) -> None:
    """``init`` and ``apply`` of a transformed function, which ``owner`` holds."""
    taker = key_takers.METHODS.get((family_of(owner), method))
    if taker is not None and not _is_off(arguments):
        _take(it, taker, arguments, node, st, owner)


def note_linen(it: Interpreter, ref: Ref, method: str, arguments: Arguments, node: cst.CSTNode, st: State) -> None:
    """``module.init(key, x)`` and ``module.apply(variables, x, rngs={"dropout": key})``."""
    taker = key_takers.METHODS.get(("linen", method))
    if taker is not None and (taker.how == "init" or not _is_off(arguments)):
        _take(it, taker, arguments, node, st, ref.obj)


def note_unknown(it: Interpreter, arguments: Arguments, node: cst.CSTNode, st: State) -> None:
    """A call of something unknown by the interface of a library: ``rngs={…}``, ``sample(seed=key)``."""
    given = arguments.keywords.get("rngs")
    if isinstance(given, Ref) and given.obj.form == "dict" and not _is_off(arguments):
        for token in _tokens(it, given, node, st):
            keys.consume(it, st, token, node, "stream")
    elif family_of(given) == "nnx.Rngs" and _maps_arrays(arguments):
        assert isinstance(given, LibraryObject)
        _note_stream(it, given)
    seed = arguments.keywords.get("seed")
    if seed is not None and _method_name(node) in key_takers.SEEDED_METHODS:
        for token in _tokens(it, seed, node, st):
            keys.consume(it, st, token, node, "draw")


def _take(it: Interpreter, taker: Taker, arguments: Arguments, node: cst.CSTNode, st: State, who: object) -> None:
    """Consume the key that ``taker`` describes."""
    value = arguments.keywords.get(taker.keyword)
    if value is None and 0 <= taker.position < len(arguments.positional):
        value = arguments.positional[taker.position]
    if value is None or not _is_taken(it, taker, who):
        return
    if taker.how in ("init", "rngs") and it.loops and not repeats(it, it.loops[-1]):
        return  # one after another from the same seed
    for token in _tokens(it, value, node, st):
        keys.consume(it, st, token, node, taker.how, who=who)


def _is_taken(it: Interpreter, taker: Taker, who: object) -> bool:
    """Whether anything is drawn: of a Haiku function that `apply` runs, its text says so."""
    if taker.how == "init" or not isinstance(who, LibraryObject) or who.owner is None:
        return True
    return _draws(it, who.owner, set())


def _tokens(it: Interpreter, value: Value, node: cst.CSTNode, st: State) -> list[KeyToken]:
    """The keys in an argument: itself, or the values of a dict."""
    if isinstance(value, Ref):
        held = it.contents(value.obj, st)
        values = tuple(held.fields.values()) if held is not None and value.obj.form == "dict" else ()
    else:
        values = (value,)
    found = (keys.token_of(it, one, node) for one in values)
    return list(dict.fromkeys(token for token in found if token is not None))


def _is_off(arguments: Arguments) -> bool:
    """Whether an argument switches the randomness off, or may: a bare ``False``."""
    for name, value in arguments.keywords.items():
        wanted = key_takers.SWITCHED_OFF.get(name)
        if wanted is not None and not (isinstance(value, Static) and value.known and value.const is not wanted):
            return isinstance(value, Static) and value.known
    return any(isinstance(value, Static) and value.known and value.const is False for value in arguments.positional)


def _method_name(node: cst.CSTNode) -> str:
    return node.func.attr.value if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute) else ""


def _maps_arrays(arguments: Arguments) -> bool:
    """Whether a call is of a layer (with arrays), not of its class (with sizes)."""
    return any(isinstance(value, Array) and value.kind is Kind.TRACED for value in arguments.positional)


# nnx.Rngs ---------------------------------------------------------------------------------------------------------


def _rngs(it: Interpreter, arguments: Arguments, node: cst.CSTNode, st: State) -> Value:
    """``nnx.Rngs(0)``, ``nnx.Rngs(key)``, ``nnx.Rngs(params=key, dropout=other)``."""
    token = keys.KeyToken(it.context, node, "key")
    given = arguments.all()
    if constant_seed(it, node, st) and not arguments.keywords:
        token.constant, token.detail = should_vary(it, st)
    parts = [arg.value for arg in node.args] if isinstance(node, cst.Call) and not arguments.open else []
    for value, part in zip(given, parts, strict=False):
        if not _is_key(value, part) or (it.loops and not repeats(it, it.loops[-1])):
            continue
        for own in _tokens(it, value, part, st):
            keys.consume(it, st, own, part if len(given) > 1 else node, "rngs")
    return LibraryObject("flax.nnx.Rngs", Array(Kind.CONCRETE, certain=False, key=token))


def _is_key(value: Value, written: cst.BaseExpression) -> bool:
    """Whether a value is a key, not a seed: it was used as one, or it is called one."""
    if isinstance(value, Array):
        return value.key is not None
    name = written.attr.value if isinstance(written, cst.Attribute) else getattr(written, "value", "")
    return isinstance(value, Unknown) and (value.token is not None or "key" in str(name))


def _from_stream(it: Interpreter, rngs: Value, stream: str, node: cst.CSTNode) -> Value:
    """``rngs.dropout()``: another key each time."""
    if stream not in ("", key_takers.PARAMETER_STREAM) and isinstance(rngs, LibraryObject):
        _note_stream(it, rngs)
    return it.unknown(node)


def _note_stream(it: Interpreter, rngs: LibraryObject) -> None:
    """Numbers other than parameters are drawn from a stream: they never change if it begins anew from a constant."""
    if isinstance(rngs.owner, Array) and rngs.owner.key is not None:
        keys.note_constant(it, rngs.owner.key)


# Haiku ------------------------------------------------------------------------------------------------------------


def _draws(it: Interpreter, fn: Value, seen: set[cst.CSTNode]) -> bool:
    """Whether the text of a function, or of what it names in its file, asks Haiku for keys."""
    while isinstance(fn, (Bound, Partial, Transformed)):
        fn = fn.fn
    if isinstance(fn, LibraryObject) and fn.owner is not None:
        return _draws(it, fn.owner, seen)
    node: cst.CSTNode
    if isinstance(fn, ClassValue):
        node, known = fn.node, it.globals
    elif isinstance(fn, Function):
        node, known = fn.node, fn.space.state.locals
    else:
        return False
    if node in seen or len(seen) > 20:
        return False
    seen.add(node)
    stack: list[cst.CSTNode] = [node]
    named: set[str] = set()
    while stack:
        part = stack.pop()
        if type(part) is cst.Name:
            named.add(part.value)
        stack.extend(children(part))
    if named & key_takers.HAIKU_KEYS:
        return True
    return any(
        _draws(it, known[name], seen) for name in sorted(named) if isinstance(known.get(name), (Function, ClassValue))
    )
