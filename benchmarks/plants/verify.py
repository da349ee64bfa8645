#!/usr/bin/env python3
"""Ask JAX about each plant: its driver must pass on the original project and show the fault on the planted one.

usage: verify.py DEST [--only ID ...] [--json OUT] [-v]

DEST is what plant.py wrote. JAX_PYTHON names a Python with jax and the six projects' dependencies (default: this one).
A fault that raises must raise the named exception with an expected line of the planted file in its traceback; a silent
one must fail an assertion of the driver whose text begins with "planted:".
"""

from __future__ import annotations

import argparse
import collections
import concurrent.futures
import functools
import json
import os
import pathlib
import re
import subprocess
import sys
from dataclasses import asdict, dataclass

from manifest import HERE, Planted, read_manifest

LIMIT = 600


@dataclass(frozen=True)
class Answer:
    """What JAX said about one plant."""

    id: str
    operator: str
    ok: bool
    why: str


@functools.cache
def drive(driver: str, tree: str) -> tuple[int, str]:
    """Run a driver with that tree of its project first on the path: exit status and stderr."""
    python = os.environ.get("JAX_PYTHON", sys.executable)
    env = {
        **os.environ,
        "PYTHONPATH": tree,
        "PYTHONDONTWRITEBYTECODE": "1",
        "JAX_PLATFORMS": "cpu",
        "JAX_TRACEBACK_FILTERING": "off",
        "EQX_ON_ERROR": "raise",
    }
    command = [python, str(HERE / "drivers" / driver)]
    try:
        done = subprocess.run(command, check=False, capture_output=True, text=True, env=env, timeout=LIMIT, cwd=HERE)
    except subprocess.TimeoutExpired:
        return 124, f"no end after {LIMIT} s"
    return done.returncode, done.stderr


def judge(planted: Planted) -> Answer:
    def answer(why: str) -> Answer:
        return Answer(planted.id, planted.operator, not why, why)

    status, stderr = drive(planted.driver, planted.original)
    if status:
        return answer(f"fails on the original: {last_line(stderr)}")
    status, stderr = drive(planted.driver, planted.tree)
    if not status:
        return answer("passes on the planted project")
    if planted.raises == "AssertionError":
        return answer("" if "AssertionError: planted:" in stderr else f"another failure: {last_line(stderr)}")
    if not re.search(rf"^[\w.]*\b{planted.raises}\b", stderr, re.MULTILINE):
        return answer(f"another failure: {last_line(stderr)}")
    path = re.escape(str(pathlib.Path(planted.tree) / planted.file))
    rows = [int(row) for row in re.findall(rf'File "{path}", line (\d+)', stderr)]
    if not any(planted.expects(row) for row in rows):
        return answer(f"fails at lines {rows}, not at {planted.lines}")
    return answer("")


def last_line(stderr: str) -> str:
    lines = [line for line in stderr.strip().splitlines() if re.match(r"^[\w.]+(Error|Exception|Warning)?\b.*: ", line)]
    return (lines or stderr.strip().splitlines() or ["nothing said"])[-1][:300]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dest", type=pathlib.Path)
    parser.add_argument("--only", nargs="+", metavar="ID")
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("-v", action="store_true", help="print every answer, not only the refusals")
    options = parser.parse_args()
    wanted = [p for p in read_manifest(options.dest) if not options.only or p.id in options.only]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        # Several plants share a driver: each driver runs once on the original, all of them first.
        list(pool.map(lambda pair: drive(*pair), dict.fromkeys((p.driver, p.original) for p in wanted)))
        answers = list(pool.map(judge, wanted))
    verified = collections.Counter[str]()
    total = collections.Counter(a.operator for a in answers)
    for a in answers:
        verified[a.operator] += a.ok
        if options.v or not a.ok:
            print(f"{'shown ' if a.ok else 'REFUSED'} {a.id} {a.why}")
    for name in sorted(total):
        print(f"  {name:24} {verified[name]}/{total[name]}")
    print(f"verified under JAX: {verified.total()}/{total.total()}")
    if options.json:
        options.json.write_text(json.dumps([asdict(a) for a in answers], indent=1) + "\n", encoding="utf-8")
    return 0 if verified.total() == total.total() else 1


if __name__ == "__main__":
    raise SystemExit(main())
