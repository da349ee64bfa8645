"""What the tests of the doors share."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

REPOSITORY = Path(__file__).parents[2]

#: Runs ``python -m …`` in the test's folder.
Run = Callable[..., "subprocess.CompletedProcess[str]"]
