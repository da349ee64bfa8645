"""Bad input: each gets a clear finding, and the run goes on."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from cli_project import BAD, Run, environment


def test_each_kind_and_the_others_are_still_checked(run: Run, project: Path) -> None:
    (project / "a_binary.py").write_bytes(b"import jax\0\x01\x02")
    (project / "a_latin.py").write_bytes(b"import jax\n# \xe9\n")
    (project / "a_syntax.py").write_text("import jax\nx = (1,\ndef f(:\n")
    (project / "empty.py").write_text("")
    (project / "bom.py").write_bytes(b"\xef\xbb\xbf" + BAD.encode())
    (project / "crlf.py").write_bytes(BAD.replace("\n", "\r\n").encode())
    result = run(".", "missing.py", "nowhere/")
    assert result.code == 1
    rows = {
        line.rsplit(": ", 1)[0].split(": ")[0] + " " + line.split(": ")[1][:6] for line in result.out.splitlines()[:-1]
    }
    assert "a_binary.py:1:11 JAX004" in rows or "a_binary.py:1:1 JAX004" in rows
    assert "a_latin.py:2:3 JAX004" in rows
    assert any(row.startswith("a_syntax.py:") and row.endswith("JAX000") for row in rows)
    assert {"bad.py:6:8 JAX101", "bom.py:6:8 JAX101", "crlf.py:6:8 JAX101"} <= rows
    assert any(row.startswith("missing.py:1:1 JAX004") for row in rows)
    assert any(row.startswith("nowhere:1:1 JAX004") for row in rows)
    assert "no such file" in result.out
    assert "empty.py" not in result.out


def test_strangers_without_jax_are_passed_over_unless_named(run: Run, project: Path) -> None:
    (project / "pkg" / "data.py").write_bytes(b"\0\1\2")
    (project / "pkg" / "old.py").write_text("print 1\n")
    assert run("pkg").code == 0
    assert "JAX004" in run("pkg/data.py").out
    assert run("pkg/old.py").code == 0


@pytest.mark.skipif(os.name == "nt" or not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root reads everything")
def test_unreadable(run: Run, project: Path) -> None:
    (project / "bad.py").chmod(0)
    assert "JAX004 permission denied" in run("bad.py").out


def test_a_dangling_link(run: Run, project: Path) -> None:
    (project / "pkg" / "gone.py").symlink_to(project / "nowhere.py")
    result = run("pkg")
    assert result.code == 1
    assert "pkg/gone.py:1:1: JAX004" in result.out


def boom(error: BaseException) -> Any:
    def fail(program: Any, module: Any, source: Any) -> Any:
        if source.path.endswith("boom.py"):
            raise error
        return real(program, module, source)

    import jaxlint.tracing

    real = jaxlint.tracing.Program.analyse
    return fail


@pytest.mark.parametrize("error", [ValueError("broken\nhere"), RecursionError(), MemoryError(), AssertionError()])
def test_an_internal_error_hides_nobody(
    run: Run, project: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    (project / "boom.py").write_text("import jax\n")
    monkeypatch.setattr("jaxlint.tracing.Program.analyse", boom(error))
    result = run(".")
    assert result.code == 2
    assert "boom.py:1:1: JAX003 internal error, this file was not checked: " + type(error).__name__ in result.out
    assert "(at jaxlint/engine.py:" in result.out
    assert "bad.py:6:8: JAX101" in result.out
    assert result.out.endswith("Found 2 errors.\n")
    assert run("--exit-zero", ".").code == 2
    assert run("--jobs", 2, ".") == result


def test_a_process_that_dies_takes_one_file_along(run: Run, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if sys.platform == "win32" or sys.platform == "darwin":
        pytest.skip("needs fork to inject the fault")
    import jaxlint.tracing

    real = jaxlint.tracing.Program.analyse

    def die(program: Any, module: Any, source: Any) -> Any:
        if source.path.endswith("boom.py"):
            os._exit(9)
        return real(program, module, source)

    (project / "boom.py").write_text("import jax\n")
    monkeypatch.setattr("jaxlint.tracing.Program.analyse", die)
    result = run("--jobs", 2, ".")
    assert result.code == 2
    assert "boom.py:1:1: JAX003" in result.out
    assert "bad.py:6:8: JAX101" in result.out


@pytest.mark.parametrize(
    "expression",
    ["-" * 1500 + "1", "x" + ".a" * 1500, "+".join(["x"] * 1500), "[" * 90 + "]" * 90, "1 if x else " * 1500 + "1"],
    ids=["unary", "attributes", "sum", "brackets", "ternary"],
)
def test_deep_nesting_is_no_crash(run: Run, project: Path, expression: str) -> None:
    (project / "deep.py").write_text(f"import jax\n\n\n@jax.jit\ndef f(x):\n    return {expression}\n")
    result = run("deep.py", "bad.py")
    assert "bad.py:6:8: JAX101" in result.out
    assert "RecursionError" not in result.out


def test_a_closed_pipe_is_no_traceback(project: Path) -> None:
    (project / "bad.py").write_text(BAD + BAD.split("\n\n\n")[1] * 3000)
    command = f"'{sys.executable}' -m jaxlint bad.py missing*.py | head -1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, env=environment(), check=False)
    assert done.stderr == ""
    assert done.stdout.count("\n") == 1


def test_a_fault_of_the_whole_run_exits_two(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise ValueError("two rules share a code")

    monkeypatch.setattr("jaxlint.rules.registry", fail)
    result = run("bad.py")
    assert (result.code, result.out) == (2, "")
    assert "two rules share a code" in result.err
    assert "jaxlint: internal error" in result.err
