"""The evaluated arguments of a call."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.tracing.values import Value

if TYPE_CHECKING:
    from collections.abc import Iterable


class Raw(Value):
    """An argument that a transform must leave as it is (a parameter that may keep its default)."""

    __slots__ = ("value",)

    def __init__(self, value: Value) -> None:
        self.value = value


class Arguments:
    """Evaluated arguments. ``open``: there are more that we do not know (``*args`` of unknown length)."""

    __slots__ = ("keywords", "open", "positional")

    def __init__(self, positional: Iterable[Value], keywords: dict[str, Value], *, open: bool = False) -> None:
        self.positional = tuple(positional)
        self.keywords = keywords
        self.open = open

    def all(self) -> tuple[Value, ...]:
        """Every argument's value."""
        return (*self.positional, *self.keywords.values())
