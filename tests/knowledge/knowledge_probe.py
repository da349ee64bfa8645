"""Measure what a library function does when it is handed a tracer: the judge of the tables in `jaxlint/knowledge`.

A *call* is a function with concrete arguments that is known to work. One of its arguments is then replaced by a tracer
of the same value and the call is made again inside a transform. The verdict is `traced`, `mixed`, `static` (the result
holds no tracer) or the class name of the exception.
"""

from __future__ import annotations

import itertools
import types
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

V = np.array([0.1, 0.2, 0.3, 0.4], np.float32)
M = (np.eye(4) + 0.1).astype(np.float32)
I = np.array([0, 1, 2, 3], np.int32)  # noqa: E741
B = np.array([True, False, True, True])
U = np.array([1, 2, 3, 4], np.uint8)
V3 = V[:3]
C = V.astype(np.complex64)
T4 = (np.eye(4) + 0.1).reshape(2, 2, 2, 2).astype(np.float32)
K = 2
SHAPE = (2, 2)

POOL: dict[str, Any] = {
    "V": V,
    "M": M,
    "I": I,
    "B": B,
    "K": K,
    "0.5": 0.5,
    "SHAPE": SHAPE,
    "[V, V]": [V, V],
    "U": U,
    "V3": V3,
    "'f4'": "float32",
}

TRACER_ERRORS = frozenset(
    {
        "ConcretizationTypeError",
        "TracerArrayConversionError",
        "TracerBoolConversionError",
        "TracerIntegerConversionError",
        "NonConcreteBooleanIndexError",
    }
)

Call = tuple[Any, ...]


def is_array_like(value: object) -> bool:
    """Whether a tracer could stand here: a number, an array or a sequence of them."""
    if isinstance(value, (list, tuple)):
        return bool(value) and all(is_array_like(item) for item in value)
    return isinstance(value, (np.ndarray, float, int)) and not isinstance(value, bool)


def fresh(value: Any) -> Any:
    """A copy, so that a function that writes to its argument does not spoil the next call."""
    if isinstance(value, np.ndarray):
        return value.copy()
    if isinstance(value, (list, tuple)):
        return type(value)(fresh(item) for item in value)
    return value


def leaves(value: Any) -> list[Any]:
    """The leaves of nested tuples, lists and dicts (named tuples too)."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        return [leaf for item in value for leaf in leaves(item)]
    return [value]


def evaluate(recipe: str, names: dict[str, Any]) -> Call:
    """`"V, 0.5"` as a tuple of arguments."""
    result: Call = eval(f"({recipe},)", {"np": np, "jnp": jnp, "jax": jax, **globals(), **names})
    return result


def calls(function: Callable[..., Any], recipes: Sequence[str] = (), pool: dict[str, Any] = POOL) -> list[Call]:
    """Argument tuples with which the function works on concrete values: the recipes, or else what a search finds."""
    found: list[Call] = []
    if recipes:
        for recipe in recipes:
            arguments = evaluate(recipe, {})
            function(*fresh(arguments))
            found.append(arguments)
        return found
    for count in (1, 2, 3):
        here = 0
        for arguments in itertools.product(pool.values(), repeat=count):
            if here == 3 or (count == 3 and found):
                break
            if any(is_array_like(argument) for argument in arguments):
                try:
                    function(*fresh(arguments))
                except Exception:
                    continue
                found.append(arguments)
                here += 1
    return found


def as_tracer(value: Any) -> Any:
    """The same value as the result of a jnp operation, hence traced inside jit."""
    return jax.tree_util.tree_map(
        lambda leaf: jnp.logical_and(leaf, True) if leaf is True or leaf is False else jnp.array(leaf), value
    )


def verdict(function: Callable[[], Any]) -> str:
    """`traced`, `mixed`, `static`, or the name of the exception that the call raised."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            result = function()
    except Exception as error:
        return type(error).__name__
    kinds = {isinstance(leaf, jax.core.Tracer) for leaf in leaves(result)}
    return "static" if kinds <= {False} else "traced" if kinds == {True} else "mixed"


def staged(body: Callable[[], Any]) -> str:
    """The verdict on `body`, run inside jit."""
    answers: list[str] = []

    def traced(_: Any) -> int:
        answers.append(verdict(body))
        return 0

    jax.make_jaxpr(traced)(0.0)
    return answers[0]


def under(transform: str, function: Callable[[Any], Any], value: Any) -> str:
    """The verdict on `function(tracer)` under `jit`, `vmap` or `grad` alone."""
    answers: list[str] = []

    def body(tracer: Any) -> Any:
        answers.append(verdict(lambda: function(tracer)))
        return jnp.sum(tracer) * 1.0

    value = jnp.asarray(value)
    if transform == "jit":
        jax.make_jaxpr(body)(value)
    elif transform == "vmap":
        jax.vmap(body)(jnp.stack([value, value]))
    elif jnp.issubdtype(value.dtype, jnp.floating):
        jax.grad(body)(value)
    else:
        jax.grad(body, allow_int=True)(value)
    return answers[0]


def with_tracer(function: Callable[..., Any], arguments: Call, position: int) -> str:
    """The verdict inside jit when the argument at `position` (all its leaves) is traced."""

    def body() -> Any:
        changed = list(fresh(arguments))
        changed[position] = as_tracer(changed[position])
        return function(*changed)

    return staged(body)


def public_callables(module: types.ModuleType) -> Iterator[tuple[str, Callable[..., Any]]]:
    """The public functions and classes of a module, without exceptions and modules."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in sorted(dir(module)):
            value = getattr(module, name, None)
            if name.startswith("_") or not callable(value) or isinstance(value, types.ModuleType):
                continue
            if not (isinstance(value, type) and issubclass(value, BaseException)):
                yield name, value
