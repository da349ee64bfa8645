"""The hook of ``.pre-commit-hooks.yaml`` under the real pre-commit, in a temporary git repository."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from door_running import REPOSITORY

pytest.importorskip("pre_commit")
yaml = pytest.importorskip("yaml")

BAD = "import jax\n\n\n@jax.jit\ndef step(x):\n    if x > 0:\n        return x\n    return -x\n"


def manifest() -> dict[str, Any]:
    (hook,) = yaml.safe_load((REPOSITORY / ".pre-commit-hooks.yaml").read_text())
    assert isinstance(hook, dict)
    return hook


def execute(folder: Path, *command: object) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join(filter(None, (str(REPOSITORY), os.environ.get("PYTHONPATH"))))
    environment = {**os.environ, "PYTHONPATH": path, "PRE_COMMIT_HOME": str(folder.parent / "pre-commit-home")}
    environment |= {
        f"GIT_{who}_{what}": "t@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")
    }
    words = [str(word) for word in command]
    return subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, check=False)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A user's project under git, with a file that is excluded by its configuration."""
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "bad.py").write_text(BAD)
    (folder / "notes.txt").write_text("import jax\n")
    (folder / "gen.py").write_text(BAD)
    (folder / "pyproject.toml").write_text('[tool.jaxlint]\nextend-exclude = ["gen.py"]\n')
    assert execute(folder, "git", "init", "-q").returncode == 0
    assert execute(folder, "git", "add", ".").returncode == 0
    return folder


def test_the_manifest_is_valid() -> None:
    hook = manifest()
    assert (hook["id"], hook["language"], hook["require_serial"]) == ("jaxlint", "python", True)
    assert hook["entry"] == "jaxlint check --force-exclude"
    command = [sys.executable, "-m", "pre_commit", "validate-manifest", REPOSITORY / ".pre-commit-hooks.yaml"]
    done = execute(REPOSITORY, *command)
    assert done.returncode == 0, done.stdout


def test_the_hook_runs(repository: Path) -> None:
    """The manifest's hook with this Python instead of an environment of its own."""
    hook = {**manifest(), "language": "system"}
    hook["entry"] = hook["entry"].replace("jaxlint", f"{sys.executable} -m jaxlint", 1)
    del hook["minimum_pre_commit_version"]
    config = {"repos": [{"repo": "local", "hooks": [hook]}]}
    (repository / ".pre-commit-config.yaml").write_text(yaml.safe_dump(config))
    done = execute(repository, sys.executable, "-m", "pre_commit", "run", "--all-files")
    assert done.returncode == 1, done.stdout + done.stderr
    assert "bad.py:6:8: JAX101" in done.stdout
    assert "gen.py" not in done.stdout
    assert "notes.txt" not in done.stdout
    (repository / "bad.py").write_text(BAD.replace("x > 0:", "x > 0:  # noqa: JAX101"))
    assert execute(repository, "git", "add", ".").returncode == 0
    assert execute(repository, sys.executable, "-m", "pre_commit", "run", "--all-files").returncode == 0


@pytest.mark.slow
def test_the_hook_installs_and_runs(repository: Path, tmp_path: Path) -> None:
    """As a user has it: pre-commit clones the repository and builds an environment (needs the package index)."""
    clone = tmp_path / "jaxlint"
    clone.mkdir()
    for name in ("pyproject.toml", "README.md", "LICENSE", ".pre-commit-hooks.yaml"):
        shutil.copy(REPOSITORY / name, clone / name)
    shutil.copytree(REPOSITORY / "jaxlint", clone / "jaxlint", ignore=shutil.ignore_patterns("__pycache__"))
    for command in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "x"]):
        assert execute(clone, "git", *command).returncode == 0
    done = execute(repository, sys.executable, "-m", "pre_commit", "try-repo", clone, "jaxlint", "--all-files")
    assert done.returncode == 1, done.stdout + done.stderr
    assert "bad.py:6:8: JAX101" in done.stdout
    assert "gen.py" not in done.stdout
