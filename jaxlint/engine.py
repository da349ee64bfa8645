"""Files in, findings out: reading, the gate, parsing, interpreting, rules, suppressions, order.

One file's trouble becomes a finding and never hides another file.

libcst, the rules and the knowledge tables are imported when the first file passes the gate, and whatever only findings
need when there are any: a run without JAX costs little more than starting Python.
"""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Literal, NamedTuple

from jaxlint.callers import Caller, callers_of
from jaxlint.config import selectors
from jaxlint.config.assumed import assumed_module
from jaxlint.config.settings import Settings
from jaxlint.config.tool_codes import INTERNAL, TOOL_CODES
from jaxlint.source import gate, walk
from jaxlint.source.text import SourceError, SourceFile, decode, read_bytes
from jaxlint.stack import deep

if TYPE_CHECKING:
    from jaxlint.findings import Finding, Span
    from jaxlint.rules.base import Rule
    from jaxlint.tracing import Program

#: Which suppression comments count: all; only ours, because flake8 reads its own itself; none.
Suppress = Literal["all", "ours", "none"]

PHASES = ("start", "import", "read", "parse", "interpret", "rules", "output")


class Clock:
    """CPU seconds of this process, by phase."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = dict.fromkeys(PHASES, 0.0)

    @contextmanager
    def phase(self, name: str) -> Iterator[None]:
        """Everything inside counts for ``name``. Phases do not nest."""
        begin = time.process_time()
        try:
            yield
        finally:
            self.seconds[name] += time.process_time() - begin


class Result:
    """What came of some files. Results add up; ``seconds`` are CPU seconds by phase."""

    def __init__(self, findings: Iterable[Finding] = (), files: int = 0, parsed: int = 0, lines: int = 0) -> None:
        self.findings = list(findings)
        self.suppressed = 0
        self.files = files
        self.parsed = parsed
        self.lines = lines
        self.seconds: dict[str, float] = {}
        #: The files of this run that trace into others.
        self.callers: list[Caller] = []

    def add(self, other: Result) -> None:
        """Take in another result."""
        self.findings.extend(other.findings)
        self.suppressed += other.suppressed
        self.files += other.files
        self.parsed += other.parsed
        self.lines += other.lines
        self.callers.extend(other.callers)
        for name, value in other.seconds.items():
            self.seconds[name] = self.seconds.get(name, 0.0) + value

    @property
    def crashed(self) -> bool:
        """Whether jaxlint itself failed somewhere: exit code 2, after all output."""
        return any(finding.code == INTERNAL.code for finding in self.findings)


class Task(NamedTuple):
    """One file to check under its settings. ``named``: the user gave this path.

    ``only``: it is read for the sake of these files (real paths), and what it shows elsewhere is not said.
    """

    path: str
    settings: Settings
    named: bool = True
    only: frozenset[str] | None = None


#: Trees of so many lines are kept at once (about 4 kB a line).
LINES_HELD = 120_000


class Engine:
    """Checks sources one after another. ``warnings`` gathers texts for stderr, each once."""

    def __init__(self, clock: Clock | None = None, *, follow: bool = True) -> None:
        self.follow = follow
        self.clock = clock or Clock()
        self.warnings: list[str] = []
        self._checked: set[Settings] = set()
        self._registry: tuple[type[Rule], ...] | None = None
        self._program: Program | None = None
        #: Real path -> the path as given, of every file of this run: one file has one name in the output.
        self.given: dict[str, str] = {}

    def check_file(self, task: Task, suppress: Suppress = "all") -> Result:
        """Read one file and check it. Only SelectorError (a wrong configuration) is raised."""
        result = Result(files=1)
        try:
            with self.clock.phase("read"):
                data = read_bytes(task.path)
                relevant = gate.mentions_jax(data)
                # What the user names is worth a word even without JAX in it; what a folder holds is not.
                source = decode(data, task.path) if relevant or task.named else None
        except SourceError as error:
            from jaxlint import faults

            result.findings.append(faults.unreadable(error))
            return result
        except MemoryError as error:
            from jaxlint import faults

            result.findings.append(faults.internal_error(task.path, error))
            return result
        if source is not None and relevant:
            result.add(self.check_source(source, task.settings, suppress))
        return result

    def check_caller(self, task: Task, suppress: Suppress = "all") -> Result:
        """Read a file that traces into others (``task.only``) and keep what it shows there."""
        assert task.only is not None
        result = self.check_file(task, suppress)
        result.findings = [one for one in result.findings if os.path.realpath(one.location.path) in task.only]
        result.files, result.suppressed, result.callers = 0, 0, []
        return result

    def check_source(self, source: SourceFile, settings: Settings, suppress: Suppress = "all") -> Result:
        """Check a text that is there already. Only SelectorError is raised."""
        if not gate.mentions_jax(source.text):
            return Result()
        rules = self.rules_for(settings, source.path)
        try:
            return self._check(source, rules, settings, suppress)
        except Exception as error:  # RecursionError and MemoryError are among them
            from jaxlint import faults

            return Result([faults.internal_error(source.path, error)], parsed=1)

    def check_alone(
        self, source: SourceFile, settings: Settings, suppress: Suppress, callers: Sequence[Task] = ()
    ) -> Result:
        """Check one text, in a thread of its own, and what its callers show in it. Findings are ordered."""

        def go() -> Result:
            result = self.check_source(source, settings, suppress)
            for task in callers:
                result.add(self.check_caller(task, suppress))
            return result

        self.given = {os.path.realpath(source.path): source.path}
        result: Result = deep(go)
        result.findings = ordered(result.findings)
        return result

    def rules_for(self, settings: Settings, path: str) -> tuple[type[Rule], ...]:
        """The rules that are on for a file. Raises SelectorError for a selector that means nothing."""
        registry = self.load()
        if settings not in self._checked:
            self._checked.add(settings)
            pairs = [(tool.code, tool.name) for tool in TOOL_CODES]
            for warning in selectors.check_known(settings, registry, pairs):
                if warning not in self.warnings:
                    self.warnings.append(warning)
        return selectors.select(registry, settings, path)

    def load(self) -> tuple[type[Rule], ...]:
        """Import everything that checking needs; return all rules."""
        if self._registry is None:
            from jaxlint.startup import quick_dataclasses

            with self.clock.phase("import"), quick_dataclasses():
                from jaxlint import rules, syntax, tracing  # noqa: F401

                self._registry = rules.registry()
        return self._registry

    def _check(self, source: SourceFile, rules: Sequence[type[Rule]], settings: Settings, suppress: Suppress) -> Result:
        from jaxlint import rules as rule_room
        from jaxlint import syntax

        result = Result(parsed=1, lines=source.line_count)
        program = self.program()
        known = program.known(source.path)
        try:
            with self.clock.phase("parse"):
                module = known.module if known is not None and known.source.raw == source.raw else syntax.parse(source)
        except syntax.SyntaxFault as fault:
            from jaxlint import faults

            result.findings.append(faults.syntax_error(source, fault.message, fault.line, fault.column))
            return result
        program.assumed = lambda path: assumed_module(path, settings.assume_traced, settings.root)
        with self.clock.phase("interpret"):
            facts = program.analyse(module, source)
        reaches = tuple(space.source.path for space in facts.spaces if space is not facts.space)
        if reaches:
            result.callers.append(Caller(source.path, source.hash, reaches))
        with self.clock.phase("rules"):
            found = rule_room.run(rules, facts, lenient=lambda path: settings.lenient_tests and is_test_file(path))
            for space in facts.spaces:
                ours = space.source.path == source.path or self._is_given(space.source.path)
                self._keep(result, found, space.source, settings, suppress, ours=ours)
        return result

    def _keep(
        self,
        result: Result,
        found: Sequence[Finding],
        source: SourceFile,
        settings: Settings,
        suppress: Suppress,
        *,
        ours: bool,
    ) -> None:
        """Add the findings that stand in ``source``: by its own selection and its own suppression comments.

        ``ours``: the file is one of those to check. Of another one only what a caller's trace makes a fault is said.
        """
        from jaxlint.source import suppressions

        codes = {rule.code for rule in self.rules_for(settings, source.path) if ours or rule.needs_trace}
        mine = ordered(one for one in found if one.location.path == source.path and one.code in codes)
        if mine and suppress != "none":
            mine, hidden = suppressions.apply(mine, source, noqa=suppress == "all")
            result.suppressed += hidden
        result.findings.extend(mine)

    def _is_given(self, path: str) -> bool:
        from jaxlint.tracing.modules import real_path

        return real_path(path) in self.given

    def program(self) -> Program:
        """The project's files as far as they were read; begun anew when they grow too many to hold."""
        from jaxlint.tracing import Program

        if self._program is None or self._program.lines > LINES_HELD:
            self._program = Program(follow=self.follow)
            self._program.given = self.given
            self._program.is_test = is_test_file
        return self._program


