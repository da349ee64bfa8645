#!/usr/bin/env python3
"""Run every script beside this one: each shows under JAX a fault that jaxlint found in current public code.

usage: CORPUS=… show.py [NAME ...]     # CORPUS is what benchmarks/corpus/fetch.py filled

The Python that runs it needs jax, flax, and what the projects import: blackjax, brax, chex, distrax, evosax, optax,
numpyro, tfp-nightly and the like. Exit 1 if a script does not show what it says.
"""

from __future__ import annotations

import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).parent


def main() -> int:
    failed = 0
    for script in sorted(HERE.glob("*.py")):
        if script.name in ("show.py", "evidence.py") or (sys.argv[1:] and script.stem not in sys.argv[1:]):
            continue
        title = script.read_text(encoding="utf-8").partition("\n")[0].strip('"')
        done = subprocess.run([sys.executable, str(script)], cwd=HERE, capture_output=True, text=True, check=False)
        failed += done.returncode != 0
        last = (done.stdout if done.returncode == 0 else done.stderr).strip().rpartition("\n")[2]
        print(f"{'shown ' if done.returncode == 0 else 'FAILED'} {title}\n       {last}")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
