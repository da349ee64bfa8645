"""What the formats print."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from jaxlint import output
from jaxlint.findings import Applicability, Edit, Finding, Fix, Location, Related, Span
from jaxlint.output import statistics
from jaxlint.source.text import SourceFile, source_from_text

TEXT = """\
import jax

@jax.jit
def step(x, ü):
\tü = 1; é = (x >
\t  0)
    if é and x:
        return x


"""
SOURCE = source_from_text(TEXT, "pkg/a.py")


def at(needle: str, text: str = TEXT) -> Location:
    source = source_from_text(text, "pkg/a.py")
    start = text.index(needle)
    span = Span(start, start + len(needle))
    return Location("pkg/a.py", span, source.position(span.start), source.position(span.end))


FIX = Fix((Edit("pkg/a.py", Span(0, 6), "from", SOURCE.hash),), Applicability.SAFE, "Rewrite")
FINDING = Finding(
    "JAX101",
    "traced-if",
    "Python `if` on traced `x`",
    at("é and x"),
    story=(Related(at("@jax.jit"), "`step` is jitted"), Related(at("x, ü"), "`x` is traced: parameter of `step`")),
    help="use `jnp.where`\nor `lax.cond`",
)


def rendered(name: str, *findings: Finding, source: SourceFile = SOURCE, **options: Any) -> str:
    out = io.StringIO()
    output.render(name, output.View(findings, out, lambda path: source, **options))
    return out.getvalue()


def test_concise() -> None:
    expected = "pkg/a.py:7:8: JAX101 Python `if` on traced `x`\n"
    assert rendered("concise", FINDING) == expected + "Found 1 error.\n"
    assert rendered("concise", FINDING, quiet=True) == expected
    assert rendered("concise") == "All checks passed!\n"
    both = rendered("concise", FINDING, replace(FINDING, fix=FIX))
    assert "JAX101 [*] Python" in both
    assert both.endswith("Found 2 errors.\n[*] 1 fixable with `--fix`.\n")


def test_full() -> None:
    assert rendered("full", FINDING) == (
        "JAX101 Python `if` on traced `x`\n"
        " --> pkg/a.py:7:8\n"
        "  |\n"
        "5 |     ü = 1; é = (x >\n"
        "6 |       0)\n"
        "7 |     if é and x:\n"
        "  |        ^^^^^^^\n"
        "8 |         return x\n"
        "  |\n"
        "story:\n"
        "  1. pkg/a.py:3: `step` is jitted\n"
        "  2. pkg/a.py:4: `x` is traced: parameter of `step`\n"
        "help: use `jnp.where`\n"
        "      or `lax.cond`\n"
        "\n"
        "Found 1 error.\n"
    )


def frame(location: Location, text: str = TEXT) -> list[str]:
    lines = rendered(
        "full", Finding("JAX1", "n", "m", location), source=source_from_text(text, "pkg/a.py")
    ).splitlines()
    return [line for line in lines if "|" in line]


def test_a_finding_over_several_lines_and_tabs() -> None:
    assert frame(at("(x >\n\t  0)")) == [
        "  |",
        "3 | @jax.jit",
        "4 | def step(x, ü):",
        "5 |     ü = 1; é = (x >",
        "  |                ^^^^",
        "6 |       0)",
        "  |       ^^",
        "7 |     if é and x:",
        "8 |         return x",
        "  |",
    ]


def test_wide_and_combining_characters() -> None:
    text = "s = '日本e\u0301'; bad\n"
    lines = frame(at("bad", text), text)
    assert lines[2] == "  | " + " " * 13 + "^^^"


def test_frames_never_fail() -> None:
    assert frame(at("import"), "") == []
    assert frame(replace(at("return x"), path="gone.py"), "import jax\n") == []
    long = "x = [\n" + "1,\n" * 50 + "]\n"
    lines = frame(at("[\n" + "1,\n" * 50 + "]", long), long)
    assert len(lines) < 25
    out = io.StringIO()
    output.render("full", output.View([FINDING], out))  # a source that cannot be had any more
    assert "story:" in out.getvalue()


def test_colour_is_only_added() -> None:
    import re

    for name in ("concise", "full"):
        painted = rendered(name, FINDING, color=True)
        assert "\033[" in painted
        assert re.sub(r"\033\[[0-9;]*m", "", painted) == rendered(name, FINDING)
    assert rendered("json", FINDING, color=True) == rendered("json", FINDING)


def test_json() -> None:
    (item,) = json.loads(rendered("json", replace(FINDING, fix=FIX)))
    assert item["filename"] == os.path.abspath("pkg/a.py")
    assert item["location"] == {"column": 8, "row": 7}
    assert item["end_location"] == {"column": 15, "row": 7}
    assert item["noqa_row"] == 7
    assert (item["severity"], item["confidence"], item["cell"]) == ("error", "certain", None)
    assert item["fix"]["edits"] == [
        {"content": "from", "end_location": {"column": 7, "row": 1}, "location": {"column": 1, "row": 1}}
    ]
    assert [step["location"]["row"] for step in item["story"]] == [3, 4]
    assert rendered("json") == "[]\n"


def test_json_has_all_keys_of_ruff(tmp_path: Path) -> None:
    pytest.importorskip("ruff")
    path = tmp_path / "a.py"
    path.write_text("import os\n")
    command = [sys.executable, "-m", "ruff", "check", "--isolated", "--no-cache", "--output-format", "json", str(path)]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    (theirs,) = json.loads(run.stdout)
    (ours,) = json.loads(rendered("json", replace(FINDING, fix=FIX)))
    extra = {"confidence", "help", "related", "story", "verdict"}
    assert set(ours) - extra == set(theirs)
    assert list(ours) == sorted(ours)
    for key in ("fix", "location", "end_location"):
        assert set(ours[key]) == set(theirs[key])
    assert set(ours["fix"]["edits"][0]) == set(theirs["fix"]["edits"][0])


def test_statistics() -> None:
    other = replace(FINDING, code="JAX401", name="key-reuse", fix=FIX)
    out = io.StringIO()
    statistics.render(output.View([FINDING, other, other], out))
    assert out.getvalue().splitlines()[:2] == ["2\tJAX401\t[*] key-reuse", "1\tJAX101\t[ ] traced-if"]
    out = io.StringIO()
    statistics.render(output.View([FINDING], out), as_json=True)
    assert json.loads(out.getvalue()) == [
        {"code": "JAX101", "count": 1, "fixable": False, "fixable_count": 0, "name": "traced-if"}
    ]
