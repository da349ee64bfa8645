"""Every entry of `jaxlint.knowledge.numpy_api`, measured again with the installed NumPy, SciPy and JAX."""

from __future__ import annotations

import importlib.util
import inspect
import warnings
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

pytest.importorskip("jax", reason="the judge of these tables is JAX itself")

import bisect
import copy
import decimal
import fractions
import functools
import json
import operator
import pickle
import random
import statistics
import time

import jax
import jax.numpy as jnp
import numpy as np
from knowledge_probe import (
    TRACER_ERRORS,
    I,
    V,
    as_tracer,
    calls,
    is_array_like,
    public_callables,
    staged,
    under,
    with_tracer,
)
from numpy_recipes import NOT_CALLED, RECIPES

from jaxlint.knowledge import numpy_api as table

NAMESPACE = {
    "np": np,
    "jnp": jnp,
    "jax": jax,
    "operator": operator,
    "functools": functools,
    "copy": copy,
    "pickle": pickle,
    "json": json,
    "bisect": bisect,
    "statistics": statistics,
    "decimal": decimal,
    "fractions": fractions,
    "time": time,
    "random": random,
}


def resolve(name: str) -> Callable[..., Any] | None:
    found: Any = np
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for part in name.split("."):
            found = getattr(found, part, None)
    return found if callable(found) else None


@cache
def verdicts(name: str) -> dict[int, frozenset[str]]:
    """Position of an array or a number -> what happens when a tracer stands there."""
    function = resolve(name)
    found: dict[int, set[str]] = {}
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        assert function is not None
        for arguments in calls(function, RECIPES.get(name, ())):
            for position, argument in enumerate(arguments):
                is_output = isinstance(function, np.ufunc) and position >= function.nin
                if is_array_like(argument) and not is_output:
                    found.setdefault(position, set()).add(with_tracer(function, arguments, position))
    return {position: frozenset(answers) for position, answers in found.items()}


def installed(names: frozenset[str] | dict[str, str]) -> list[str]:
    return [name for name in sorted(names) if resolve(name) is not None]


def first(name: str) -> frozenset[str]:
    found = verdicts(name)
    return found[min(found)] if found else frozenset()


@pytest.mark.parametrize("name", installed(table.WORKS_ON_TRACER))
def test_works(name: str) -> None:
    assert first(name) == {"traced"}
    assert verdicts(name)[0] == {"traced"}


@pytest.mark.parametrize("name", installed(table.FAILS_ON_TRACER))
def test_fails(name: str) -> None:
    assert first(name) and first(name) <= TRACER_ERRORS


@pytest.mark.parametrize("name", installed(table.FAILS_IN_ANY_POSITION))
def test_fails_in_any_position(name: str) -> None:
    assert frozenset().union(*verdicts(name).values()) <= TRACER_ERRORS


@pytest.mark.parametrize("name", installed(table.FAILS_OTHERWISE))
def test_fails_otherwise(name: str) -> None:
    assert table.FAILS_OTHERWISE[name] in first(name)
    assert first(name) <= TRACER_ERRORS | {table.FAILS_OTHERWISE[name]}


def test_every_public_function_is_known() -> None:
    known = table.WORKS_ON_TRACER | table.FAILS_ON_TRACER | table.FAILS_OTHERWISE.keys() | table.STATIC_RESULT
    known |= table.VERSION_DEPENDENT | table.SILENTLY_FALSE | table.HOST_ARRAYS_FROM_SHAPE
    unknown = [
        prefix + name
        for module, prefix in ((np, ""), (np.linalg, "linalg."), (np.fft, "fft."))
        for name, _ in public_callables(module)
        if name not in NOT_CALLED and prefix + name not in known
    ]
    assert unknown == []


def test_tables_do_not_overlap() -> None:
    tables = [table.WORKS_ON_TRACER, table.FAILS_ON_TRACER, frozenset(table.FAILS_OTHERWISE), table.STATIC_RESULT]
    tables += [table.VERSION_DEPENDENT, table.SILENTLY_FALSE, table.HOST_ARRAYS_FROM_SHAPE]
    assert len(frozenset().union(*tables)) == sum(map(len, tables))
    assert table.FAILS_IN_ANY_POSITION < table.FAILS_ON_TRACER


@pytest.mark.parametrize("name", installed(table.STATIC_RESULT | table.SILENTLY_FALSE | table.HOST_ARRAYS_FROM_SHAPE))
def test_static(name: str) -> None:
    of_dtype: dict[str, Callable[[Any], Any]] = {
        "dtype": lambda x: np.dtype(x.dtype),
        "issubdtype": lambda x: np.issubdtype(x.dtype, np.floating),
        "isdtype": lambda x: np.isdtype(x.dtype, "real floating"),
        "promote_types": lambda x: np.promote_types(x.dtype, np.int32),
    }
    for transform in ("jit", "vmap", "grad"):
        if name in of_dtype:
            assert under(transform, of_dtype[name], V) == "static"
        elif transform == "jit":
            assert first(name) == {"static"}


