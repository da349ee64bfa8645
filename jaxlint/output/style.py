"""Colours and the closing lines that the formats for people share."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jaxlint.findings import Finding
    from jaxlint.output import View

_CODES = {"bold": "1", "red": "1;31", "blue": "1;34", "cyan": "36", "green": "32", "yellow": "33"}


def paint(text: str, style: str, on: bool) -> str:
    """The text in a style of ``_CODES``, or as it is."""
    return f"\033[{_CODES[style]}m{text}\033[0m" if on and text else text


def fixable(finding: Finding) -> bool:
    """Whether ``--fix`` would change something without more flags."""
    return finding.fix is not None and finding.fix.applicability.value == "safe"


def headline(finding: Finding, color: bool) -> str:
    """``JAX101 [*] message``."""
    star = f"[{paint('*', 'cyan', color)}] " if fixable(finding) else ""
    return f"{paint(finding.code, 'red', color)} {star}{finding.message}"


def summary(findings: Sequence[Finding]) -> str:
    """ruff's closing lines, newline included."""
    if not findings:
        return "All checks passed!\n"
    count = len(findings)
    lines = f"Found {count} error{'s' if count != 1 else ''}.\n"
    fixes = sum(map(fixable, findings))
    return lines + (f"[*] {fixes} fixable with `--fix`.\n" if fixes else "")


def close(view: View) -> None:
    """Write the closing lines unless they are not wanted."""
    if not view.quiet:
        view.out.write(summary(view.findings))
