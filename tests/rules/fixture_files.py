"""What the tests of the rules share: fixture files, their inline expectations, and checking them in this process.

A fixture is ``tests/fixtures/<CODE>/<name>.py``. A line that must have a finding ends with ``# expect: JAX101`` or,
with the finding's column, ``# expect: JAX101@9``; several are separated by commas. Files named ``ok_*`` have none.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from jaxlint.config.settings import Selection, Settings
from jaxlint.engine import check_source
from jaxlint.findings import Finding
from jaxlint.source.text import source_from_text

FIXTURES = Path(__file__).parents[1] / "fixtures"
KNOWN_GAPS = FIXTURES / "known_gaps.md"

#: Every rule on, preview and opt-in ones too, nothing read from a configuration file.
EVERYTHING = Settings(selections=(Selection(select=("ALL",)),), preview=True, lenient_tests=False, root=str(FIXTURES))

_EXPECT = re.compile(r"# expect: (?P<list>JAX\d{3}(?:@\d+)?(?:, JAX\d{3}(?:@\d+)?)*)[ ]*$")
_LOOSE = re.compile(r"#\s*expect", re.IGNORECASE)
_RAISES = re.compile(r"# raises: (?P<error>\w+(?: or \w+)*)\ndef (?P<name>run_\w+)\(\)")


@dataclass(frozen=True, order=True)
class Expectation:
    """A finding that must be there. ``column`` of 0: any."""

    line: int
    code: str
    column: int = 0

    def __str__(self) -> str:
        return f"{self.line}:{self.column or '?'} {self.code}"


@dataclass(frozen=True)
class Fixture:
    """One fixture file."""

    path: Path

    @property
    def code(self) -> str:
        """The rule it is about."""
        return self.path.parent.name

    @property
    def id(self) -> str:
        return f"{self.code}/{self.path.name}"

    @property
    def is_ok(self) -> bool:
        """Whether it must be silent."""
        return self.path.name.startswith("ok_")

    @cached_property
    def text(self) -> str:
        return self.path.read_text(encoding="utf-8")

    @cached_property
    def expectations(self) -> list[Expectation]:
        return expectations(self.text)

    @property
    def suppressed(self) -> str:
        """The same text with each expectation turned into a ``noqa`` for its codes."""
        return "\n".join(map(_noqa, self.text.split("\n")))

    @property
    def drivers(self) -> dict[str, str]:
        """Functions ``run_*`` that raise under JAX, and the class of the error."""
        return {match["name"]: match["error"] for match in _RAISES.finditer(self.text)}


def fixtures() -> list[Fixture]:
    """All of them, by code and name."""
    return [Fixture(path) for path in sorted(FIXTURES.glob("JAX*/*.py"))]


def expectations(text: str) -> list[Expectation]:
    """What the comments of a text promise. Raises ValueError for a comment that looks like one and is none."""
    found: list[Expectation] = []
    for number, line in enumerate(text.split("\n"), start=1):
        match = _EXPECT.search(line)
        if match is None:
            if _LOOSE.search(line):
                raise ValueError(f"line {number}: not an expectation: {line.strip()}")
            continue
        for word in match["list"].split(", "):
            code, _, column = word.partition("@")
            found.append(Expectation(number, code, int(column or 0)))
    return sorted(found)


def check(text: str, path: str = "fixture.py", settings: Settings = EVERYTHING) -> list[Finding]:
    """Findings of a text, every rule on."""
    return check_source(source_from_text(text, path), settings)


def places(findings: list[Finding]) -> list[Expectation]:
    """Findings as expectations with their columns."""
    return sorted(Expectation(each.location.start.line, each.code, each.location.start.column) for each in findings)


def difference(expected: list[Expectation], got: list[Expectation]) -> str:
    """What is missing and what is too much, or nothing. An expectation without a column takes any."""
    left = Counter(got)
    missing: list[Expectation] = []
    for each in sorted(expected, key=lambda each: -each.column):  # exact ones choose first
        taken = next((one for one in sorted(left) if left[one] and _fits(each, one)), None)
        if taken is None:
            missing.append(each)
        else:
            left[taken] -= 1
    lines = [f"not found: {each}" for each in sorted(missing)]
    lines += [f"too much:  {each}" for each in sorted(left.elements())]
    return "\n".join(lines)


def _fits(expected: Expectation, got: Expectation) -> bool:
    return (expected.line, expected.code) == (got.line, got.code) and expected.column in (0, got.column)


def _noqa(line: str) -> str:
    match = _EXPECT.search(line)
    if match is None:
        return line
    codes = ", ".join(dict.fromkeys(word.partition("@")[0] for word in match["list"].split(", ")))
    return f"{line[: match.start()]}# noqa: {codes}"


@dataclass(frozen=True)
class Gap:
    """A case of ``known_gaps.md``: what should be found, or not, and is not so yet."""

    title: str
    text: str


def known_gaps() -> list[Gap]:
    """The Python blocks of the list, each under its heading."""
    if not KNOWN_GAPS.exists():
        return []
    parts = re.split(r"^### ", KNOWN_GAPS.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    gaps = []
    for part in parts:
        title, _, rest = part.partition("\n")
        blocks = re.findall(r"^```python\n(.*?)^```", rest, flags=re.MULTILINE | re.DOTALL)
        gaps.extend(Gap(title.strip(), block) for block in blocks)
    return gaps
