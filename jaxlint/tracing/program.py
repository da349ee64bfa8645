"""The program: runs a module as Python would import it, then what nobody called; finds the project's files."""

from __future__ import annotations

import os
from functools import cache
from typing import TYPE_CHECKING

import libcst as cst

from jaxlint.knowledge.names import canonical
from jaxlint.knowledge.transforms import TRANSFORMS
from jaxlint.source.text import SourceError, read_source
from jaxlint.syntax import Driver, SyntaxFault, parse
from jaxlint.tracing import assumed, entries
from jaxlint.tracing.expressions import EVALUATORS
from jaxlint.tracing.facts import Facts
from jaxlint.tracing.interpreter import Interpreter
from jaxlint.tracing.lazy_imports import exported
from jaxlint.tracing.modules import ModuleSpace, find_module, real_path
from jaxlint.tracing.statements import EXECUTORS
from jaxlint.tracing.values import ClassValue, Function, Library, Partial, Transformed, Value

if TYPE_CHECKING:
    from collections.abc import Callable

    from jaxlint.config.assumed import AssumedModule
    from jaxlint.source.text import SourceFile

#: Statements that may be interpreted, per line of the file and in all: a bound on time, never on truth.
FUEL_PER_LINE = 60
FUEL_BASE = 4_000
#: A file of more lines than this is not read for the sake of another one.
LARGEST_PULLED = 6_000


