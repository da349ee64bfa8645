"""flake8's door: the same engine, findings, columns and suppressions as ``jaxlint check``.

flake8 reads ``# noqa`` and its own ``select``/``ignore`` itself. What it cannot know is done here: our own comments,
the rules that are off by default, ``[tool.jaxlint]``. Nothing here raises: an exception in a plugin ends the whole run.
"""

from __future__ import annotations

import argparse
import ast
import os
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

from jaxlint import __version__
from jaxlint.source import gate

Row = tuple[int, int, str, type]


class Plugin:
    """A tree plugin: flake8 makes one for every file. Asking for ``tree`` makes it one; the tree is not used."""

    name = "jaxlint"
    version = __version__

    #: Set in the parent by ``parse_options``; forked workers inherit it, spawned ones parse again.
    _state: ClassVar[_State | None] = None

    def __init__(self, tree: ast.AST, filename: str, lines: Sequence[str]) -> None:
        self.filename = filename
        self.lines = lines

    @classmethod
    def add_options(cls, parser: Any) -> None:
        """Register our options; all can stand in flake8's configuration file."""
        common = {"parse_from_config": True, "metavar": "CODES", "comma_separated_list": True, "default": []}
        parser.add_option("--jaxlint-select", help="jaxlint rules to run: ALL, prefixes, codes or names", **common)
        parser.add_option("--jaxlint-ignore", help="jaxlint rules not to run", **common)
        switch = {"parse_from_config": True, "action": "store_true", "default": False}
        parser.add_option("--jaxlint-preview", help="also run jaxlint rules in preview", **switch)

    @classmethod
    def parse_options(cls, option_manager: Any, options: argparse.Namespace, args: Sequence[str]) -> None:
        """Keep what the options say; a wrong option becomes a finding, not a crash."""
        cls._state = _State(options)

    def run(self) -> Iterator[Row]:
        """Findings as flake8 wants them: line, 0-based column, text, type."""
        if not any(map(gate.mentions_jax, self.lines)):
            return
        try:
            rows = list(_rows(self.filename, self.lines, self._state or _State(argparse.Namespace())))
        except Exception as error:
            rows = [_failure(self.filename, error)]
        yield from rows


class _State:
    """Options and settings of one flake8 run."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.disable_noqa = bool(getattr(options, "disable_noqa", False))
        self._resolver: Any = None

    @property
    def resolver(self) -> Any:
        """Made when the first file needs it. Raises ConfigError and SelectorError."""
        if self._resolver is None:
            from jaxlint.config import resolve

            overrides = resolve.from_environment(os.environ)
            if getattr(self.options, "jaxlint_preview", False):
                overrides["preview"] = True
            self._resolver = resolve.Resolver(overrides, self._selection())
        return self._resolver

    def _selection(self) -> Any:
        """Our options, and flake8's own ``select`` where it names more than ``JAX``: that wakes rules that are off."""
        from jaxlint.config import selectors
        from jaxlint.config.settings import Selection

        words = [*(getattr(self.options, "select", None) or ()), *(getattr(self.options, "extend_select", None) or ())]
        woken = tuple(word for word in words if word.startswith("JAX") and len(word) > 3)
        chosen = selectors.check_form(getattr(self.options, "jaxlint_select", ()), "--jaxlint-select")
        ignored = selectors.check_form(getattr(self.options, "jaxlint_ignore", ()), "--jaxlint-ignore")
        return Selection(chosen or None, woken, ignored, "flake8's options")


def _rows(filename: str, lines: Sequence[str], state: _State) -> Iterator[Row]:
    from jaxlint import engine
    from jaxlint.cli import distribution
    from jaxlint.source import walk

    if problem := distribution.conflict():
        raise RuntimeError(problem)
    settings = state.resolver.for_file(filename)
    if walk.is_excluded_file(os.path.abspath(filename), settings):
        return  # flake8 names every file; `jaxlint .` would not have come here
    suppress: engine.Suppress = "none" if state.disable_noqa or settings.ignore_noqa else "ours"
    callers = engine.caller_tasks([filename], state.resolver.for_file)
    for finding in engine.check_source(_source(filename, lines), settings, suppress=suppress, callers=callers):
        start = finding.location.start
        # flake8 adds one to the column of tree plugins.
        yield start.line, start.column - 1, f"{finding.code} {' '.join(finding.message.split())}", Plugin


def _source(filename: str, lines: Sequence[str]) -> Any:
    """The file itself if it says what flake8 has read; else flake8's text (stdin, or an encoding that it guessed)."""
    from jaxlint.source import text

    joined = "".join(lines)
    try:
        on_disk = text.read_source(filename)
    except text.SourceError:
        return text.source_from_text(joined, filename)
    same = on_disk.text.replace("\r\n", "\n").replace("\r", "\n") == joined
    return on_disk if same else text.source_from_text(joined, filename)


def _failure(filename: str, error: Exception) -> Row:
    from jaxlint import faults

    finding = faults.internal_error(filename, error)
    return 1, 0, f"{finding.code} {' '.join(finding.message.split())}", Plugin
