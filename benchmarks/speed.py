"""CPU of jaxlint beside other linters: whole processes, the same files, in turn, in one run.

usage: speed.py FOLDER [--runs N] [--bugbear "CMD"] [--flake8 "CMD"] [--jaxlint "CMD"]

Each command is run in turn (A B A B …) after one warm-up; the figure is user + system seconds of the process and its
children; the ratio is that of the medians. Give commands from clean environments: flake8 runs every plugin that is
installed, whatever --select says. Bars: on optax at most 0.6 of flake8-bugbear; on one file of 300 lines at most
twice plain flake8.
"""

from __future__ import annotations

import argparse
import os
import resource
import shlex
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path


def cpu(command: list[str]) -> float:
    """User and system seconds of one run."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def compare(ours: list[str], theirs: list[str], runs: int) -> tuple[float, float]:
    """Median CPU seconds of both, run in turn."""
    figures: tuple[list[float], list[float]] = ([], [])
    for number in range(runs + 1):
        for command, kept in zip((ours, theirs), figures, strict=True):
            seconds = cpu(command)
            if number:
                kept.append(seconds)
    return statistics.median(figures[0]), statistics.median(figures[1])


def middle_file(folder: Path) -> Path:
    """The file nearest to 300 lines that imports jax."""
    files = [path for path in sorted(folder.rglob("*.py")) if "import jax" in path.read_text(encoding="utf-8")]
    return min(files, key=lambda path: abs(path.read_text(encoding="utf-8").count("\n") - 300))


def main() -> int:
    """Print both comparisons; 1 if a bar does not hold."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--jaxlint", default="jaxlint")
    parser.add_argument("--bugbear", default="flake8")
    parser.add_argument("--flake8", default="flake8")
    options = parser.parse_args()
    ours = [*shlex.split(options.jaxlint), "check", "--isolated", "--no-cache", "--output-format", "concise"]
    folder = str(options.folder)
    lines = sum(path.read_bytes().count(b"\n") for path in options.folder.rglob("*.py"))
    bugbear = [*shlex.split(options.bugbear), "--isolated", "--select", "B", "-j1", folder]
    a, b = compare([*ours, folder], bugbear, options.runs)
    print(f"{lines} lines: jaxlint {a:.2f} s, flake8 --select B {b:.2f} s, ratio {a / b:.2f} (bar 0.60)")
    file = middle_file(options.folder)
    with tempfile.TemporaryDirectory() as temporary:
        alone = Path(temporary) / file.name
        alone.write_bytes(file.read_bytes())
        c, d = compare(
            [*ours, str(alone)], [*shlex.split(options.flake8), "--isolated", "-j1", str(alone)], options.runs
        )
    count = file.read_bytes().count(b"\n")
    print(f"{count} lines, one file: jaxlint {c:.3f} s, flake8 {d:.3f} s, ratio {c / d:.2f} (bar 2.00)")
    return 0 if a / b <= 0.6 and c / d <= 2.0 else 1


if __name__ == "__main__":
    sys.exit(main())
