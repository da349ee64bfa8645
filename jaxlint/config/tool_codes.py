"""Codes 0xx: what jaxlint says about its input and about itself. They are no rules: they cannot be selected or ignored.

JAX001 (unused suppression), JAX002 (malformed suppression) and JAX005 (ruff lacks ``external``) are reserved.
"""

from __future__ import annotations

from typing import NamedTuple


class ToolCode(NamedTuple):
    """A code of the tool itself."""

    code: str
    name: str
    summary: str
    page: str


SYNTAX = ToolCode(
    "JAX000",
    "syntax-error",
    "The file is not valid Python",
    "The file could not be parsed, so no rule has read it. The message and the place come from the parser.",
)
INTERNAL = ToolCode(
    "JAX003",
    "internal-error",
    "jaxlint failed on this file",
    "A fault in jaxlint, or a file too large or too deeply nested for it. The other files were checked. The exit code\n"
    "is 2. Please report it with the file. `# jaxlint` comments do not hide it; `--exclude` leaves the file out.",
)
UNREADABLE = ToolCode(
    "JAX004",
    "unreadable-file",
    "The file is missing, unreadable, binary or wrongly encoded",
    "The file could not become text, so no rule has read it. Declare its encoding (PEP 263) or save it as UTF-8.",
)

TOOL_CODES: tuple[ToolCode, ...] = (SYNTAX, INTERNAL, UNREADABLE)
