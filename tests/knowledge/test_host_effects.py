"""The names in `jaxlint.knowledge.host_effects` exist, and the mutating methods change their container."""

from __future__ import annotations

import builtins
import collections
import copy
import importlib
import warnings
from typing import Any

import pytest

from jaxlint.knowledge import host_effects as table


def find(name: str) -> Any:
    """The object with this full dotted name, or None."""
    if "." not in name:
        return getattr(builtins, name, None)
    parts = name.split(".")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for split in range(len(parts) - 1, 0, -1):
            try:
                found: Any = importlib.import_module(".".join(parts[:split]))
            except ImportError:
                continue
            for part in parts[split:]:
                found = getattr(found, part, None)
            return found
    return None


#: Gone from the newest Python or NumPy, or new in it: kept because code still calls them.
COMES_AND_GOES = {
    "numpy.random.random_integers",
    "numpy.random.ranf",
    "random.binomialvariate",
    "jax.experimental.buffer_callback.buffer_callback",
}
STANDARD = (
    table.PRINTING
    | table.LOGGING
    | table.CLOCKS
    | table.SLEEPS
    | table.HOST_RANDOM
    | table.HOST_RANDOM_STATE
    | table.FILE_READS
    | table.FILE_WRITES
    | table.FILE_CHANGES
    | table.PROCESSES
    | table.QUESTIONS
    | table.ARGUMENT_MUTATORS.keys()
    | table.HOST_CALLBACKS
    | table.DEBUG_CALLS
    | table.HOST_SYNCS
    | {"logging.getLogger"}
)


@pytest.mark.parametrize("name", sorted(STANDARD - COMES_AND_GOES))
def test_names_exist(name: str) -> None:
    library = name.partition(".")[0]
    if library in ("numpy", "jax"):
        pytest.importorskip(library, reason=f"{library} is not installed")
    assert callable(find(name))


def test_removed_names_are_gone() -> None:
    pytest.importorskip("jax", reason="jax is not installed")
    assert [name for name in table.REMOVED_CALLBACKS if find(name) is not None] == []


def test_logger_methods() -> None:
    logger = find("logging.Logger")
    assert all(hasattr(logger, name) for name in table.LOGGER_METHODS - {"warn"})


def test_generator_methods() -> None:
    pytest.importorskip("numpy", reason="numpy is not installed")
    generator = find("numpy.random.Generator")
    drawing = {name for name in dir(generator) if not name.startswith("_")} - {"bit_generator", "spawn"}
    assert drawing == table.GENERATOR_METHODS


EXAMPLES: dict[str, Any] = {
    "list": [3, 1, 2],
    "dict": {"a": 1},
    "set": {1, 2, 3},
    "bytearray": bytearray(b"cab"),
    "collections.deque": collections.deque([3, 1, 2]),
    "collections.defaultdict": collections.defaultdict(int, a=1),
    "collections.OrderedDict": collections.OrderedDict(a=1, b=2),
    "collections.Counter": collections.Counter("aab"),
}
ARGUMENTS: tuple[tuple[Any, ...], ...] = (
    (),
    (1,),
    (5,),
    ([7, 8],),
    ({"z": 1},),
    ("a",),
    ("z", 2),
    (0, 9),
    ({1},),
    (99,),
)


def state(value: Any) -> Any:
    return (
        list(value.items())
        if isinstance(value, dict)
        else sorted(value, key=str)
        if isinstance(value, set)
        else list(value)
    )


@pytest.mark.parametrize("kind", table.MUTATORS)
def test_mutators(kind: str) -> None:
    changing, returning_none = set(), set()
    for name in dir(EXAMPLES[kind]):
        if name.startswith("_"):
            continue
        results = []
        for arguments in ARGUMENTS:
            subject = copy.copy(EXAMPLES[kind])
            before = state(subject)
            try:
                results.append(getattr(subject, name)(*copy.deepcopy(arguments)))
            except Exception:
                continue
            if state(subject) != before:
                changing.add(name)
        if results and all(result is None for result in results):
            returning_none.add(name)
    assert changing == table.MUTATORS[kind] - {"resize"}
    assert table.MUTATORS[kind] & table.MUTATORS_RETURNING_NONE == changing & returning_none


def test_jax_callbacks_are_legal_in_a_trace() -> None:
    jax = pytest.importorskip("jax", reason="jax is not installed")
    shape = jax.ShapeDtypeStruct((), "float32")

    def function(x: Any) -> Any:
        jax.debug.print("{}", x)
        jax.debug.callback(lambda value: None, x)
        y = jax.pure_callback(lambda value: value, shape, x)
        return y + jax.experimental.io_callback(lambda value: value, shape, x)

    importlib.import_module("jax.experimental")
    assert jax.make_jaxpr(function)(0.5).out_avals[0].shape == ()
