"""ruff's JSON: a list of objects with sorted keys; ours adds confidence, help, related, story and verdict."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jaxlint.findings import Edit, Finding, Fix, Position, Related
    from jaxlint.output import View
    from jaxlint.source.text import SourceFile


def render(view: View) -> None:
    """Write the list. There is no closing line: the output is one JSON document."""
    items = [as_object(finding, view) for finding in view.findings]
    # ASCII, so that no terminal or pipe encoding can break the document.
    view.out.write(json.dumps(items, indent=2, sort_keys=True) + "\n")


def as_object(finding: Finding, view: View) -> dict[str, Any]:
    """One finding. Rows and columns are 1-based code points, ends are exclusive, paths absolute."""
    return {
        "cell": finding.location.start.cell or None,
        "code": finding.code,
        "confidence": finding.confidence.value,
        "end_location": _place(finding.location.end),
        "filename": _full(finding.location.path),
        "fix": None if finding.fix is None else _fix(finding.fix, finding, view),
        "help": finding.help or None,
        "location": _place(finding.location.start),
        "message": finding.message,
        "name": finding.name,
        "noqa_row": _noqa_row(finding),
        "related": _steps(finding.related),
        "severity": finding.severity.value,
        "story": _steps(finding.story),
        "url": None,
        "verdict": finding.verdict,
    }


def _noqa_row(finding: Finding) -> int:
    start = finding.location.start
    return start.line if start.cell else finding.noqa_line or start.line


def _full(path: str) -> str:
    """The absolute path; ``-`` for stdin without a name, as in ruff."""
    return path if path == "-" else os.path.abspath(path)


def _place(position: Position) -> dict[str, int]:
    return {"column": position.column, "row": position.line}


def _steps(steps: Sequence[Related]) -> list[dict[str, Any]]:
    return [
        {
            "end_location": _place(step.location.end),
            "filename": _full(step.location.path),
            "location": _place(step.location.start),
            "message": step.message,
            **({"cell": step.location.start.cell} if step.location.start.cell else {}),
        }
        for step in steps
    ]


def _fix(fix: Fix, finding: Finding, view: View) -> dict[str, Any]:
    return {
        "applicability": fix.applicability.value,
        "edits": [_edit(edit, finding, view.source(edit.path)) for edit in fix.edits],
        "message": fix.message,
    }


def _edit(edit: Edit, finding: Finding, source: SourceFile | None) -> dict[str, Any]:
    """ruff's edit; one for another file than the finding's also says which."""
    start = source.position(edit.span.start) if source else finding.location.start
    end = source.position(edit.span.end) if source else finding.location.end
    item: dict[str, Any] = {"content": edit.content, "end_location": _place(end), "location": _place(start)}
    if edit.path != finding.location.path:
        item["filename"] = _full(edit.path)
    return item
