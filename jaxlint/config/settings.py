"""The settings of a run, for one folder.

Named tuples, not dataclasses: immutable and hashable too, and a run without JAX code starts 10 ms faster.
"""

from __future__ import annotations

from typing import NamedTuple

from jaxlint.source.walk import DEFAULT_EXCLUDE

FORMATS: tuple[str, ...] = ("concise", "full", "json")


class Selection(NamedTuple):
    """What one layer (a file, the command line) says about rules. ``select`` of None keeps the layer below."""

    select: tuple[str, ...] | None = None
    extend_select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    origin: str = "command line"

    @property
    def words(self) -> tuple[str, ...]:
        """Every selector of the layer."""
        return (*(self.select or ()), *self.extend_select, *self.ignore)


class Settings(NamedTuple):
    """Everything that can be configured."""

    #: Layers, weakest first; ruff's rules for combining them (see ``selectors``).
    selections: tuple[Selection, ...] = ()
    #: (glob, selectors): rules that are off in the files that match.
    per_file_ignores: tuple[tuple[str, tuple[str, ...]], ...] = ()
    exclude: tuple[str, ...] = DEFAULT_EXCLUDE
    extend_exclude: tuple[str, ...] = ()
    force_exclude: bool = False
    respect_gitignore: bool = True
    preview: bool = False
    output_format: str | None = None
    #: Rules that say so are silent in test files.
    lenient_tests: bool = True
    ignore_noqa: bool = False
    #: Modules (dotted names, globs) whose public functions are traced by their users.
    assume_traced: tuple[str, ...] = ()
    cache: bool = True
    #: Folder that relative globs start at: the configuration file's, else the working folder.
    root: str = ""
    #: The configuration file, for messages.
    file: str | None = None

    @property
    def all_excludes(self) -> tuple[str, ...]:
        """The globs of paths to leave out."""
        return (*self.exclude, *self.extend_exclude)


#: Values that override others: field name -> value.
Overrides = dict[str, object]


def override(settings: Settings, overrides: Overrides, selection: Selection | None = None) -> Settings:
    """Settings with a stronger layer on top. Unknown field names raise ValueError."""
    selections = settings.selections if selection is None else (*settings.selections, selection)
    return settings._replace(selections=selections, **overrides)  # type: ignore[arg-type]
