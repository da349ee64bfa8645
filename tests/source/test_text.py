"""Encodings, newlines and the line index."""

from __future__ import annotations

from pathlib import Path

import pytest

from jaxlint.findings import Position
from jaxlint.source.text import SourceError, decode, read_source, source_from_text


@pytest.mark.parametrize(
    "text", ["", "a", "a\n", "a\nb", "a\r\nb\r\n", "a\rb", "a\n\r\nb\r", "é\nü = 1\n", "a\x0cb\u2028c\n", "\n"]
)
def test_lines_join_to_the_text_and_offsets_come_back(text: str) -> None:
    source = source_from_text(text, "x.py")
    assert "".join(source.lines) == text
    for offset in range(len(text) + 1):
        place = source.position(offset)
        assert source.offset(place.line, place.column) == offset


def test_columns_are_code_points_counted_from_one() -> None:
    source = source_from_text("x = 'é𝔘'; y\n", "x.py")
    assert source.position(source.text.index("y")) == Position(1, 11)


def test_only_newlines_end_a_line() -> None:
    source = source_from_text("a\x0c\x0b\u2028\x85b\nc", "x.py")
    assert source.line_text(2) == "c"
    assert source.line_text(99) == ""


def test_places_outside_the_text_are_clamped() -> None:
    source = source_from_text("ab\ncd", "x.py")
    assert source.offset(9, 9) == 5
    assert source.offset(0, 0) == 0
    assert source.position(99) == Position(2, 3)


def test_bom_is_no_part_of_the_text_and_comes_back(tmp_path: Path) -> None:
    path = tmp_path / "x.py"
    path.write_bytes(b"\xef\xbb\xbfx = 1\r\n")
    source = read_source(path)
    assert source.has_bom
    assert source.text == "x = 1\r\n"
    assert source.encode(source.text) == path.read_bytes()


@pytest.mark.parametrize(
    ("data", "encoding", "text"),
    [
        (b"# -*- coding: latin-1 -*-\nx = '\xe9'\n", "iso-8859-1", "é"),
        (b"#!/usr/bin/python\n# vim: set fileencoding=cp1252 :\nx = '\x80'\n", "cp1252", "€"),
        (b"\xef\xbb\xbf# coding: utf-8\nx = '\xc3\xa9'\n", "utf-8", "é"),
        (b"x = 1\ny = 2\n# coding: latin-1\nz = '\xc3\xa9'\n", "utf-8", "é"),
    ],
)
def test_encoding_by_pep_263(data: bytes, encoding: str, text: str) -> None:
    source = decode(data, "x.py")
    assert source.encoding == encoding
    assert text in source.text
    assert source.encode(source.text) == data


@pytest.mark.parametrize(
    ("data", "reason", "place"),
    [
        (b"import jax\nx = '\xe9'\n", "not valid utf-8: byte 0xe9 in line 2", (2, 6)),
        (b"import jax\n\0\n", "NUL", (2, 1)),
        ("import jax".encode("utf-16"), "NUL", (1, 1)),
        (b"# coding: klingon\nimport jax\n", "klingon", (1, 1)),
    ],
)
def test_what_is_no_text_says_why_and_where(data: bytes, reason: str, place: tuple[int, int]) -> None:
    with pytest.raises(SourceError, match=reason) as caught:
        decode(data, "x.py")
    assert (caught.value.line, caught.value.column) == place


def test_missing_and_folder(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="no such file"):
        read_source(tmp_path / "none.py")
    with pytest.raises(SourceError, match="directory"):
        read_source(tmp_path)
    with pytest.raises(SourceError):
        read_source("a\0b.py")


def test_hash_names_the_bytes() -> None:
    one, two = decode(b"x = 1\n", "a.py"), decode(b"x = 1\r\n", "a.py")
    assert one.hash != two.hash
    assert one.hash == decode(b"x = 1\n", "b.py").hash
    assert len(one.hash) == 32
