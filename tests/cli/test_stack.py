"""The thread that everything runs on."""

from __future__ import annotations

import sys

import pytest

from jaxlint.stack import RECURSION_LIMIT, STACK_BYTES, deep


def test_it_is_as_deep_as_the_parser_and_the_visitors_need() -> None:
    from jaxlint import syntax

    assert syntax.RECURSION_LIMIT <= RECURSION_LIMIT
    assert syntax.STACK_BYTES <= STACK_BYTES


def test_results_errors_and_limits_come_back() -> None:
    before = sys.getrecursionlimit()

    def down(n: int) -> int:
        return 0 if n == 0 else 1 + down(n - 1)

    assert deep(lambda: down(20_000)) == 20_000
    with pytest.raises(RecursionError):
        deep(lambda: down(10**9))
    with pytest.raises(KeyboardInterrupt):
        deep(lambda: (_ for _ in ()).throw(KeyboardInterrupt()))
    assert sys.getrecursionlimit() == before
