"""Imports: names of libraries, through any alias. Nothing is imported for real."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from jaxlint.knowledge.names import canonical
from jaxlint.syntax import dotted
from jaxlint.tracing.modules import absolute_name
from jaxlint.tracing.values import Library

if TYPE_CHECKING:
    from jaxlint.tracing.interpreter import Interpreter
    from jaxlint.tracing.state import State


def exec_import(it: Interpreter, node: cst.Import, st: State) -> None:
    """``import a.b as c``."""
    for alias in node.names:
        full = dotted(alias.name)
        if alias.asname is not None:
            if type(alias.asname.name) is cst.Name:
                st.locals[alias.asname.name.value] = Library(canonical(full), full)
        else:
            top = full.split(".", 1)[0]
            st.locals[top] = Library(top)


def exec_import_from(it: Interpreter, node: cst.ImportFrom, st: State) -> None:
    """``from a.b import c as d``. Relative imports are made absolute."""
    module = absolute_name(it.context.space.package, len(node.relative), dotted(node.module))
    if isinstance(node.names, cst.ImportStar):
        it.context.space.stars.append(module)
        return
    for alias in node.names:
        name = alias.name.value if type(alias.name) is cst.Name else dotted(alias.name)
        bound = alias.asname.name.value if alias.asname is not None and type(alias.asname.name) is cst.Name else name
        full = f"{module}.{name}" if module else f".{name}"
        st.locals[bound] = Library(canonical(full), full)
