#!/usr/bin/env python3
"""Ask jaxlint about each plant: is there a finding with a fitting topic on an expected line?

usage: score.py DEST [--whole] [--library] [--named] [--only ID ...] [--json OUT] [-v]

DEST is what plant.py wrote. JAXLINT names the command (default: jaxlint). Each planted file is linted alone; with
--whole also as part of its whole planted project; with --library also with `assume-traced` set to the project's own
package, as its developers would have it; with --named set to the one module that holds the plant. Each of these has
its own figure. A finding that the unplanted file has at the same place does not count. Misses are counted by the reason
that reasons.toml gives.
"""

from __future__ import annotations

import argparse
import collections
import difflib
import functools
import json
import os
import pathlib
import subprocess
import sys
from dataclasses import dataclass

from manifest import Planted, read_manifest, read_reasons


@dataclass(frozen=True)
class Found:
    """One finding of the linter in the file of interest."""

    row: int
    code: str
    message: str


@dataclass(frozen=True)
class Way:
    """One way to run the linter."""

    title: str
    whole: bool = False
    library: bool = False
    named: bool = False

    def assumed(self, file: str) -> list[str]:
        """Options that say what of the project its users trace."""
        if self.named:
            return ["--assume-traced", file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")]
        return ["--assume-traced", file.partition("/")[0]] if self.library else []


@functools.cache
def lint(root: str, file: str, way: Way) -> tuple[Found, ...]:
    """Findings in a file of the project at `root`."""
    path = os.path.join(root, file)
    command = [*os.environ.get("JAXLINT", "jaxlint").split(), "check", "--isolated", "--no-cache"]
    command += way.assumed(file)
    command += ["--output-format", "json", root if way.whole else path]
    done = subprocess.run(command, check=False, capture_output=True, text=True, cwd=root)
    if done.returncode not in (0, 1):
        print(f"{path}: exit {done.returncode}: {done.stderr[-500:]}", file=sys.stderr)
    items = [i for i in json.loads(done.stdout or "[]") if os.path.realpath(i["filename"]) == os.path.realpath(path)]
    return tuple(Found(i["location"]["row"], i["code"] or "", i["message"]) for i in items)


def moved_rows(before: pathlib.Path, after: pathlib.Path) -> dict[int, int]:
    """Rows of the original file to rows of the planted one, for the lines that did not change."""
    old, new = (p.read_text(encoding="utf-8").splitlines() for p in (before, after))
    rows: dict[int, int] = {}
    for block in difflib.SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks():
        rows |= {block.a + i + 1: block.b + i + 1 for i in range(block.size)}
    return rows


def hits(planted: Planted, way: Way) -> tuple[list[Found], list[Found]]:
    """Findings that count for the plant, and the other new ones in the file."""
    before, after = (pathlib.Path(root) / planted.file for root in (planted.original, planted.tree))
    old = lint(planted.original, planted.file, way)
    rows = moved_rows(before, after)
    known = {(rows.get(f.row), f.code) for f in old}
    new = [
        f for f in lint(planted.tree, planted.file, way) if (f.row, f.code) not in known and f.code.startswith("JAX")
    ]
    good = [f for f in new if planted.expects(f.row) and f.code[3:4] in planted.topics]
    return good, [f for f in new if f not in good]


def report(plants: list[Planted], way: Way, *, verbose: bool) -> dict[str, object]:
    found, total, exact = collections.Counter[str](), collections.Counter[str](), 0
    by_witness, all_witness = collections.Counter[str](), collections.Counter[str]()
    missed = []
    for planted in plants:
        good, other = hits(planted, way)
        total[planted.operator] += 1
        place = planted.witness if planted.needs_trace else "not needed"
        all_witness[place] += 1
        found[planted.operator] += bool(good)
        by_witness[place] += bool(good)
        exact += any(f.code in planted.codes for f in good)
        if not good:
            missed.append(planted.id)
            if verbose:
                beside = [f"{f.row} {f.code}" for f in other]
                print(f"MISS {planted.id}: {planted.file} {planted.lines} {'/'.join(planted.codes)}; beside: {beside}")
    print(way.title)
    for name in sorted(total):
        print(f"  {name:24} {found[name]}/{total[name]}")
    for name in sorted(all_witness):
        print(f"  traced from: {name:11} {by_witness[name]}/{all_witness[name]}")
    for reason, ids in by_reason(missed):
        print(f"  missed, {reason}: {len(ids)} ({', '.join(ids)})")
    share = found.total() / max(total.total(), 1)
    print(f"{way.title}: found {found.total()}/{total.total()} = {share:.3f}, with an expected code {exact}")
    return {"found": found, "total": total, "exact": exact, "missed": missed}


def by_reason(missed: list[str]) -> list[tuple[str, list[str]]]:
    """The missed plants under the reasons that reading gave, the commonest first."""
    reasons = read_reasons()
    groups: dict[str, list[str]] = {}
    for name in missed:
        groups.setdefault(reasons.get(name, "not judged"), []).append(name)
    return sorted(groups.items(), key=lambda pair: -len(pair[1]))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dest", type=pathlib.Path)
    parser.add_argument("--whole", action="store_true", help="also lint each whole planted project")
    parser.add_argument("--library", action="store_true", help="also lint with `assume-traced` set to the package")
    parser.add_argument("--named", action="store_true", help="also lint with `assume-traced` set to the file's module")
    parser.add_argument("--only", nargs="+", metavar="ID")
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("-v", action="store_true", help="name the plants that were missed")
    options = parser.parse_args()
    plants = [p for p in read_manifest(options.dest) if not options.only or p.id in options.only]
    ways = {"file": Way("file alone")}
    if options.whole:
        ways["project"] = Way("whole project", whole=True)
    if options.library:
        ways["library"] = Way("file alone, package assumed traced", library=True)
    if options.library and options.whole:
        ways["library project"] = Way("whole project, package assumed traced", whole=True, library=True)
    if options.named:
        ways["named"] = Way("file alone, its module assumed traced", named=True)
    if options.named and options.whole:
        ways["named project"] = Way("whole project, the module assumed traced", whole=True, named=True)
    result = {name: report(plants, way, verbose=options.v) for name, way in ways.items()}
    if options.json:
        options.json.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
