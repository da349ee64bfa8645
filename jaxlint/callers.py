"""The index of callers: which files of a project trace into which others.

A test, an example or another module may jit a function of a library file. Who checks that file alone, as flake8, an
editor or a commit hook does, does not see them; the index says which ones to read besides. It holds no results, only
paths and hashes: the callers are read and interpreted again, so nothing in it can make a finding wrong. A caller that
has changed since is left out until a run over the whole project has seen it.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any, NamedTuple

from jaxlint.source.project import project_root
from jaxlint.source.text import SourceError, read_source

FOLDER = ".jaxlint_cache"
NAME = "callers.json"
#: Of the file's form. Another version's file is as good as none.
VERSION = 1


class Caller(NamedTuple):
    """A file that traces into others, as it was when this was found out."""

    path: str
    hash: str
    reaches: tuple[str, ...]


def callers_of(paths: Iterable[str]) -> list[str]:
    """The files that trace into one of these and are none of them, as far as their projects' indexes know.

    Only callers that are unchanged count. A missing, unreadable or foreign index says nothing.
    """
    checked = {os.path.realpath(path) for path in paths}
    found: list[str] = []
    for root in dict.fromkeys(map(_root, sorted(checked))):
        for caller in _load(root):
            path = os.path.join(root, caller.path)
            reached = {os.path.realpath(os.path.join(root, one)) for one in caller.reaches}
            if os.path.realpath(path) not in checked and reached & checked and _hash(path) == caller.hash:
                found.append(path)
    return found


def save(folder: str, callers: Iterable[Caller]) -> None:
    """Write the index of the project whose root this folder is, from a run over all of it.

    Any other folder is a part of a project, and says nothing about callers in the other parts. What cannot be written
    is left: without the index a check sees less, and nothing wrong.
    """
    root = os.path.realpath(folder)
    if project_root(root) != root:
        return
    entries: dict[str, Any] = {}
    for caller in callers:
        reaches = sorted({inside for one in caller.reaches if (inside := _relative(one, root))})
        if reaches and _root(os.path.realpath(caller.path)) == root:
            entries[_relative(caller.path, root)] = {"hash": caller.hash, "reaches": reaches}
    _write(root, {"version": VERSION, "callers": dict(sorted(entries.items()))})


def _root(path: str) -> str:
    return project_root(os.path.dirname(path))


def _relative(path: str, root: str) -> str:
    """The path from the root, with ``/``; ``""`` if it leads out of it."""
    inside = os.path.relpath(os.path.realpath(path), root).replace(os.sep, "/")
    return "" if inside.startswith("..") or os.path.isabs(inside) else inside


def _hash(path: str) -> str:
    try:
        return read_source(path).hash
    except SourceError:
        return ""


def _load(root: str) -> list[Caller]:
    import json

    try:
        with open(os.path.join(root, FOLDER, NAME), encoding="utf-8") as file:
            data = json.load(file)
    except (OSError, ValueError, RecursionError):
        return []
    if not isinstance(data, dict) or data.get("version") != VERSION or not isinstance(data.get("callers"), dict):
        return []
    return [caller for path, entry in data["callers"].items() if (caller := _caller(path, entry, root)) is not None]


def _caller(path: str, entry: Any, root: str) -> Caller | None:
    """An entry that is one, and stays inside the project."""
    if not isinstance(entry, dict) or not isinstance(entry.get("hash"), str):
        return None
    reaches = entry.get("reaches")
    if not isinstance(reaches, list) or not all(isinstance(one, str) and "\0" not in one for one in (path, *reaches)):
        return None
    if not _relative(os.path.join(root, path), root):
        return None
    return Caller(path, entry["hash"], tuple(reaches))


def _write(root: str, data: dict[str, Any]) -> None:
    import json

    folder = os.path.join(root, FOLDER)
    path = os.path.join(folder, NAME)
    text = json.dumps(data, indent=1) + "\n"
    try:
        if not data["callers"] and not os.path.exists(path):
            return
        os.makedirs(folder, exist_ok=True)
        ignore = os.path.join(folder, ".gitignore")
        if not os.path.exists(ignore):
            _replace(ignore, "# Made by jaxlint.\n*\n")
        _replace(path, text)
    except OSError:
        return


def _replace(path: str, text: str) -> None:
    """Write a file so that a reader sees the old one or the new one."""
    part = f"{path}.{os.getpid()}"
    try:
        with open(part, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(part, path)
    except OSError:
        if os.path.exists(part):
            os.unlink(part)
        raise
