"""Which rules are on: ruff's precedence, preview, and rules that are off by default."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from jaxlint.config.selectors import SelectorError, check_form, check_known, select
from jaxlint.config.settings import Selection, Settings


class FakeRule(NamedTuple):
    code: str
    name: str
    status: str = "stable"
    default: bool = True


RULES = (
    FakeRule("JAX101", "traced-if"),
    FakeRule("JAX102", "traced-while"),
    FakeRule("JAX201", "unrolled-loop", default=False),
    FakeRule("JAX401", "key-reuse"),
    FakeRule("JAX405", "key-lent", status="preview"),
    FakeRule("JAX406", "key-odd", status="preview", default=False),
)


def chosen(*layers: Selection, preview: bool = False, path: str = "x.py", **settings: object) -> str:
    """The numbers of the rules that are on."""
    made = Settings(selections=layers, preview=preview, root="/root")._replace(**settings)  # type: ignore[arg-type]
    return " ".join(rule.code[3:] for rule in select(RULES, made, path))


def layer(select: str | None = None, extend: str = "", ignore: str = "") -> Selection:
    return Selection(None if select is None else tuple(select.split()), tuple(extend.split()), tuple(ignore.split()))


def test_defaults() -> None:
    assert chosen() == "101 102 401"
    assert chosen(preview=True) == "101 102 401 405"


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (layer("ALL"), "101 102 401"),
        (layer("JAX"), "101 102 401"),
        (layer("JAX1"), "101 102"),
        (layer("JAX10"), "101 102"),
        (layer("JAX101"), "101"),
        (layer("traced-if"), "101"),
        (layer("JAX2"), "201"),
        (layer("unrolled-loop"), "201"),
        (layer(extend="JAX201"), "101 102 201 401"),
        (layer(ignore="JAX1"), "401"),
        (layer(ignore="ALL"), ""),
        (layer("JAX101", ignore="JAX1"), "101"),  # the longer one wins
        (layer("JAX1", ignore="JAX101"), "102"),
        (layer("JAX101", ignore="JAX101"), ""),  # at equal length ignore wins
        (layer("traced-if", ignore="JAX101"), ""),
        (layer("ALL", extend="JAX201", ignore="JAX1"), "201 401"),
        (layer("JAX405"), ""),  # preview needs --preview
    ],
)
def test_one_layer(given: Selection, expected: str) -> None:
    assert chosen(given) == expected


def test_preview_rules_that_are_off_need_both() -> None:
    assert chosen(layer("JAX4"), preview=True) == "401 405 406"
    assert chosen(layer("ALL"), preview=True) == "101 102 401 405"
    assert chosen(layer("JAX406"), preview=True) == "406"


def test_a_layer_with_select_replaces_and_one_without_adds() -> None:
    file = layer("JAX1", ignore="JAX101")
    assert chosen(file, layer("JAX101")) == "101"
    assert chosen(file, layer(extend="JAX101")) == "101 102"
    assert chosen(file, layer(ignore="JAX102")) == ""
    assert chosen(layer(extend="JAX201"), layer("JAX4")) == "401"


def test_per_file_ignores() -> None:
    ignores = (("tests/*", ("JAX1",)), ("*_gen.py", ("ALL",)), ("!src/*", ("key-reuse",)))
    assert chosen(per_file_ignores=ignores, path="/root/src/x.py") == "101 102 401"
    assert chosen(per_file_ignores=ignores, path="/root/tests/x.py") == ""
    assert chosen(per_file_ignores=ignores[:1], path="/root/tests/x.py") == "401"
    assert chosen(per_file_ignores=ignores, path="/root/src/a_gen.py") == ""


@pytest.mark.parametrize("word", ["E501", "JAX1011", "JAX1x", "jax101", "Traced-If", "traced_if", "JAXL"])
def test_what_is_no_selector(word: str) -> None:
    with pytest.raises(SelectorError, match=word):
        check_form([word], "--select")


def test_close_matches_are_named() -> None:
    with pytest.raises(SelectorError, match="did you mean `traced-if`"):
        check_known(Settings(selections=(layer("traced-fi"),)), RULES)
    with pytest.raises(SelectorError, match="no rule matches `JAX999`"):
        check_known(Settings(per_file_ignores=(("*", ("JAX999",)),)), RULES)
    check_known(Settings(selections=(layer("ALL JAX JAX1 JAX101 key-reuse"),)), RULES)


def test_a_preview_rule_named_without_preview_is_warned_about() -> None:
    settings = Settings(selections=(layer("JAX405", ignore="JAX406"),))
    assert check_known(settings, RULES) == ["command line: `JAX405` has no effect without preview mode (`--preview`)"]
    assert check_known(settings._replace(preview=True), RULES) == []
