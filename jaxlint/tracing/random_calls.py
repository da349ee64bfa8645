"""``jax.random``: samplers and split consume a key, ``fold_in`` derives one, ``key`` makes one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from jaxlint.knowledge import jax_random
from jaxlint.tracing import keys
from jaxlint.tracing.facts import FieldKey
from jaxlint.tracing.keys import KeyToken
from jaxlint.tracing.operators import combine
from jaxlint.tracing.results import of_call
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
        if token is not None:
            keys.consume(it, st, token, node, "fold", who=_lowest_index(it, arguments, node))
        return _as_key(it, made, node, _fold(it, token, arguments, node))
    if name == "jax.random.clone":
        return _as_key(it, made, node, KeyToken(it.context, node, "clone"))
    splits = name in jax_random.SPLITTERS
    if not splits and name not in jax_random.SAMPLERS and name not in jax_random.REMOVED_SAMPLERS:
        return made
    if (splits or not _note_field_key(it, node)) and token is not None:
        keys.consume(it, st, token, node, _how(name), who=_number(arguments) if splits else None)
    if not splits:
        drawn = made if isinstance(made, Array) else combine(it, node, (), jax=True)
        if isinstance(drawn, Array) and not arguments.open:
            drawn.aval = of_call(it, name, arguments.positional, arguments.keywords, st)
        return drawn
    return _as_key(it, made, node, KeyToken(it.context, node, "split"))


#: Calls whose result is 0 somewhere: on the first process, on the first device.
_RANKS = frozenset({"jax.process_index", "jax.lax.axis_index"})


def _number(arguments: Arguments) -> object:
    """How many subkeys ``split`` makes; None if it cannot be told."""
    given = arguments.positional[1] if len(arguments.positional) > 1 else arguments.keywords.get("num")
    if given is None:
        return 2
    return given.const if isinstance(given, Static) and given.known else None


def _lowest_index(it: Interpreter, arguments: Arguments, node: cst.CSTNode) -> object:
    """The smallest number that ``fold_in`` folds here, where it can be told: a constant, or where a counter begins."""
    given = arguments.positional[1] if len(arguments.positional) > 1 else arguments.keywords.get("data")
    if isinstance(given, Static) and given.known:
        return given.const
    written = node.args[1].value if isinstance(node, cst.Call) and len(node.args) > 1 else None
    if isinstance(written, cst.Call) and it.facts.callee(written) in _RANKS:
        return 0
    return next((_begins(it, loop) for loop in it.loops if _counts(loop, written)), None)


def _counts(loop: cst.CSTNode, written: cst.BaseExpression | None) -> bool:
    """Whether a name is the variable of a loop (the first one of an ``enumerate``)."""
    target: cst.CSTNode | None = loop.target if isinstance(loop, (cst.For, cst.CompFor)) else None
    if isinstance(target, cst.Tuple) and target.elements:
        target = target.elements[0].value
    return isinstance(target, cst.Name) and isinstance(written, cst.Name) and target.value == written.value


def _begins(it: Interpreter, loop: cst.CSTNode) -> object:
    """The first number that a loop over ``range`` or ``enumerate`` counts."""
    iterated = loop.iter if isinstance(loop, (cst.For, cst.CompFor)) else None
    if not isinstance(iterated, cst.Call):
        return None
    name = it.facts.callee(iterated)
    count = len(iterated.args)
    if (name == "builtins.range" and count == 1) or (name == "builtins.enumerate" and count == 1):
        return 0
    first = iterated.args[0].value if name == "builtins.range" and count else None
    return int(first.value) if isinstance(first, cst.Integer) and first.value.isdigit() else None


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
