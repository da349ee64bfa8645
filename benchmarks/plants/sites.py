#!/usr/bin/env python3
"""List every place where an operator could plant, in the order in which plants are chosen.

usage: sites.py SRC [--operator NAME ...] [--first N]

SRC is the folder that benchmarks/corpus/fetch.py filled. Only the projects' own packages are listed, not their tests,
examples or docs. The order knows nothing of any linter: within an operator, the sites of each project are sorted by a
hash of a fixed seed and their address, and the projects take turns, themselves in hashed order.
"""

from __future__ import annotations

import argparse
import hashlib
import itertools
import pathlib
from collections.abc import Iterator
from dataclasses import dataclass

import libcst as cst
from operators import ALL, File

SEED = "jaxlint-plants-1"
PROJECTS = ("brax", "equinox", "evosax", "flax", "numpyro", "optax")


@dataclass(frozen=True)
class Address:
    """Where a plant can go: enough to find the place again in the pinned project."""

    project: str
    file: str
    operator: str
    function: str
    occurrence: int
    line: int

    def rank(self) -> str:
        text = f"{SEED} {self.operator} {self.project} {self.file} {self.function} {self.occurrence}"
        return hashlib.sha256(text.encode()).hexdigest()


def library_files(root: pathlib.Path, name: str) -> Iterator[pathlib.Path]:
    for path in sorted((root / name).rglob("*.py")):
        parts = path.relative_to(root).parts
        if not any(p in ("tests", "test", "testing") or p.endswith("_test.py") or p.startswith("test_") for p in parts):
            yield path


def addresses(src: pathlib.Path) -> dict[str, list[Address]]:
    """All sites by operator, in the order of choice."""
    found: dict[str, dict[str, list[Address]]] = {name: {} for name in ALL}
    for project in PROJECTS:
        (root,) = src.glob(f"{project}-*")
        for path in library_files(root, project):
            try:
                file = File(path.read_text(encoding="utf-8"))
            except (cst.ParserSyntaxError, UnicodeDecodeError):
                continue
            for name, operator in ALL.items():
                for site in operator.sites(file):
                    where = path.relative_to(root).as_posix()
                    address = Address(project, where, name, site.function, site.occurrence, site.line)
                    found[name].setdefault(project, []).append(address)
    ordered = {}
    for name, by_project in found.items():
        turns = sorted(by_project, key=lambda p: hashlib.sha256(f"{SEED} {name} {p}".encode()).hexdigest())
        columns = [sorted(by_project[p], key=Address.rank) for p in turns]
        rounds = itertools.zip_longest(*columns)
        ordered[name] = [a for turn in rounds for a in turn if a is not None]
    return ordered


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("src", type=pathlib.Path)
    parser.add_argument("--operator", nargs="+", choices=sorted(ALL))
    parser.add_argument("--first", type=int)
    options = parser.parse_args()
    for name, sites in addresses(options.src).items():
        if options.operator and name not in options.operator:
            continue
        print(f"{name}: {len(sites)} sites")
        for a in sites[: options.first]:
            print(f"  {a.project} {a.file}:{a.line} {a.function} #{a.occurrence}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
