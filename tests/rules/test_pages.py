"""Every rule's page has its sections; its Example triggers the rule and nothing else, its Use-instead nothing."""

from __future__ import annotations

import ast
import importlib.util
import os
import re
import textwrap

import pytest
from fixture_files import check

from jaxlint.rules import Rule, registry
from jaxlint.rules.base import OPTIONAL_SECTIONS, SECTIONS

each_rule = pytest.mark.parametrize("rule", registry(), ids=lambda rule: rule.code)
BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
HAS_JAX = importlib.util.find_spec("jax") is not None
#: A call in "How to verify" that raises before the change and returns after it.
PROMISE = re.compile(
    r"`(?P<call>[^`]+)` raises(?: `(?P<error>\w+)`)? before the change(?P<after> and returns after it)?"
)


def example(rule: type[Rule], section: str) -> str:
    """The code of a section: one block."""
    blocks = BLOCK.findall(rule.sections()[section] + "\n")
    assert len(blocks) == 1, f"{rule.code}: `{section}` has {len(blocks)} blocks"
    return str(blocks[0])


@each_rule
def test_sections(rule: type[Rule]) -> None:
    sections = rule.sections()
    assert list(sections) == [name for name in SECTIONS if name in sections]
    assert set(SECTIONS) - set(sections) <= OPTIONAL_SECTIONS
    assert all(text.strip() for text in sections.values())
    first = rule.page().split("\n\n")[0]
    assert "\n" not in first and first.endswith(".")
    assert re.search(r"\]\(https://\S+\)", sections["References"])


@each_rule
def test_attributes(rule: type[Rule]) -> None:
    assert re.fullmatch(r"JAX\d{3}", rule.code)
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", rule.name)
    assert re.fullmatch(r"\d+\.\d+\.\d+", rule.since)
    assert rule.status in ("stable", "preview", "deprecated")
    assert rule.fix in ("always", "sometimes", "none")
    assert rule.message and not rule.message.endswith(".")
    assert all(len(line) <= 120 for line in rule.page().splitlines() if "](http" not in line)


@each_rule
def test_example_triggers_this_rule_only(rule: type[Rule]) -> None:
    text = example(rule, "Example")
    ast.parse(text)
    assert {finding.code for finding in check(text)} == {rule.code}


@each_rule
def test_use_instead_triggers_nothing(rule: type[Rule]) -> None:
    text = example(rule, "Use instead")
    ast.parse(text)
    assert [str(finding.message) for finding in check(text)] == []


@each_rule
def test_findings_answer_the_questions(rule: type[Rule]) -> None:
    """A message in plain words, a help, and for traced values the story of how they came to be so."""
    for finding in check(example(rule, "Example")):
        assert finding.message and not finding.message.endswith(".")
        assert finding.help
        if rule.code.startswith("JAX1") and rule.code != "JAX110":
            assert finding.story, "no story"


@pytest.mark.jax
@pytest.mark.skipif(not HAS_JAX, reason="jax is not installed here")
@pytest.mark.parametrize(
    "rule",
    [rule for rule in registry() if PROMISE.search(" ".join(rule.sections()["How to verify"].split()))],
    ids=lambda rule: rule.code,
)
def test_how_to_verify_is_true(rule: type[Rule]) -> None:
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    promise = PROMISE.search(" ".join(rule.sections()["How to verify"].split()))
    assert promise is not None
    call = promise["call"]
    if call.startswith("with "):
        head, _, body = call.partition(": ")
        call = f"{head}:\n{textwrap.indent(body, '    ')}"
    before, after = _world(example(rule, "Example")), _world(example(rule, "Use instead"))
    with pytest.raises(Exception) as caught:
        exec(call, before)
    assert not isinstance(caught.value, (NameError, SyntaxError)), caught.value
    if promise["error"]:
        assert promise["error"] == type(caught.value).__name__
    if promise["after"]:
        exec(call, after)


def _world(text: str) -> dict[str, object]:
    import jax
    import jax.numpy as jnp

    world: dict[str, object] = {"jax": jax, "jnp": jnp}
    exec(text, world)
    return world
