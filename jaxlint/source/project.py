"""The project around a file: where its root is."""

from __future__ import annotations

import os
from functools import lru_cache

_ROOT_MARKS = ("pyproject.toml", "setup.py", "setup.cfg", ".git")
#: So many folders above a package are looked through for a mark.
_FAR = 8


@lru_cache(maxsize=4096)
def package_top(folder: str) -> str:
    """The folder that the outermost package around a folder stands in; the folder itself if it is in none."""
    while os.path.exists(os.path.join(folder, "__init__.py")):
        folder = os.path.dirname(folder)
    return folder


@lru_cache(maxsize=4096)
def project_root(folder: str) -> str:
    """The nearest folder at or above the package's that says it is a project's; without one the package's own."""
    top = root = package_top(folder)
    for _ in range(_FAR):
        if any(os.path.exists(os.path.join(root, mark)) for mark in _ROOT_MARKS):
            return root
        root, below = os.path.dirname(root), root
        if root == below:
            break
    return top
