"""Files as modules: where an import leads inside the project, and what a module holds once it has run.

Only files below the project's root are ever read, and only when traced code, a key or an array reaches a function
that they define. Nothing is imported for real.
"""

from __future__ import annotations

import os
import re
from functools import lru_cache
from typing import TYPE_CHECKING

from jaxlint.knowledge.names import canonical
from jaxlint.source.project import package_top, project_root
from jaxlint.syntax import children, dotted
from jaxlint.tracing.lazy_imports import lazy_names
from jaxlint.tracing.state import State
from jaxlint.tracing.values import Library

if TYPE_CHECKING:
    import libcst as cst

    from jaxlint.source.text import SourceFile
    from jaxlint.tracing.values import ClassValue, Function, Transformed

_LAZY = re.compile(r"def __getattr__\(|\blazy_loader\b")
_GLOBAL = re.compile(r"^\s*global\s+([\w, \t]+)", re.MULTILINE)


class ModuleSpace:
    """One file: its tree, its text, its variables after it ran, and what in it nobody has called so far."""

    def __init__(self, module: cst.Module, source: SourceFile) -> None:
        self.module = module
        self.source = source
        self.state = State({}, {}, {}, {})
        self.functions: list[Function] = []
        self.classes: list[ClassValue] = []
        self.pending: list[Transformed | Function] = []
        self.has_run = False
        self.package = package_name(source.path) or namespace_name(source.path)
        #: Names that some function declares ``global``: what they hold depends on the calls so far.
        self.rebound = _declared_global(source.text) if "global" in source.text else frozenset[str]()
        #: Whether any function may declare names or yield: most files need not be searched for that.
        self.declares = any(word in source.text for word in ("global ", "nonlocal ", "yield"))
        self.is_test = False
        #: The modules of ``from … import *``, in order.
        self.stars: list[str] = []
        self.star_names: dict[str, Library | None] = {}
        self._lazy: dict[str, tuple[str, ...]] | None = None
        self._nodes: set[int] | None = None

    def library_name(self, node: cst.BaseExpression) -> str:
        """The canonical name of what an expression names, by this module's imports; ``""`` if it is no library's."""
        written = dotted(node)
        root, dot, rest = written.partition(".")
        value = self.state.locals.get(root)
        if isinstance(value, Library):
            return canonical(f"{value.name}{dot}{rest}")
        return f"builtins.{written}" if value is None and written and not dot else ""

    @property
    def lazy(self) -> dict[str, tuple[str, ...]]:
        """Names that ``__getattr__`` or lazy_loader hand out -> where they may be (read when first asked)."""
        if self._lazy is None:
            self._lazy = lazy_names(self) if _LAZY.search(self.source.text) else {}
        return self._lazy

    def owns(self, node: cst.CSTNode) -> bool:
        """Whether a node is part of this module's tree (walks it once, when first asked)."""
        if self._nodes is None:
            self._nodes = set()
            stack: list[cst.CSTNode] = [self.module]
            while stack:
                one = stack.pop()
                self._nodes.add(id(one))
                stack.extend(children(one))
        return id(node) in self._nodes


def _declared_global(text: str) -> frozenset[str]:
    return frozenset(name.strip() for found in _GLOBAL.finditer(text) for name in found.group(1).split(","))


def real_path(path: str) -> str:
    """``os.path.realpath``, asked of the disk once: the same files are looked up again and again."""
    return _real_path(path, os.getcwd())


@lru_cache(maxsize=4096)
def _real_path(path: str, folder: str) -> str:
    return os.path.realpath(path)


def package_name(path: str) -> str:
    """The dotted name of the package that a file belongs to (``a.b`` for ``…/a/b/c.py`` and ``…/a/b/__init__.py``)."""
    folder = os.path.dirname(os.path.abspath(path))
    parts: list[str] = []
    while os.path.exists(os.path.join(folder, "__init__.py")):
        folder, name = os.path.split(folder)
        parts.append(name)
    return ".".join(reversed(parts))


def namespace_name(path: str) -> str:
    """The same for a folder without ``__init__.py``, seen from the project's root or its ``src``."""
    folder = os.path.dirname(os.path.abspath(path))
    parts = os.path.relpath(folder, project_root(folder)).split(os.sep)
    if parts[0] == "src":
        parts = parts[1:]
    return ".".join(parts) if all(part.isidentifier() for part in parts) else ""


def absolute_name(package: str, level: int, name: str) -> str:
    """What ``from ..name`` means inside ``package``; ``""`` if it leads out of it."""
    if level == 0:
        return name
    parts = package.split(".") if package else []
    if level - 1 > len(parts):
        return ""
    base = parts[: len(parts) - (level - 1)]
    return ".".join((*base, name)) if name else ".".join(base)


@lru_cache(maxsize=4096)
def _roots(folder: str) -> tuple[str, ...]:
    """Folders in which an absolute import may start: the file's own, its package's parent, the project's root, src."""
    top, root = package_top(folder), project_root(folder)
    return tuple(dict.fromkeys((folder, top, root, os.path.join(root, "src"))))


@lru_cache(maxsize=16384)
def find_module(folder: str, name: str) -> tuple[str, str] | None:
    """The file that holds ``name``, as imported from ``folder``, and what is left of the name inside it.

    ``("…/a/b.py", "f")`` for ``a.b.f``. None: the name leads outside the project.
    """
    parts = name.split(".")
    for root in _roots(folder):
        if root == folder and os.path.exists(os.path.join(folder, "__init__.py")):
            continue  # inside a package an absolute import does not start at its own folder
        for count in range(len(parts), 0, -1):
            base = os.path.join(root, *parts[:count])
            for path in (base + ".py", os.path.join(base, "__init__.py")):
                if os.path.isfile(path):
                    return path, ".".join(parts[count:])
    return None
