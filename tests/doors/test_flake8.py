"""flake8's door shows what ``jaxlint check`` shows."""

from __future__ import annotations

from pathlib import Path

import pytest
from door_running import Run

pytest.importorskip("flake8")

#: Two findings: 6:23 after characters of two bytes, and 7:8.
BAD = """\
import jax


@jax.jit
def step(x):
    é = 'é'; y = x if x > 0 else é
    if x > 0:{comment}
        return y
    return -x
"""


def write(folder: Path, text: str, name: str = "a.py") -> None:
    (folder / name).write_bytes(text.encode())


def flake8(python: Run, *arguments: str, stdin: str | None = None) -> list[str]:
    done = python("flake8", "--isolated", "--select", "JAX", *arguments, stdin=stdin)
    assert done.stderr == "", done.stderr
    return sorted(done.stdout.splitlines())


def standalone(python: Run, *arguments: str) -> list[str]:
    done = python("jaxlint", "check", "-q", "--output-format", "concise", *arguments)
    assert done.stderr == "", done.stderr
    return sorted(line.replace(": ", " ", 1) for line in done.stdout.splitlines())


def same(python: Run, name: str = "a.py") -> list[str]:
    """Both doors' rows, which must be equal."""
    theirs = sorted(line.replace("./", "").replace(": ", " ", 1) for line in flake8(python, name))
    assert theirs == standalone(python, name)
    return theirs


def test_codes_and_columns(python: Run, tmp_path: Path) -> None:
    write(tmp_path, BAD.format(comment=""))
    rows = same(python)
    assert [row.split(" ")[:2] for row in rows] == [["a.py:6:23", "JAX101"], ["a.py:7:8", "JAX101"]]


@pytest.mark.parametrize("prefix", ["\ufeff", ""])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_bom_and_newlines(python: Run, tmp_path: Path, prefix: str, newline: str) -> None:
    write(tmp_path, prefix + BAD.format(comment="").replace("\n", newline))
    assert len(same(python)) == 2


@pytest.mark.parametrize(
    ("comment", "left"),
    [
        ("  # noqa", 1),
        ("  # noqa: JAX101", 1),
        ("  # noqa: JAX1 because", 1),
        ("  # noqa: JAX102", 2),
        ("  # noqa: traced-if", 1),
        ("  #noqa", 2),
        ("  # jaxlint: ignore", 1),
        ("  # jaxlint: ignore[traced-if]", 1),
        ("  # jaxlint: ignore[JAX2]", 2),
        ("\n        # flake8: noqa", 0),
        ("\n        # ruff: noqa: JAX101", 0),
        ("\n        # jaxlint: noqa", 0),
        ("\n        # jaxlint: file-ignore[JAX1]", 0),
    ],
)
def test_suppressions(python: Run, tmp_path: Path, comment: str, left: int) -> None:
    write(tmp_path, BAD.format(comment=comment))
    assert len(same(python)) == left


def test_disable_noqa_is_ignore_noqa(python: Run, tmp_path: Path) -> None:
    write(tmp_path, BAD.format(comment="  # noqa  # jaxlint: ignore"))
    assert len(flake8(python, "--disable-noqa", "a.py")) == 2 == len(standalone(python, "--ignore-noqa", "a.py"))


def test_configuration_is_ours_and_flake8_wins(python: Run, tmp_path: Path) -> None:
    write(tmp_path, BAD.format(comment=""))
    (tmp_path / "pyproject.toml").write_text('[tool.jaxlint]\nignore = ["traced-if"]\nextend-exclude = ["gen"]\n')
    assert same(python) == []
    assert len(flake8(python, "--extend-select", "JAX101", "a.py")) == 2
    assert len(flake8(python, "--jaxlint-select", "traced-if", "a.py")) == 2
    (tmp_path / "gen").mkdir()
    write(tmp_path / "gen", BAD.format(comment=""), "b.py")
    assert flake8(python, "--jaxlint-select", "traced-if", "gen") == []


def test_options_in_flake8s_own_file(python: Run, tmp_path: Path) -> None:
    write(tmp_path, BAD.format(comment=""))
    (tmp_path / ".flake8").write_text("[flake8]\nselect = JAX\njaxlint-ignore = JAX101\njaxlint-preview = true\n")
    done = python("flake8", "a.py")
    assert (done.stdout, done.stderr) == ("", "")


def test_ignore_of_something_else_wakes_nothing(python: Run, tmp_path: Path) -> None:
    write(tmp_path, BAD.format(comment=""))
    (tmp_path / ".flake8").write_text("[flake8]\nignore = E501,E702,W503,F841\n")
    rows = python("flake8", "a.py").stdout.splitlines()
    assert {row.split(" ")[1] for row in rows if " JAX" in row} == {"JAX101"}


def test_stdin(python: Run, tmp_path: Path) -> None:
    text = BAD.format(comment="")
    assert [row.split(" ")[0] for row in flake8(python, "-", stdin=text)] == ["stdin:6:23:", "stdin:7:8:"]
    write(tmp_path, "x = 1\n")  # another text on disk than what is on stdin
    rows = flake8(python, "--stdin-display-name", "a.py", "-", stdin=text)
    assert [row.split(" ")[0] for row in rows] == ["a.py:6:23:", "a.py:7:8:"]


def test_many_files_in_many_processes(python: Run, tmp_path: Path) -> None:
    for number in range(8):
        write(tmp_path, BAD.format(comment=""), f"m{number}.py")
    assert len(flake8(python, "-j", "3", ".")) == 16


def test_a_wrong_configuration_is_a_finding(python: Run, tmp_path: Path) -> None:
    write(tmp_path, BAD.format(comment=""))
    write(tmp_path, "import os\n", "plain.py")
    (tmp_path / "jaxlint.toml").write_text("select = 3\n")
    (row,) = flake8(python, ".")
    assert row.startswith("./a.py:1:1: JAX003 internal error")
    assert "`select` must be a list of strings" in row


def test_an_exception_is_a_finding(python: Run, tmp_path: Path) -> None:
    write(tmp_path, BAD.format(comment=""))
    (tmp_path / "broken.py").write_text(
        "import jaxlint.tracing\n"
        "def fail(program, module, source):\n    raise RecursionError\n"
        "jaxlint.tracing.Program.analyse = fail\n"
        "import runpy, sys\n"
        "sys.argv = ['flake8', '--isolated', '-j1', '--select', 'JAX', 'a.py']\n"
        "runpy.run_module('flake8', run_name='__main__')\n"
    )
    done = python("broken")
    assert done.stderr == ""
    assert done.stdout.startswith("a.py:1:1: JAX003 internal error")
