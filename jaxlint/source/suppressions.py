"""Suppression comments: which findings the user has asked not to see.

A line suppression binds to the physical line on which the finding starts. Lines of one multi-line string and lines
joined by backslashes count as one, because flake8 joins them. ``# noqa`` is read exactly as flake8 reads it: a regular
expression on that line, the first hit decides, codes may be prefixes. Our own comments may name rules and must be real
comments:

    # noqa                                # jaxlint: ignore
    # noqa: JAX101, JAX2 reason           # jaxlint: ignore[JAX101, traced-if] reason
    # flake8: noqa    # ruff: noqa    # jaxlint: noqa     (all three also with codes)     # jaxlint: file-ignore[JAX101]

Nothing here is done for a file without findings.
"""

from __future__ import annotations

import re
import tokenize
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jaxlint.findings import Finding
    from jaxlint.source.text import SourceFile

#: Any of our comments at all? Without a hit the file is not tokenized.
_ANY = re.compile(r"noqa|jaxlint\s*:", re.IGNORECASE)
#: Verbatim flake8's NOQA_INLINE_REGEXP and NOQA_FILE, the latter with the codes that ruff allows there.
_NOQA = re.compile(r"# noqa(?::[\s]?(?P<codes>([A-Z]+[0-9]+(?:[,\s]+)?)+))?", re.IGNORECASE)
_FLAKE8_FILE = re.compile(r"\s*# flake8[:=]\s*noqa(?P<codes>:\s?(?P<list>[A-Z]+[0-9]+.*))?", re.IGNORECASE)
_FILE = re.compile(r"#\s*(?:ruff|jaxlint)\s*:\s*noqa(?P<codes>\s*:\s*(?P<list>[A-Z]+[0-9]+.*))?", re.IGNORECASE)
_OURS = re.compile(r"#\s*jaxlint\s*:\s*(?P<file>file-)?ignore(?![\w-])(?P<codes>\[(?P<list>[^\]]*)\])?", re.IGNORECASE)
_CODE = re.compile(r"[A-Z]+[0-9]+", re.IGNORECASE)
_SEPARATOR = re.compile(r"[,\s]+")

#: Findings about the run itself; no comment in the file hides them.
UNSUPPRESSIBLE = frozenset({"JAX000", "JAX003", "JAX004"})


@dataclass(frozen=True)
class Suppression:
    """What one comment hides: everything (None), or codes, prefixes and, in our own comments, rule names."""

    selectors: frozenset[str] | None

    def hides(self, code: str, name: str) -> bool:
        """Whether it hides a rule's findings."""
        if self.selectors is None:
            return True
        return name in self.selectors or code.startswith(tuple(filter(str.isupper, self.selectors)))


@dataclass
class Suppressions:
    """The suppressions of one file, read when first asked. ``noqa=False`` leaves ``# noqa`` to flake8."""

    source: SourceFile
    noqa: bool = True
    _joined: dict[int, tuple[int, int]] = field(default_factory=dict)

    @cached_property
    def present(self) -> bool:
        """Whether the text holds anything that could be a suppression."""
        return _ANY.search(self.source.text) is not None

    def hides(self, finding: Finding) -> bool:
        """Whether a comment in the file hides the finding."""
        if finding.code in UNSUPPRESSIBLE or not self.present:
            return False
        if any(each.hides(finding.code, finding.name) for each in self._for_file):
            return True
        line = finding.noqa_line or finding.location.start.line
        first, last = self._ranges.get(line, (line, line))
        if self.noqa and self._noqa(first, last, finding):
            return True
        ours = (each for number in range(first, last + 1) for each in self._comments.get(number, ()))
        return any(each.hides(finding.code, finding.name) for each in ours)

    def _noqa(self, first: int, last: int, finding: Finding) -> bool:
        match = _NOQA.search("".join(self.source.lines[first - 1 : last]))
        if match is None:
            return False
        if match["codes"] is None:
            return True
        # Case matters here because it does in flake8.
        return finding.code.startswith(tuple(filter(None, _SEPARATOR.split(match["codes"]))))

    @cached_property
    def _tokens(self) -> list[tokenize.TokenInfo]:
        """Tokens of the file; as many as there are where the tokenizer gives up."""
        lines = (line.rstrip("\r\n") + "\n" for line in self.source.lines)
        tokens: list[tokenize.TokenInfo] = []
        try:
            tokens.extend(tokenize.generate_tokens(lambda: next(lines, "")))
        except (tokenize.TokenError, SyntaxError):
            return []
        return tokens

    @cached_property
    def _ranges(self) -> dict[int, tuple[int, int]]:
        """Line -> first and last of the lines that flake8 reads as one."""
        ranges: dict[int, tuple[int, int]] = {}
        first, last = 0, 0
        for token in self._tokens:
            if token.type in (tokenize.ENDMARKER, tokenize.DEDENT):
                continue
            first = min(first or token.start[0], token.start[0])
            last = max(last, token.end[0])
            if token.type in (tokenize.NL, tokenize.NEWLINE):
                if last > first:
                    ranges.update(dict.fromkeys(range(first, last + 1), (first, last)))
                first, last = 0, 0
        return ranges

    @cached_property
    def _comments(self) -> dict[int, list[Suppression]]:
        """Line -> our own ``ignore`` comments on it."""
        found: dict[int, list[Suppression]] = {}
        for token in self._tokens:
            if token.type != tokenize.COMMENT:
                continue
            for match in _OURS.finditer(token.string):
                if not match["file"]:
                    found.setdefault(token.start[0], []).append(_own(match))
        return found

    @cached_property
    def _for_file(self) -> tuple[Suppression, ...]:
        """Suppressions of the whole file; ruff's and ours must stand on a line of their own."""
        found = [_coded(match) for line in self.source.lines if (match := _FLAKE8_FILE.match(line))]
        for token in self._tokens:
            if token.type != tokenize.COMMENT or token.line[: token.start[1]].strip():
                continue
            if match := _FILE.match(token.string):
                found.append(_coded(match))
            elif (match := _OURS.match(token.string)) and match["file"]:
                found.append(_own(match))
        return tuple(found)


def apply(findings: Iterable[Finding], source: SourceFile, *, noqa: bool = True) -> tuple[list[Finding], int]:
    """The findings that no comment hides, and how many were hidden."""
    given = list(findings)
    if not given:
        return given, 0
    suppressions = Suppressions(source, noqa)
    kept = [finding for finding in given if not suppressions.hides(finding)]
    return kept, len(given) - len(kept)


def _coded(match: re.Match[str]) -> Suppression:
    """A file-level noqa: blanket, or the codes that lead its list (a reason may follow)."""
    if match["codes"] is None:
        return Suppression(None)
    codes: list[str] = []
    for word in filter(None, _SEPARATOR.split(match["list"])):
        if not _CODE.fullmatch(word):
            break
        codes.append(word.upper())
    return Suppression(frozenset(codes))


def _own(match: re.Match[str]) -> Suppression:
    """One of our comments: blanket, or codes, prefixes and rule names. Empty brackets hide nothing."""
    if match["codes"] is None:
        return Suppression(None)
    words = filter(None, _SEPARATOR.split(match["list"]))
    return Suppression(frozenset(word.upper() if _is_code(word) else word.lower() for word in words))


def _is_code(word: str) -> bool:
    return re.fullmatch(r"JAX\d{0,3}", word, re.IGNORECASE) is not None
