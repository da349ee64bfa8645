"""Every entry of `jaxlint.knowledge.jax_numpy`, measured again with the installed JAX."""

from __future__ import annotations

import importlib
import inspect
import warnings
from collections.abc import Callable, Iterable
from typing import Any

import pytest

pytest.importorskip("jax", reason="the judge of these tables is JAX itself")

import jax
import jax.numpy as jnp
import numpy as np
from jax_recipes import RECIPES
from knowledge_probe import TRACER_ERRORS, B, I, M, V, as_tracer, evaluate, fresh, leaves, staged, under

from jaxlint.knowledge import jax_numpy as table

WORKED = frozenset({"traced", "static", "mixed"})
CANDIDATES: tuple[Any, ...] = (0, 1, 2, 4, (0,), (2, 2), (1, 0), (1,), 0.5)


def resolve(name: str) -> Callable[..., Any] | None:
    module, _, attribute = name.rpartition(".")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return getattr(importlib.import_module(module), attribute, None)


def installed(names: Iterable[str]) -> list[str]:
    return [name for name in sorted(names) if resolve(name) is not None]


def is_array(value: Any) -> bool:
    if isinstance(value, (list, tuple)):
        return bool(value) and all(is_array(item) for item in value)
    return isinstance(value, (np.ndarray, jax.Array))


def traced_arrays(value: Any) -> Any:
    return as_tracer(value) if is_array(value) else value


def result(function: Callable[[], Any]) -> Any:
    """What the function returns inside jit."""
    box: list[Any] = []
    jax.make_jaxpr(lambda _: box.extend([function()]))(0.0)
    return box[0]


def call(name: str, recipe: str | None = None) -> Any:
    function = resolve(name)
    assert function is not None
    arguments = evaluate(recipe or RECIPES[name], {})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return result(lambda: function(*(traced_arrays(fresh(argument)) for argument in arguments)))


EXTRA = {
    "jax.typeof": "V",
    "jax.dtypes.issubdtype": "np.dtype('float32'), np.floating",
    "jax.dtypes.result_type": "V, I",
    "jax.dtypes.canonicalize_dtype": "'float64'",
}


@pytest.mark.parametrize("name", installed(table.RETURNS_STATIC))
def test_returns_static(name: str) -> None:
    assert not any(isinstance(leaf, jax.core.Tracer) for leaf in leaves(call(name, EXTRA.get(name))))


def test_everything_else_is_traced() -> None:
    """No recipe outside the table has a result without a tracer."""
    skipped = (
        table.RETURNS_STATIC | table.HOST_FUNCTIONS | table.NEEDS_KEYWORD.keys() | table.DATA_DEPENDENT_SHAPE.keys()
    )
    for name in installed(RECIPES):
        if name in skipped or name.endswith("sph_harm_y"):
            continue
        kinds = {isinstance(leaf, jax.core.Tracer) for leaf in leaves(call(name))}
        assert True in kinds, name
        assert kinds == {True} or name == "jax.scipy.linalg.cho_factor", name


TUPLES = {
    "jax.numpy.unique_all": lambda: jnp.unique_all(as_tracer(V), size=4),
    "jax.numpy.unique_counts": lambda: jnp.unique_counts(as_tracer(V), size=4),
    "jax.numpy.unique_inverse": lambda: jnp.unique_inverse(as_tracer(V), size=4),
    "jax.numpy.mask_indices": lambda: jnp.mask_indices(2, jnp.triu, size=4),
    "jax.numpy.nonzero": lambda: jnp.nonzero(as_tracer(V), size=4),
}


@pytest.mark.parametrize("name", installed(table.RETURNS_TUPLE))
def test_returns_tuple(name: str) -> None:
    found = result(TUPLES[name]) if name in TUPLES else call(name)
    assert isinstance(found, (tuple, list))
    assert table.RETURNS_TUPLE[name] in (None, len(found))


OPTION_CALLS = {"jax.numpy.unique": "V", "jax.numpy.intersect1d": "V, V"}


@pytest.mark.parametrize("name", installed(table.ONE_ARRAY_WITH.keys() | table.TUPLE_WITH.keys()))
def test_options_that_change_the_structure(name: str) -> None:
    function = resolve(name)
    assert function is not None
    arguments = evaluate(OPTION_CALLS.get(name) or RECIPES[name], {})
    sized = {"size": 4} if name in OPTION_CALLS else {}

    def run(**options: Any) -> Any:
        return result(lambda: function(*(traced_arrays(argument) for argument in arguments), **sized, **options))

    for keyword in table.TUPLE_WITH.get(name, ()):
        assert isinstance(run(), jax.Array)
        assert isinstance(run(**{keyword: True}), tuple)
    if name in table.ONE_ARRAY_WITH:
        keyword, value = table.ONE_ARRAY_WITH[name]
        assert name in table.RETURNS_TUPLE
        assert isinstance(run(**{keyword: value}), jax.Array)


