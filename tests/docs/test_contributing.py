"""The worked example of CONTRIBUTING.md works: the rule, its page and its fixtures."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from typing import Any

import pytest

from jaxlint import rules, syntax, tracing
from jaxlint.rules.base import OPTIONAL_SECTIONS, SECTIONS, Rule
from jaxlint.source.text import source_from_text

TEXT = (Path(__file__).parents[2] / "CONTRIBUTING.md").read_text(encoding="utf-8")
_FENCE = re.compile(r"^(`{3,})python\n(.*?)^\1$", re.MULTILINE | re.DOTALL)
_EXPECT = re.compile(r"# expect: JAX701(?:@(\d+))?$")

RULE, BAD, OK = (match[2] for match in _FENCE.finditer(TEXT))


@pytest.fixture(scope="module")
def rule(tmp_path_factory: pytest.TempPathFactory) -> type[Rule]:
    path = tmp_path_factory.mktemp("rule") / "log_of_softmax.py"
    path.write_text(RULE, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    found: type[Rule] = module.LogOfSoftmax
    return found


def example(rule: type[Rule], name: str) -> str:
    """The code under a heading of the page."""
    return rule.sections()[name].split("```python\n")[1].split("```")[0]


def lines(rule: type[Rule], text: str) -> list[tuple[int, int]]:
    """Line and column of what the rule finds."""
    source = source_from_text(text, "a.py")
    found = rules.run([rule], tracing.analyse(syntax.parse(source), source), lenient=lambda path: False)
    return [(each.location.start.line, each.location.start.column) for each in found]


def test_the_page_has_its_sections_and_its_examples_hold(rule: type[Rule]) -> None:
    sections = rule.sections()
    assert [name for name in SECTIONS if name in sections or name not in OPTIONAL_SECTIONS] == list(sections)
    assert len(lines(rule, example(rule, "Example"))) == 1
    assert lines(rule, example(rule, "Use instead")) == []


def test_the_fixtures_hold(rule: type[Rule]) -> None:
    expected = {n: _EXPECT.search(line) for n, line in enumerate(BAD.splitlines(), 1) if "# expect" in line}
    found = dict(lines(rule, BAD))
    assert set(found) == set(expected)
    for line, match in expected.items():
        assert match is not None
        assert match[1] is None or int(match[1]) == found[line]
    assert lines(rule, OK) == []


def test_the_code_is_free() -> None:
    assert "JAX701" not in {each.code for each in rules.registry()}, "take another example in CONTRIBUTING.md"


def test_jax_agrees(rule: type[Rule]) -> None:
    jnp = pytest.importorskip("jax.numpy", exc_type=ImportError)
    arguments = jnp.array([0.0, 200.0]), jnp.array([1.0, 0.0])
    results = []
    for name in ("Example", "Use instead"):
        program: dict[str, Any] = {}
        exec(example(rule, name), program)
        results.append(float(program["cross_entropy"](*arguments)))
    assert results == [float("inf"), 200.0]
