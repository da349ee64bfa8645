"""``jaxlint rule``, ``version``, help, the guard against the other distribution, and what a start costs."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from cli_project import Run, environment

import jaxlint
from jaxlint.cli.distribution import conflict
from jaxlint.config.tool_codes import TOOL_CODES

REPOSITORY = Path(__file__).parents[2]


def test_a_page(run: Run) -> None:
    by_code = run("rule", "JAX101")
    assert by_code.code == 0
    assert by_code.out.startswith("# traced-if (JAX101)\n")
    assert "By default: on, because it speaks only of what" in by_code.out
    assert "## What it does" in by_code.out
    assert run("rule", "traced-if") == by_code
    assert run("rule", "jax101") == by_code


def test_all(run: Run) -> None:
    from jaxlint import rules

    lines = run("rule", "--all").out.splitlines()
    codes = [line.split()[0] for line in lines if line.startswith("JAX")]
    assert codes == sorted([rule.code for rule in rules.registry()] + [tool.code for tool in TOOL_CODES])
    reason = lines[next(i for i, line in enumerate(lines) if line.startswith("JAX113")) + 1].strip()
    assert reason == "off, because nothing fails until somebody passes the argument; switch it on with `--preview`"
    items = json.loads(run("rule", "--all", "--output-format", "json").out)
    assert [item["code"] for item in items] == codes
    for item in items:
        assert item["explanation"] and item["summary"] and item["default_reason"]
        assert run("rule", item["name"]).code == 0


def test_wrong_rules(run: Run) -> None:
    result = run("rule", "traced-fi")
    assert (result.code, result.out) == (2, "")
    assert "did you mean `traced-if`?" in result.err
    assert run("rule").code == 2
    assert run("rule", "JAX101", "--all").code == 2


def test_version_and_help(run: Run) -> None:
    assert run("version").out == f"jaxlint {jaxlint.__version__}\n" == run("--version").out
    assert "usage: jaxlint" in run("--help").out
    assert "--stdin-filename" in run("check", "--help").out


def foreign(site: Path, record: str) -> Path:
    info = site / "jaxlint-0.1.0a1.dist-info"
    info.mkdir(parents=True)
    (info / "RECORD").write_text(record)
    return site


def test_the_other_distribution_is_named_with_the_way_out(tmp_path: Path) -> None:
    message = conflict(str(foreign(tmp_path, "jaxlint/__init__.py,,\n")))
    assert message is not None
    assert "`jaxlint` 0.1.0a1" in message
    assert "pip uninstall -y jaxlint jaxlinter" in message
    assert "pip install jaxlinter" in message


def test_no_false_alarm(tmp_path: Path) -> None:
    assert conflict(str(foreign(tmp_path / "a", "other/__init__.py,,\n"))) is None
    (tmp_path / "b" / "jaxlinter-0.1.0.dist-info").mkdir(parents=True)
    assert conflict(str(tmp_path / "b")) is None
    assert conflict(str(tmp_path / "none")) is None


def test_the_guard_ends_the_run(tmp_path: Path) -> None:
    site = foreign(tmp_path, "jaxlint/__init__.py,,\n")
    (site / "jaxlint").symlink_to(REPOSITORY / "jaxlint")
    command = [sys.executable, "-m", "jaxlint", "check", "."]
    done = subprocess.run(command, capture_output=True, text=True, env=environment(site), cwd=tmp_path, check=False)
    assert done.returncode == 2
    assert "pip uninstall" in done.stderr


def test_a_run_without_jax_imports_nothing_heavy(project: Path) -> None:
    script = (
        "import sys; from jaxlint.cli.main import main; assert main(['pkg/plain.py']) == 0; "
        "heavy = {'libcst', 'dataclasses', 'pathspec', 'tomllib', 'jaxlint.findings', 'jaxlint.rules'}; "
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, env=environment(), check=False
    )
    assert done.stdout == "All checks passed!\n[]\n", done.stderr


def test_nothing_imports_jax_or_numpy(project: Path) -> None:
    script = (
        "import sys; from jaxlint.cli.main import main; main(['bad.py']); "
        "print(sorted({'jax', 'numpy', 'flax'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, env=environment(), check=False
    )
    assert done.stdout.endswith("[]\n"), done.stderr
