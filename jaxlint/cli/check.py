"""``jaxlint check``: settings, files, engine, output, exit code."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from jaxlint.callers import save
from jaxlint.cli import options as command_line
from jaxlint.config.assumed import unmatched
from jaxlint.config.files import ConfigError
from jaxlint.config.selectors import SelectorError
from jaxlint.engine import Clock, Engine, Result, Suppress, Task, caller_tasks, check_files
from jaxlint.source import walk
from jaxlint.source.text import SourceError, SourceFile, decode, read_source

if TYPE_CHECKING:
    from jaxlint.config.resolve import Resolver
    from jaxlint.config.settings import Settings

STDIN = "-"


def run(arguments: Sequence[str]) -> int:
    """Check and print; the exit code."""
    clock = Clock()
    clock.seconds["start"] = time.process_time()
    options = command_line.parser().parse_intermixed_args(arguments)
    try:
        return _Run(options, command_line.resolver(options, os.environ), clock).go()
    except (ConfigError, SelectorError) as error:
        sys.stderr.write(f"jaxlint: error: {error}\n")
        return 2


#: Engines live until the process ends: freeing the trees of a large project one by one takes a tenth of a run.
_KEPT: list[Engine] = []


class _Run:
    """One run of ``jaxlint check``."""

    def __init__(self, options: argparse.Namespace, resolver: Resolver, clock: Clock) -> None:
        self.options = options
        self.resolver = resolver
        self.engine = Engine(clock)
        _KEPT.append(self.engine)
        self.stdin: SourceFile | None = None
        self.suppress: Suppress = "none" if options.ignore_noqa else "all"

    def go(self) -> int:
        if self.resolver.selection is not None:
            # What was typed is checked even if no file needs the rules.
            self.engine.rules_for(self.resolver.for_folder(os.getcwd()), "")
        paths = self.options.paths or ["."]
        if STDIN in paths:
            if len(paths) > 1:
                raise ConfigError("`-` (stdin) cannot be combined with other paths")
            result = self._check_stdin()
        else:
            tasks = [Task(each.path, self.resolver.for_file(each.path), each.named) for each in self._walk(paths)]
            if self.options.show_files:
                sys.stdout.write("".join(f"{os.path.abspath(task.path)}\n" for task in tasks))
                return 0
            self._warn_of_unmatched(tasks)
            if not tasks:
                self._warn("no Python files found under the given path(s)")
            callers = caller_tasks([task.path for task in tasks], self.resolver.for_file)
            result = check_files([*tasks, *callers], self.engine, suppress=self.suppress, jobs=self.options.jobs)
            self._keep_callers(paths, result)
        for warning in (*self.resolver.warnings, *self.engine.warnings):
            self._warn(warning)
        self._print(result)
        if result.crashed:
            return 2
        return 1 if result.findings and not self.options.exit_zero else 0

    def _walk(self, paths: Sequence[str]) -> list[walk.Found]:
        with self.engine.clock.phase("read"):
            return list(walk.walk(paths, self.resolver.for_folder))

    def _keep_callers(self, paths: Sequence[str], result: Result) -> None:
        """A run over a whole project leaves an index of callers for those who check one file of it."""
        for path in filter(os.path.isdir, paths):
            if self.resolver.for_folder(os.path.abspath(path)).cache:
                save(path, result.callers)

    def _warn_of_unmatched(self, tasks: Sequence[Task]) -> None:
        """A name in ``assume-traced`` that means no module would be a setting without effect."""
        for settings in {task.settings for task in tasks if task.settings.assume_traced}:
            paths = [task.path for task in tasks if task.settings == settings]
            for text in unmatched(settings.assume_traced, settings.root, paths):
                self._warn(text)

    def _check_stdin(self) -> Result:
        name = self.options.stdin_filename
        path = STDIN if name is None else walk.display_path(name, os.getcwd())
        settings = self.resolver.for_file(path)
        data = sys.stdin.buffer.read()
        if name is not None and settings.force_exclude and walk.is_excluded_file(os.path.abspath(path), settings):
            return Result()
        try:
            self.stdin = source = decode(data, path)
        except SourceError as error:
            from jaxlint import faults

            return Result([faults.unreadable(error)])
        callers = caller_tasks([path], self.resolver.for_file) if name is not None else []
        return self.engine.check_alone(source, settings, self.suppress, callers)

    def _source(self, path: str) -> SourceFile | None:
        if self.stdin is not None and path == self.stdin.path:
            return self.stdin
        try:
            return read_source(path)
        except SourceError:
            return None

    def _print(self, result: Result) -> None:
        from functools import lru_cache

        from jaxlint import output

        options = self.options
        view = output.View(
            result.findings, sys.stdout, lru_cache(maxsize=8)(self._source), _color(options.color), options.quiet
        )
        with self.engine.clock.phase("output"):
            name = self._format()
            if options.statistics:
                from jaxlint.output import statistics

                statistics.render(view, as_json=name == "json")
            else:
                output.render(name, view)
            sys.stdout.flush()
        if options.profile:
            from jaxlint.cli import profile

            sys.stderr.write(profile.table(self.engine.clock, result))

    def _format(self) -> str:
        settings: Settings = self.resolver.for_folder(os.getcwd())
        return settings.output_format or ("full" if sys.stdout.isatty() else "concise")

    def _warn(self, text: str) -> None:
        if not self.options.quiet:
            sys.stderr.write(f"warning: {text}\n")


def _color(choice: str, environ: Mapping[str, str] = os.environ) -> bool:
    """NO_COLOR wins over FORCE_COLOR, as in ruff; an explicit --color wins over both."""
    if choice != "auto":
        return choice == "always"
    if environ.get("NO_COLOR"):
        return False
    return bool(environ.get("FORCE_COLOR")) or (sys.stdout.isatty() and environ.get("TERM") != "dumb")
