"""Paths to files: folders are searched for Python files and notebooks, minus what is excluded; names are taken."""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    import pathspec

#: ruff's default exclusions.
DEFAULT_EXCLUDE: tuple[str, ...] = (
    ".bzr",
    ".direnv",
    ".eggs",
    ".git",
    ".git-rewrite",
    ".hg",
    ".ipynb_checkpoints",
    ".mypy_cache",
    ".nox",
    ".pants.d",
    ".pyenv",
    ".pytest_cache",
    ".pytype",
    ".ruff_cache",
    ".jaxlint_cache",
    ".svn",
    ".tox",
    ".venv",
    ".vscode",
    "__pycache__",
    "__pypackages__",
    "_build",
    "buck-out",
    "build",
    "dist",
    "node_modules",
    "site-packages",
    "venv",
)


class Rules(Protocol):
    """What walking needs of the settings in force for a folder."""

    @property
    def all_excludes(self) -> tuple[str, ...]:
        """Globs of paths to leave out."""

    @property
    def respect_gitignore(self) -> bool:
        """Whether to leave out what git ignores."""

    @property
    def force_exclude(self) -> bool:
        """Whether exclusions also hold for named paths."""

    @property
    def root(self) -> str:
        """The folder that relative globs start at."""


class Found(NamedTuple):
    """A file to check. ``named``: the user gave this very path, so it is spoken about even if there is no JAX in it."""

    path: str
    named: bool


def walk(paths: Iterable[str], settings_for: Callable[[str], Rules]) -> Iterator[Found]:
    """The files to check, each once, folders in sorted order. ``settings_for`` gives the settings of a folder.

    Missing paths are yielded too: reading them tells what is wrong.
    """
    seen: set[str] = set()
    cwd = os.getcwd()
    for path in paths:
        found = _folder(path, settings_for) if os.path.isdir(path) else _named(path, settings_for)
        for each in found:
            full = os.path.abspath(each.path)
            if full not in seen:
                seen.add(full)
                yield Found(display_path(full, cwd), each.named)


def display_path(path: str, cwd: str) -> str:
    """The path as the user reads it: relative if it lies below the working folder, else absolute."""
    full = os.path.abspath(path)
    inside = cwd if cwd.endswith(os.sep) else cwd + os.sep
    return full[len(inside) :] if full.startswith(inside) else full


def excluded(path: str, patterns: Sequence[str], root: str) -> bool:
    """Whether a glob matches the path's last name or the whole path (relative globs start at ``root``)."""
    if not patterns:
        return False
    matches = _matcher(tuple(patterns), root)
    return matches(os.path.basename(path)) or matches(path.replace(os.sep, "/"))


@functools.lru_cache(maxsize=256)
def _matcher(patterns: tuple[str, ...], root: str) -> Callable[[str], bool]:
    parts: list[str] = []
    for pattern in patterns:
        parts.append(_translate(pattern.rstrip("/")))
        if not os.path.isabs(pattern):
            base = root.replace(os.sep, "/").rstrip("/")
            parts.append(re.escape(base) + "/" + _translate(pattern.removeprefix("./").rstrip("/")))
    compiled = re.compile("|".join(f"(?:{part})" for part in parts))
    return lambda text: compiled.fullmatch(text) is not None


def _translate(glob: str) -> str:
    """A glob as a regular expression, as ruff reads it: ``*`` also crosses ``/``, and ``**/`` may be nothing."""
    out: list[str] = []
    i = 0
    while i < len(glob):
        if glob.startswith("**/", i):
            out.append("(?:.*/)?")
            i += 3
        elif glob[i] == "*":
            out.append(".*")
            i += 1
        elif glob[i] == "?":
            out.append(".")
            i += 1
        elif glob[i] == "[" and (end := glob.find("]", i + 2)) > 0:
            inner = glob[i + 1 : end].replace("\\", "\\\\")
            out.append(f"[^{inner[1:]}]" if inner[0] in "!^" else f"[{inner}]")
            i = end + 1
        else:
            out.append(re.escape(glob[i]))
            i += 1
    return "".join(out)


