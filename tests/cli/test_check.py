"""``jaxlint check``: what it prints and how it exits."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from cli_project import BAD, GOOD, Run

LINE = "bad.py:6:8: JAX101"


@pytest.mark.parametrize("arguments", [["check", "."], ["."], [], ["check"], ["bad.py"]])
def test_findings_exit_one(run: Run, arguments: list[str]) -> None:
    result = run(*arguments)
    assert result.code == 1
    assert result.out.startswith(LINE)
    assert result.out.endswith("Found 1 error.\n")
    assert result.err == ""


def test_clean_exits_zero(run: Run) -> None:
    assert run("pkg") == (0, "All checks passed!\n", "")


@pytest.mark.parametrize(
    "arguments",
    [
        ["--select", "JAX999"],
        ["--select", "E501"],
        ["--ignore", "no-such-rule"],
        ["--no-such-option"],
        ["--output-format", "xml"],
        ["--config", "missing.toml"],
        ["--config", "preview = 3"],
        ["--jobs", "-1"],
        ["--per-file-ignores", "JAX101"],
        ["-", "bad.py"],
    ],
)
def test_wrong_usage_exits_two(run: Run, arguments: list[str]) -> None:
    result = run("check", *arguments)
    assert result.code == 2
    assert result.out == ""
    assert "error" in result.err


def test_selection(run: Run) -> None:
    assert run("--select", "JAX4", "bad.py").code == 0
    assert run("--select", "JAX4,JAX1", "bad.py").code == 1
    assert run("--select", "JAX4", "--extend-select", "traced-if", "bad.py").code == 1
    assert run("--ignore", "JAX101", "bad.py").code == 0
    assert run("--per-file-ignores", "bad.py:JAX1", "bad.py").code == 0


def test_options_may_stand_between_paths(run: Run) -> None:
    assert run("pkg", "--select", "JAX1", "bad.py").out.startswith(LINE)


def test_exit_zero_and_quiet(run: Run) -> None:
    result = run("--exit-zero", "-q", "bad.py")
    assert result.code == 0
    assert result.out.startswith(LINE)
    assert "Found" not in result.out
    assert run("-q", "pkg") == (0, "", "")


def test_suppressions_count_unless_ignored(run: Run, project: Path) -> None:
    (project / "bad.py").write_text(BAD.replace("x > 0:", "x > 0:  # noqa: JAX101"))
    assert run("bad.py") == (0, "All checks passed!\n", "")
    assert run("bad.py", "--ignore-noqa").out.startswith(LINE)


def test_json_is_one_document(run: Run, project: Path) -> None:
    (item,) = json.loads(run("--output-format", "json", ".").out)
    assert item["code"] == "JAX101"
    assert item["filename"] == str(project / "bad.py")
    assert item["location"] == {"row": 6, "column": 8}
    assert item["story"]
    assert json.loads(run("--output-format", "json", "pkg").out) == []


def test_full_shows_the_frame_and_the_story(run: Run) -> None:
    out = run("--output-format", "full", "bad.py").out
    assert "6 |     if x > 0:\n  |        ^^^^^\n" in out
    assert "story:\n  1. bad.py:" in out


def test_configuration_of_the_nearest_file(run: Run, project: Path) -> None:
    (project / "pyproject.toml").write_text('[tool.jaxlint]\nignore = ["JAX1"]\nunknwon = 1\n')
    result = run("bad.py")
    assert result.code == 0
    assert "unknown key `unknwon`" in result.err
    assert run("--isolated", "bad.py").code == 1
    assert run("--extend-select", "JAX101", "bad.py").code == 1
    (project / "other.toml").write_text("")
    assert run("--config", "other.toml", "bad.py").code == 1
    assert run("--config", 'ignore = ["traced-if"]', "--isolated", "bad.py").code in (0, 1)
    (project / "pyproject.toml").write_text("[tool.jaxlint]\nselect = 3\n")
    result = run("bad.py")
    assert (result.code, result.out) == (2, "")
    assert "pyproject.toml: `select` must be a list of strings" in result.err


def test_environment(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JAXLINT_OUTPUT_FORMAT", "json")
    assert run("bad.py").out.startswith("[")
    assert run("--output-format", "concise", "bad.py").out.startswith(LINE)


def stdin(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))


def test_stdin(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    stdin(monkeypatch, BAD.encode())
    assert run("-").out.startswith("-:6:8: JAX101")
    stdin(monkeypatch, BAD.encode())
    result = run("-", "--stdin-filename", "src/new.py", "--output-format", "full")
    assert "--> src/new.py:6:8" in result.out
    assert "6 |     if x > 0:" in result.out
    stdin(monkeypatch, GOOD.encode())
    assert run("-").code == 0
    stdin(monkeypatch, BAD.encode())
    assert run("-", "--stdin-filename", "build/x.py", "--force-exclude").code == 0
    stdin(monkeypatch, b"import jax \xff\n")
    assert run("-").out.startswith("-:1:12: JAX004")


def test_show_files(run: Run, project: Path) -> None:
    expected = [project / "bad.py", project / "pkg" / "good.py", project / "pkg" / "plain.py"]
    assert run("--show-files") == (0, "".join(f"{path}\n" for path in expected), "")
    assert run("--show-files", "--extend-exclude", "pkg").out == f"{project / 'bad.py'}\n"


def test_a_folder_without_python(run: Run, project: Path) -> None:
    (project / "empty").mkdir()
    result = run("empty")
    assert result.code == 0
    assert "no Python files" in result.err


def test_statistics_and_profile(run: Run) -> None:
    result = run("--statistics", "--profile", ".")
    assert result.out.startswith("1\tJAX101\t[ ] traced-if\n")
    assert "3 files, 2 of them mention JAX" in result.err
    for phase in ("import", "read", "parse", "interpret", "rules", "output", "total"):
        assert f"\n{phase} " in result.err


def test_colours(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "\033[" in run("--color", "always", "bad.py").out
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\033[" in run("bad.py").out
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\033[" not in run("bad.py").out
    assert "\033[" not in run("--color", "never", "bad.py").out


def test_many_processes_say_the_same(run: Run, project: Path) -> None:
    for number in range(20):
        (project / "pkg" / f"m{number:02}.py").write_text(BAD if number % 3 else GOOD)
    serial: Any = run(".")
    assert run("--jobs", "3", ".") == serial
    assert serial.out.count("JAX101") == 14


def test_a_folder_may_be_named_like_a_command(run: Run, project: Path) -> None:
    (project / "rule").mkdir()
    (project / "rule" / "bad.py").write_text(BAD)
    assert run("check", "rule").out.startswith("rule/bad.py:6:8")