def caller_tasks(paths: Sequence[str], settings_for: Callable[[str], Settings]) -> list[Task]:
    """The files to read besides ``paths`` because they trace into them. ``settings_for``: the settings of a file."""
    cached = [path for path in paths if settings_for(path).cache]
    only = frozenset(map(os.path.realpath, paths))
    cwd = os.getcwd()
    return [Task(walk.display_path(path, cwd), settings_for(path), only=only) for path in callers_of(cached)]


def check_source(
    source: SourceFile, settings: Settings | None = None, *, suppress: Suppress = "all", callers: Sequence[Task] = ()
) -> list[Finding]:
    """Findings of one text, in order: those that stand in it. ``callers`` are read besides."""
    chosen = settings or Settings(root=os.getcwd())
    result = Engine().check_alone(source, chosen, suppress, callers)
    return [finding for finding in result.findings if finding.location.path == source.path]


def check_files(tasks: Sequence[Task], engine: Engine, *, suppress: Suppress = "all", jobs: int = 1) -> Result:
    """Check files, with ``jobs`` processes. Findings are ordered and come out once. Only SelectorError is raised."""
    collecting = gc.isenabled()
    gc.disable()  # trees are acyclic; collecting while they grow costs about a tenth of the run
    try:
        if jobs > 1 and len(tasks) > 1:
            from jaxlint import workers

            total = workers.run(tasks, engine, suppress, jobs)
        else:
            total = deep(lambda: check_serially(tasks, engine, suppress))
    finally:
        if collecting:
            gc.enable()
    total.findings = ordered(total.findings)
    return total


