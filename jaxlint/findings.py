"""What every layer passes on: spans, findings, edits and fixes. Imports nothing of ours."""

from __future__ import annotations

import enum
import hashlib
from dataclasses import dataclass, field


class Severity(str, enum.Enum):
    """How much harm a finding does. It never changes the exit code."""

    ERROR = "error"  # raises, or gives a wrong result
    WARNING = "warning"  # works, but not as the code reads
    INFO = "info"  # slower or less clear than it could be


class Confidence(str, enum.Enum):
    """How the finding came to be known."""

    CERTAIN = "certain"  # a witnessed call chain leads here
    LIKELY = "likely"  # an assumption (a framework's calling convention) is part of the chain


class Applicability(str, enum.Enum):
    """Whether a fix keeps the meaning of the program (ruff's three words)."""

    SAFE = "safe"
    UNSAFE = "unsafe"
    DISPLAY = "display"


@dataclass(frozen=True, order=True)
class Span:
    """A half-open range of code points of the original text: ``text[start:end]``."""

    start: int
    end: int


@dataclass(frozen=True)
class Position:
    """A place a person can find: 1-based line and 1-based column in code points, in a notebook those of a cell.

    ``cell`` is its number among all cells of the notebook, 0 in any other file.
    """

    line: int
    column: int
    cell: int = 0

    def __str__(self) -> str:
        where = f"{self.line}:{self.column}"
        return f"cell {self.cell}:{where}" if self.cell else where


@dataclass(frozen=True)
class Location:
    """A range in a file. ``end`` is exclusive, as in ruff's JSON."""

    path: str
    span: Span
    start: Position
    end: Position


@dataclass(frozen=True)
class Related:
    """One step of a finding's story: a place and what happened there."""

    location: Location
    message: str


@dataclass(frozen=True)
class Edit:
    """Replace ``span`` of the file ``path`` by ``content``; ``source_hash`` names the text it was made for."""

    path: str
    span: Span
    content: str
    source_hash: str


@dataclass(frozen=True)
class Fix:
    """Edits that belong together, and what they do in one line."""

    edits: tuple[Edit, ...]
    applicability: Applicability
    message: str
    isolation_group: str | None = None


@dataclass(frozen=True)
class Finding:
    """One fault at one place.

    ``story`` is the chain that made it so, outermost first; ``contexts`` counts the call chains that show it.
    ``help`` says what to write instead.
    """

    code: str
    name: str
    message: str
    location: Location
    severity: Severity = Severity.ERROR
    confidence: Confidence = Confidence.CERTAIN
    story: tuple[Related, ...] = ()
    related: tuple[Related, ...] = ()
    contexts: int = 1
    help: str = ""
    fix: Fix | None = None
    verdict: str | None = None
    noqa_line: int = 0
    fingerprint: str = field(default="", compare=False)

    @property
    def sort_key(self) -> tuple[str, int, int, int, str]:
        """Order of output: file, place, code."""
        start = self.location.start
        return (self.location.path, start.cell, start.line, start.column, self.code)


def fingerprint(code: str, path: str, line_text: str, occurrence: int) -> str:
    """A name for a finding that survives moved lines: code, path, the line's own text and its occurrence number."""
    key = "\0".join((code, path, " ".join(line_text.split()), str(occurrence)))
    return hashlib.blake2b(key.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