def test_no_other_tuples() -> None:
    skipped = (
        table.RETURNS_STATIC | table.HOST_FUNCTIONS | table.NEEDS_KEYWORD.keys() | table.DATA_DEPENDENT_SHAPE.keys()
    )
    for name in installed(RECIPES.keys() - skipped - table.RETURNS_TUPLE.keys()):
        if not name.endswith("sph_harm_y"):
            assert isinstance(call(name), jax.Array), name


@pytest.mark.parametrize("name", installed(table.DTYPE_CONSTRUCTORS))
def test_dtype_constructors(name: str) -> None:
    constructor = resolve(name)
    assert constructor is not None
    made = result(lambda: constructor(as_tracer(2)))
    assert isinstance(made, jax.core.Tracer)
    assert made.dtype == jax.dtypes.canonicalize_dtype(constructor)


@pytest.mark.parametrize("name", installed(table.BOOLEAN_RESULT))
def test_boolean_result(name: str) -> None:
    assert call(name).dtype == bool
    if name != "jax.lax.is_finite":
        integers = RECIPES[name].replace("V", "I").replace("M", "I")
        assert call(name, integers).dtype == bool


def test_no_other_boolean_result() -> None:
    skipped = (
        table.RETURNS_STATIC | table.DTYPE_CONSTRUCTORS | table.DATA_DEPENDENT_SHAPE.keys() | table.NEEDS_KEYWORD.keys()
    )
    for name in installed(RECIPES.keys() - skipped - table.HOST_FUNCTIONS - table.BOOLEAN_RESULT):
        if "B" not in RECIPES[name] and not name.endswith("sph_harm_y"):
            assert all(getattr(leaf, "dtype", None) != np.dtype(bool) for leaf in leaves(call(name))), name


@pytest.mark.parametrize("name", installed(table.INTEGER_RESULT))
def test_integer_result(name: str) -> None:
    sized: dict[str, Callable[[], Any]] = {
        "jax.numpy.argwhere": lambda: jnp.argwhere(as_tracer(V), size=4),
        "jax.numpy.flatnonzero": lambda: jnp.flatnonzero(as_tracer(V), size=4),
        "jax.numpy.nonzero": lambda: jnp.nonzero(as_tracer(V), size=4),
        "jax.numpy.bincount": lambda: jnp.bincount(as_tracer(I), length=4),
    }
    found = result(sized[name]) if name in sized else call(name)
    assert all(jnp.issubdtype(leaf.dtype, jnp.integer) for leaf in leaves(found))


def outcomes(name: str, position: int, keyword: str, candidates: Iterable[Any], extra: str | None = None) -> list[str]:
    """The verdicts with a traced candidate, for those candidates that work as Python values beside traced arrays."""
    function = resolve(name)
    assert function is not None
    arguments = list(evaluate(extra or RECIPES[name], {}))
    answers = []
    given = [arguments[position]] if 0 <= position < len(arguments) else []
    for candidate in [*given, *candidates]:
        if isinstance(candidate, str) or candidate is None or is_array(candidate):
            continue

        def run(value: Any) -> Any:
            changed = [traced_arrays(fresh(argument)) for argument in arguments]
            if 0 <= position < len(changed):
                changed[position] = value
                return function(*changed)
            return function(*changed, **{keyword: value})

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            if staged(lambda candidate=candidate: run(candidate)) in WORKED:  # type: ignore[misc]
                answers.append(staged(lambda candidate=candidate: run(as_tracer(candidate))))  # type: ignore[misc]
    return answers


def signature_agrees(name: str, position: int, keyword: str) -> bool:
    function = resolve(name)
    assert function is not None
    parameters = inspect.signature(function).parameters
    found = parameters[keyword]
    if position == -1:
        return found.kind is inspect.Parameter.KEYWORD_ONLY
    return list(parameters).index(keyword) == position and found.kind is not inspect.Parameter.KEYWORD_ONLY


@pytest.mark.parametrize("name", installed(table.SHAPE_ARGUMENTS))
def test_shape_arguments(name: str) -> None:
    recipe = {"jax.numpy.where": "B", "jax.numpy.array": "V"}.get(name)
    for position, keyword in table.SHAPE_ARGUMENTS[name]:
        assert signature_agrees(name, position, keyword) or keyword in ("size", "length")
        answers = outcomes(name, position, keyword, CANDIDATES, recipe)
        assert answers, (name, keyword)
        assert not WORKED & set(answers), (name, keyword, answers)


