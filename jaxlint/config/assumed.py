"""``assume-traced``: which modules' public functions are traced by their users."""

from __future__ import annotations

import fnmatch
import os
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from jaxlint.source.project import package_top

_FORM = re.compile(r"[A-Za-z_*?][\w*?]*(?:\.[\w*?]+)*")


def problem(pattern: str) -> str:
    """What is wrong with the form of a pattern, or ``""``."""
    if _FORM.fullmatch(pattern):
        return ""
    path = pattern.removesuffix(".py").strip("./").removesuffix("/__init__").replace("/", ".")
    hint = f" (did you mean `{path}`?)" if path != pattern and _FORM.fullmatch(path) else ""
    return f"`{pattern}` is no dotted name of a module{hint}"


class AssumedModule(NamedTuple):
    """A module whose public functions are traced by their users. ``named``: a pattern is its very name, so each of its
    functions is vouched for, and not only the package around it."""

    name: str
    named: bool


def assumed_module(path: str, patterns: Sequence[str], root: str) -> AssumedModule | None:
    """The module as a pattern means it, or None."""
    names = module_names(path, root) if patterns else ()
    for name in names:
        if name in patterns and os.path.basename(path) != "__init__.py":
            return AssumedModule(name, True)
    return next((AssumedModule(name, False) for name in names if any(_means(one, name) for one in patterns)), None)


def _means(pattern: str, name: str) -> bool:
    """A pattern means the modules that it names and all below them."""
    return name == pattern or name.startswith(pattern + ".") or fnmatch.fnmatchcase(name, pattern)


@lru_cache(maxsize=8192)
def module_names(path: str, root: str) -> tuple[str, ...]:
    """The names under which a file may be imported: by its packages, and as seen from the root (or its ``src``)."""
    full = os.path.abspath(path)
    folder, file = os.path.split(full)
    stem = [] if file == "__init__.py" else [file.removesuffix(".py")]
    names: list[str] = []
    for start in (package_top(folder), os.path.join(root, "src"), root):
        inside = os.path.relpath(folder, start)
        if inside != os.curdir and not inside.startswith(os.pardir):
            names.append(".".join((*inside.split(os.sep), *stem)))
        elif inside == os.curdir and stem:
            names.append(stem[0])
    return tuple(dict.fromkeys(names))


def unmatched(patterns: Iterable[str], root: str, paths: Iterable[str]) -> list[str]:
    """The patterns that mean none of the files and none that is on disk below the root, each with a hint."""
    names = {name for path in paths for name in module_names(path, root)}
    out: list[str] = []
    for pattern in patterns:
        if any(_means(pattern, name) for name in names) or _on_disk(pattern, root):
            continue
        out.append(f"`assume-traced`: no module matches `{pattern}`{_near(pattern, names)}")
    return out


def _on_disk(pattern: str, root: str) -> bool:
    """Whether the part of a pattern before its first wildcard leads to a module: then another run may check it."""
    parts = pattern.split(".")
    fixed = [part for part in parts if not set(part) & set("*?")]
    if not fixed or fixed != parts[: len(fixed)]:
        return False
    bases = [os.path.join(start, *fixed) for start in (root, os.path.join(root, "src"))]
    return any(os.path.isdir(base) or (fixed == parts and os.path.isfile(base + ".py")) for base in bases)


def _near(pattern: str, names: Iterable[str]) -> str:
    import difflib

    known = {name.rsplit(".", count)[0] for name in names for count in range(name.count(".") + 1)}
    near = difflib.get_close_matches(pattern, sorted(known), n=1)
    return f" (did you mean `{near[0]}`?)" if near else ""