def test_silently_false_and_never_scalar() -> None:
    answers: list[bool] = []

    def function(x: Any) -> Any:
        answers.extend([np.array_equal(x, x), np.array_equiv(x, x), np.isscalar(x), np.isscalar(x[0])])
        return x

    jax.jit(function)(V)
    assert answers == [False] * 4


@pytest.mark.parametrize("transform", ["vmap", "grad"])
@pytest.mark.parametrize("name", installed(table.WORKS_ON_TRACER | table.FAILS_ON_TRACER))
def test_other_transforms_agree_on_floats(name: str, transform: str) -> None:
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        function = resolve(name)
        assert function is not None
        for arguments in calls(function, RECIPES.get(name, ())):
            if arguments and isinstance(arguments[0], np.ndarray) and arguments[0].dtype == np.float32:
                rest = arguments[1:]
                answer = under(transform, lambda x, rest=rest: function(x, *rest), arguments[0])  # type: ignore[misc]
                if name in table.FAILS_ON_TRACER:
                    assert answer not in ("traced", "static", "mixed") or (
                        name in ("nonzero", "argwhere") and transform == "grad"
                    )
                else:
                    assert answer in ("traced", "static")
                return


MADE: dict[str, Callable[[], Any]] = {
    "frombuffer": lambda: np.frombuffer(bytearray(16), np.float32),
    "fromfunction": lambda: np.fromfunction(lambda i: i, (3,)),
    "fromstring": lambda: np.fromstring("1 2", sep=" "),
    "insert": lambda: np.insert(V, 1, 0.5),
    "indices": lambda: np.indices((2, 2)),
    "linspace": lambda: np.linspace(0, 1, 3),
}


@pytest.mark.parametrize("name", installed(table.BUFFER_MAKERS - {"fromfile", "loadtxt", "genfromtxt"}))
def test_buffer_makers(name: str) -> None:
    if name in MADE:
        made = MADE[name]()
    else:
        function = resolve(name)
        assert function is not None
        arguments = calls(function, RECIPES.get(name, ()))[-1]
        made = function(*arguments)
    assert isinstance(made, np.ndarray)
    if name not in ("asarray", "ascontiguousarray", "asfortranarray"):
        assert made.flags.writeable
        assert not np.shares_memory(made, V)


@pytest.mark.parametrize("expression", table.OPERATIONS)
def test_operations(expression: str, capsys: pytest.CaptureFixture[str]) -> None:
    def body() -> Any:
        return eval(expression, {**NAMESPACE, "x": as_tracer(V), "i": as_tracer(1), "array": V.copy()})

    assert staged(body) == table.OPERATIONS[expression]


@pytest.mark.parametrize(
    "expression", ["array[i]", "array[x > 0]", "[1, 2, 3][i]", "range(i)", "'a' * i", "not i", "0 < i < 2"]
)
def test_integers_and_comparisons_have_values_under_grad(expression: str) -> None:
    def evaluate_it(x: Any) -> Any:
        return eval(expression, {"x": x, "i": (x * 10).astype(int)[0], "array": V})

    assert under("grad", evaluate_it, V) == "static"


@pytest.mark.parametrize("prefix", sorted(table.SCIPY_PREFIXES_FAIL))
def test_scipy(prefix: str) -> None:
    module = pytest.importorskip(prefix, reason="SciPy is not installed")
    pool = {"V": V, "M": np.eye(4, dtype=np.float32) + 0.1, "I": I, "K": 2, "0.5": 0.5, "B": I > 1}
    works, failed = [], 0
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for name, function in public_callables(module):
            is_function = inspect.isroutine(function) or isinstance(function, np.ufunc)
            if not is_function or name in ("test", "set_workers"):
                continue  # a class or a distribution object
            for arguments in calls(function, (), pool):
                if isinstance(arguments[0], np.ndarray):
                    failed += 1
                    if with_tracer(function, arguments, 0) in ("traced", "mixed", "static"):
                        works.append(f"{prefix}.{name}")
    assert failed > 20
    assert set(works) <= table.SCIPY_WORKS


def test_scipy_works() -> None:
    signal = pytest.importorskip("scipy.signal", reason="SciPy is not installed")
    assert under("jit", lambda x: signal.kaiser_atten(4, x), 0.5) == "traced"


@pytest.mark.parametrize("method", ["pdf", "logpdf", "cdf", "logcdf", "ppf", "sf"])
def test_scipy_distributions(method: str) -> None:
    stats = pytest.importorskip("scipy.stats", reason="SciPy is not installed")
    assert under("jit", lambda x: getattr(stats.norm, method)(x), V) in TRACER_ERRORS
    assert under("jit", lambda x: getattr(stats.norm(x, 1.0), method)(V), V) in TRACER_ERRORS


def test_module_imports_nothing_heavy() -> None:
    for name in ("numpy_api", "jax_numpy", "jax_random", "array_api", "host_effects"):
        source = importlib.util.find_spec(f"jaxlint.knowledge.{name}")
        assert source is not None and source.origin is not None
        with open(source.origin, encoding="utf-8") as file:
            imports = [line for line in file if line.startswith(("import ", "from "))]
        assert set(imports) <= {"from __future__ import annotations\n", "from typing import NamedTuple\n"}
