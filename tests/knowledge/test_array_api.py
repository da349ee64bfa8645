"""Every entry of `jaxlint.knowledge.array_api`, measured again with the installed JAX and Python."""

from __future__ import annotations

import builtins
import math
import operator
from collections.abc import Callable
from typing import Any

import pytest

pytest.importorskip("jax", reason="the judge of these tables is JAX itself")

import jax
import jax.numpy as jnp
import numpy as np
from knowledge_probe import TRACER_ERRORS, B, I, M, V, as_tracer, staged, under

from jaxlint.knowledge import array_api as table

TRANSFORMS = ("jit", "vmap", "grad")
ARGUMENTS: dict[str, tuple[Any, ...]] = {
    "argpartition": (1,),
    "astype": (np.float32,),
    "clip": (0, 1),
    "compress": (B,),
    "dot": (M,),
    "repeat": (2,),
    "reshape": ((2, 8),),
    "swapaxes": (0, 1),
    "take": (I,),
    "to_device": (jax.devices()[0],),
    "view": (np.float32,),
    "searchsorted": (0.2,),
}


def receiver(name: str) -> Any:
    return V if name == "searchsorted" else I if name == "choose" else M


@pytest.mark.parametrize("transform", TRANSFORMS)
def test_attributes(transform: str) -> None:
    for name in table.STATIC_ATTRIBUTES:
        assert under(transform, operator.attrgetter(name), M) == "static", name
    for name in table.ARRAY_ATTRIBUTES:
        expected = {"traced"} if name != "imag" or transform == "jit" else {"traced", "static"}
        assert under(transform, operator.attrgetter(name), M) in expected, name
    for name, error in table.NOT_ON_TRACER.items():
        assert under(transform, operator.attrgetter(name), M) == error, name
    assert under(transform, operator.attrgetter(table.UPDATE_ATTRIBUTE), M) == "static"


def test_update_methods() -> None:
    for name in table.UPDATE_METHODS:
        arguments = () if name == "get" else (jnp.sin,) if name == "apply" else (2.0,)
        update = operator.methodcaller(name, *arguments)
        assert under("jit", lambda x, update=update: update(x.at[0]), V) == "traced"  # type: ignore[misc]


@pytest.mark.parametrize("name", sorted(table.ARRAY_METHODS))
def test_array_methods(name: str) -> None:
    for transform in ("jit", "vmap"):
        answer = under(transform, lambda x: getattr(x, name)(*ARGUMENTS.get(name, ())), receiver(name))
        assert answer == "traced"


def test_data_dependent_methods() -> None:
    """They fail inside jit though the condition is a constant: its `nonzero` is staged too."""
    calls: dict[str, Callable[..., Any]] = {
        "compress": lambda x, **more: x.compress(B, **more),
        "nonzero": lambda x, **more: x.nonzero(**more),
        "choose": lambda x, **more: x.astype(int).choose([V] * 4, **more),
    }
    assert calls.keys() == table.DATA_DEPENDENT_METHODS
    for name, call in calls.items():
        mended = {"mode": "clip"} if name == "choose" else {"size": 4}
        assert under("jit", call, V) in TRACER_ERRORS
        assert under("jit", lambda x, call=call, mended=mended: call(x, **mended), V) == "traced"  # type: ignore[misc]


@pytest.mark.parametrize("name", sorted(table.HOST_METHODS))
def test_host_methods(name: str) -> None:
    arguments = (0,) if name == "item" else ()
    for transform in ("jit", "vmap"):
        assert under(transform, lambda x: getattr(x, name)(*arguments), M) == "ConcretizationTypeError"
    assert under("grad", lambda x: x.item(), 0.5) == "static"


def test_sync_and_static_methods() -> None:
    array = jnp.asarray(0.5)
    for name in table.SYNC_METHODS - {"to_py"}:
        found = getattr(array, name)()
        assert found is array or not isinstance(found, jax.Array)
    for name in table.SYNC_DUNDERS:
        assert hasattr(array, name)
    for name in table.STATIC_METHODS:
        assert not isinstance(getattr(array, name)(), jax.Array)


