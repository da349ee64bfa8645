"""A rule is one file and one fixture: in a copy of the tree, with nothing else touched, every door knows it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]

RULE = '''\
"""JAX990: the answer is written down."""

from __future__ import annotations

import libcst as cst

from jaxlint.rules.base import Rule


class WrittenAnswer(Rule):
    """The answer is written down.

    ## What it does
    Finds the number 42 in code that JAX compiles.

    ## Why is this bad?
    It is a test.

    ## Example
    ```python
    import jax


    @jax.jit
    def f(x):
        return x + 42
    ```

    ## Use instead
    ```python
    import jax


    @jax.jit
    def f(x):
        return x + 41
    ```

    ## How to verify
    Read it.

    ## References
    - [The question](https://example.org)
    """

    code = "JAX990"
    name = "written-answer"
    since = "9.9.9"
    message = "the answer is written down"

    def visit_Integer(self, node: cst.Integer) -> None:
        """``42``."""
        if node.value == "42":
            self.report(node, "this is the answer", help="ask again")
'''

FIXTURE = """\
import jax


@jax.jit
def f(x):
    return x + 42  # expect: JAX990@16
"""

Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package and the fixture runner, with one file and one fixture more."""
    root = tmp_path_factory.mktemp("tree")
    skip = shutil.ignore_patterns("__pycache__")
    shutil.copytree(REPOSITORY / "jaxlint", root / "jaxlint", ignore=skip)
    shutil.copytree(REPOSITORY / "tests" / "rules", root / "tests" / "rules", ignore=skip)
    shutil.copytree(REPOSITORY / "tests" / "fixtures", root / "tests" / "fixtures", ignore=skip)
    topic = root / "jaxlint" / "rules" / "topic_of_a_test"
    topic.mkdir()
    (topic / "__init__.py").write_text('"""A new topic."""\n')
    (topic / "written_answer.py").write_text(RULE)
    shutil.copy(topic / "written_answer.py", root / "jaxlint" / "rules" / "tracing" / "written_answer.py")
    shutil.rmtree(topic)  # a known topic needs no new folder
    folder = root / "tests" / "fixtures" / "JAX990"
    folder.mkdir()
    (folder / "bad_answer.py").write_text(FIXTURE)
    (folder / "ok_answer.py").write_text(FIXTURE.replace("42  # expect: JAX990@16", "41"))
    (root / "work").mkdir()
    (root / "work" / "a.py").write_text(FIXTURE)
    info = root / "site" / "jaxlinter-0.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: jaxlinter\nVersion: 0.0\n")
    (info / "entry_points.txt").write_text("[flake8.extension]\nJAX = jaxlint.flake8_plugin:Plugin\n")
    return root


@pytest.fixture
def python(tree: Path) -> Run:
    """``python -m …`` on the copy."""
    path = [str(tree), str(tree / "site"), *filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))]
    path = [entry for entry in path if Path(entry).resolve() != REPOSITORY]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path), "NO_COLOR": "1"}

    def go(*arguments: object, cwd: str = "work") -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", *map(str, arguments)]
        return subprocess.run(command, cwd=tree / cwd, env=environment, capture_output=True, text=True, check=False)

    return go


def test_check_finds_it(python: Run) -> None:
    done = python("jaxlint", "check", "--isolated", "--output-format", "concise", "a.py")
    assert done.stdout.startswith("a.py:6:16: JAX990 this is the answer"), done.stdout + done.stderr
    assert done.returncode == 1


def test_it_can_be_selected_by_code_prefix_and_name(python: Run) -> None:
    for word, code in (("JAX990", 1), ("JAX99", 1), ("written-answer", 1), ("JAX1", 0)):
        assert python("jaxlint", "check", "--isolated", "--select", word, "a.py").returncode == code, word
    assert python("jaxlint", "check", "--isolated", "--ignore", "JAX990", "a.py").returncode == 0


def test_it_has_a_page(python: Run) -> None:
    page = python("jaxlint", "rule", "JAX990").stdout
    assert page.startswith("# written-answer (JAX990)")
    assert "JAX990" in python("jaxlint", "rule", "--all").stdout


def test_flake8_finds_it(python: Run) -> None:
    pytest.importorskip("flake8")
    done = python("flake8", "--isolated", "--select", "JAX", "a.py")
    assert done.stdout.startswith("a.py:6:16: JAX990"), done.stdout + done.stderr


def test_the_fixture_runner_and_the_page_test_take_it_in(python: Run) -> None:
    arguments = (
        "tests/rules/test_fixtures.py",
        "tests/rules/test_pages.py",
        "-k",
        "JAX990",
        "-q",
        "-p",
        "no:cacheprovider",
    )
    done = python("pytest", "--noconftest", *arguments, cwd=".")
    assert done.returncode == 0, done.stdout
    assert " passed" in done.stdout
