"""What `jaxlint.knowledge.operands` takes as a sign of an array: JAX refuses anything else there."""

from __future__ import annotations

import importlib
from typing import Any

import pytest

pytest.importorskip("jax", reason="the judge of these tables is JAX itself")

import jax.numpy as jnp

from jaxlint.knowledge.jax_numpy import SHAPE_ARGUMENTS
from jaxlint.knowledge.operands import ARRAY_OPERANDS


@pytest.mark.parametrize("name", sorted(ARRAY_OPERANDS))
def test_operands_are_arrays(name: str) -> None:
    module, _, attribute = name.rpartition(".")
    function: Any = getattr(importlib.import_module(module), attribute)
    operands = ARRAY_OPERANDS[name]
    assert not {position for position, _ in SHAPE_ARGUMENTS.get(name, ())} & set(range(operands))
    for place in range(operands):
        arguments: list[Any] = [jnp.ones((2, 2))] * operands
        arguments[place] = "text"
        with pytest.raises((TypeError, ValueError, AttributeError)):
            function(*arguments)
