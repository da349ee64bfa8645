"""One parse per file, and what is wrong with a text that does not parse, said as Python itself says it."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

import libcst as cst
from libcst import native  # type: ignore[attr-defined]  # a compiled module without stubs

from jaxlint.syntax.layout import shared_layout
from jaxlint.syntax.nesting import find_excess
from jaxlint.syntax.tables import node_classes

_NEWLINE = re.compile(r"\r\n|\r|\n")
_WHERE = re.compile(r"^(?:parser|tokenizer) error: (?:error at (\d+):(\d+): )?")
#: The tokens before which libcst's parser stopped, as far as positions need them.
_WORD = re.compile(r"\w+|[^\w\s]+")


# Nodes are keys of many tables here. That the hash is the identity libcst says in Python, `object` in C: 2 % of a run.
for _cls in (cst.CSTNode, *node_classes().values()):
    _cls.__hash__ = object.__hash__  # type: ignore[method-assign, assignment]


class Source(Protocol):
    """A file's text, without a byte-order mark."""

    @property
    def text(self) -> str:
        """The text."""
        ...


class SyntaxFault(Exception):
    """A text that is not Python, or too deep to read: why, and the 1-based line and column (code points) where."""

    def __init__(self, message: str, line: int, column: int) -> None:
        super().__init__(message, line, column)
        self.message = message
        self.line = line
        self.column = column

    def __str__(self) -> str:
        return f"{self.message} (line {self.line}, column {self.column})"


def parse(source: Source) -> cst.Module:
    """The concrete syntax tree of a file. Raises SyntaxFault."""
    text = source.text
    excess = find_excess(text)
    if excess is not None:
        raise SyntaxFault(excess.message, *_line_and_column(text, excess.offset))
    try:
        # What libcst.parse_module does for a str, without its detour over configurations.
        with _unchecked():
            module = _parsed(text)
    except cst.ParserSyntaxError as error:
        raise _fault(text, error) from None
    except UnicodeEncodeError as error:
        raise SyntaxFault("lone surrogate in source", *_line_and_column(text, error.start)) from None
    except (RecursionError, MemoryError):
        raise SyntaxFault("too deeply nested to be parsed", 1, 1) from None
    except Exception as error:
        # Constructors of nodes check some rules and know no positions ("Cannot concatenate string and bytes").
        raise _python_fault(text) or SyntaxFault(str(error), 1, 1) from None
    except BaseException as error:
        # A panic in libcst's Rust code arrives as a BaseException of a class that cannot be imported.
        if type(error).__name__ != "PanicException":
            raise
        raise SyntaxFault(f"libcst cannot read this file: {error}", 1, 1) from None
    assert isinstance(module, cst.Module)
    return module


def _parsed(text: str) -> object:
    try:
        with shared_layout():
            return native.parse_module(text)
    except (AttributeError, TypeError):  # a libcst that makes its nodes in another way
        return native.parse_module(text)


@contextmanager
def _unchecked() -> Iterator[None]:
    """Leave out libcst's checks of every node that it makes (a seventh of the time): its parser makes no wrong ones.

    One check is about the program and is always made: bytes and text side by side, which the grammar lets through.
    """
    global _trusted
    _trusted = True
    try:
        yield
    finally:
        _trusted = False


_trusted = False
_check = cst.CSTNode.__post_init__


def _check_unless_trusted(self: cst.CSTNode) -> None:
    """libcst's check, except of what its parser makes."""
    if not _trusted:
        _check(self)


# Once and not around each file: a change of the base class empties what Python has cached about all of its classes.
cst.CSTNode.__post_init__ = _check_unless_trusted  # type: ignore[method-assign]
cst.ConcatenatedString.__post_init__ = _check  # type: ignore[method-assign]


def _fault(text: str, error: cst.ParserSyntaxError) -> SyntaxFault:
    """Python's own message and place if it rejects the text too; libcst names neither well."""
    return _python_fault(text) or _libcst_fault(text, error)


def _python_fault(text: str) -> SyntaxFault | None:
    """The error that the running Python finds, or None if it finds none (its grammar may be newer than libcst's)."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(text, "<source>", "exec", flags=0x400, dont_inherit=True)  # 0x400: ast.PyCF_ONLY_AST
    except SyntaxError as error:
        line = max(error.lineno or 1, 1)
        return SyntaxFault(error.msg or "invalid syntax", line, max(error.offset or 1, 1))
    except (ValueError, RecursionError, MemoryError):
        return None
    return None


def _libcst_fault(text: str, error: cst.ParserSyntaxError) -> SyntaxFault:
    """libcst's message without its list of all tokens that could have come, and its place, made right.

    Its parser reports the beginning of the token after the one that it could not use.
    """
    match = _WHERE.match(error.message)
    message = error.message[match.end() :] if match else error.message
    if message.startswith("expected one of"):
        message = "invalid syntax"
    if match is None or match[1] is None:
        return SyntaxFault(message, max(error.raw_line, 1), error.raw_column + 1)
    line, after = int(match[1]), int(match[2])
    lines = _NEWLINE.split(text)
    before = [word.start() for word in _WORD.finditer(lines[line - 1], 0, after)] if line <= len(lines) else []
    return SyntaxFault(message, line, (before[-1] if before else after) + 1)


def _line_and_column(text: str, offset: int) -> tuple[int, int]:
    """The 1-based line and column of an offset."""
    line, start = 1, 0
    for match in _NEWLINE.finditer(text, 0, offset):
        line, start = line + 1, match.end()
    return line, offset - start + 1
