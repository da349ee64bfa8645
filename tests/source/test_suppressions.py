"""Suppression comments: grammar, and what line they bind to."""

from __future__ import annotations

import pytest

from jaxlint.findings import Finding, Location, Span
from jaxlint.source import suppressions
from jaxlint.source.text import source_from_text

TEXT = "import jax\n{line}\n"


def finding(text: str, needle: str, code: str = "JAX101", name: str = "traced-if") -> Finding:
    source = source_from_text(text, "x.py")
    start = text.index(needle)
    span = Span(start, start + len(needle))
    return Finding(code, name, "m", Location("x.py", span, source.position(span.start), source.position(span.end)))


def hidden(text: str, *, noqa: bool = True, needle: str = "f(x)", code: str = "JAX101") -> bool:
    kept, count = suppressions.apply([finding(text, needle, code)], source_from_text(text, "x.py"), noqa=noqa)
    assert len(kept) + count == 1
    return count == 1


@pytest.mark.parametrize(
    ("comment", "hides"),
    [
        ("# noqa", True),
        ("# NOQA", True),
        ("# noqa: JAX101", True),
        ("# noqa:JAX101,E501", True),
        ("# noqa: E501, JAX101 a reason", True),
        ("# noqa: E501 JAX1", True),  # flake8 takes prefixes and spaces
        ("# noqa: JAX", True),  # no digit, so flake8 reads a blanket noqa
        ("# noqa: traced-if", True),  # the same
        ("# noqa : JAX102", True),  # the same
        ("# noqa: JAX102", False),
        ("# noqa: jax101", False),  # flake8 compares case
        ("#noqa", False),  # flake8 wants the space
        ("# nothing", False),
        ("# jaxlint: ignore", True),
        ("#jaxlint:ignore[JAX101]", True),
        ("# jaxlint: ignore[JAX1] why", True),
        ("# jaxlint: ignore[jax101]", True),
        ("# jaxlint: ignore[traced-if]", True),
        ("# jaxlint: ignore[JAX102, traced-if]", True),
        ("# why  # jaxlint: ignore[traced-if]", True),
        ("# jaxlint: ignore[traced]", False),
        ("# jaxlint: ignore[]", False),
        ("# jaxlint: ignore[JAX102]", False),
        ("# jaxlint: ignored", False),
    ],
)
def test_line_comments(comment: str, hides: bool) -> None:
    assert hidden(TEXT.format(line=f"f(x)  {comment}")) is hides


@pytest.mark.parametrize(
    ("comment", "hides"),
    [
        ("# flake8: noqa", True),
        ("# FLAKE8: NOQA", True),
        ("# flake8: noqa: JAX101", True),
        ("# flake8: noqa: E501", False),
        ("# ruff: noqa", True),
        ("# ruff: noqa: JAX101", True),
        ("# ruff: noqa: E501, JAX1 reason", True),
        ("# ruff: noqa: E501", False),
        ("# jaxlint: noqa", True),
        ("# jaxlint: noqa: JAX101", True),
        ("# jaxlint: noqa: JAX102", False),
        ("# jaxlint: file-ignore", True),
        ("# jaxlint: file-ignore[traced-if]", True),
        ("# jaxlint: file-ignore[JAX2]", False),
        ("# noqa", False),
    ],
)
def test_file_comments(comment: str, hides: bool) -> None:
    assert hidden(f"import jax\nf(x)\n\n{comment}\n") is hides


def test_file_comments_stand_alone() -> None:
    assert not hidden("import jax  # jaxlint: noqa\nf(x)\n")
    assert not hidden("import jax  # jaxlint: file-ignore\nf(x)\n")


def test_a_comment_in_a_string_is_ours_never() -> None:
    assert not hidden("import jax\nf(x); s = '# jaxlint: ignore'\n")
    assert not hidden("import jax\ns = '''\n# jaxlint: noqa\n'''\nf(x)\n")
    # flake8 reads the line with a regular expression, so this one hides there, and therefore here.
    assert hidden("import jax\nf(x); s = '# noqa'\n")


def test_lines_that_flake8_joins_are_one() -> None:
    assert hidden("import jax\ny = '''\n''' + f(x)  # noqa\n")
    assert hidden("import jax\ny = '''\n''' + f(x)  # jaxlint: ignore\n")
    assert hidden("import jax\ny = f(x) + \\\n    1  # noqa: JAX101\n")
    # A bracket does not join lines.
    assert not hidden("import jax\ny = (f(x) +\n    1)  # noqa\n")


def test_noqa_is_left_to_flake8_on_request() -> None:
    assert not hidden("import jax\nf(x)  # noqa\n", noqa=False)
    assert hidden("import jax\nf(x)  # jaxlint: ignore\n", noqa=False)


def test_crlf_and_text_that_the_tokenizer_refuses() -> None:
    assert hidden("import jax\r\nf(x)  # noqa: JAX101\r\n")
    assert hidden("import jax\nf(x)  # noqa\ny = (\n")


@pytest.mark.parametrize("code", ["JAX000", "JAX003", "JAX004"])
def test_trouble_with_the_file_itself_is_never_hidden(code: str) -> None:
    assert not hidden("# jaxlint: noqa\nf(x)  # noqa\n", code=code)
