"""Dataclasses that are compiled once are the same dataclasses."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

import pytest

from jaxlint.startup import quick_dataclasses


def test_same_classes() -> None:
    with quick_dataclasses():

        @dataclass(frozen=True)
        class One:
            """The first."""

            number: int = 1
            names: tuple[str, ...] = ()

        @dataclass(frozen=True)
        class Two:
            """The second, with the same fields and another default."""

            number: int = 2
            names: tuple[str, ...] = ()

    assert "exec" not in vars(dataclasses)
    assert (One(), Two(), Two(3)) == (One(1), Two(2), Two(number=3))
    assert One() != Two(1) and repr(Two(3)).endswith("Two(number=3, names=())")
    with pytest.raises(dataclasses.FrozenInstanceError):
        Two().number = 5  # type: ignore[misc]
