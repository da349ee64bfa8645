"""Running rules over one module: one walk for all of them, positions only for what was reported."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.findings import Confidence, Finding, Location, Related, Span
from jaxlint.rules.registry import registry
from jaxlint.syntax import locate, visit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    import libcst as cst

    from jaxlint.rules.base import Cause, Report, Rule
    from jaxlint.tracing.context import AssumedRegion
    from jaxlint.tracing.facts import Facts
    from jaxlint.tracing.modules import ModuleSpace


def run(rules: Iterable[type[Rule]], facts: Facts, *, lenient: Callable[[str], bool]) -> list[Finding]:
    """Findings of ``rules`` on ``facts``, in order of place. ``lenient``: whether a path is a test's."""
    facts.is_test = lenient
    chosen = tuple(rules)
    if not chosen:
        return []
    asked = chosen
    if facts.assumed:
        asked = (*chosen, *(rule for rule in registry() if rule.converts and rule not in chosen))
    visitors = [rule(facts) for rule in asked]
    for space in tuple(facts.spaces):
        visit(space.module, visitors)
    found = _without_hosts([one for rule in visitors for one in rule.reports])
    reports = _one_each([one for one in found if one.rule in chosen])
    if not reports:
        return []
    places = _Places(facts, reports)
    findings = [places.finding(report, count) for report, count in reports.items()]
    return sorted(findings, key=lambda finding: finding.sort_key)


def _without_hosts(reports: list[Report]) -> list[Report]:
    """Less the reports about functions that are only assumed to be traced and turn out to want the numbers.

    A module that the settings name itself is taken at its word.
    """
    hosts = {
        entry
        for one in reports
        if (entry := _entry(one)) is not None and not entry.module.named and (one.converts or entry.on_host)
    }
    return [one for one in reports if _entry(one) not in hosts]


def _entry(report: Report) -> AssumedRegion | None:
    return report.context.assumed if report.context is not None else None


def _one_each(reports: list[Report]) -> dict[Report, int]:
    """The same finding from several contexts is one; its first context speaks, the number is kept."""
    first: dict[tuple[str, cst.CSTNode], Report] = {}
    count: dict[Report, int] = {}
    for report in reports:
        key = (report.rule.code, report.node)
        known = first.setdefault(key, report)
        count[known] = count.get(known, 0) + 1
    return count


class _Places:
    """Nodes to places, found in one pass per module."""

    def __init__(self, facts: Facts, reports: Iterable[Report]) -> None:
        self.spaces: dict[cst.CSTNode, ModuleSpace] = {}
        wanted: dict[ModuleSpace, list[cst.CSTNode]] = {}
        for report in reports:
            for node in (report.node, *(cause.node for cause in (*report.story, *report.related))):
                if node not in self.spaces:
                    space = self.spaces[node] = facts.owner(node, report.context)
                    if node is not space.module:
                        wanted.setdefault(space, []).append(node)
        self.spans: dict[cst.CSTNode, Span] = {}
        for space, nodes in wanted.items():
            self.spans.update(locate(space.module, space.source.text, nodes))

    def location(self, node: cst.CSTNode) -> Location:
        """Where a node is."""
        source = self.spaces[node].source
        span = self.spans.get(node, Span(0, 0))
        return Location(source.path, span, source.position(span.start), source.position(span.end))

    def related(self, cause: Cause) -> Related:
        """A cause as a related place."""
        return Related(self.location(cause.node), cause.text)

    def finding(self, report: Report, contexts: int) -> Finding:
        """A report with its places."""
        rule = report.rule
        location = self.location(report.node)
        return Finding(
            code=rule.code,
            name=rule.name,
            message=report.message,
            location=location,
            severity=rule.severity,
            confidence=Confidence.LIKELY if _entry(report) else Confidence.CERTAIN,
            story=tuple(self.related(cause) for cause in report.story),
            related=tuple(self.related(cause) for cause in report.related),
            contexts=contexts,
            help=report.help,
            noqa_line=self.spaces[report.node].source.line_at(location.span.start),
        )
