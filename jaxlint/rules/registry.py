"""Discovery: every module in a topic folder that defines a Rule with a code is a rule."""

from __future__ import annotations

import functools
import importlib
import pkgutil
from pathlib import Path

from jaxlint.rules.base import Rule

_ROOT = Path(__file__).parent


@functools.cache
def registry() -> tuple[type[Rule], ...]:
    """All rules by code. Raises ValueError if two share a code or a name."""
    found: list[type[Rule]] = []
    for topic in sorted(path.name for path in _ROOT.iterdir() if path.is_dir() and (path / "__init__.py").exists()):
        package = f"jaxlint.rules.{topic}"
        for module in pkgutil.iter_modules([str(_ROOT / topic)]):
            loaded = importlib.import_module(f"{package}.{module.name}")
            found.extend(
                value
                for value in vars(loaded).values()
                if isinstance(value, type)
                and issubclass(value, Rule)
                and value.__module__ == loaded.__name__
                and "code" in vars(value)
            )
    found.sort(key=lambda rule: rule.code)
    _refuse_doubles(found)
    return tuple(found)


def _refuse_doubles(rules: list[type[Rule]]) -> None:
    for attribute in ("code", "name"):
        seen: dict[str, type[Rule]] = {}
        for rule in rules:
            value = getattr(rule, attribute)
            if value in seen:
                raise ValueError(f"{rule.__module__} and {seen[value].__module__} both have the {attribute} {value!r}")
            seen[value] = rule
