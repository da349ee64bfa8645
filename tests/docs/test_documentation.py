"""Documentation says what the code says: generated pages and blocks, options, keys, names, links."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from jaxlint import flake8_plugin, rules
from jaxlint.cli import options
from jaxlint.cli.distribution import DISTRIBUTION, PACKAGE
from jaxlint.config import files, resolve
from jaxlint.config.tool_codes import TOOL_CODES

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("examples/**/*.md")])
README = (ROOT / "README.md").read_text(encoding="utf-8")
CONFIGURATION = (ROOT / "docs" / "configuration.md").read_text(encoding="utf-8")


def test_generated_pages_and_the_readmes_blocks_are_current() -> None:
    command = [sys.executable, str(ROOT / "docs" / "generate_rules.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"run `python docs/generate_rules.py`:\n{done.stdout}{done.stderr}"


def test_every_rule_is_in_the_readme() -> None:
    for rule in rules.registry():
        assert f"| {rule.code} | [{rule.name}](docs/rules/{rule.name}.md) |" in README
    for tool in TOOL_CODES:
        assert f"| {tool.code} | [{tool.name}](docs/rules/{tool.name}.md) |" in README


@pytest.mark.parametrize("key", files.KEYS)
def test_configuration_keys(key: str) -> None:
    assert f"| `{key}` |" in CONFIGURATION


def test_command_line_and_environment() -> None:
    words = re.findall(r"`(--?[a-z0-9-]+)", CONFIGURATION)
    words += re.findall(r"\| `.*?(?=\|)", CONFIGURATION)
    known = " ".join(words)
    for action in options.parser()._actions:
        for word in action.option_strings:
            if word not in ("-h", "--help"):
                assert word in known, f"{word} is not in docs/configuration.md"
    for variable in resolve.ENVIRONMENT:
        assert f"`{variable}`" in CONFIGURATION


def test_flake8_options() -> None:
    class Parser:
        def add_option(self, name: str, **_: object) -> None:
            assert f"| `{name}` |" in CONFIGURATION

    flake8_plugin.Plugin.add_options(Parser())


def _anchors(page: Path) -> set[str]:
    titles = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8")):
        if target.startswith(("http://", "https://")):
            continue
        name, _, anchor = target.partition("#")
        path = (page.parent / name).resolve() if name else page
        assert path.exists(), f"{page.name}: {target}"
        assert not anchor or anchor in _anchors(path), f"{page.name}: {target}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_nobody_is_told_to_install_the_other_project(page: Path) -> None:
    assert not re.search(rf"pip install (-\S+ )*{PACKAGE}(?!er)\b", page.read_text(encoding="utf-8"))


def test_the_name_of_the_distribution() -> None:
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert f'\nname = "{DISTRIBUTION}"\n' in text
    assert f"`{DISTRIBUTION}`" in README
