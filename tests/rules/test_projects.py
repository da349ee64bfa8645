"""Small projects of several files: each file has the findings that its comments promise, in any order of files."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from fixture_files import EVERYTHING, FIXTURES, difference, expectations, places

from jaxlint.engine import Engine, Task, check_files

PROJECTS = sorted(path for path in (FIXTURES / "projects").iterdir() if path.is_dir())


@pytest.mark.parametrize("backwards", [False, True], ids=["in order", "backwards"])
@pytest.mark.parametrize("project", PROJECTS, ids=lambda path: path.name)
def test_findings(project: Path, backwards: bool, tmp_path: Path) -> None:
    copy = tmp_path / project.name  # elsewhere: here every file would count as a test's
    shutil.copytree(project, copy)
    files = sorted(copy.rglob("*.py"), reverse=backwards)
    settings = EVERYTHING._replace(root=str(copy))
    found = check_files([Task(str(path), settings) for path in files], Engine()).findings
    for path in files:
        here = [each for each in found if os.path.realpath(each.location.path) == os.path.realpath(path)]
        problem = difference(expectations(path.read_text(encoding="utf-8")), places(here))
        assert not problem, f"{path.relative_to(copy)}\n{problem}"