def test_every_method_is_known() -> None:
    known = (
        table.ARRAY_METHODS | table.HOST_METHODS | table.SYNC_METHODS | table.STATIC_METHODS | table.STATIC_ATTRIBUTES
    )
    known |= (
        table.ARRAY_ATTRIBUTES | table.NOT_ON_TRACER.keys() | table.DATA_DEPENDENT_METHODS | {table.UPDATE_ATTRIBUTE}
    )
    public = {name for name in dir(jax.Array) if not name.startswith("_")}
    assert public - known <= {"addressable_data"}


CANDIDATES: tuple[Any, ...] = (0, 1, 2, (0,), (1, 0), 4, 16)


@pytest.mark.parametrize("name", sorted(table.SHAPE_METHODS))
def test_shape_methods(name: str) -> None:
    if name in ("reshape", "transpose"):
        values = {"reshape": (2, 8), "transpose": (1, 0)}[name]
        for run in (lambda v: getattr(as_tracer(M), name)(v), lambda v: getattr(as_tracer(M), name)(*v)):
            assert staged(lambda run=run: run(values)) == "traced"  # type: ignore[misc]
            assert staged(lambda run=run: run(as_tracer(values))) not in ("traced", "static")  # type: ignore[misc]
        return
    arguments = ARGUMENTS.get(name, ())
    subject = M[:1] if name == "squeeze" else receiver(name)
    for position, keyword in table.SHAPE_METHODS[name]:
        answers = []
        for candidate in CANDIDATES:

            def call(value: Any, position: int | None = position, keyword: str = keyword) -> Any:
                changed = list(arguments)
                if name == "compress" and keyword == "axis":
                    return as_tracer(subject).compress(B, axis=value, size=4)
                if position is not None and 0 <= position < len(changed):
                    changed[position] = value
                    return getattr(as_tracer(subject), name)(*changed)
                return getattr(as_tracer(subject), name)(*changed, **{keyword: value})

            if staged(lambda candidate=candidate: call(candidate)) == "traced":  # type: ignore[misc]
                answers.append(staged(lambda candidate=candidate: call(as_tracer(candidate))))  # type: ignore[misc]
        assert answers and not {"traced", "static"} & set(answers), (keyword, answers)


def outcome(function: Callable[[Any], Any]) -> table.Outcome:
    for value in (0.5, 2, V):
        assert under("jit", function, value) == under("vmap", function, value)
    scalar, integer, vector = (under("jit", function, value) for value in (0.5, 2, V))
    return table.Outcome(scalar, integer, vector, under("grad", function, 0.5))


@pytest.mark.parametrize("name", table.BUILTINS)
def test_builtins(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert outcome(getattr(builtins, name)) == table.BUILTINS[name]


@pytest.mark.parametrize("expression", table.BUILTIN_CALLS)
def test_builtin_calls(expression: str) -> None:
    assert outcome(lambda x: eval(expression, {"x": x, "operator": operator})) == table.BUILTIN_CALLS[expression]


def test_integers_are_not_traced_under_grad() -> None:
    for name in ("bool", "int", "float", "range", "hex", "abs"):
        assert under("grad", getattr(builtins, name), 2) == "static"


SHAPES: tuple[Callable[[Any], tuple[Any, ...]], ...] = (
    lambda x: (x,),
    lambda x: (x, 1),
    lambda x: ([x, x],),
    lambda x: ([x], [x]),
    lambda x: (x * 2,),
)


@pytest.mark.parametrize(
    "name", [name for name in dir(math) if callable(getattr(math, name)) and not name.startswith("_")]
)
def test_math(name: str) -> None:
    function = getattr(math, name)
    value: float | int = 0.5 if table.MATH_FAILS.get(name) != "TracerIntegerConversionError" else 2
    value = 1.5 if name == "acosh" else value
    for shape in SHAPES:
        try:
            function(*shape(value))
        except (TypeError, ValueError):
            continue

        def call(x: Any, shape: Callable[[Any], tuple[Any, ...]] = shape) -> Any:
            return function(*shape(x))

        transforms = ("jit", "vmap", "grad") if isinstance(value, float) else ("jit", "vmap")
        answers = {under(transform, call, value) for transform in transforms}
        assert answers == ({"traced"} if name in table.MATH_WORKS else {table.MATH_FAILS[name]})
        return
    assert name in ("fma", "signbit", "isnormal", "issubnormal", "fmax", "fmin"), f"math.{name} was not called"


def test_math_errors_are_tracer_errors_but_for_trunc() -> None:
    assert {name for name, error in table.MATH_FAILS.items() if error not in TRACER_ERRORS} == {"trunc"}
