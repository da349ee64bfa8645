"""Notebooks: the code cells are one module, and places are those of cells."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from project_files import Check

from jaxlint.cli.main import main
from jaxlint.source.text import SourceError, decode

TEXT = "# Heading"
SETUP = "%matplotlib inline\n!pip install jax \\\n  flax\nimport jax\n?jax.jit\njax.jit?\n"
STEP = "%%time\n@jax.jit\ndef step(x):\n    if x > 0:\n        return x\n    return -x"
RUN = "files = !ls\nresult = %timeit -o step(1.0)\nif files:\n    %pwd\nstep(1.0)"


def notebook(*cells: str | dict[str, Any], **metadata: Any) -> str:
    made: list[dict[str, Any]] = []
    for cell in cells:
        if isinstance(cell, dict):
            made.append(cell)
        elif cell.startswith("# H"):
            made.append({"cell_type": "markdown", "metadata": {}, "source": cell})
        else:
            made.append({"cell_type": "code", "metadata": {}, "source": cell.splitlines(True), "outputs": []})
    return json.dumps({"cells": made, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}, indent=1)


def places(check: Check, *arguments: str) -> list[tuple[Any, ...]]:
    return [
        (one["cell"], one["location"]["row"], one["location"]["column"], one["code"])  # type: ignore[index]
        for one in check(*arguments).findings
    ]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "a.ipynb"


def test_places(check: Check, path: Path) -> None:
    path.write_text(notebook(TEXT, SETUP, TEXT, STEP, RUN))
    result = check()
    (finding,) = result.findings
    assert (result.code, finding["cell"], finding["noqa_row"]) == (1, 4, 4)
    assert (finding["location"], finding["end_location"]) == ({"row": 4, "column": 8}, {"row": 4, "column": 13})
    assert finding["story"][0]["cell"] == 4  # type: ignore[index]


def test_output(path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    path.write_text(notebook(TEXT, SETUP, STEP))
    monkeypatch.chdir(path.parent)
    assert main(["check", "--output-format", "concise"]) == 1
    assert capsys.readouterr().out.startswith("a.ipynb:cell 3:4:8: JAX101 ")
    assert main(["check", "--output-format", "full"]) == 1
    out = capsys.readouterr().out
    assert "--> a.ipynb:cell 3:4:8\n" in out
    assert "2 | @jax.jit\n3 | def step(x):\n4 |     if x > 0:\n  |        ^^^^^\n" in out
    assert "  1. a.ipynb:cell 3:2: `step` is jitted here" in out


def test_cells_are_one_module(check: Check, path: Path) -> None:
    path.write_text(
        notebook(
            "import jax\nimport jax.numpy as jnp\nkey = jax.random.key(0)",
            "a = jax.random.normal(key)",
            "b = jax.random.normal(key)",
            "def helper(x):\n    return 1 if x > 0 else 2",
            "jax.jit(helper)(a)",
        )
    )
    assert places(check) == [(3, 1, 5, "JAX401"), (4, 2, 17, "JAX101")]


def test_runs_in_two_cells_are_compared(check: Check, path: Path) -> None:
    simulate = "import jax\n\ndef simulate(key, n):\n    return jax.random.normal(key, (n,))\n\nkey = jax.random.key(0)"
    path.write_text(notebook(simulate, "a = simulate(key, 3)", "b = simulate(key, 9)"))
    assert places(check) == []
    path.write_text(notebook(simulate, "a = simulate(key, 3)\nb = simulate(key, 9)\nprint(a, b)"))
    assert places(check) == [(2, 2, 5, "JAX401")]


def test_a_cell_that_is_indented_as_a_whole(check: Check, path: Path) -> None:
    path.write_text(notebook("  import jax\n\n  @jax.jit\n  def step(x):\n    return 1 if x > 0 else 2\n"))
    assert places(check) == [(1, 5, 17, "JAX101")]


@pytest.mark.parametrize("comment", ["# noqa", "# noqa: JAX101", "# jaxlint: ignore[traced-if]"])
def test_suppressions(check: Check, path: Path, comment: str) -> None:
    path.write_text(notebook(SETUP, STEP.replace("x > 0:", f"x > 0:  {comment}")))
    assert places(check) == []
    assert places(check, "--ignore-noqa") == [(2, 4, 8, "JAX101")]


def test_suppressions_of_the_whole_file(check: Check, path: Path) -> None:
    path.write_text(notebook(SETUP, STEP, "# jaxlint: file-ignore[JAX101]"))
    assert places(check) == []


@pytest.mark.parametrize(
    "cell",
    [
        "%%bash\nif x > 0:\n  echo {",
        "%%html\n<b>",
        "%%writefile step.py\nthis is (not",
        "text = '''\n%no magic\n!none\n'''\nvalue = (7\n  % 2)",
        "total = 7 \\\n  % 2",
        "a = '%'  # it's (open\n%time a",
        'a = "it\'s ("\n!ls',
        "def f():\n    !ls\n    %time 1\n",
        "for _ in range(3):\n    names = !ls $_\n",
        "x, y = %who\nx = !ls \\\n  -l",
        "help?\nhelp??\n?help",
        "\n\n%%timeit -n 3\nstep(1.0)",
        "7\n",
        "",
        "   ",
    ],
)
def test_magics(check: Check, path: Path, cell: str) -> None:
    path.write_text(notebook(SETUP, cell, STEP))
    assert places(check) == [(3, 4, 8, "JAX101")]


def test_a_syntax_error_has_its_cell(check: Check, path: Path) -> None:
    path.write_text(notebook(SETUP, TEXT, "x = 1\ny = = 2"))
    result = check()
    assert result.code == 1
    assert [(one["cell"], one["location"]["row"], one["code"]) for one in result.findings] == [  # type: ignore[index]
        (3, 2, "JAX000")
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "is no notebook: Expecting property name"),
        ("jax", "is no notebook: Expecting value"),
        ("", "is no notebook: Expecting value"),
        ("[]", "is no notebook of format 4"),
        ("{}", "is no notebook of format 4"),
        ('{"cells": {}}', "is no notebook of format 4"),
        ('{"worksheets": [{"cells": []}]}', "is no notebook of format 4"),
        ('{"cells": [{"cell_type": "code", "source": 3}]}', "the source of a cell is no text"),
        ('{"cells": [{"cell_type": "code", "source": [3]}]}', "the source of a cell is no text"),
        ("[" * 100_000, "is no notebook: nested too deeply"),
    ],
)
def test_bad_notebooks(check: Check, path: Path, text: str, message: str) -> None:
    path.write_text(text)
    result = check("a.ipynb")
    assert (result.code, [one["code"] for one in result.findings]) == (1, ["JAX004"])
    assert message in str(result.findings[0]["message"])


def test_bad_bytes() -> None:
    with pytest.raises(SourceError, match="not valid UTF-8"):
        decode(b"\xff", "a.ipynb")


@pytest.mark.parametrize(
    "text",
    [
        notebook(STEP, kernelspec={"language": "julia"}),
        notebook(STEP, language_info={"name": "R"}),
        notebook("import jax", language_info=3, kernelspec=[]),
        '{"cells": []}',
        '{"cells": [1, {"cell_type": "code"}, {"cell_type": "raw", "source": "jax ("}]}',
    ],
)
def test_nothing_to_check(check: Check, path: Path, text: str) -> None:
    path.write_text(text)
    assert check("a.ipynb").code == 0


def test_other_kinds_of_source(check: Check, path: Path) -> None:
    cell = {"cell_type": "code", "source": STEP.replace("\n", "\r\n")}
    path.write_text("\ufeff" + notebook(SETUP, cell, language_info={"name": "python"}), encoding="utf-8")
    assert places(check) == [(2, 4, 8, "JAX101")]


def test_notebooks_import_the_project(check: Check, path: Path) -> None:
    (path.parent / "ops.py").write_text("def clip(x):\n    return 1 if x > 0 else 2\n")
    path.write_text(notebook("import jax\nfrom ops import clip", "jax.jit(clip)(1.0)"))
    assert places(check) == [(None, 2, 17, "JAX101")]
    (step, *_) = check().findings[0]["story"]  # type: ignore[misc]
    assert step["cell"] == 2


def test_excluded_and_named(check: Check, path: Path) -> None:
    path.write_text(notebook(SETUP, STEP))
    copies = path.parent / ".ipynb_checkpoints"
    copies.mkdir()
    (copies / "a-checkpoint.ipynb").write_text(path.read_text())
    assert places(check) == [(2, 4, 8, "JAX101")]
    assert places(check, "--extend-exclude", "*.ipynb") == []


def test_stdin(check: Check, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(notebook(SETUP, STEP).encode())))
    assert places(check, "--stdin-filename", "a.ipynb", "-") == [(2, 4, 8, "JAX101")]
