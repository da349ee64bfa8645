"""A project in a temporary folder and a way to run the command line on it, in this process."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_project import BAD, GOOD, Outcome, Run

from jaxlint.cli.main import main


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder: ``bad.py``, ``pkg/good.py`` and ``pkg/plain.py`` without JAX."""
    (tmp_path / "bad.py").write_text(BAD)
    (tmp_path / "pkg").mkdir()
    (tmp_path / "pkg" / "good.py").write_text(GOOD)
    (tmp_path / "pkg" / "plain.py").write_text("import os\nif os:\n    pass\n")
    monkeypatch.chdir(tmp_path)
    for name in ("NO_COLOR", "FORCE_COLOR", "JAXLINT_OUTPUT_FORMAT", "JAXLINT_PREVIEW", "JAXLINT_FORCE_EXCLUDE"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


@pytest.fixture
def run(project: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run ``jaxlint`` with these arguments."""

    def go(*arguments: object) -> Outcome:
        try:
            code = main([str(argument) for argument in arguments])
        except SystemExit as stop:  # argparse
            code = int(stop.code or 0)
        out, err = capsys.readouterr()
        return Outcome(code, out, err)

    return go
