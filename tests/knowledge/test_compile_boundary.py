"""What jaxlint says about compile boundaries, asked of the installed JAX."""

from __future__ import annotations

import enum
import importlib
import inspect
from typing import Any

import pytest

from jaxlint.knowledge.compile_boundary import NAMES_OF_ARRAYS, NEVER_TRACED, READERS, UNHASHABLE_FORMS
from jaxlint.knowledge.transforms import TRANSFORMS

jax = pytest.importorskip("jax", reason="jax is not installed here")
pytestmark = pytest.mark.jax


class Colour(enum.Enum):
    RED = 1


class Plain:
    pass


EXAMPLES: dict[str, Any] = {"str": "a", "bytes": b"a", "ellipsis": ..., "Enum": Colour.RED}


@pytest.mark.parametrize("name", sorted(NEVER_TRACED))
def test_these_are_no_arguments(name: str) -> None:
    with pytest.raises(TypeError):
        jax.jit(lambda x: 1)(EXAMPLES[name])


OTHERS: dict[str, Any] = {
    "builtin": len,
    "lambda": lambda x: x,
    "class": int,
    "object": Plain(),
    "range": range(3),
    "set": {1},
    "enum": Colour,
}


@pytest.mark.parametrize("name", OTHERS)
def test_neither_are_functions_classes_and_plain_objects(name: str) -> None:
    with pytest.raises(TypeError):
        jax.jit(lambda x: 1)(OTHERS[name])


@pytest.mark.parametrize("module", ["jax.numpy", "jax.nn", "jax.lax"])
def test_names_of_functions_are_no_arguments(module: str) -> None:
    for name, value in vars(importlib.import_module(module)).items():
        if name.startswith("_") or inspect.ismodule(value) or name in NAMES_OF_ARRAYS:
            continue
        with pytest.raises(TypeError):
            jax.jit(lambda x: 1)(value)


@pytest.mark.parametrize("value", [[1], {"a": 1}, {1}], ids=repr)
def test_containers_are_no_static_arguments(value: Any) -> None:
    assert type(value).__name__ in UNHASHABLE_FORMS
    with pytest.raises(ValueError, match="Non-hashable"):
        jax.jit(lambda x: 1, static_argnums=0)(value)


@pytest.mark.parametrize("name", sorted(READERS))
def test_readers_fail_on_a_donated_array(name: str) -> None:
    module, _, last = name.rpartition(".")
    reader = getattr(importlib.import_module(module), last)
    scalar = jax.numpy.ones(()) if last in ("float", "int") else jax.numpy.ones(3)
    jax.jit(lambda x: x + 1, donate_argnums=0)(scalar)
    with pytest.raises(Exception, match="deleted"):
        reader(scalar)


@pytest.mark.parametrize("name", ["flax.linen.remat", "flax.linen.checkpoint", "flax.linen.jit"])
def test_lifted_transforms_have_these_parameters(name: str) -> None:
    linen = pytest.importorskip("flax.linen", reason="flax is not installed here")
    accepted = list(inspect.signature(getattr(linen, name.rpartition(".")[2])).parameters)
    params = TRANSFORMS[name].params
    assert tuple(accepted[: len(params)]) == params
