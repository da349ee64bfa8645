"""Every entry of `jaxlint.knowledge.jax_random`, measured again with JAX's own key checker."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

pytest.importorskip("jax", reason="the judge of these tables is JAX itself")

import jax
from jax.experimental import key_reuse
from knowledge_probe import M, V, as_tracer, public_callables, staged

from jaxlint.knowledge import jax_random as table

WORKED = frozenset({"traced", "static", "mixed"})
MORE: dict[str, tuple[Any, ...]] = {
    "ball": (2,),
    "beta": (0.5, 0.5),
    "binomial": (4.0, 0.5),
    "categorical": (V,),
    "chisquare": (2.0,),
    "choice": (V,),
    "dirichlet": (V,),
    "double_sided_maxwell": (0.0, 1.0),
    "f": (2.0, 2.0),
    "fold_in": (1,),
    "gamma": (0.5,),
    "generalized_normal": (2.0,),
    "geometric": (0.5,),
    "loggamma": (0.5,),
    "multinomial": (4, V),
    "multivariate_normal": (V, M),
    "orthogonal": (2,),
    "pareto": (2.0,),
    "permutation": (V,),
    "poisson": (2.0,),
    "randint": ((2,), 0, 4),
    "rayleigh": (1.0,),
    "t": (2.0,),
    "triangular": (0.0, 0.5, 1.0),
    "truncated_normal": (-1.0, 1.0),
    "wald": (1.0,),
    "weibull_min": (1.0, 1.0),
}


def function_of(name: str) -> Any:
    return getattr(jax.random, name.removeprefix("jax.random."), None)


def present(names: Any) -> list[str]:
    return [name for name in sorted(names) if function_of(name) is not None]


def arguments_of(name: str) -> tuple[Any, ...]:
    return MORE.get(name.removeprefix("jax.random."), ())


def roles(function: Any, argument: Any) -> set[str]:
    """`Sink`, `Source`: what JAX's checker says about the function."""
    core = pytest.importorskip("jax.experimental.key_reuse._core", reason="this JAX hides its key checker")
    signature = core.function_type_signature(lambda value: function(value), argument)
    return {type(role).__name__ for role in [*signature.sinks, *signature.sources, *signature.forwards]}


def key_roles(name: str) -> set[str]:
    return roles(lambda key: function_of(name)(key, *arguments_of(name)), jax.random.key(0))


@pytest.mark.parametrize("name", present(table.SAMPLERS))
def test_samplers_sink_the_key_and_return_none(name: str) -> None:
    assert key_roles(name) == {"Sink"}
    key = jax.random.key(0)
    function = function_of(name)
    assert staged(lambda: function(as_tracer(key), *arguments_of(name))) == "traced"
    assert staged(lambda: function(*arguments_of(name)[:0], key=key, **named(name))) == "traced"


def named(name: str) -> dict[str, Any]:
    parameters = list(inspect.signature(function_of(name)).parameters)
    return dict(zip(parameters[1:], arguments_of(name), strict=False))


@pytest.mark.parametrize("name", present(table.SAMPLERS | table.SPLITTERS | table.DERIVERS))
def test_the_key_is_the_first_parameter(name: str) -> None:
    assert list(inspect.signature(function_of(name)).parameters)[table.KEY_ARGUMENT[0]] == table.KEY_ARGUMENT[1]


def test_other_roles() -> None:
    assert all(key_roles(name) == {"Sink", "Source"} for name in table.SPLITTERS)
    assert all(key_roles(name) == {"Source"} for name in table.DERIVERS)
    assert key_roles("jax.random.key_data") == set()
    assert roles(jax.random.key, 0) == {"Source"}
    assert roles(jax.random.wrap_key_data, jax.random.key_data(jax.random.key(0))) == {"Source"}
    assert roles(jax.random.PRNGKey, 0) == set()


def test_static_readers() -> None:
    key = jax.random.key(0)
    for name in present(table.KEY_READERS - {"jax.random.key_dtype"}):
        expected = "static" if name in table.STATIC_READERS else "traced"
        assert staged(lambda name=name: function_of(name)(as_tracer(key))) == expected  # type: ignore[misc]


def test_readers_do_not_consume() -> None:
    key = jax.random.key(0)

    def both(key: Any) -> Any:
        jax.random.key_data(key)
        jax.random.fold_in(key, 1)
        jax.random.clone(key)
        return jax.random.normal(key)

    pytest.importorskip("jax.experimental.key_reuse._core", reason="this JAX hides its key checker").check_key_reuse(
        both, key
    )
    assert key_reuse is not None


def test_split_equals_fold_in() -> None:
    key = jax.random.key(0)
    pieces = jax.random.split(key, 3)
    assert all(bool((jax.random.fold_in(key, i) == pieces[i]).all()) for i in range(3))


def test_every_public_function_is_known() -> None:
    known = table.SAMPLERS | table.SPLITTERS | table.SOURCES | table.DERIVERS | table.KEY_READERS
    names = {f"jax.random.{name}" for name, function in public_callables(jax.random) if name != "Key"}
    assert names - known == set()


@pytest.mark.parametrize("name", present(table.SHAPE_ARGUMENTS))
def test_shape_arguments(name: str) -> None:
    function = function_of(name)
    parameters = list(inspect.signature(function).parameters)
    static = {keyword for _, keyword in table.SHAPE_ARGUMENTS[name]}
    more = arguments_of(name)
    key = jax.random.key(0)
    for position, keyword in [
        *table.SHAPE_ARGUMENTS[name],
        *((p, k) for p, k in enumerate(parameters) if p == 1 and more),
    ]:
        assert parameters[position] == keyword
        answers = []
        given = [more[position - 1]] if position <= len(more) else []
        candidates = [True, False] if keyword in ("replace", "independent") else [(2,), (4,), (2, 2), 0, 2, 1]
        for candidate in given or candidates:

            def run(value: Any, given: Any = given, position: int = position, keyword: str = keyword) -> Any:
                if given:
                    return function(key, *more[: position - 1], value, *more[position:])
                return function(key, *more, **{keyword: value})

            if staged(lambda candidate=candidate: run(candidate)) in WORKED:  # type: ignore[misc]
                answers.append(staged(lambda candidate=candidate: run(as_tracer(candidate))))  # type: ignore[misc]
        assert answers
        assert (keyword in static) == (not WORKED & set(answers)), (keyword, answers)
