"""The options of ``jaxlint check`` and the settings they make."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping, Sequence
from typing import Any

from jaxlint.config import files, resolve, selectors
from jaxlint.config.settings import FORMATS, Overrides, Selection

_EPILOG = "Exit codes: 0 clean, 1 findings, 2 wrong usage or internal error. `jaxlint rule CODE` explains a code."


class _Formatter(argparse.HelpFormatter):
    """argparse makes a formatter for every option, and imports shutil (3 ms) to learn the width. This one does not."""

    def __init__(self, prog: str, **others: Any) -> None:
        try:
            columns = os.get_terminal_size().columns
        except OSError:
            columns = 100
        super().__init__(prog, **{"width": columns - 2, **others})


def parser() -> argparse.ArgumentParser:
    """The parser of ``jaxlint check``."""
    top = argparse.ArgumentParser(
        prog="jaxlint check",
        description="Report findings.",
        epilog=_EPILOG,
        allow_abbrev=False,
        formatter_class=_Formatter,
    )
    top.add_argument("paths", nargs="*", metavar="PATH", help="files and folders (default: .); - reads stdin")
    _add_rules(top.add_argument_group("rules"))
    _add_files(top.add_argument_group("files"))
    _add_output(top.add_argument_group("output"))
    rest = top.add_argument_group("configuration and running")
    rest.add_argument(
        "--config",
        action="append",
        default=[],
        metavar="FILE|KEY=VALUE",
        help="a file instead of the nearest one, or a setting",
    )
    rest.add_argument("--isolated", action="store_true", help="read no configuration file")
    rest.add_argument("--no-cache", "-n", action="store_true", help="neither read nor write .jaxlint_cache")
    rest.add_argument(
        "--jobs", "-j", type=_jobs, default=1, metavar="N", help="processes; 0 or auto: one per core (default: 1)"
    )
    return top


def _add_rules(group: argparse._ArgumentGroup) -> None:
    words: dict[str, Any] = {"action": "append", "default": None, "metavar": "CODES"}
    group.add_argument("--select", help="rules to run: ALL, prefixes, codes, names; comma-separated", **words)
    group.add_argument("--ignore", help="rules not to run", **words)
    group.add_argument("--extend-select", help="rules to run besides the selected ones", **words)
    group.add_argument(
        "--per-file-ignores", action="append", metavar="GLOB:CODES", help="rules not to run on some files"
    )
    group.add_argument(
        "--preview", action=argparse.BooleanOptionalAction, default=None, help="also run rules in preview"
    )
    group.add_argument(
        "--assume-traced",
        action="append",
        metavar="MODULES",
        help="modules whose public functions are traced by their users; dotted names, comma-separated",
    )
    group.add_argument("--ignore-noqa", action="store_true", help="show findings in spite of suppression comments")


def _add_files(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--exclude", action="append", metavar="GLOBS", help="paths to leave out instead of the default ones"
    )
    group.add_argument("--extend-exclude", action="append", metavar="GLOBS", help="paths to leave out besides")
    group.add_argument("--force-exclude", action="store_true", help="leave excluded files out even if they are named")
    group.add_argument(
        "--respect-gitignore", action=argparse.BooleanOptionalAction, default=None, help="leave out what git ignores"
    )
    group.add_argument("--stdin-filename", metavar="PATH", help="the name of the file that stdin holds")
    group.add_argument("--show-files", action="store_true", help="print the files that would be checked")


def _add_output(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--output-format", choices=FORMATS, help="default: full on a terminal, else concise")
    group.add_argument("--statistics", action="store_true", help="count findings by rule")
    group.add_argument(
        "--color",
        choices=("auto", "always", "never"),
        default="auto",
        help="colours (NO_COLOR and FORCE_COLOR count too)",
    )
    group.add_argument("--quiet", "-q", action="store_true", help="findings only")
    group.add_argument("--exit-zero", "-e", action="store_true", help="exit 0 in spite of findings")
    group.add_argument("--profile", action="store_true", help="print CPU seconds by phase to stderr")


def resolver(options: argparse.Namespace, environ: Mapping[str, str]) -> resolve.Resolver:
    """Settings by folder under these options. Raises ConfigError and SelectorError."""
    file: str | None = None
    inline: list[str] = []
    for value in options.config:
        if os.path.exists(value):
            file = value
        elif "=" in value:
            inline.append(value)
        else:
            raise files.ConfigError(f"--config: no such file: {value}")
    overrides = resolve.from_environment(environ)
    overrides.update(_overrides(options))
    return resolve.Resolver(overrides, _selection(options), tuple(inline), options.isolated, file)


def _overrides(options: argparse.Namespace) -> Overrides:
    given: Overrides = {}
    for name in ("preview", "respect_gitignore", "output_format"):
        if getattr(options, name) is not None:
            given[name] = getattr(options, name)
    for name in ("exclude", "extend_exclude"):
        if getattr(options, name) is not None:
            given[name] = split(getattr(options, name))
    for name in ("force_exclude", "ignore_noqa"):
        if getattr(options, name):
            given[name] = True
    if options.assume_traced is not None:
        given["assume_traced"] = files.modules(split(options.assume_traced), "--assume-traced")
    if options.no_cache:
        given["cache"] = False
    if options.per_file_ignores:
        given["per_file_ignores"] = _per_file(split(options.per_file_ignores))
    return given


def _selection(options: argparse.Namespace) -> Selection | None:
    """The command line's layer of rule selection; None if it says nothing."""
    if options.select is None and options.ignore is None and options.extend_select is None:
        return None
    return Selection(
        select=None if options.select is None else selectors.check_form(split(options.select), "--select"),
        extend_select=selectors.check_form(split(options.extend_select), "--extend-select"),
        ignore=selectors.check_form(split(options.ignore), "--ignore"),
        origin="command line",
    )


def split(values: Sequence[str] | None) -> tuple[str, ...]:
    """Comma-separated values of an option that may be given more than once."""
    return tuple(word.strip() for value in values or () for word in value.split(",") if word.strip())


def _per_file(pairs: Sequence[str]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """``glob:CODE`` pairs."""
    entries = []
    for pair in pairs:
        glob, colon, word = pair.rpartition(":")
        if not colon or not glob:
            raise files.ConfigError(f"--per-file-ignores: `{pair}` is not GLOB:CODE")
        entries.append((glob, selectors.check_form((word.strip(),), "--per-file-ignores")))
    return tuple(entries)


def _jobs(text: str) -> int:
    if text in ("0", "auto"):
        return os.cpu_count() or 1
    try:
        number = int(text)
    except ValueError:
        number = -1
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of processes")
    return number
