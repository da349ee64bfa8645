"""Bytes to text: encodings, byte-order mark, newlines and the line index of one file."""

from __future__ import annotations

import bisect
import os
import re
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jaxlint.findings import Position

BOM = b"\xef\xbb\xbf"

#: A line as Python's own tokenizer cuts it: form feeds and Unicode separators do not end a line.
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z")
#: PEP 263's cookie, in one of the first two lines.
_COOKIE = re.compile(rb"^[ \t\f]*#.*?coding[:=]", re.MULTILINE)


class SourceError(Exception):
    """A file that cannot become text. ``str()`` says why, in words for the user; ``path`` says which."""

    def __init__(self, path: str, reason: str, line: int = 1, column: int = 1) -> None:
        super().__init__(reason)
        self.path = path
        self.reason = reason
        self.line = line
        self.column = column


class SourceFile:
    """One file: the path as the user gave it, its bytes, and its text with every newline as it is in the file.

    The byte-order mark is no part of ``text``, so offsets and columns are those that editors and flake8 show.
    """

    def __init__(self, path: str, raw: bytes, text: str, encoding: str = "utf-8", has_bom: bool = False) -> None:
        self.path = path
        self.raw = raw
        self.text = text
        self.encoding = encoding
        self.has_bom = has_bom

    def __repr__(self) -> str:
        return f"SourceFile({self.path!r}, {len(self.raw)} bytes)"

    @cached_property
    def hash(self) -> str:
        """The name of exactly these bytes: 32 hexadecimal digits of blake2b."""
        import hashlib

        return hashlib.blake2b(self.raw, digest_size=16).hexdigest()

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """The physical lines, newlines kept; joined they are ``text``."""
        return tuple(_LINE.findall(self.text))

    @cached_property
    def line_starts(self) -> list[int]:
        """Code-point offset of the start of each line; never empty. Text after a last newline is a line of its own."""
        starts = [0]
        for line in self.lines:
            starts.append(starts[-1] + len(line))
        if self.lines and self.lines[-1][-1] not in "\r\n":
            starts.pop()
        return starts

    @property
    def line_count(self) -> int:
        """``len(line_starts)``, without cutting the text where its newlines are plain."""
        return len(self.line_starts) if "\r" in self.text else self.text.count("\n") + 1

    def line_text(self, line: int) -> str:
        """The 1-based line without its newline; empty past the end."""
        return self.lines[line - 1].rstrip("\r\n") if 1 <= line <= len(self.lines) else ""

    def line_at(self, offset: int) -> int:
        """The 1-based line of the text that an offset is on. Clamped to the text."""
        return bisect.bisect_right(self.line_starts, max(0, min(offset, len(self.text))))

    def position(self, offset: int) -> Position:
        """The 1-based line and column (code points) of an offset, as people count them. Clamped to the text."""
        from jaxlint.findings import Position

        offset = max(0, min(offset, len(self.text)))
        line = self.line_at(offset)
        return Position(line, offset - self.line_starts[line - 1] + 1)

    def around(self, place: Position) -> SourceFile:
        """The text whose lines and columns a place counts: this one, in a notebook that of a cell."""
        return self

    def offset(self, line: int, column: int) -> int:
        """The code-point offset of a 1-based line and column. Clamped to the text."""
        if line > len(self.line_starts):
            return len(self.text)
        return max(0, min(self.line_starts[max(line, 1) - 1] + column - 1, len(self.text)))

    def encode(self, text: str) -> bytes:
        """Bytes of a new text in this file's encoding, byte-order mark kept. Raises UnicodeEncodeError."""
        return (BOM if self.has_bom else b"") + text.encode(self.encoding)


def read_bytes(path: str | os.PathLike[str]) -> bytes:
    """The bytes of a file. Raises SourceError if it is missing, no regular file or not readable."""
    name = os.fspath(path)
    try:
        with open(name, "rb") as file:
            return file.read()
    except FileNotFoundError:
        raise SourceError(name, "no such file or directory") from None
    except IsADirectoryError:
        raise SourceError(name, "is a directory, not a file") from None
    except PermissionError:
        raise SourceError(name, "permission denied") from None
    except (OSError, ValueError) as error:
        raise SourceError(name, getattr(error, "strerror", None) or str(error)) from None


def decode(data: bytes, path: str) -> SourceFile:
    """Text of the bytes by PEP 263, or of a notebook's cells. Raises SourceError for what is neither."""
    if path.endswith(".ipynb"):
        from jaxlint.source import notebook

        return notebook.decode(data, path)
    if (where := data.find(b"\0")) >= 0:
        line = data.count(b"\n", 0, where) + 1
        raise SourceError(path, "is not Python source: it holds a NUL byte (binary, or UTF-16?)", line)
    encoding = _encoding(data, path)
    has_bom = data.startswith(BOM)
    body = data[len(BOM) :] if has_bom else data
    try:
        text = body.decode(encoding)
    except UnicodeDecodeError as error:
        raise _undecodable(body, encoding, error, path) from None
    except LookupError:
        raise SourceError(path, f"unknown encoding: {encoding}") from None
    return SourceFile(path, data, text, encoding, has_bom)


def read_source(path: str | os.PathLike[str]) -> SourceFile:
    """A file as text. Raises SourceError (missing, unreadable, binary, wrongly encoded)."""
    return decode(read_bytes(path), os.fspath(path))


def source_from_text(text: str, path: str) -> SourceFile:
    """A source that is not on disk, or differs from it (stdin, an editor, flake8's lines). Always UTF-8."""
    text = text[1:] if text.startswith("\ufeff") else text
    return SourceFile(path, text.encode("utf-8", "surrogatepass"), text)


def _encoding(data: bytes, path: str) -> str:
    """The encoding that PEP 263 gives; the common case costs no import."""
    second = data.find(b"\n", data.find(b"\n") + 1)
    head = data[: second + 1] if second >= 0 else data
    if not _COOKIE.search(head.removeprefix(BOM).replace(b"\r", b"\n")):
        return "utf-8"
    import tokenize

    lines = iter(head.splitlines(keepends=True))
    try:
        name, _ = tokenize.detect_encoding(lambda: next(lines, b""))
    except SyntaxError as error:
        raise SourceError(path, str(error)) from None
    return "utf-8" if name == "utf-8-sig" else name


def _undecodable(body: bytes, encoding: str, error: UnicodeDecodeError, path: str) -> SourceError:
    line = body.count(b"\n", 0, error.start) + 1
    start = body.rfind(b"\n", 0, error.start) + 1
    column = len(body[start : error.start].decode(encoding, "replace")) + 1
    byte = body[error.start]
    what = f"is not valid {encoding}: byte 0x{byte:02x} in line {line}"
    reason = f"{what}; declare the encoding (PEP 263) or save it as UTF-8"
    return SourceError(path, reason, line, column)
