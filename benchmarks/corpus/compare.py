#!/usr/bin/env python3
"""Run jaxlint on the pinned projects and compare its findings with verdicts.toml.

usage: compare.py CORPUS             # CORPUS is what fetch.py filled; exit 1 if a bar is missed
       compare.py --write-docs       # the tables of docs/evaluation.md, from verdicts.toml

JAXLINT names the command (default: jaxlint). Needs Python 3.11 or newer.
"""

from __future__ import annotations

import argparse
import collections
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, NamedTuple

import tomllib
from fetch import read_pins

VERDICTS = pathlib.Path(__file__).with_name("verdicts.toml")
DOCS = pathlib.Path(__file__).parents[2] / "docs" / "evaluation.md"
BEGIN, END = "<!-- verdicts: begin (benchmarks/corpus/compare.py) -->", "<!-- verdicts: end -->"
LEAST_TRUE = 0.95
MOST_FALSE_PER_1000 = 0.02


class Place(NamedTuple):
    """Where a finding is, and its code: what findings and verdicts are matched by."""

    project: str
    file: str
    line: int
    code: str
    cell: int = 0
    """The cell of a notebook that `line` counts in, 0 in other files."""

    def __str__(self) -> str:
        return f"{self.project}: {self.where} {self.code}"

    @property
    def where(self) -> str:
        return f"{self.file}:" + (f"cell {self.cell}:" if self.cell else "") + str(self.line)


@dataclass(frozen=True)
class Verdict:
    """What was judged of one finding."""

    place: Place
    verdict: Literal["true", "false"]
    reason: str
    harm: Literal["bug", "harmless"]


def read_verdicts(path: pathlib.Path = VERDICTS) -> dict[Place, Verdict]:
    verdicts: dict[Place, Verdict] = {}
    for item in tomllib.loads(path.read_text(encoding="utf-8"))["finding"]:
        place = Place(item["project"], item["file"], item["line"], item["code"], item.get("cell", 0))
        if place in verdicts or item["verdict"] not in ("true", "false") or item["harm"] not in ("bug", "harmless"):
            raise SystemExit(f"{path.name}: {place}: judged twice, or a word that is no verdict")
        verdicts[place] = Verdict(place, item["verdict"], item["reason"], item["harm"])
    return verdicts


def lint(project: str, folder: pathlib.Path) -> list[Place]:
    """The linter's findings in one unpacked project."""
    command = [*shlex.split(os.environ.get("JAXLINT", "jaxlint")), "check", "--isolated", "--no-cache"]
    command += ["--output-format", "json", str(folder)]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        raise SystemExit(f"{project}: exit {done.returncode}: {done.stderr[-500:]}")
    places = []
    for item in json.loads(done.stdout):
        file = pathlib.Path(item["filename"]).resolve().relative_to(folder.resolve())
        row, code = item["location"]["row"], item["code"] or ""
        places.append(Place(project, file.as_posix(), row, code, item["cell"] or 0))
    return places


def lines(folder: pathlib.Path) -> int:
    """Lines of all Python files."""
    return sum(path.read_bytes().count(b"\n") for path in folder.rglob("*.py") if path.is_file())


def compare(corpus: pathlib.Path, verdicts: dict[Place, Verdict]) -> int:
    folders = {pin.name: corpus / pin.folder for pin in read_pins()[1]}
    absent = [folder.name for folder in folders.values() if not folder.is_dir()]
    if absent:
        raise SystemExit(f"{corpus}: no {', '.join(absent)} (fetch.py brings them)")
    found, total = list[Place](), 0
    for project, folder in folders.items():
        here, length = lint(project, folder), lines(folder)
        print(f"{project:10} {len(here):4} findings  {length:7} lines")
        found, total = found + here, total + length
    judged = [verdicts[place].verdict for place in found if place in verdicts]
    wrong = judged.count("false")
    share, rate = 1 - wrong / max(len(judged), 1), 1000 * wrong / total
    print(f"findings               {len(found)}")
    print(f"judged true            {len(judged) - wrong}")
    print(f"judged false           {wrong}")
    print(f"share true             {share:.1%}  (bar: at least {LEAST_TRUE:.0%})")
    print(f"false per 1,000 lines  {rate:.4f}  (bar: at most {MOST_FALSE_PER_1000})")
    unjudged = [place for place in found if place not in verdicts]
    report("findings not judged", unjudged)
    report("verdicts without a finding", sorted(verdicts.keys() - set(found)))
    return int(bool(unjudged) or share < LEAST_TRUE or rate > MOST_FALSE_PER_1000)


def report(title: str, places: list[Place]) -> None:
    print(f"{title}: {len(places)}", *(f"  {place}" for place in places), sep="\n")


def row(cells: Iterable[object]) -> str:
    return "| " + " | ".join(str(cell).replace("|", r"\|") for cell in cells) + " |"


def tables(verdicts: list[Verdict]) -> str:
    """Counts per project, then every finding with verdict and reason, as Markdown."""
    text = [row(("project", "findings", "true", "true: bug", "true: harmless", "false")), "|---|--:|--:|--:|--:|--:|"]
    for project in (*(pin.name for pin in read_pins()[1]), "all"):
        mine = [v for v in verdicts if project in (v.place.project, "all")]
        kinds = collections.Counter(v.harm if v.verdict == "true" else "false" for v in mine)
        bugs, harmless, wrong = kinds["bug"], kinds["harmless"], kinds["false"]
        text.append(row((project, len(mine), bugs + harmless, bugs, harmless, wrong)))
    text += ["", row(("project", "place", "code", "verdict", "harm", "reason")), "|---|---|---|---|---|---|"]
    for v in sorted(verdicts, key=lambda v: v.place):
        text.append(row((v.place.project, f"`{v.place.where}`", v.place.code, v.verdict, v.harm, v.reason)))
    return "\n".join(text)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=pathlib.Path, nargs="?")
    parser.add_argument("--write-docs", action="store_true")
    options = parser.parse_args()
    if not (options.corpus or options.write_docs):
        parser.error("name a corpus folder, or --write-docs")
    verdicts = read_verdicts()
    if options.write_docs:
        new, between = f"{BEGIN}\n{tables(list(verdicts.values()))}\n{END}", f"{re.escape(BEGIN)}.*?{re.escape(END)}"
        old = DOCS.read_text(encoding="utf-8")
        DOCS.write_text(re.sub(between, lambda _: new, old, flags=re.DOTALL), encoding="utf-8")
    return compare(options.corpus, verdicts) if options.corpus else 0


if __name__ == "__main__":
    sys.exit(main())
