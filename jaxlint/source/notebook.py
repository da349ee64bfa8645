"""Notebooks: the code cells of a .ipynb file as one module.

The text is the cells' code, one after the other. What IPython reads for itself (``%magic``, ``!shell``, ``help?``) is
replaced by ``pass``, line for line, so that rows stay what they are.
"""

from __future__ import annotations

import bisect
import json
import re
from typing import TYPE_CHECKING, Any

from jaxlint.source.text import SourceError, SourceFile

if TYPE_CHECKING:
    from jaxlint.findings import Position

SUFFIX = ".ipynb"

#: Cell magics whose body is Python that runs here; the body of any other one is something else.
_PYTHON_CELLS = frozenset({"time", "timeit", "capture", "prun", "debug", "snakeviz", "memit", "mprun", "lprun"})
_CELL_MAGIC = re.compile(r"\s*%%(\w+)")
_MAGIC = re.compile(r"[ \t]*(?:[%!?]|[\w.]+\?{1,2}[ \t]*$)")
_MAGIC_VALUE = re.compile(r"([ \t]*[\w., \t]+=[ \t]*)[%!](?!=)")
#: What may hide the start of a string, a comment or a bracket: the pieces of a line of Python that matter here.
_PIECE = re.compile(r"#.*|\"\"\"|'''|\"(?:\\.|[^\"\\\n])*\"?|'(?:\\.|[^'\\\n])*'?|[(\[{]|[)\]}]")


class Notebook(SourceFile):
    """A notebook. Positions are those of cells: their number among all cells, and row and column inside."""

    def __init__(self, path: str, raw: bytes, cells: dict[int, str]) -> None:
        codes, self._indents = [], list[int]()
        for code in cells.values():
            indent, text = _unindented(_python(code))
            codes.append(text)
            self._indents.append(indent)
        super().__init__(path, raw, "".join(codes))
        self._cells = cells
        self._numbers = list(cells)
        self._first: list[int] = []
        line = 1
        for code in codes:
            self._first.append(line)
            line += code.count("\n")

    def around(self, place: Position) -> SourceFile:
        """The cell as it was written."""
        return SourceFile(self.path, b"", self._cells.get(place.cell, ""))

    def position(self, offset: int) -> Position:
        """The cell, and the line and column in it."""
        from jaxlint.findings import Position

        place = super().position(offset)
        index = bisect.bisect_right(self._first, place.line) - 1
        if index < 0:
            return place
        return Position(place.line - self._first[index] + 1, place.column + self._indents[index], self._numbers[index])


def decode(data: bytes, path: str) -> SourceFile:
    """The notebook in these bytes. Raises SourceError for what is none."""
    try:
        document = json.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise SourceError(path, "is no notebook: it is not valid UTF-8") from None
    except json.JSONDecodeError as error:
        raise SourceError(path, f"is no notebook: {error.msg}", error.lineno, error.colno) from None
    except RecursionError:
        raise SourceError(path, "is no notebook: nested too deeply") from None
    if not isinstance(document, dict) or not isinstance(document.get("cells"), list):
        raise SourceError(path, "is no notebook of format 4: it has no list of cells")
    if _language(document) not in ("", "python"):
        return Notebook(path, data, {})
    cells = [(number, cell) for number, cell in enumerate(document["cells"], start=1) if isinstance(cell, dict)]
    return Notebook(
        path, data, {number: _code(cell, path) for number, cell in cells if cell.get("cell_type") == "code"}
    )


def _language(document: dict[str, Any]) -> str:
    """The language that the notebook says it is in, or ``""``."""
    metadata = document.get("metadata")
    for section, key in (("language_info", "name"), ("kernelspec", "language")):
        part = metadata.get(section) if isinstance(metadata, dict) else None
        if isinstance(part, dict) and isinstance(part.get(key), str):
            return str(part[key]).lower()
    return ""


def _code(cell: dict[str, Any], path: str) -> str:
    source = cell.get("source", "")
    lines = [source] if isinstance(source, str) else source
    if not isinstance(lines, list) or not all(isinstance(line, str) for line in lines):
        raise SourceError(path, "is no notebook: the source of a cell is no text")
    text = "".join(lines).replace("\r\n", "\n").replace("\r", "\n").replace("\0", " ")
    return text if text.endswith("\n") or not text else text + "\n"


def _python(code: str) -> str:
    """A cell as Python: as many lines, with ``pass`` for what is IPython's own."""
    lines = code.split("\n")
    first = next((number for number, line in enumerate(lines) if line.strip()), 0)
    magic = _CELL_MAGIC.match(lines[first])
    if magic and magic[1] not in _PYTHON_CELLS:
        return "\n" * (len(lines) - 1)
    inside = _Inside()
    for number, line in enumerate(lines):
        if inside.shell:
            inside.shell = line.endswith("\\")
            lines[number] = ""
        elif inside.clean and _MAGIC.match(line):
            inside.shell = line.endswith("\\")
            lines[number] = line[: len(line) - len(line.lstrip())] + "pass"
        elif inside.clean and (value := _MAGIC_VALUE.match(line)):
            inside.shell = line.endswith("\\")
            lines[number] = value[1] + "None"
        else:
            inside.read(line)
    return "\n".join(lines)


def _unindented(code: str) -> tuple[int, str]:
    """IPython takes off the indentation of a cell's first line, from every line that has it."""
    first = next((line for line in code.split("\n") if line.strip()), "")
    indent = first[: len(first) - len(first.lstrip())]
    if not indent:
        return 0, code
    return len(indent), "\n".join(line.removeprefix(indent) for line in code.split("\n"))


class _Inside:
    """Whether a line begins inside a string, brackets, or a line that goes on."""

    def __init__(self) -> None:
        self.quote = ""
        self.depth = 0
        self.joined = False
        self.shell = False

    @property
    def clean(self) -> bool:
        """A statement may begin here."""
        return not self.quote and self.depth <= 0 and not self.joined

    def read(self, line: str) -> None:
        """Go on by one line."""
        self.joined = line.endswith("\\")
        place = 0
        while place < len(line):
            if self.quote:
                end = line.find(self.quote, place)
                if end < 0:
                    return
                place, self.quote = end + 3, ""
            found = _PIECE.search(line, place)
            if found is None:
                return
            place, piece = found.end(), found[0]
            if piece in ('"""', "'''"):
                self.quote = piece
            elif piece[0] == "#":
                self.joined = False
            elif piece in "([{":
                self.depth += 1
            elif piece in ")]}":
                self.depth -= 1
