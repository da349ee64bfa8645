"""Configuration files: ``[tool.jaxlint]`` in pyproject.toml, or jaxlint.toml beside it, which wins."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable, Mapping
from typing import Any

from jaxlint.config.assumed import problem
from jaxlint.config.selectors import SelectorError, check_form, foreign
from jaxlint.config.settings import FORMATS, Overrides, Selection, Settings, override

Warn = Callable[[str], None]

LISTS = ("select", "extend-select", "ignore", "extend-ignore", "exclude", "extend-exclude", "assume-traced")
FLAGS = ("preview", "respect-gitignore", "force-exclude", "lenient-tests")
KEYS = (*LISTS, *FLAGS, "output-format", "per-file-ignores", "extend-per-file-ignores")


class ConfigError(Exception):
    """A configuration that cannot be used. ``str()`` names the file and the key."""


def find(folder: str) -> str | None:
    """The configuration file of exactly this folder, or None. Raises ConfigError for an unreadable pyproject.toml."""
    own = os.path.join(folder, "jaxlint.toml")
    if os.path.isfile(own):
        return own
    project = os.path.join(folder, "pyproject.toml")
    try:
        with open(project, "rb") as file:
            # A TOML parser is not even imported for the many projects that do not mention us.
            mentioned = b"jaxlint" in file.read()
    except OSError:
        return None
    return project if mentioned and _table(project) is not None else None


def load(path: str, warn: Warn) -> Settings:
    """Settings of a file. Warns of unknown keys; raises ConfigError for a wrong type or bad TOML."""
    table = _table(path)
    root = os.path.dirname(os.path.abspath(path))
    return from_table(table or {}, path, root, warn)


def from_table(table: Mapping[str, Any], path: str, root: str, warn: Warn) -> Settings:
    """Settings from the keys of one table; ``path`` is for messages."""
    for key in table:
        if key not in KEYS:
            warn(f"{path}: unknown key `{key}`{_near(key)}")
    lists = {key: _strings(table, key, path) for key in LISTS}
    ignore = (*(lists["ignore"] or ()), *(lists["extend-ignore"] or ()))
    layer = Selection(
        select=None if lists["select"] is None else _selectors(lists["select"], "select", path, warn),
        extend_select=_selectors(lists["extend-select"] or (), "extend-select", path, warn),
        ignore=_selectors(ignore, "ignore", path, warn),
        origin=path,
    )
    overrides: Overrides = {"root": root, "file": path, "extend_exclude": lists["extend-exclude"] or ()}
    if lists["exclude"] is not None:
        overrides["exclude"] = lists["exclude"]
    if lists["assume-traced"] is not None:
        overrides["assume_traced"] = modules(lists["assume-traced"], f"{path}: `assume-traced`")
    for key in FLAGS:
        if key in table:
            overrides[key.replace("-", "_")] = _typed(table[key], bool, "true or false", key, path)
    overrides["per_file_ignores"] = _per_file(table, path, warn)
    overrides["output_format"] = _format(table, path)
    return override(Settings(), overrides, layer)


def _table(path: str) -> dict[str, Any] | None:
    """The table that is ours, or None if a pyproject.toml has none."""
    data = parse_toml(path)
    if os.path.basename(path) != "pyproject.toml":
        return data
    tool = data.get("tool", {})
    table = tool.get("jaxlint") if isinstance(tool, dict) else None
    if table is not None and not isinstance(table, dict):
        raise ConfigError(f"{path}: `tool.jaxlint` must be a table")
    return table


def parse_toml(path: str) -> dict[str, Any]:
    """The file as TOML. Raises ConfigError with the parser's own words."""
    try:
        with open(path, "rb") as file:
            text = file.read().decode("utf-8")
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise ConfigError(f"{path}: is not valid UTF-8") from None
    return parse_toml_text(text, path)


def parse_toml_text(text: str, origin: str) -> dict[str, Any]:
    """TOML text; ``origin`` is for messages."""
    # tomllib is tomli in the standard library; by name, because no Python has both.
    toml: Any = importlib.import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")
    try:
        table: dict[str, Any] = toml.loads(text.removeprefix("\ufeff"))
    except toml.TOMLDecodeError as error:
        raise ConfigError(f"{origin}: {error}") from None
    return table


def _typed(value: object, kind: type, wanted: str, key: str, path: str) -> Any:
    if not isinstance(value, kind):
        raise ConfigError(f"{path}: `{key}` must be {wanted}, not {value!r}")
    return value


def _strings(table: Mapping[str, Any], key: str, path: str) -> tuple[str, ...] | None:
    if key not in table:
        return None
    return _string_list(table[key], key, path)


def _string_list(value: object, key: str, path: str) -> tuple[str, ...]:
    items = _typed(value, list, "a list of strings", key, path)
    return tuple(_typed(item, str, "a list of strings", key, path) for item in items)


def _selectors(words: tuple[str, ...], key: str, path: str, warn: Warn) -> tuple[str, ...]:
    for word in filter(foreign, words):
        warn(f"{path}: `{key}`: `{word}` is a code of another project named jaxlint: skipped; see `jaxlint rule --all`")
    try:
        return check_form(words, f"{path}: `{key}`")
    except SelectorError as error:
        raise ConfigError(str(error)) from None


def modules(patterns: tuple[str, ...], origin: str) -> tuple[str, ...]:
    """Patterns of module names that have the form of one. Raises ConfigError for anything else."""
    for pattern in patterns:
        if wrong := problem(pattern):
            raise ConfigError(f"{origin}: {wrong}")
    return patterns


def _per_file(table: Mapping[str, Any], path: str, warn: Warn) -> tuple[tuple[str, tuple[str, ...]], ...]:
    entries: list[tuple[str, tuple[str, ...]]] = []
    for key in ("per-file-ignores", "extend-per-file-ignores"):
        for glob, words in _typed(table.get(key, {}), dict, "a table of lists", key, path).items():
            name = f"{key}.{glob}"
            entries.append((glob, _selectors(_string_list(words, name, path), name, path, warn)))
    return tuple(entries)


def _format(table: Mapping[str, Any], path: str) -> str | None:
    value = table.get("output-format")
    if value is not None and value not in FORMATS:
        raise ConfigError(f"{path}: `output-format` must be one of {', '.join(FORMATS)}, not {value!r}")
    return value


def _near(key: str) -> str:
    import difflib

    if key == "lint":
        return " (jaxlint's keys stand directly under [tool.jaxlint])"
    near = difflib.get_close_matches(key.replace("_", "-"), KEYS, n=1)
    return f" (did you mean `{near[0]}`?)" if near else ""
