"""``analyse``: run a module as Python would import it, then what nobody called."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import libcst as cst

from jaxlint.tracing import entries
from jaxlint.tracing.expressions import EVALUATORS
from jaxlint.tracing.facts import Facts
from jaxlint.tracing.interpreter import Interpreter
from jaxlint.tracing.statements import EXECUTORS

if TYPE_CHECKING:
    from jaxlint.source.text import SourceFile

_GLOBAL = re.compile(r"^\s*global\s+([\w, \t]+)", re.MULTILINE)

#: Statements that may be interpreted, per line of the file and in all: a bound on time, never on truth.
FUEL_PER_LINE = 60
FUEL_BASE = 4_000


def analyse(module: cst.Module, source: SourceFile) -> Facts:
    """The facts of one module. Never raises for valid code: what is too deep or too large stays unknown."""
    facts = Facts(module, source)
    it = Interpreter(facts, EVALUATORS, EXECUTORS, FUEL_BASE + FUEL_PER_LINE * (source.text.count("\n") + 1))
    for found in _GLOBAL.finditer(source.text):
        for name in found.group(1).split(","):
            it.global_writers[name.strip()] = 1
    st = it.module_state
    it.block(module.body, st)
    it.globals = st.locals
    it.heap.update(st.heap)
    entries.run_pending(it, st)
    for fn in reversed(it.functions):
        if fn.node not in it.general and it.fuel >= 0:
            entries.run_plain(it, fn, st)
            entries.run_pending(it, st)
    return facts
