#!/usr/bin/env python3
"""Put each fault of plants.toml into its own copy of its project: DEST/ID/NAME-VERSION/, and DEST/manifest.json.

usage: plant.py SRC DEST [--only ID ...] [--diff]

SRC is the folder that benchmarks/corpus/fetch.py filled.
"""

from __future__ import annotations

import argparse
import difflib
import pathlib
import shutil

from manifest import Plant, Planted, read_plants, write_manifest
from operators import ALL, File, Operator, Site, apply

LEFT_OUT = shutil.ignore_patterns(
    "*.ipynb", "*.md", "*.rst", "*.png", "*.gif", "*.jpg", "*.svg", "*.tfevents*", "__pycache__"
)


def find_site(operator: Operator, file: File, plant: Plant) -> Site:
    for site in operator.sites(file):
        if site.function == plant.function and site.occurrence == plant.occurrence:
            return site
    raise SystemExit(f"{plant.id}: no such site in {plant.file}: {plant.function} #{plant.occurrence}")


def change(plant: Plant, text: str) -> tuple[str, list[tuple[int, int]]]:
    """The text with the fault in it, and the lines where it shows."""
    file, operator = File(text), ALL[plant.operator]
    return apply(text, operator.plan(file, find_site(operator, file, plant).node))


def put(plant: Plant, src: pathlib.Path, dest: pathlib.Path) -> Planted:
    """Copy the project and write the one changed file."""
    (root,) = src.glob(f"{plant.project}-*")
    text, lines = change(plant, (root / plant.file).read_text(encoding="utf-8"))
    compile(text, plant.file, "exec")
    tree = dest / plant.id / root.name
    shutil.rmtree(dest / plant.id, ignore_errors=True)
    shutil.copytree(root, tree, ignore=LEFT_OUT)
    (tree / plant.file).write_text(text, encoding="utf-8")
    operator = ALL[plant.operator]
    return Planted(
        id=plant.id,
        operator=plant.operator,
        project=plant.project,
        tree=str(tree.resolve()),
        original=str(root.resolve()),
        file=plant.file,
        function=plant.function,
        codes=list(operator.codes),
        topics=plant.topics or operator.topics,
        lines=[list(pair) for pair in lines],
        driver=plant.driver,
        raises=plant.raises,
        witness=plant.witness,
        needs_trace=operator.needs_trace,
    )


def show(planted: Planted) -> str:
    before = (pathlib.Path(planted.original) / planted.file).read_text(encoding="utf-8").splitlines()
    after = (pathlib.Path(planted.tree) / planted.file).read_text(encoding="utf-8").splitlines()
    return "\n".join(difflib.unified_diff(before, after, planted.file, planted.id, n=1, lineterm=""))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("src", type=pathlib.Path)
    parser.add_argument("dest", type=pathlib.Path)
    parser.add_argument("--only", nargs="+", metavar="ID")
    parser.add_argument("--diff", action="store_true", help="also print what was changed")
    options = parser.parse_args()
    options.dest.mkdir(parents=True, exist_ok=True)
    done = []
    for plant in read_plants():
        if options.only and plant.id not in options.only:
            continue
        planted = put(plant, options.src, options.dest)
        done.append(planted)
        print(f"{plant.id}: {plant.project} {plant.file} lines {planted.lines}")
        if options.diff:
            print(show(planted))
    write_manifest(options.dest, done)
    print(f"{len(done)} plants")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
