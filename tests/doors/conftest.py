"""Real flake8 and real pre-commit in subprocesses, with the plugin's entry point in place."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from door_running import REPOSITORY, Run

METADATA = "Metadata-Version: 2.1\nName: jaxlinter\nVersion: 0.0\n"
ENTRY_POINTS = "[flake8.extension]\nJAX = jaxlint.flake8_plugin:Plugin\n"


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of metadata that registers the plugin from this checkout, installed or not.

    flake8 takes the first distribution of a name, so an installed jaxlinter does not run twice.
    """
    folder = tmp_path_factory.mktemp("site")
    info = folder / "jaxlinter-0.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(METADATA)
    (info / "entry_points.txt").write_text(ENTRY_POINTS)
    return folder


@pytest.fixture
def python(site: Path, tmp_path: Path) -> Run:
    """``python -m …`` in the test's folder."""
    path = os.pathsep.join(filter(None, (str(site), str(REPOSITORY), os.environ.get("PYTHONPATH"))))
    environment = {**os.environ, "PYTHONPATH": path, "NO_COLOR": "1"}

    def go(*arguments: object, stdin: str | None = None) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", *map(str, arguments)]
        return subprocess.run(
            command, capture_output=True, text=True, cwd=tmp_path, env=environment, input=stdin, check=False
        )

    return go