def _named(path: str, settings_for: Callable[[str], Rules]) -> Iterator[Found]:
    """A path given by the user. Only --force-exclude drops it, also by a folder above it."""
    full = os.path.abspath(path)
    settings = settings_for(os.path.dirname(full))
    if settings.force_exclude and is_excluded_file(full, settings):
        return
    yield Found(path, True)


def is_excluded_file(full: str, settings: Rules) -> bool:
    """Whether the file or a folder between it and the settings' root is excluded (or ignored by git)."""
    step = full
    while True:
        if excluded(step, settings.all_excludes, settings.root):
            return True
        above = os.path.dirname(step)
        if above == step or step == settings.root or above == settings.root:
            break
        step = above
    return settings.respect_gitignore and _GitIgnores(os.path.dirname(full)).hides(full, is_dir=False)


def _folder(top: str, settings_for: Callable[[str], Rules]) -> Iterator[Found]:
    full = os.path.abspath(top)
    settings = settings_for(full)
    if settings.force_exclude and is_excluded_file(full, settings):
        return
    yield from _search(full, settings_for, _GitIgnores(full))


def _search(folder: str, settings_for: Callable[[str], Rules], ignores: _GitIgnores) -> Iterator[Found]:
    settings = settings_for(folder)
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError:
        return
    folders: list[str] = []
    for entry in entries:
        is_dir = _is_real_dir(entry)
        if not is_dir and not entry.name.endswith((".py", ".ipynb")):
            continue
        if excluded(entry.path, settings.all_excludes, settings.root):
            continue
        if settings.respect_gitignore and ignores.hides(entry.path, is_dir=is_dir):
            continue
        if is_dir:
            folders.append(entry.path)
        elif os.path.isfile(entry.path) or entry.is_symlink():
            yield Found(entry.path, False)
    for path in folders:
        yield from _search(path, settings_for, ignores)


def _is_real_dir(entry: os.DirEntry[str]) -> bool:
    """Linked folders are not entered: they may lead in circles."""
    try:
        return entry.is_dir(follow_symlinks=False)
    except OSError:
        return False


class _GitIgnores:
    """The .gitignore files from the repository's root down to each folder asked about."""

    def __init__(self, start: str) -> None:
        self.top = _repository(start) or start
        self._specs: dict[str, tuple[tuple[str, pathspec.GitIgnoreSpec], ...]] = {}

    def hides(self, path: str, *, is_dir: bool) -> bool:
        """Whether git ignores the path, judged by the nearest file that has something to say."""
        for base, spec in reversed(self._for(os.path.dirname(path))):
            relative = path[len(base.rstrip(os.sep)) + 1 :].replace(os.sep, "/")
            answer = spec.check_file(relative + "/" if is_dir else relative).include
            if answer is not None:
                return bool(answer)
        return False

    def _for(self, folder: str) -> tuple[tuple[str, pathspec.GitIgnoreSpec], ...]:
        known = self._specs.get(folder)
        if known is None:
            above = () if folder == self.top or len(folder) <= len(self.top) else self._for(os.path.dirname(folder))
            names = [".gitignore"]
            if folder == self.top:
                names.insert(0, os.path.join(".git", "info", "exclude"))
            own = [(folder, spec) for name in names if (spec := _spec(os.path.join(folder, name))) is not None]
            known = self._specs[folder] = (*above, *own)
        return known


def _repository(folder: str) -> str | None:
    """The folder at or above this one that holds ``.git``."""
    while not os.path.exists(os.path.join(folder, ".git")):
        above = os.path.dirname(folder)
        if above == folder:
            return None
        folder = above
    return folder


def _spec(path: str) -> pathspec.GitIgnoreSpec | None:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            lines = file.read().splitlines()
    except OSError:
        return None
    if not any(line.strip() and not line.lstrip().startswith("#") for line in lines):
        return None
    import pathspec  # only where there is a .gitignore: its import costs more than a small run

    return pathspec.GitIgnoreSpec.from_lines(lines)
