"""``jax.random``: samplers and split consume a key, ``fold_in`` derives one, ``key`` makes one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from jaxlint.knowledge import jax_random
from jaxlint.tracing import keys
from jaxlint.tracing.facts import FieldKey
from jaxlint.tracing.keys import KeyToken
from jaxlint.tracing.operators import combine
from jaxlint.tracing.values import NONE, Array, Kind, Static, Value

if TYPE_CHECKING:
    from jaxlint.tracing.arguments import Arguments
    from jaxlint.tracing.interpreter import Interpreter
    from jaxlint.tracing.state import State

_KEY_NAMES = frozenset({"key", "rng", "prng", "rng_key", "prng_key", "prngkey", "rngkey", "seed_key"})


def repeats(it: Interpreter, loop: cst.CSTNode) -> bool:
    """Whether a loop does one thing again and again; one over configurations may start each from the same seed."""
    if type(loop) is cst.While:
        return True
    iterated = loop.iter if isinstance(loop, (cst.For, cst.CompFor)) else None
    return type(iterated) is cst.Call and it.facts.callee(iterated) in ("builtins.range", "builtins.enumerate")


#: Under these only shapes are computed: nothing is ever drawn.
_ONLY_SHAPES = frozenset({"jax.eval_shape", "jax.make_jaxpr", "equinox.filter_eval_shape"})


def call_random(it: Interpreter, name: str, arguments: Arguments, node: cst.CSTNode, st: State) -> Value:
    """A call of a function of ``jax.random``."""
    if name in jax_random.SOURCES:
        return _source(it, arguments, node, st)
    if name in jax_random.STATIC_READERS:
        return Static()
    key = arguments.positional[0] if arguments.positional else arguments.keywords.get("key")
    if name in jax_random.KEY_READERS or key is None:
        return combine(it, node, arguments.all(), jax=True)
    token = keys.token_of(it, key, node)
    made = combine(it, node, arguments.all(), jax=True)
    if name == "jax.random.fold_in":
        return _as_key(it, made, node, _fold(it, token, arguments, node))
    if name == "jax.random.clone":
        return _as_key(it, made, node, KeyToken(it.context, node, "clone"))
    splits = name in jax_random.SPLITTERS
    if not splits and name not in jax_random.SAMPLERS and name not in jax_random.REMOVED_SAMPLERS:
        return made
    if (splits or not _note_field_key(it, node)) and token is not None:
        keys.consume(it, st, token, node, _how(name))
    if not splits:
        return made if isinstance(made, Array) else combine(it, node, (), jax=True)
    return _as_key(it, made, node, KeyToken(it.context, node, "split"))


def _how(name: str) -> str:
    tail = name.rpartition(".")[2]
    return tail if tail in ("split", "permutation", "choice") else "draw"


def _as_key(it: Interpreter, made: Value, node: cst.CSTNode, token: KeyToken) -> Value:
    if not isinstance(made, Array):
        return Array(Kind.CONCRETE, certain=False, key=token, dtype="key")
    return made.like(key=token, dtype="key", certain=True)


def _fold(it: Interpreter, token: KeyToken | None, arguments: Arguments, node: cst.CSTNode) -> KeyToken:
    data = arguments.positional[1] if len(arguments.positional) > 1 else arguments.keywords.get("data")
    if token is None or data is None:
        return KeyToken(it.context, node, "fold_in")
    identity = keys.index_identity(data)
    if identity is None:
        return KeyToken(it.context, node, "fold_in")
    return keys.folded(it, token, identity, node)


def _source(it: Interpreter, arguments: Arguments, node: cst.CSTNode, st: State) -> Value:
    made = combine(it, node, arguments.all(), jax=True)
    token = KeyToken(it.context, node, "key")
    if constant_seed(it, node, st):
        token.constant, token.detail = should_vary(it, st)
    return _as_key(it, made, node, token)


def constant_seed(it: Interpreter, node: cst.CSTNode, st: State) -> bool:
    """A literal number, or a module constant: the same in every call."""
    if type(node) is not cst.Call or not node.args:
        return False
    seed = node.args[0].value
    if type(seed) is cst.Name:
        known = it.globals.get(seed.value)
        return (
            it.context.frame is not None and seed.value not in st.locals and isinstance(known, Static) and known.known
        )
    return type(seed) is cst.Integer


def should_vary(it: Interpreter, st: State) -> tuple[str, str]:
    """Why a constant key is out of place here; empty if it is not."""
    context = it.context
    if any(truth and atom[0] == "==" and atom[2] is None for atom, truth in st.conditions):
        return "", ""  # the fallback for a key that was not given
    if any(region.name in _ONLY_SHAPES for region in context.regions):
        return "", ""
    if context.is_staged:
        return "region", ""
    if it.loops and repeats(it, it.loops[-1]):
        return "loop", ""
    function = context.function
    if type(function) is cst.FunctionDef:
        for param in (*function.params.posonly_params, *function.params.params, *function.params.kwonly_params):
            name = param.name.value
            if name.lower() in _KEY_NAMES and st.locals.get(name) is not NONE:  # not the fallback for a missing key
                return "shadow", name
    return "", ""


def _note_field_key(it: Interpreter, node: cst.CSTNode) -> bool:
    """A linen layer that draws from a key kept as a field draws the same numbers at every call."""
    frame = it.context.frame
    if it.quiet or frame is None or frame.cls is None or frame.cls.family != "linen":
        return False
    if type(node) is not cst.Call or not node.args:
        return False
    given = node.args[0].value
    if type(given) is cst.Attribute and type(given.value) is cst.Name and given.value.value == "self":
        if given.attr.value in frame.cls.fields:
            it.facts.field_keys.append(FieldKey(node, given.attr.value, frame.cls.name, it.context))
            return True
    return False
