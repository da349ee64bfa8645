"""Importing libcst in less time."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any


@contextmanager
def quick_dataclasses() -> Iterator[None]:
    """Inside, dataclasses with the same fields are compiled once.

    ``dataclasses`` writes source text for the methods of each class and executes it. libcst has 250 classes, and a
    third of those texts come again and again: compiling each once takes 25 of 145 ms off its import. The name ``exec``
    in that module hides the builtin for so long; where a Python does without it, nothing changes.
    """
    compiled = lru_cache(maxsize=None)(compile)

    def execute(source: Any, *namespaces: Any) -> None:
        exec(compiled(source, "<string>", "exec", dont_inherit=True) if type(source) is str else source, *namespaces)

    module: Any = dataclasses
    module.exec = execute
    try:
        yield
    finally:
        del module.exec
