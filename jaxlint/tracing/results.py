"""The dtype and the shape of what a function of JAX returns, by the rules of `knowledge/result_types.py`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jaxlint.knowledge import dtypes
from jaxlint.knowledge.jax_numpy import DTYPE_CONSTRUCTORS
from jaxlint.knowledge.result_types import HARMLESS, METHODS, RESULTS
from jaxlint.tracing import shapes
from jaxlint.tracing.aval import Aval
from jaxlint.tracing.avals import broadcast, made, shape_of, types_of
from jaxlint.tracing.values import NONE, Array, Library, Ref, Static, Tuple, Unknown, Value

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jaxlint.tracing.interpreter import Interpreter
    from jaxlint.tracing.state import State

_OF_NUMPY = ("zeros", "ones", "empty", "full", "arange", "linspace", "eye", "identity", "array", "asarray")
_NUMPY = frozenset(f"numpy.{name}" for name in _OF_NUMPY)


def of_call(
    it: Interpreter, name: str, positional: tuple[Value, ...], keywords: dict[str, Value], st: State
) -> Aval | None:
    """The aval of ``name(…)``, or None where no rule speaks."""
    row = RESULTS.get(name)
    if row is None:
        return _converted(name, positional)
    if not HARMLESS.issuperset(keywords) or blind(it):
        return None
    known = _Call(it, positional, keywords, st)
    given = known.argument(row.dtype, "dtype")
    if given is not None and given is not NONE:
        types = dtype_of(given)
    else:
        types = _TYPES[row.types](known)
        if row.loose:
            types = dtypes.loose(types)
    kind, *where = row.shape.split(":")
    return made(types, shapes.given(known, name, where) if where else shapes.RULES[kind](known, name))


def of_numpy(
    it: Interpreter, name: str, positional: tuple[Value, ...], keywords: dict[str, Value], st: State
) -> Aval | None:
    """The aval of an array that NumPy makes of plain numbers."""
    if name not in _NUMPY:
        return _converted(f"jax.{name}", positional)
    if any(isinstance(value, Array) for value in _Call(it, positional, keywords, st).everything()):
        return None
    found = of_call(it, f"jax.{name}", positional, keywords, st)
    return None if found is None else Aval(dtypes.strong(found.types), found.shape)


def of_method(
    it: Interpreter, owner: Array, method: str, positional: tuple[Value, ...], keywords: dict[str, Value], st: State
) -> Aval | None:
    """The aval of ``owner.method(…)``."""
    if method == "reshape" and not (len(positional) == 1 and isinstance(positional[0], (Tuple, Ref))):
        positional = (Tuple(positional),)
    if method == "flatten":
        method = "ravel"
    if method not in METHODS and method != "ravel":
        return None
    return of_call(it, f"jax.numpy.{method}", (owner, *positional), keywords, st)


def of_operands(it: Interpreter, operands: tuple[Value, ...], rule: str) -> Aval | None:
    """The aval of an operator: ``promote``, ``loose``, ``inexact``, ``bool`` or ``none``, where all can be read."""
    if blind(it):
        return None
    types = 0
    for value in operands:
        if not isinstance(value, (Array, Static, Library)):
            return None
        one = types_of(value)
        types = dtypes.promote(types, one) if types else one
    if rule == "inexact":
        types = dtypes.inexact(types)
    elif rule == "loose":
        types = dtypes.loose(types)
    elif rule == "bool":
        types = dtypes.BOOL
    return made(types, None if rule == "none" else broadcast([shape_of(value) for value in operands]))


def blind(it: Interpreter) -> bool:
    """Inside a loop that is interpreted for one iteration: what grows in it is seen once."""
    return bool(it.loops) and it.turns == 1


def dtype_of(value: Value) -> int:
    """The dtypes that an argument ``dtype=`` asks for."""
    name = ""
    if isinstance(value, Library):
        module, _, name = value.name.rpartition(".")
        if module not in ("jax.numpy", "numpy", "builtins", "ml_dtypes"):
            return dtypes.ANY_DTYPE
    elif isinstance(value, Static) and isinstance(value.const, str):
        name = value.const
    return dtypes.DTYPE_NAMES.get(name, dtypes.ANY_DTYPE)


def _converted(name: str, positional: tuple[Value, ...]) -> Aval | None:
    """``jnp.float32(x)``."""
    if name not in DTYPE_CONSTRUCTORS or len(positional) != 1:
        return None
    value = positional[0]
    if not isinstance(value, (Array, Static, Library, Unknown)):
        return None
    return made(dtypes.DTYPE_NAMES.get(name.rpartition(".")[2], dtypes.ANY_DTYPE), shape_of(value))


class _Call(shapes.Call):
    """A call, as the rules of dtypes ask about it."""

    def types(self, start: int = 0, stop: int | None = None) -> int:
        """What the positional arguments promote to."""
        return self.promoted(self.positional[start:stop])

    def promoted(self, values: Sequence[Value]) -> int:
        """What values and the elements of lists among them promote to."""
        out = 0
        for value in values:
            items = self.items(value)
            if isinstance(value, (Tuple, Ref)):
                one = dtypes.ANY_DTYPE if items is None else self.promoted(items)
            else:
                one = types_of(value)
            out = dtypes.promote(out, one) if out else one
        return out or dtypes.ANY_DTYPE

    def first(self) -> int:
        """The first argument's own dtypes."""
        return types_of(self.positional[0]) if self.positional else dtypes.ANY_DTYPE


def _object_types(call: _Call) -> int:
    value = call.positional[0] if call.positional else None
    if isinstance(value, (Tuple, Ref)):
        if call.items(value) == ():
            return dtypes.DEFAULT_FLOAT
        return dtypes.strong(call.promoted((value,)))
    return dtypes.loose(call.first())


def _cumulative(call: _Call) -> int:
    types = dtypes.strong(call.first())
    return types & ~dtypes.BOOL | dtypes.DEFAULT_INT if types & dtypes.BOOL else types


def _range(call: _Call) -> int:
    if call.keywords.keys() - {"dtype"}:
        return dtypes.ANY_DTYPE
    return dtypes.strong(call.types(0, 3))


_TYPES: dict[str, Any] = {
    "promote": lambda call: call.types(),
    "inexact": lambda call: dtypes.inexact(call.types()),
    "first": lambda call: call.first(),
    "strong": lambda call: dtypes.strong(call.first()),
    "sum": lambda call: dtypes.summed(call.first()),
    "mean": lambda call: dtypes.strong(dtypes.inexact(call.types(0, 2 if len(call.positional) > 1 else 1))),
    "number": lambda call: call.first() | (dtypes.INTEGERS if call.first() & dtypes.BOOL else 0),
    "deviation": lambda call: dtypes.magnitude(dtypes.strong(dtypes.inexact(call.first()))),
    "magnitude": lambda call: dtypes.magnitude(call.first()),
    "cumulative": _cumulative,
    "rest": lambda call: call.types(1) if len(call.positional) == 3 else dtypes.ANY_DTYPE,
    "bool": lambda call: dtypes.BOOL,
    "index": lambda call: dtypes.DEFAULT_INT,
    "float": lambda call: dtypes.DEFAULT_FLOAT,
    "fill": lambda call: dtypes.loose(types_of(call.positional[1])) if len(call.positional) > 1 else dtypes.ANY_DTYPE,
    "range": _range,
    "object": _object_types,
}
