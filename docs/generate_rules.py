"""Writes the pages of the rules from their docstrings, and the README's table of rules and sample of output.

python docs/generate_rules.py            write what has changed
python docs/generate_rules.py --check    write nothing; exit 1 and name what is not current
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from jaxlint.cli import rule as rule_command  # noqa: E402  (this checkout's, installed or not)
from jaxlint.cli.main import main as run_jaxlint  # noqa: E402
from jaxlint.config.tool_codes import TOOL_CODES  # noqa: E402

FOLDER = ROOT / "docs" / "rules"
README = ROOT / "README.md"
#: What the README shows the output of.
SAMPLE = ["check", "examples/digits/optim.py"]

TOPICS = {
    "0": "jaxlint itself",
    "1": "Traced values where Python needs a value",
    "2": "Loops",
    "3": "Purity",
    "4": "Random keys",
    "5": "Host round trips",
    "6": "Compile boundaries",
    "7": "Numerics and dtypes",
    "8": "Removed, deprecated and migrating APIs; sharding",
    "9": "Faults that only one library knows",
}


def main(arguments: list[str]) -> int:
    """Write or check all files; the exit code."""
    check = arguments == ["--check"]
    if arguments and not check:
        sys.stderr.write(__doc__ or "")
        return 2
    wanted = files()
    stale = [path for path, text in wanted.items() if not path.exists() or path.read_text(encoding="utf-8") != text]
    left_over = [path for path in sorted(FOLDER.glob("*.md")) if path not in wanted]
    for path in stale + left_over:
        print(f"{'not current' if check else 'wrote' if path in wanted else 'removed'}: {path.relative_to(ROOT)}")
    if check:
        return 1 if stale or left_over else 0
    FOLDER.mkdir(exist_ok=True)
    for path in stale:
        path.write_text(wanted[path], encoding="utf-8")
    for path in left_over:
        path.unlink()
    return 0


def files() -> dict[Path, str]:
    """Every generated file and what it must hold."""
    rules = rule_command.all_rules()
    out = {FOLDER / f"{rule['name']}.md": rule_command.page(rule) for rule in rules}
    out[FOLDER / "README.md"] = _index(rules)
    text = _with_block(README.read_text(encoding="utf-8"), "sample", sample())
    out[README] = _with_block(text, "rules", f"\n{table(rules, 'docs/rules/')}\n")
    return out


def sample() -> str:
    """The command and what it prints on a terminal, colours aside."""
    printed = io.StringIO()
    before = os.getcwd()
    os.chdir(ROOT)
    try:
        with contextlib.redirect_stdout(printed):
            run_jaxlint([*SAMPLE, "--isolated", "--color", "never", "--output-format", "full"])
    finally:
        os.chdir(before)
    return f"```console\n$ jaxlint {' '.join(SAMPLE)}\n{printed.getvalue()}```\n"


def table(rules: list[dict[str, Any]], link: str) -> str:
    """The rules by topic. ``link`` leads to the folder of the pages."""
    tools = {tool.code for tool in TOOL_CODES}
    lines: list[str] = []
    for digit, topic in TOPICS.items():
        rows = [rule for rule in rules if rule["code"][3] == digit]
        if not rows:
            continue
        lines += [f"**{topic}**", "", "| code | name | finds | default |", "|---|---|---|---|"]
        for rule in rows:
            state = "always" if rule["code"] in tools else _state(rule)
            name = rule["name"]
            lines.append(f"| {rule['code']} | [{name}]({link}{name}.md) | {rule['summary']} | {state} |")
        lines.append("")
    return "\n".join(lines)


def _state(rule: dict[str, Any]) -> str:
    state = "preview" if rule["preview"] else "on" if rule["default"] else "off"
    return f"{state}, not in tests" if rule["lenient_in_tests"] else state


def _index(rules: list[dict[str, Any]]) -> str:
    return f"""\
# Rules

`jaxlint rule CODE` prints these pages, `jaxlint rule --all` lists them. They are generated from the docstrings of the
rules by `python docs/generate_rules.py`.

{table(rules, "")}"""


def _with_block(text: str, name: str, block: str) -> str:
    """The README with the text between two markers replaced."""
    begin, end = f"<!-- {name}: begin (docs/generate_rules.py) -->\n", f"<!-- {name}: end -->\n"
    before, found, rest = text.partition(begin)
    _, closed, after = rest.partition(end)
    if not found or not closed:
        raise SystemExit(f"{README.name} has no block between {begin.strip()} and {end.strip()}")
    return f"{before}{begin}{block}{end}{after}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