class Program:
    """The files of one project as far as they were needed. ``follow``: whether imports are followed to other files."""

    def __init__(self, *, follow: bool = True) -> None:
        self.follow = follow
        self.spaces: dict[str, ModuleSpace | None] = {}
        self.it: Interpreter | None = None
        self.lines = 0
        #: Real path -> the path as the user gave it.
        self.given: dict[str, str] = {}
        #: Whether a path is a test's.
        self.is_test: Callable[[str], bool] = lambda path: False
        #: The module, if the settings say that its public functions are traced by their users.
        self.assumed: Callable[[str], AssumedModule | None] = lambda path: None
        self._resolved: dict[tuple[str, str], Value | None] = {}

    def known(self, path: str) -> ModuleSpace | None:
        """The module of a file that was read already."""
        return self.spaces.get(real_path(path))

    def analyse(self, module: cst.Module, source: SourceFile) -> Facts:
        """The facts of one module. Never raises for valid code: what is too deep or too large stays unknown."""
        space = self.known(source.path)
        if space is None or space.source.raw != source.raw:
            space = ModuleSpace(module, source)
            space.is_test = self.is_test(source.path)
            self.spaces[real_path(source.path)] = space
            self.lines += source.text.count("\n")
        facts = Facts(space)
        it = self.it
        if it is None:
            it = self.it = Interpreter(facts, EVALUATORS, EXECUTORS, self)
        it.enter(facts, FUEL_BASE + FUEL_PER_LINE * (source.text.count("\n") + 1))
        self._run_module(it, space)
        library = None if space.is_test else self.assumed(source.path)
        if library is not None:
            assumed.mark_returned(it, space, library)
        it.pending, space.pending = space.pending, []
        entries.run_pending(it, space.state)
        for cls in space.classes:
            if cls.frame is None:
                entries.run_inherited(it, cls, space.state)
        for fn in reversed(space.functions):
            if fn.node not in it.general and it.fuel >= 0 and not (space.is_test and not may_trace(fn.node)):
                entries.run_plain(it, fn, space.state)
                entries.run_pending(it, space.state)
        it.pending, it.deferred = [*it.deferred], []
        entries.run_pending(it, space.state)
        if library is not None:
            assumed.run_public(it, space, library)
        return facts

    def _run_module(self, it: Interpreter, space: ModuleSpace) -> None:
        if space.has_run:
            return
        space.has_run = True
        with it.in_module(space):
            it.block(space.module.body, space.state)
            it.heap.update(space.state.heap)
            space.pending = it.pending

    # Other files ------------------------------------------------------------------------------------------------

    def resolve(self, it: Interpreter, name: Library, space: ModuleSpace | None = None) -> Value | None:
        """What an imported name is in the project's own files: a function, class or other value, or None.

        ``space``: the file that imports it, if not the one whose code runs.
        """
        if not self.follow or it.fuel < 0:
            return None
        folder = os.path.dirname(os.path.abspath((space or it.context.space).source.path))
        key = (folder, name.written)
        if key not in self._resolved:
            self._resolved[key] = None  # a circle of re-exports ends here
            self._resolved[key] = self._look_up(it, folder, name.written, 0)
        return self._resolved[key]

    def is_own(self, it: Interpreter, written: str) -> bool:
        """Whether an imported name leads to a file of the project (nothing is read)."""
        if not self.follow:
            return False
        folder = os.path.dirname(os.path.abspath(it.context.space.source.path))
        found = find_module(folder, written)
        return found is not None and found[1] != ""

    def _look_up(self, it: Interpreter, folder: str, dotted: str, depth: int) -> Value | None:
        found = find_module(folder, dotted)
        if found is None or not found[1] or depth > 8:
            return None
        path, rest = found
        space = self._load(it, path)
        if space is None:
            return None
        first, _, more = rest.partition(".")
        value = space.state.locals.get(first)
        if value is None:
            return self._handed_out(it, space, first, more, depth)
        if isinstance(value, Library):
            onward = f"{value.written}.{more}" if more else value.written
            return self._look_up(it, os.path.dirname(path), onward, depth + 1)
        if more and isinstance(value, ClassValue) and "." not in more:
            return value.members.get(more)
        if more or not isinstance(value, (Function, ClassValue, Transformed, Partial)):
            return None
        return value

    def _handed_out(self, it: Interpreter, space: ModuleSpace, name: str, more: str, depth: int) -> Value | None:
        """A name that no statement of a module binds: from a star import, ``__getattr__`` or lazy_loader."""
        folder = os.path.dirname(os.path.abspath(space.source.path))
        places = [*space.lazy.get(name, ()), *(f"{star}.{name}" for star in self._stars_with(it, space, name))]
        for place in places:
            found = self._look_up(it, folder, f"{place}.{more}" if more else place, depth + 1)
            if found is not None:
                return found
        return None

    def _stars_with(self, it: Interpreter, space: ModuleSpace, name: str) -> list[str]:
        """The modules of the star imports that hand out a name, the last one first."""
        folder = os.path.dirname(os.path.abspath(space.source.path))
        found = []
        for star in reversed(space.stars):
            place = find_module(folder, star)
            other = self._load(it, place[0]) if place is not None and not place[1] else None
            if other is not None and other is not space and exported(other, name):
                found.append(star)
        return found

    def from_star(self, it: Interpreter, name: str) -> Value | None:
        """What a free name of the running module is, if a star import brought it."""
        space = it.context.space
        if name not in space.star_names and self.follow:
            space.star_names[name] = None
            folder = os.path.dirname(os.path.abspath(space.source.path))
            for star in self._stars_with(it, space, name):
                if self._look_up(it, folder, f"{star}.{name}", 0) is not None:
                    space.star_names[name] = Library(canonical(f"{star}.{name}"), f"{star}.{name}")
                    break
        return space.star_names.get(name)

    def _load(self, it: Interpreter, path: str) -> ModuleSpace | None:
        real = real_path(path)
        if real in self.spaces:
            space = self.spaces[real]
            if space is not None and not space.has_run:
                self._run_module(it, space)
            return space
        self.spaces[real] = None
        try:
            source = read_source(self.given.get(real, _as_given(path, it.facts.source.path)))
            if source.text.count("\n") > LARGEST_PULLED:
                return None
            module = parse(source)
        except (SourceError, SyntaxFault):
            return None  # the file's own check says so
        space = self.spaces[real] = ModuleSpace(module, source)
        self.lines += source.text.count("\n")
        self._run_module(it, space)
        return space


#: The last parts of the names of transforms that trace: a test without any of them makes nothing traced.
_WORDS = frozenset(
    {row.name.rpartition(".")[2] for row in TRANSFORMS.values() if row.region not in ("none", "host")} - {"map"}
) | {"variant", "all_variants", "transform", "nnx", "checkify", "lower", "custom_vjp", "custom_jvp", "pjit"}


def may_trace(function: cst.CSTNode) -> bool:
    """Whether a function's text names a transform. In a test one that does not has nothing to find."""
    try:
        _look().walk(function)
    except _Seen:
        return True
    return False


class _Seen(Exception):
    """The walk may end."""


class _LookForTransforms(cst.CSTVisitor):
    def visit_Name(self, node: cst.Name) -> None:
        """Any name at all, also an attribute's."""
        if node.value in _WORDS:
            raise _Seen


@cache
def _look() -> Driver:
    """Made when the first test function is met: planning the walk costs more than importing this module."""
    return Driver((_LookForTransforms(),))


def _as_given(path: str, like: str) -> str:
    """A path in the manner of another one: relative if that is."""
    return path if os.path.isabs(like) else os.path.relpath(path)


def analyse(module: cst.Module, source: SourceFile, program: Program | None = None) -> Facts:
    """The facts of one module, read alone or as part of a program."""
    return (program or Program(follow=False)).analyse(module, source)
