"""One line per finding: ``path:line:column: CODE message``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.output.style import close, headline, paint

if TYPE_CHECKING:
    from jaxlint.output import View


def render(view: View) -> None:
    """Write all findings, then the closing line."""
    colon = paint(":", "cyan", view.color)
    for finding in view.findings:
        path = paint(finding.location.path, "bold", view.color)
        where = f"{path}{colon}{str(finding.location.start).replace(':', colon)}{colon}"
        view.out.write(f"{where} {headline(finding, view.color)}\n")
    close(view)