@pytest.mark.parametrize("keyword", sorted(table.FLAG_ARGUMENTS))
def test_flag_arguments(keyword: str) -> None:
    for name in installed(table.FLAG_ARGUMENTS[keyword]):
        if keyword not in inspect.signature(resolve(name)).parameters:  # type: ignore[arg-type]
            continue  # an older JAX
        answers = outcomes(name, -1, keyword, (True, False))
        assert answers and not WORKED & set(answers), (name, keyword, answers)


@pytest.mark.parametrize(
    ("function", "value"),
    [
        (lambda n: jnp.roll(V, n), 1),
        (lambda n: jnp.eye(4, k=n), 1),
        (lambda n: jnp.full((2,), n), 1),
        (lambda n: jax.lax.dynamic_slice(V, (n,), (2,)), 1),
        (lambda n: jnp.linspace(0, n, 3), 1),
        (lambda n: jnp.clip(V, 0, n), 1),
        (lambda n: jnp.trace(M, n), 1),
        (lambda n: jnp.insert(V, n, 0.5), 1),
        (lambda n: jax.nn.one_hot(n, 4), 1),
        (lambda n: jnp.histogram(V, bins=jnp.stack([n, n + 1, n + 2])), 0.0),
        (lambda n: jnp.repeat(V, n, total_repeat_length=8), 2),
    ],
)
def test_arguments_that_take_tracers(function: Callable[[Any], Any], value: Any) -> None:
    assert under("jit", function, value) in WORKED


SIZED: dict[str, tuple[str, Any]] = {
    "bincount": ("I", 4),
    "compress": ("B, V", 4),
    "extract": ("B, V", 4),
    "intersect1d": ("V, V", 4),
    "mask_indices": ("2, jnp.triu", 4),
    "setdiff1d": ("V, V", 4),
    "setxor1d": ("V, V", 4),
    "union1d": ("V, V", 4),
    "where": ("B", 4),
    "repeat": ("V, I", 6),
    "roots": ("V", False),
    "delete": ("V, I[:1]", True),
    "trim_zeros": ("V", None),
}


@pytest.mark.parametrize("name", installed(table.DATA_DEPENDENT_SHAPE))
def test_data_dependent_shape(name: str) -> None:
    function = resolve(name)
    assert function is not None
    recipe, value = SIZED.get(name.removeprefix("jax.numpy."), ("V", 4))
    arguments = evaluate(recipe, {})

    def plain(**keywords: Any) -> str:
        return staged(lambda: function(*(traced_arrays(argument) for argument in arguments), **keywords))

    assert plain() in TRACER_ERRORS
    keyword = table.DATA_DEPENDENT_SHAPE[name]
    if keyword is not None:
        assert plain(**{keyword: value}) == "traced"
        if not isinstance(value, bool):
            assert staged(lambda: function(*arguments, **{keyword: as_tracer(value)})) not in WORKED


def test_constants_are_data_dependent_under_staging_too() -> None:
    assert staged(lambda: jnp.nonzero(B)) == "ConcretizationTypeError"
    assert staged(lambda: jnp.unique(V)) == "ConcretizationTypeError"


KEYWORDS = {
    "choose": "I, [V, V, V, V]",
    "ravel_multi_index": "(I, I), (4, 4)",
    "fill_diagonal": "M, 0.5",
    "place": "V, B, V",
}
KEYWORDS |= {"put": "V, I, V", "put_along_axis": "V, I, V, 0"}


@pytest.mark.parametrize("name", installed(table.NEEDS_KEYWORD))
def test_needs_keyword(name: str) -> None:
    function = resolve(name)
    assert function is not None
    arguments = evaluate(KEYWORDS[name.removeprefix("jax.numpy.")], {})
    keyword, values = table.NEEDS_KEYWORD[name]

    def run(**keywords: Any) -> str:
        return staged(lambda: function(*(traced_arrays(argument) for argument in arguments), **keywords))

    assert run() not in WORKED
    assert all(run(**{keyword: value}) == "traced" for value in values)


@pytest.mark.parametrize("name", installed(table.HOST_FUNCTIONS))
def test_host_functions(name: str, tmp_path: Any) -> None:
    function = resolve(name)
    assert function is not None
    before = (str(tmp_path / "file"),) if name.rpartition(".")[2] in ("save", "savez") else ()
    assert under("jit", lambda x: function(*before, x), V) == "TracerArrayConversionError"


@pytest.mark.parametrize("name", sorted(table.OVER_TREES))
def test_over_trees(name: str) -> None:
    function = resolve(name)
    assert function is not None
    axes = ("i",) if "axis_name" in inspect.signature(function).parameters else ()
    made = jax.vmap(lambda tree: function(tree, *axes), axis_name="i")({"w": jnp.ones(2), "b": (jnp.zeros(2),)})
    assert jax.tree.structure(made) == jax.tree.structure({"w": 0, "b": (0,)})
