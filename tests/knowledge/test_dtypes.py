"""The lattice of dtypes and the rules on sets of them, asked of the installed JAX with and without 64 bits."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import pytest

pytest.importorskip("jax", reason="the judge of these tables is JAX itself")

import jax
import jax.numpy as jnp

from jaxlint.knowledge import dtypes

_WIDE = frozenset({"int64", "uint64", "float64", "complex128"})
_PYTHON: dict[str, Any] = {"int*": 1, "float*": 1.0, "complex*": 1j}
_WEAK = {"b": "bool*", "i": "int*", "f": "float*", "c": "complex*"}


@pytest.fixture(params=[False, True], ids=["32", "64"])
def wide(request: pytest.FixtureRequest) -> Iterator[bool]:
    before = jax.config.read("jax_enable_x64")
    jax.config.update("jax_enable_x64", request.param)
    yield request.param
    jax.config.update("jax_enable_x64", before)


def value(name: str) -> Any:
    return _PYTHON[name] if name in _PYTHON else jnp.zeros((), name)


def name_of(result: Any) -> str:
    aval = jax.typeof(result)
    return _WEAK[aval.dtype.kind] if aval.weak_type else str(aval.dtype)


def names(wide: bool) -> list[str]:
    return [name for name in dtypes.LATTICE if wide or name not in _WIDE]


def results(calls: list[Callable[[], Any]]) -> list[str]:
    """The types that calls give, traced together: nothing is computed."""
    found: list[str] = []
    jax.make_jaxpr(lambda: found.extend(name_of(call()) for call in calls))()
    return found


def test_promotion(wide: bool) -> None:
    pairs = list(itertools.product(names(wide), names(wide)))
    products = results([lambda a=a, b=b: jnp.multiply(value(a), value(b)) for a, b in pairs])
    quotients = results([lambda a=a, b=b: jnp.divide(value(a), value(b)) for a, b in pairs])
    for (a, b), product, quotient in zip(pairs, products, quotients, strict=True):
        said = dtypes.promote(dtypes.mask(a), dtypes.mask(b))
        assert product in dtypes.names_in(said), (a, b)
        assert quotient in dtypes.names_in(dtypes.inexact(said)), (a, b)


@pytest.mark.parametrize(
    ("function", "rule"),
    [
        (jnp.sum, dtypes.summed),
        (jnp.exp, dtypes.inexact),
        (jnp.abs, dtypes.magnitude),
        (jnp.max, dtypes.strong),
        (jnp.mean, lambda types: dtypes.strong(dtypes.inexact(types))),
    ],
)
def test_rules(function: Callable[[Any], Any], rule: Callable[[int], int], wide: bool) -> None:
    found = results([lambda name=name: function(value(name)) for name in names(wide)])
    for name, result in zip(names(wide), found, strict=True):
        assert result in dtypes.names_in(rule(dtypes.mask(name))), name


@pytest.mark.filterwarnings("ignore")
def test_names_of_dtypes(wide: bool) -> None:
    for name, types in dtypes.DTYPE_NAMES.items():
        for asked in (name, getattr(jnp, name, None)):
            if asked is not None and (asked != name or name not in ("uint_", "float_", "int_", "complex_", "bool_")):
                try:
                    made = jnp.zeros((), asked)
                except TypeError:
                    continue  # no name that dtype= takes as a string
                assert name_of(made) in dtypes.names_in(types), asked


def test_numbers() -> None:
    for name in dtypes.NUMBERS:
        module, _, attribute = name.rpartition(".")
        found = getattr(__import__(module, fromlist=["_"]), attribute, None)
        assert found is None or type(found) is float


def test_difference() -> None:
    default = dtypes.DEFAULT_FLOAT
    assert not dtypes.differ(default, dtypes.mask("float32"))
    assert not dtypes.differ(dtypes.mask("float*"), dtypes.mask("float64"))
    assert dtypes.differ(default, dtypes.mask("float16"))
    assert dtypes.differ(dtypes.mask("int*"), dtypes.mask("float*"))
    assert not dtypes.differ(dtypes.ANY_DTYPE, dtypes.mask("bool"))
