"""The guard against another distribution that owns the package folder ``jaxlint`` too.

On PyPI the name ``jaxlint`` belongs to another project whose import package has our name. Installed side by side, the
two wheels overwrite each other's files without a word. ``importlib.metadata`` would find that out by reading the
metadata of everything that is installed; looking at the names beside our own folder costs a fraction of a millisecond
and finds the same.
"""

from __future__ import annotations

import functools
import os

#: Our name on PyPI. The only place in the code that says it (pyproject.toml says it once more).
DISTRIBUTION = "jaxlinter"
#: The import package, and the name of the other project.
PACKAGE = "jaxlint"


@functools.lru_cache(maxsize=4)
def conflict(site: str | None = None) -> str | None:
    """What is wrong and how to mend it, or None. ``site``: the folder that holds the package (default: ours)."""
    folder = site or os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    try:
        names = os.listdir(folder)
    except OSError:  # a zip file, or a folder that may be entered but not listed
        return None
    prefix = PACKAGE + "-"
    for name in names:
        if name.startswith(prefix) and name.endswith((".dist-info", ".egg-info")) and _claims_package(folder, name):
            return _message(name[len(prefix) :].rsplit(".", 1)[0], folder)
    return None


def _claims_package(folder: str, info: str) -> bool:
    """Whether the distribution lists files in ``jaxlint/``; assumed where it lists none at all."""
    try:
        with open(os.path.join(folder, info, "RECORD"), encoding="utf-8", errors="replace") as file:
            record = file.read()
    except OSError:
        return True
    return f"\n{PACKAGE}/" in "\n" + record.replace('"', "")


def _message(version: str, folder: str) -> str:
    return (
        f"the distribution `{PACKAGE}` {version} in {folder} is another project that owns the same package folder "
        f"`{PACKAGE}/`; its files and those of `{DISTRIBUTION}` overwrite each other. To mend it:\n"
        f"    python -m pip uninstall -y {PACKAGE} {DISTRIBUTION}\n"
        f"    python -m pip install {DISTRIBUTION}"
    )
