"""Output formats, one file each: a ``render(view)`` that writes all findings. Imported only when chosen."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple, TextIO

if TYPE_CHECKING:
    from jaxlint.findings import Finding
    from jaxlint.source.text import SourceFile

#: Name of a format -> the module that writes it.
FORMATS: dict[str, str] = {
    "concise": "jaxlint.output.concise",
    "full": "jaxlint.output.full",
    "json": "jaxlint.output.json_",
}


def _no_source(path: str) -> SourceFile | None:
    return None


class View(NamedTuple):
    """What a format may use: the findings in order, where to write, the texts for frames, and how."""

    findings: Sequence[Finding]
    out: TextIO
    #: The text of a path, or None if it cannot be had (any more).
    source: Callable[[str], SourceFile | None] = _no_source
    color: bool = False
    #: Leave out the closing line.
    quiet: bool = False


def render(name: str, view: View) -> None:
    """Write the findings in the format ``name``. Raises KeyError for a name that is none."""
    module = importlib.import_module(FORMATS[name])
    module.render(view)
