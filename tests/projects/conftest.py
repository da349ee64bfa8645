"""A folder for a project and a way to check it, in this process."""

from __future__ import annotations

from pathlib import Path

import pytest
from project_files import Check, Outcome, read

from jaxlint.cli.main import main


@pytest.fixture
def check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Check:
    """Run ``jaxlint check`` in the project's folder with these arguments."""
    monkeypatch.chdir(tmp_path)

    def go(*arguments: object) -> Outcome:
        capsys.readouterr()
        code = main(["check", "--output-format", "json", *map(str, arguments)])
        out, err = capsys.readouterr()
        return read(tmp_path, code, out, err)

    return go
