"""``--statistics``: how often each rule reports, most frequent first."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING

from jaxlint.output.style import close, fixable

if TYPE_CHECKING:
    from jaxlint.output import View


def render(view: View, *, as_json: bool = False) -> None:
    """Write one line (or object) per code."""
    counts = Counter((finding.code, finding.name) for finding in view.findings)
    fixes = Counter(finding.code for finding in view.findings if fixable(finding))
    rows = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    if as_json:
        items = [
            {"code": code, "count": n, "fixable": fixes[code] == n, "fixable_count": fixes[code], "name": name}
            for (code, name), n in rows
        ]
        view.out.write(json.dumps(items, indent=2, sort_keys=True) + "\n")
        return
    width = max((len(str(count)) for _, count in rows), default=0)
    for (code, name), count in rows:
        mark = "[*]" if fixes[code] == count else "[ ]"
        view.out.write(f"{count:>{width}}\t{code}\t{mark} {name}\n")
    close(view)
