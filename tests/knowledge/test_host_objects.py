"""The names in `jaxlint.knowledge.host_objects` exist, and format strings do with tracers what `formats` says."""

from __future__ import annotations

import importlib
import io
import json
import pickle
from typing import Any

import pytest
from test_host_effects import COMES_AND_GOES, find

from jaxlint.knowledge import formats, host_objects
from jaxlint.knowledge.host_effects import FILE_WRITES

_HERE = ("logging", "random", "secrets", "io", "codecs", "gzip", "bz2", "lzma", "csv", "pathlib", "builtins", "numpy")
_CLASSES = {
    "logger": "logging.Logger",
    "random.Random": "random.Random",
    "numpy.random.Generator": "numpy.random.Generator",
    "numpy.random.RandomState": "numpy.random.RandomState",
    "file": "io.TextIOWrapper",
    "pathlib.Path": "pathlib.Path",
}


def known(name: str) -> Any:
    if name.startswith("numpy."):
        pytest.importorskip("numpy", reason="numpy is not installed")
    return find(name)


@pytest.mark.parametrize("name", sorted(n for n in host_objects.MAKERS if n.partition(".")[0] in _HERE))
def test_makers_exist(name: str) -> None:
    assert callable(known(name))


def test_every_maker_makes_a_class_with_methods() -> None:
    assert set(host_objects.MAKERS.values()) == set(host_objects.METHODS)
    assert set(host_objects.METHODS) >= host_objects.GENERATORS


@pytest.mark.parametrize("cls", sorted(_CLASSES))
def test_methods_exist(cls: str) -> None:
    found = known(_CLASSES[cls])
    gone = {name.rpartition(".")[2] for name in COMES_AND_GOES} | {"warn"}
    assert [name for name in host_objects.METHODS[cls] if name not in gone and not hasattr(found, name)] == []


@pytest.mark.parametrize("name", sorted(n for n in host_objects.FUNCTIONS if n.partition(".")[0] in _HERE))
def test_functions_exist(name: str) -> None:
    if name not in COMES_AND_GOES and name != "logging.warn":
        assert callable(known(name))


@pytest.mark.parametrize("name", sorted(host_objects.CLOCK_ARGUMENTS))
def test_clocks_with_a_time_of_their_own(name: str) -> None:
    moment: tuple[Any, ...] = ((2001, 2, 3, 4, 5, 6, 5, 34, 0),) if name[5:] in ("asctime", "strftime") else (0,)
    given = (("%Y",) if name == "time.strftime" else ()) + moment
    assert find(name)(*given) == find(name)(*given)


def outcome(function: Any) -> str:
    """What a function of a tracer does under jit: the class of its error, or ``""``."""
    jax = importlib.import_module("jax")

    def traced(x: Any) -> Any:
        function(x)
        return x

    try:
        jax.jit(traced)(1.0)
    except Exception as error:
        return type(error).__name__
    return ""


@pytest.mark.parametrize("letter", "diouxXeEfFgGcsra")
def test_percent_under_jax(letter: str) -> None:
    pytest.importorskip("jax", reason="jax is not installed")
    text = f"%{letter}"
    assert formats.percent_types(text) == [letter]
    assert (outcome(lambda x: text % x) == "") == (letter in formats.TAKES_ANYTHING)
    assert (outcome(lambda x: text % x) == "ConcretizationTypeError") == (letter in formats.CALLS_FLOAT)


@pytest.mark.parametrize("text", ["{:.2f}", "{:>9}", "{!r:>9}", "{}", "{!s}", "{0:d}", "{0}"])
def test_braces_under_jax(text: str) -> None:
    pytest.importorskip("jax", reason="jax is not installed")
    assert (outcome(lambda x: text.format(x)) == "TypeError") == (0 in formats.braces_with_format(text))


def test_places_in_format_strings() -> None:
    assert formats.percent_types("%s of %5.2f %%, %-3d") == ["s", "f", "d"]
    assert formats.percent_types("%(a)s") is None
    assert formats.percent_types("%*d") is None
    assert formats.braces_with_format("{} {:.1f} {a:d} {b}") == {1, "a"}
    assert formats.braces_with_format("{") == frozenset()


def test_what_is_stored_needs_numbers() -> None:
    np = pytest.importorskip("numpy", reason="numpy is not installed")
    jnp = pytest.importorskip("jax.numpy", reason="jax is not installed")
    calls = {
        "pickle.dump": lambda x: pickle.dump(x, io.BytesIO()),
        "pickle.dumps": lambda x: pickle.dumps(x),
        "json.dump": lambda x: json.dump({"x": x}, io.StringIO()),
        "json.dumps": lambda x: json.dumps([x]),
        "marshal.dump": lambda x: importlib.import_module("marshal").dump(x, io.BytesIO()),
        "marshal.dumps": lambda x: importlib.import_module("marshal").dumps(x),
        "numpy.save": lambda x: np.save(io.BytesIO(), x),
        "numpy.savez": lambda x: np.savez(io.BytesIO(), x=x),
        "numpy.savez_compressed": lambda x: np.savez_compressed(io.BytesIO(), x=x),
        "numpy.savetxt": lambda x: np.savetxt(io.StringIO(), x),
        "jax.numpy.save": lambda x: jnp.save(io.BytesIO(), x),
        "jax.numpy.savez": lambda x: jnp.savez(io.BytesIO(), x=x),
    }
    assert set(calls) == FILE_WRITES
    assert [name for name, call in calls.items() if outcome(call) == ""] == []


@pytest.mark.parametrize("use", [hash, lambda x: {x: 1}, lambda x: {x}, lambda x: {1: 2}.get(x), lambda x: {(x, 1)}])
def test_a_tracer_has_no_hash(use: Any) -> None:
    pytest.importorskip("jax", reason="jax is not installed")
    assert outcome(use) == "TypeError"


def test_waiting_for_a_tracer_does_nothing() -> None:
    jax = pytest.importorskip("jax", reason="jax is not installed")
    assert outcome(lambda x: jax.device_get(x).astype(int) + jax.block_until_ready(x)) == ""
    assert outcome(lambda x: x.block_until_ready()) == "AttributeError"
