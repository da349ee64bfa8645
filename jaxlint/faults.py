"""The tool's own findings: a file that is no Python, that cannot be read, or on which jaxlint failed."""

from __future__ import annotations

import os

from jaxlint.config.tool_codes import INTERNAL, SYNTAX, UNREADABLE, ToolCode
from jaxlint.findings import Finding, Location, Position, Span
from jaxlint.source.text import SourceError, SourceFile


def syntax_error(source: SourceFile, message: str, line: int, column: int) -> Finding:
    """JAX000 at a place (1-based line and column)."""
    start = source.offset(line, column)
    end = min(start + 1, source.offset(line, len(source.line_text(line)) + 1))
    span = Span(start, max(start, end))
    location = Location(source.path, span, source.position(span.start), source.position(span.end))
    return _tool_finding(SYNTAX, f"syntax error: {_one_line(message)}", location)


def unreadable(error: SourceError) -> Finding:
    """JAX004 for a file that could not become text."""
    place = Position(error.line, error.column)
    return _tool_finding(UNREADABLE, error.reason, Location(error.path, Span(0, 0), place, place))


def internal_error(path: str, error: BaseException | str) -> Finding:
    """JAX003: what failed and where in jaxlint; the file is the one that was being checked."""
    text = error if isinstance(error, str) else f"{_describe(error)}{_origin(error)}"
    place = Position(1, 1)
    message = f"internal error, this file was not checked: {text}"
    return _tool_finding(INTERNAL, message, Location(path, Span(0, 0), place, place))


def _tool_finding(tool: ToolCode, message: str, location: Location) -> Finding:
    return Finding(tool.code, tool.name, message, location)


def _describe(error: BaseException) -> str:
    if isinstance(error, RecursionError):
        return "RecursionError: nested too deeply"
    if isinstance(error, MemoryError):
        return "MemoryError: out of memory"
    try:
        words = _one_line(str(error))
    except Exception:  # a broken __str__ must not take the run down
        words = ""
    return f"{type(error).__name__}: {words}" if words else type(error).__name__


def _origin(error: BaseException) -> str:
    """The innermost frame of ours, as ``(at jaxlint/x.py:12 in f)``."""
    here = os.path.dirname(os.path.abspath(__file__))
    trace, last = error.__traceback__, ""
    while trace is not None:
        code = trace.tb_frame.f_code
        if code.co_filename.startswith(here):
            name = os.path.relpath(code.co_filename, os.path.dirname(here)).replace(os.sep, "/")
            last = f" (at {name}:{trace.tb_lineno} in {code.co_name})"
        trace = trace.tb_next
    return last


def _one_line(text: str, limit: int = 300) -> str:
    line = " ".join(text.split())
    return line if len(line) <= limit else line[: limit - 1] + "…"
