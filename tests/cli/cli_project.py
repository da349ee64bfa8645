"""What the tests of the command line share: a program with one finding, a clean one, and what a run gives."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

#: One finding, JAX101 at 6:8, in a file that is no test.
BAD = """\
import jax


@jax.jit
def step(x):
    if x > 0:
        return x
    return -x
"""

GOOD = "import jax\n\n\n@jax.jit\ndef step(x):\n    return x + 1\n"


class Outcome(NamedTuple):
    code: int
    out: str
    err: str


Run = Callable[..., Outcome]


def environment(*first: object) -> dict[str, str]:
    """The environment for a subprocess that imports jaxlint from this checkout, or from ``first``."""
    repository = Path(__file__).parents[2]
    path = [*map(str, first), str(repository), os.environ.get("PYTHONPATH", "")]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, path))}
