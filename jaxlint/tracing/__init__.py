"""The abstract interpreter: reads a module as JAX would trace it; its result is Facts."""

from __future__ import annotations

from jaxlint.tracing.facts import Facts
from jaxlint.tracing.program import Program, analyse

__all__ = ["Facts", "Program", "analyse"]
