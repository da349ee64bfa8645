"""Every fixture gives exactly the findings that its comments promise: here, silenced, in tests, and through flake8."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from fixture_files import (
    EVERYTHING,
    Expectation,
    Fixture,
    Gap,
    check,
    difference,
    expectations,
    fixtures,
    known_gaps,
    places,
)

from jaxlint.rules import registry

ALL = fixtures()
each_fixture = pytest.mark.parametrize("fixture", ALL, ids=lambda fixture: fixture.id)
REPOSITORY = Path(__file__).parents[2]
ENTRY_POINT = "[flake8.extension]\nJAX = jaxlint.flake8_plugin:Plugin\n"


@each_fixture
def test_findings(fixture: Fixture) -> None:
    problem = difference(fixture.expectations, places(check(fixture.text)))
    assert not problem, f"{fixture.id}\n{problem}"


@each_fixture
def test_silenced_by_noqa(fixture: Fixture) -> None:
    assert places(check(fixture.suppressed)) == []


@each_fixture
def test_form(fixture: Fixture) -> None:
    """Right files promise nothing; bad ones promise their own code, and a column at least once."""
    if fixture.is_ok:
        assert fixture.expectations == []
        return
    assert fixture.path.name.startswith("bad_")
    assert fixture.code in {each.code for each in fixture.expectations}
    assert any(each.column for each in fixture.expectations)


def test_every_rule_has_both_kinds() -> None:
    for rule in registry():
        kinds = {fixture.is_ok for fixture in ALL if fixture.code == rule.code}
        assert kinds == {True, False}, f"{rule.code} needs tests/fixtures/{rule.code}/bad_*.py and ok_*.py"
    assert {fixture.code for fixture in ALL} <= {rule.code for rule in registry()}


@pytest.mark.parametrize("rule", [rule for rule in registry() if rule.lenient_in_tests], ids=lambda rule: rule.code)
def test_lenient_rules_are_silent_in_tests(rule: type) -> None:
    for fixture in ALL:
        if fixture.code == rule.code:
            found = check(fixture.text, "tests/test_it.py", EVERYTHING._replace(lenient_tests=True))
            assert rule.code not in {each.code for each in found}, fixture.id


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Expectation]]:
    """flake8's rows for all fixtures, as they are and silenced, from one run."""
    pytest.importorskip("flake8")
    folder = tmp_path_factory.mktemp("fixtures")
    for fixture in ALL:
        for kind, text in (("as_is", fixture.text), ("silenced", fixture.suppressed)):
            target = folder / kind / fixture.code / fixture.path.name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")
    info = tmp_path_factory.mktemp("site") / "jaxlinter-0.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: jaxlinter\nVersion: 0.0\n")
    (info / "entry_points.txt").write_text(ENTRY_POINT)
    path = os.pathsep.join(filter(None, (str(info.parent), str(REPOSITORY), os.environ.get("PYTHONPATH"))))
    command = [sys.executable, "-m", "flake8", "--isolated", "--select", "JAX", "--jaxlint-select", "ALL"]
    done = subprocess.run(
        [*command, "--jaxlint-preview", "as_is", "silenced"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    found: dict[str, list[Expectation]] = {}
    for row in done.stdout.splitlines():
        match = re.match(r"(?P<file>[^:]+):(?P<line>\d+):(?P<column>\d+): (?P<code>\w+) ", row)
        assert match, row
        place = Expectation(int(match["line"]), match["code"], int(match["column"]))
        found.setdefault(match["file"], []).append(place)
    return found


@each_fixture
def test_the_same_through_flake8(fixture: Fixture, rows: dict[str, list[Expectation]]) -> None:
    assert difference(fixture.expectations, rows.get(f"as_is/{fixture.id}", [])) == ""
    assert rows.get(f"silenced/{fixture.id}", []) == []


@pytest.mark.parametrize("gap", known_gaps(), ids=lambda gap: gap.title)
def test_known_gaps_are_still_open(gap: Gap) -> None:
    """A gap that was closed becomes a fixture and leaves the list."""
    if not difference(expectations(gap.text), places(check(gap.text))):
        pytest.fail("closed: move it into a fixture", pytrace=False)
