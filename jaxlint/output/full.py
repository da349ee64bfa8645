"""For people: the finding, its source frame, the chain that made it so, and what to do instead."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

from jaxlint.output.style import close, headline, paint

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jaxlint.findings import Finding, Location, Related
    from jaxlint.output import View
    from jaxlint.source.text import SourceFile

#: Lines shown before and after the finding, as in ruff.
CONTEXT = 2
#: A frame shows at most this many lines of a long finding.
LONGEST = 8
TAB = 4


def render(view: View) -> None:
    """Write all findings, then the closing line."""
    for finding in view.findings:
        view.out.write(block(finding, view) + "\n\n")
    close(view)


def block(finding: Finding, view: View) -> str:
    """One finding, without the final newline."""
    start = finding.location.start
    source = view.source(finding.location.path)
    source = source.around(start) if source is not None else None
    last = min(finding.location.end.line, start.line + LONGEST - 1) + CONTEXT
    margin = len(str(min(last, len(source.lines)) if source and source.lines else start.line))
    arrow = paint("-->", "blue", view.color)
    lines = [
        headline(finding, view.color),
        f"{' ' * margin}{arrow} {finding.location.path}:{start}",
    ]
    if source is not None and source.lines:
        lines += frame(source, finding.location, margin, view.color)
    lines += _chain("story", finding.story, view.color)
    lines += _chain("related", finding.related, view.color)
    if finding.verdict:
        lines.append(f"{paint('verdict', 'bold', view.color)}: {finding.verdict}")
    if finding.help:
        lines.append(f"{paint('help', 'cyan', view.color)}: {_hang(finding.help)}")
    return "\n".join(lines)


def frame(source: SourceFile, location: Location, margin: int, color: bool) -> list[str]:
    """The numbered lines around the place, carets below the lines that it covers."""
    first, last = location.start.line, max(location.start.line, location.end.line)
    if location.end.column == 1 and last > first:
        last -= 1  # the range ends with a newline: the next line has no part in it
    if first > len(source.lines):
        return []
    shown = min(last, first + LONGEST - 1)
    bar = paint("|", "blue", color)
    begin, stop = _trim(source, max(1, first - CONTEXT), first, shown, min(len(source.lines), shown + CONTEXT))
    out = [f"{' ' * margin} {bar}"]
    for number in range(begin, stop + 1):
        text = source.line_text(number)
        label = paint(str(number).rjust(margin), "blue", color)
        out.append(f"{label} {bar} {text.expandtabs(TAB)}".rstrip())
        if first <= number <= shown:
            out.append(f"{' ' * margin} {bar} {paint(_carets(text, number, location, last), 'red', color)}".rstrip())
    if shown < last:
        out.append(f"{' ' * margin} {paint('...', 'blue', color)} to line {last}")
    out.append(f"{' ' * margin} {bar}")
    return out


def _trim(source: SourceFile, begin: int, first: int, last: int, stop: int) -> tuple[int, int]:
    """Drop blank lines at the ends of the frame."""
    while begin < first and not source.line_text(begin).strip():
        begin += 1
    while stop > last and not source.line_text(stop).strip():
        stop -= 1
    return begin, stop


def _carets(text: str, number: int, location: Location, last: int) -> str:
    """Spaces and carets below one line, in columns of the terminal."""
    start = location.start.column - 1 if number == location.start.line else len(text) - len(text.lstrip())
    whole = number < last or location.end.line > number
    end = len(text.rstrip()) if whole else location.end.column - 1
    before = _width(text[:start])
    return " " * before + "^" * max(1, _width(text[: max(start, end)]) - before)


def _width(text: str) -> int:
    """Columns that the text takes: tabs expanded, wide characters two, combining ones none."""
    if text.isascii():
        return len(text.expandtabs(TAB))
    wide = 0
    for char in text.expandtabs(TAB):
        if not unicodedata.combining(char):
            wide += 2 if unicodedata.east_asian_width(char) in "WF" else 1
    return wide


def _chain(title: str, steps: Sequence[Related], color: bool) -> list[str]:
    """A numbered list of places."""
    if not steps:
        return []
    lines = [f"{paint(title, 'bold', color)}:"]
    for number, step in enumerate(steps, 1):
        lines.append(f"  {number}. {step.location.path}:{_row(step)}: {_hang(step.message, 5)}")
    return lines


def _row(step: Related) -> str:
    return str(step.location.start).rpartition(":")[0]


def _hang(text: str, indent: int = 6) -> str:
    """Later lines of the text indented under the first."""
    return text.strip().replace("\n", "\n" + " " * indent)
