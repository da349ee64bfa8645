"""The index of callers: a check of one file sees what a run over the project has seen trace into it."""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from project_files import Check, Place, write

PROJECT = """\
# file: pyproject.toml
[project]
name = "mypkg"
# file: src/mypkg/__init__.py
# file: src/mypkg/ops.py
import jax.numpy as jnp


def clip(x, limit):
    if x > limit:  # expect: JAX101@8
        return limit
    return x


def host(x):
    return clip(x, 3)


def checked(x):
    return 1 if x > 0 else 2
# file: src/mypkg/deep.py
import jax.numpy as jnp

from mypkg.ops import clip


def through(x):
    return clip(jnp.sin(x), 1.0)
# file: tests/test_ops.py
import jax
import jax.numpy as jnp

from mypkg import ops


def test_clip():
    assert jax.jit(ops.clip, static_argnums=1)(jnp.ones(()), 2) == 1


def test_checked():
    assert ops.checked(jnp.ones(())) == 1
# file: examples/run.py
import jax

from mypkg.deep import through

step = jax.jit(through)
"""
INDEX = Path(".jaxlint_cache", "callers.json")


@pytest.fixture
def promised(tmp_path: Path) -> list[Place]:
    return write(tmp_path, PROJECT)


def test_a_run_over_the_project_leaves_an_index(check: Check, tmp_path: Path, promised: list[Place]) -> None:
    assert check().places == promised
    data = json.loads((tmp_path / INDEX).read_text())
    assert data["version"] == 1
    assert {path: entry["reaches"] for path, entry in data["callers"].items()} == {
        "examples/run.py": ["src/mypkg/deep.py", "src/mypkg/ops.py"],
        "tests/test_ops.py": ["src/mypkg/ops.py"],
    }
    assert (tmp_path / ".jaxlint_cache" / ".gitignore").read_text().endswith("*\n")


def test_others_read_it(check: Check, tmp_path: Path, promised: list[Place]) -> None:
    assert check("src").places == []
    assert not (tmp_path / INDEX).exists()
    check()
    written = (tmp_path / INDEX).read_bytes()
    for paths in (["src"], ["src/mypkg/ops.py"], ["src/mypkg"], ["src", "tests"], ["src/mypkg/ops.py", "examples"]):
        result = check(*paths)
        assert result.places == promised, paths
        assert [step["message"] for step in result.findings[0]["story"]]  # type: ignore[attr-defined]
    assert check("src/mypkg/deep.py", "tests/test_ops.py").places == promised
    assert check("src/mypkg/deep.py").places == []  # of other files the callers say nothing
    assert check("--jobs", 2, "src").places == promised
    assert (tmp_path / INDEX).read_bytes() == written


def test_no_cache(check: Check, tmp_path: Path, promised: list[Place]) -> None:
    assert check("--no-cache").places == promised
    assert not (tmp_path / INDEX).exists()
    check()
    assert check("--no-cache", "src").places == []


def test_a_changed_caller_counts_no_more(check: Check, tmp_path: Path, promised: list[Place]) -> None:
    check()
    run = tmp_path / "examples" / "run.py"
    run.write_text(run.read_text() + "\n")
    assert check("src").places == promised  # the test is left
    test = tmp_path / "tests" / "test_ops.py"
    test.write_text(test.read_text().replace("jax.jit(ops.clip, static_argnums=1)", "ops.clip"))
    assert check("src").places == []
    assert check().places == promised  # the example is seen again
    assert check("src").places == promised
    run.unlink()
    assert check("src").places == []


def test_a_changed_file_is_read_anew(check: Check, tmp_path: Path, promised: list[Place]) -> None:
    check()
    ops = tmp_path / "src" / "mypkg" / "ops.py"
    ops.write_text(ops.read_text().replace("    if x > limit:", "    assert limit > 0\n    if jnp.all(x > limit):"))
    # In the test the limit is static; in the example it is a number that the caller gives.
    assert check("src").places == [Place("src/mypkg/ops.py", 6, 8, "JAX101")]


@pytest.mark.parametrize(
    "text",
    [
        "", "{", "[]", "null", "{}", '{"version": 2, "callers": {}}', '{"version": 1}', '{"version": 1, "callers": []}',
        '{"version": 1, "callers": {"examples/run.py": 3}}',
        '{"version": 1, "callers": {"examples/run.py": {"hash": 3, "reaches": []}}}',
        '{"version": 1, "callers": {"examples/run.py": {"hash": "", "reaches": "src/mypkg/ops.py"}}}',
        '{"version": 1, "callers": {"examples/run.py": {"hash": "", "reaches": ["src/mypkg/ops.py"]}}}',
        '{"version": 1, "callers": {"../x.py": {"hash": "", "reaches": ["src/mypkg/ops.py"]}}}',
        '{"version": 1, "callers": {"a\\u0000b": {"hash": "", "reaches": ["src/mypkg/ops.py"]}}}',
        '{"version": 1, "callers": {"examples/run.py": {"hash": "x", "reaches": ["a\\u0000b", 1]}}}',
        "[" * 100_000,
    ],
)  # fmt: skip
def test_an_index_that_is_none(check: Check, tmp_path: Path, promised: list[Place], text: str) -> None:
    check()
    (tmp_path / INDEX).write_text(text)
    result = check("src")
    assert (result.code, result.places, result.err) == (0, [], "")
    assert check().places == promised
    assert check("src").places == promised


def test_an_index_that_cannot_be_read_or_written(check: Check, tmp_path: Path, promised: list[Place]) -> None:
    (tmp_path / INDEX).mkdir(parents=True)
    assert check().places == promised
    result = check("src")
    assert (result.code, result.places, result.err) == (0, [], "")
    assert sorted(path.name for path in (tmp_path / INDEX).parent.iterdir()) == [".gitignore", "callers.json"]
    (tmp_path / INDEX).rmdir()
    (tmp_path / INDEX).write_bytes(b"\xff\xfe")
    assert check("src").places == []
    shutil.rmtree(tmp_path / ".jaxlint_cache")
    (tmp_path / ".jaxlint_cache").write_text("a file")
    assert check().places == promised


def test_what_is_excluded_is_no_caller(check: Check, promised: list[Place]) -> None:
    check("--extend-exclude", "tests,examples")
    assert check("src").places == []


def test_stdin(check: Check, tmp_path: Path, promised: list[Place], monkeypatch: pytest.MonkeyPatch) -> None:
    check()
    text = "\n" + (tmp_path / "src/mypkg/ops.py").read_text()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    result = check("--stdin-filename", "src/mypkg/ops.py", "-")
    assert result.places == [one._replace(row=one.row + 1) for one in promised]


def test_flake8(check: Check, tmp_path: Path, promised: list[Place]) -> None:
    pytest.importorskip("flake8")
    check()
    repository = Path(__file__).parents[2]
    info = tmp_path / "site" / "jaxlinter-0.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: jaxlinter\nVersion: 0.0\n")
    (info / "entry_points.txt").write_text("[flake8.extension]\nJAX = jaxlint.flake8_plugin:Plugin\n")
    path = os.pathsep.join([str(info.parent), str(repository), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, "-m", "flake8", "--isolated", "--select", "JAX", "src/mypkg/ops.py"],
        cwd=tmp_path, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stdout.startswith("src/mypkg/ops.py:5:8: JAX101"), done.stdout + done.stderr
    assert len(done.stdout.splitlines()) == 1
