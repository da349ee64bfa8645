"""The checked-in table is what libcst's own sources say."""

from __future__ import annotations

from pathlib import Path

import libcst as cst
import pytest
from libcst._version import version

from jaxlint.syntax import _table, children, derive, tables


@pytest.mark.skipif(version != _table.VERSION, reason="the table was made for another libcst")
def test_table_is_current() -> None:
    text = Path(_table.__file__).read_text(encoding="utf-8")
    assert text == derive.render(tables.node_classes(), version)


def test_every_class_has_a_row() -> None:
    assert tables.fields().keys() == set(tables.node_classes().values())
    assert len(tables.fields()) > 150


def test_another_libcst_is_derived_afresh(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = tables.fields()
    monkeypatch.setattr(_table, "VERSION", "0")
    monkeypatch.setattr(_table, "FINGERPRINT", "0")
    tables.fields.cache_clear()
    try:
        assert tables.fields() == expected
    finally:
        tables.fields.cache_clear()


def test_children_are_those_of_libcst_without_trivia(zoo: str) -> None:
    trivia = tables.trivia()
    todo: list[cst.CSTNode] = [cst.parse_module(zoo)]
    while todo:
        node = todo.pop()
        expected = [child for child in node.children if type(child) not in trivia]
        assert [child for child in children(node) if type(child) not in trivia] == expected
        todo += expected


def test_children_leave_out_trivia() -> None:
    statement = cst.parse_statement("x = (f( a , b ) + 1)  # comment")
    assert isinstance(statement, cst.SimpleStatementLine)
    (assign,) = children(statement)
    target, value = children(assign)
    assert isinstance(target, cst.AssignTarget) and isinstance(value, cst.BinaryOperation)
    assert [type(child).__name__ for child in children(value)] == ["Call", "Integer"]