def check_serially(tasks: Iterable[Task], engine: Engine, suppress: Suppress) -> Result:
    """Check files one after another in this thread."""
    total = Result()
    tasks = tuple(tasks)
    engine.given = {os.path.realpath(task.path): task.path for task in tasks if task.only is None}
    for task in tasks:
        total.add(engine.check_file(task, suppress) if task.only is None else engine.check_caller(task, suppress))
    return total


def ordered(findings: Iterable[Finding]) -> list[Finding]:
    """By file and place; one finding per code and range."""
    seen: set[tuple[str, str, Span]] = set()
    kept: list[Finding] = []
    for finding in sorted(findings, key=lambda each: (each.sort_key, each.confidence)):  # the certain one speaks
        key = (finding.code, finding.location.path, finding.location.span)
        if key not in seen:
            seen.add(key)
            kept.append(finding)
    return kept


def is_test_file(path: str) -> bool:
    """Whether the path is a test by pytest's and unittest's conventions, or a benchmark: data do not matter there."""
    parts = path.replace(os.sep, "/").split("/")
    name = parts[-1]
    if name.startswith("test_") or name.endswith(("_test.py", "_tests.py")):
        return True
    if name in ("conftest.py", "tests.py", "test.py"):
        return True
    if name.startswith(("bench_", "benchmark")) or name.endswith(("_bench.py", "_benchmark.py")):
        return True
    return any(part in ("tests", "test", "testing", "benchmarks", "benchmark") for part in parts[:-1])
