"""``jaxlint rule CODE|NAME|--all``: a rule's page, its status, and whether it is on by default and why."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from jaxlint.config.tool_codes import TOOL_CODES, ToolCode

if TYPE_CHECKING:
    from jaxlint.rules.base import Rule


def run(arguments: Sequence[str]) -> int:
    """Print pages; exit code 2 for a rule that there is none of."""
    parser = argparse.ArgumentParser(prog="jaxlint rule", description="Explain a rule.", allow_abbrev=False)
    parser.add_argument("rule", nargs="?", metavar="CODE|NAME", help="a code (JAX101) or a name (traced-if)")
    parser.add_argument("--all", action="store_true", help="every rule, one line each (with json: whole pages)")
    parser.add_argument("--output-format", choices=("text", "json"), default="text", metavar="text|json")
    options = parser.parse_args(arguments)
    if options.all == (options.rule is not None):
        parser.error("give one rule, or --all")
    objects = all_rules()
    if options.all:
        sys.stdout.write(json.dumps(objects, indent=2) + "\n" if options.output_format == "json" else _table(objects))
        return 0
    found = [each for each in objects if options.rule.upper() == each["code"] or options.rule.lower() == each["name"]]
    if not found:
        sys.stderr.write(f"jaxlint: error: no rule `{options.rule}`{_near(options.rule, objects)}\n")
        return 2
    sys.stdout.write(json.dumps(found[0], indent=2) + "\n" if options.output_format == "json" else page(found[0]))
    return 0


def all_rules() -> list[dict[str, Any]]:
    """Every rule and every code of the tool, by code, as JSON objects."""
    from jaxlint import rules

    objects = [_tool_object(tool) for tool in TOOL_CODES] + [_rule_object(rule) for rule in rules.registry()]
    return sorted(objects, key=lambda each: str(each["code"]))


def page(rule: dict[str, Any]) -> str:
    """A rule for reading."""
    lines = [f"# {rule['name']} ({rule['code']})", "", rule["summary"], ""]
    lines.append(f"- Status: {rule['status']}" + (f", since {rule['since']}" if rule["since"] else ""))
    lines.append(f"- By default: {rule['default_reason']}")
    lines.append(f"- Severity: {rule['severity']}")
    lines.append(f"- Fix: {_FIX[rule['fix']]}")
    if rule["lenient_in_tests"]:
        lines.append("- Silent in test files, unless `lenient-tests = false`")
    return "\n".join([*lines, "", rule["explanation"].strip(), ""])


_FIX = {"always": "always available", "sometimes": "sometimes available", "none": "none"}


def _rule_object(rule: type[Rule]) -> dict[str, Any]:
    on = rule.default and rule.status != "preview"
    return {
        "name": rule.name,
        "code": rule.code,
        "linter": "jaxlint",
        "summary": rule.message,
        "explanation": rule.page(),
        "message_formats": [rule.message],
        "fix": rule.fix,
        "status": rule.status,
        "preview": rule.status == "preview",
        "since": rule.since,
        "severity": rule.severity.value,
        "default": on,
        "default_reason": _reason(rule),
        "lenient_in_tests": rule.lenient_in_tests,
    }


def _reason(rule: type[Rule]) -> str:
    if rule.status == "preview":
        how = "`--preview`" if rule.default else f"`--preview --extend-select {rule.code}`"
        return f"off, because {rule.because or 'it is in preview'}; switch it on with {how}"
    if not rule.default:
        return f"off, because {rule.because or 'it is opt-in'}; switch it on with `--extend-select {rule.code}`"
    if rule.status == "deprecated":
        return "on, but deprecated"
    return "on, because it speaks only of what a visible chain of calls makes certain"


def _tool_object(tool: ToolCode) -> dict[str, Any]:
    return {
        "name": tool.name,
        "code": tool.code,
        "linter": "jaxlint",
        "summary": tool.summary,
        "explanation": tool.page,
        "message_formats": [tool.summary],
        "fix": "none",
        "status": "stable",
        "preview": False,
        "since": "",
        "severity": "error",
        "default": True,
        "default_reason": "always on, because it tells that a file was not checked",
        "lenient_in_tests": False,
    }


def _table(objects: Sequence[dict[str, Any]]) -> str:
    width = max(len(each["name"]) for each in objects)
    lines = []
    for each in objects:
        state = "on" if each["default"] else ("preview" if each["preview"] else "off")
        lines.append(f"{each['code']}  {each['name']:<{width}}  {state:<7}  {each['summary']}")
        if not each["default"]:
            lines.append(f"{'':{width + 8}}  {'':7}  {each['default_reason']}")
    lines += ["", "What is on speaks only of what a visible chain of calls makes certain; JAX0 is always on."]
    return "\n".join(lines) + "\n"


def _near(word: str, objects: Sequence[dict[str, Any]]) -> str:
    import difflib

    names = [str(each[key]) for each in objects for key in ("code", "name")]
    near = difflib.get_close_matches(word.upper() if word[:3].upper() == "JAX" else word.lower(), names, n=1)
    return f" (did you mean `{near[0]}`?)" if near else "; `jaxlint rule --all` lists them"
