"""Small projects of several files, written in one text, and what a check of them finds.

A line ``# file: pkg/ops.py`` begins a file. A line that must have a finding ends with ``# expect: JAX101@8``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

_FILE = re.compile(r"^# file: (\S+)\n", re.MULTILINE)
_EXPECT = re.compile(r"# expect: (JAX\d{3})@(\d+)$")


class Place(NamedTuple):
    """A finding: its file, row, column and code."""

    file: str
    row: int
    column: int
    code: str


class Outcome(NamedTuple):
    """What a run gave. ``findings`` are the objects of the JSON output."""

    code: int
    places: list[Place]
    findings: list[dict[str, object]]
    err: str


Check = Callable[..., Outcome]


def write(folder: Path, text: str) -> list[Place]:
    """Write the files of a project; what its comments promise."""
    parts = _FILE.split(text)
    promised: list[Place] = []
    for name, body in zip(parts[1::2], parts[2::2], strict=True):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(body, encoding="utf-8")
        for row, line in enumerate(body.split("\n"), start=1):
            if found := _EXPECT.search(line):
                promised.append(Place(name, row, int(found[2]), found[1]))
            else:
                assert "# expect" not in line, line
    return sorted(promised)


def read(folder: Path, code: int, out: str, err: str) -> Outcome:
    """The outcome of a run with JSON output."""
    findings = json.loads(out) if out else []
    places = [
        Place(
            Path(one["filename"]).relative_to(folder).as_posix(),
            one["location"]["row"],
            one["location"]["column"],
            one["code"],
        )
        for one in findings
    ]
    return Outcome(code, sorted(places), findings, err)
