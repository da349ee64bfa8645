"""Imports run downwards, linting imports neither jax nor numpy, files stay small."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]
PACKAGE = REPOSITORY / "jaxlint"
FILES = sorted(PACKAGE.rglob("*.py"))
TOP = 100

#: Rooms and single files, from the ground up. An import goes to a lower floor or stays in its room.
FLOORS = {
    "__init__": 0,
    "findings": 0,
    "stack": 0,
    "startup": 0,
    "config": 1,  # settings and tool codes: data that every floor above may read
    "source": 1,
    "syntax": 2,
    "knowledge": 3,
    "tracing": 4,
    "rules": 5,
    "fixers": 6,
    "dynamic": 7,
    "faults": 7,
    "callers": 7,
    "engine": 8,
    "workers": 8,
    "output": 9,
    "cli": 10,
    "flake8_plugin": 11,
    "server": 11,
    "__main__": TOP,
}
#: Rooms on one floor that may see each other, because together they are one thing.
NEIGHBOURS = [{"config", "source"}, {"engine", "workers"}]
#: rules/<topic>/ files that hold no rule; others of the topic may import them.
HELPERS = {
    path.relative_to(PACKAGE).as_posix()
    for path in PACKAGE.glob("rules/*/*.py")
    if path.name != "__init__.py" and 'code = "JAX' not in path.read_text(encoding="utf-8")
}


def imports(path: Path) -> Iterator[tuple[str, int]]:
    """Our modules that a file imports, deferred imports too, those for type checkers not."""

    def walk(node: ast.AST) -> Iterator[tuple[str, int]]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test):
                for other in child.orelse:
                    yield from walk(other)
            elif isinstance(child, ast.Import):
                yield from ((alias.name, child.lineno) for alias in child.names if alias.name.startswith("jaxlint"))
            elif isinstance(child, ast.ImportFrom):
                assert not child.level, f"{path}:{child.lineno}: relative import"
                if child.module and child.module.split(".")[0] == "jaxlint":
                    for alias in child.names:
                        yield f"{child.module}.{alias.name}", child.lineno
            else:
                yield from walk(child)

    yield from walk(ast.parse(path.read_text(encoding="utf-8")))


def module_file(name: str) -> str:
    """``jaxlint.rules.base.Rule`` -> ``rules/base.py``, the longest part that is a file or package."""
    parts = name.split(".")[1:]
    while parts:
        file = PACKAGE.joinpath(*parts).with_suffix(".py")
        if file.exists():
            return file.relative_to(PACKAGE).as_posix()
        if PACKAGE.joinpath(*parts, "__init__.py").exists():
            return "/".join([*parts, "__init__.py"])
        parts.pop()
    return "__init__.py"


def room(file: str) -> str:
    """The room or single file that a module belongs to."""
    return file.split("/")[0].removesuffix(".py")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_imports_run_downwards(path: Path) -> None:
    here = room(path.relative_to(PACKAGE).as_posix())
    assert here in FLOORS, f"{here} is on no floor: add it to FLOORS and to DESIGN.md"
    for name, line in imports(path):
        there = room(module_file(name))
        if here == there or {here, there} in NEIGHBOURS:
            continue
        assert FLOORS[there] < FLOORS[here], f"{path}:{line}: {here} imports {there}, which is not below it"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_no_rule_imports_another_rule(path: Path) -> None:
    file = path.relative_to(PACKAGE).as_posix()
    if not file.startswith("rules/") or file.count("/") < 2:
        return
    for name, line in imports(path):
        other = module_file(name)
        if other.startswith("rules/") and other.count("/") == 2 and other != file:
            assert other in HELPERS, f"{path}:{line}: imports the rule {other}"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_files_are_small(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) < 400


def test_no_cycles_between_files_outside_tracing() -> None:
    """Imports at import time; those inside functions are how a cycle is avoided."""
    edges: dict[str, set[str]] = {}
    for path in FILES:
        file = path.relative_to(PACKAGE).as_posix()
        top = ast.parse(path.read_text(encoding="utf-8"))
        names = [
            f"{node.module}.{alias.name}"
            for node in top.body
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("jaxlint")
            for alias in node.names
        ]
        edges[file] = {module_file(name) for name in names if not file.startswith("tracing/")} - {file}
    done: set[str] = set()

    def visit(file: str, path: tuple[str, ...]) -> None:
        assert file not in path, " -> ".join((*path, file))
        if file not in done:
            for other in sorted(edges.get(file, ())):
                visit(other, (*path, file))
            done.add(file)

    for file in sorted(edges):
        visit(file, ())


@pytest.mark.parametrize(
    ("code", "absent"),
    [
        ("import jaxlint", ["jax", "jaxlib", "numpy", "libcst", "flake8"]),
        ("import jaxlint.cli.main", ["jax", "jaxlib", "numpy", "libcst", "flake8"]),
        ("import jaxlint.flake8_plugin", ["jax", "jaxlib", "numpy", "libcst"]),
        (
            "from jaxlint.cli.main import main\ntry:\n    main(['--help'])\nexcept SystemExit:\n    pass",
            ["jax", "jaxlib", "numpy", "libcst", "flake8"],
        ),
        (
            "from jaxlint.engine import check_source\nfrom jaxlint.source.text import source_from_text\n"
            "assert check_source(source_from_text('import jax\\n@jax.jit\\ndef f(x):\\n    assert x > 0\\n', 'a.py'))",
            ["jax", "jaxlib", "numpy", "flake8"],
        ),
    ],
)
def test_linting_imports_no_jax(code: str, absent: list[str]) -> None:
    script = f"{code}\nimport sys\nbad = [name for name in {absent} if name in sys.modules]\nassert not bad, bad"
    path = os.pathsep.join(filter(None, (str(REPOSITORY), os.environ.get("PYTHONPATH"))))
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
