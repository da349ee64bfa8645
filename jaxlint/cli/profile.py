"""``--profile``: where the CPU time went."""

from __future__ import annotations

from jaxlint.engine import Clock, Result


def table(clock: Clock, result: Result) -> str:
    """CPU seconds by phase (``start``: Python and our own modules), share of the whole, and lines per second."""
    seconds = dict(clock.seconds)
    for name, value in result.seconds.items():
        seconds[name] = seconds.get(name, 0.0) + value
    whole = sum(seconds.values())
    rows = [f"{'phase':<10} {'CPU s':>8} {'share':>6} {'lines/s':>10}"]
    for name, value in seconds.items():
        counts = value > 0 and result.lines and name in ("parse", "interpret", "rules")
        speed = f"{result.lines / value:>10,.0f}" if counts else ""
        rows.append(f"{name:<10} {value:>8.3f} {value / whole if whole else 0:>6.0%} {speed}".rstrip())
    total = f"{result.lines / whole:>10,.0f}" if whole and result.lines else ""
    rows.append(f"{'total':<10} {whole:>8.3f} {1:>6.0%} {total}".rstrip())
    rows.append(
        f"{result.files} files, {result.parsed} of them mention JAX, {result.lines} lines read; "
        f"{len(result.findings)} findings, {result.suppressed} more suppressed"
    )
    return "\n".join(rows) + "\n"
