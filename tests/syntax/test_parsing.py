"""What does not parse is a SyntaxFault with a place; what is too deep is one too, and never the end of the process."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from dataclasses import dataclass

import libcst as cst
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jaxlint.syntax import RECURSION_LIMIT, STACK_BYTES, SyntaxFault, layout, parse, parsing
from jaxlint.syntax.limits import MAX_BRACKETS, MAX_CHAIN, MAX_PATTERN
from jaxlint.syntax.nesting import find_excess


@dataclass
class Text:
    """The part of a SourceFile that parsing reads."""

    text: str


def fault(text: str) -> SyntaxFault:
    with pytest.raises(SyntaxFault) as caught:
        parse(Text(text))
    return caught.value


def test_parses_like_libcst(zoo: str) -> None:
    assert parse(Text(zoo)).deep_equals(cst.parse_module(zoo))


@pytest.mark.parametrize("text", ["", "\n", "# c", "x", "\r\n", "x = 1\r\n", "\x0c\n"])
def test_small_files(text: str) -> None:
    assert parse(Text(text)).code == text


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("a = 1\nb = = 2\n", 2, 5),
        ("x = (\n", 1, 5),
        ("é𝔘é = 1 2\n", 1, 9),
        ("a\r\nb c d\r\n", 2, 3),
        ("a\rb c d\r", 2, 3),
        ("def f():\n  return )\n", 2, 10),
        ("a = 0777\n", 1, 5),
        ("x = 'abc\n", 1, 5),
        ("x = $\n", 1, 5),
        ("if a:\npass\n", 2, 1),
    ],
)
def test_places(text: str, line: int, column: int) -> None:
    found = fault(text)
    # CPython 3.10 points at the end of some tokens where later versions point at the start.
    assert found.line == line
    assert abs(found.column - column) <= (0 if sys.version_info >= (3, 11) else 3)
    assert found.message and "\n" not in found.message and "expected one of" not in found.message


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [("a = 1\nb = = 2\n", 2, 5), ("a\r\nb c d\r\n", 2, 3), ("é𝔘é = 1 2\n", 1, 9), ("x = $\n", 1, 1)],
)
def test_places_when_python_accepts(monkeypatch: pytest.MonkeyPatch, text: str, line: int, column: int) -> None:
    """The running Python may know more grammar than libcst; then libcst's own place must do."""
    monkeypatch.setattr(parsing, "_python_fault", lambda text: None)
    found = fault(text)
    assert (found.line, found.column) == (line, column)


def test_other_refusals() -> None:
    assert "surrogate" in fault("a\n'\ud800'\n").message
    assert fault("a\n'\ud800'\n").line == 2
    assert "cannot mix bytes" in fault("x = 'a' b'b'\n").message
    assert fault("a = 1\nb = 2\x00\n").message
    assert str(fault("x = (\n")).endswith("(line 1, column 5)")


def test_deep_indentation_is_refused() -> None:
    text = "".join(" " * depth + "if a:\n" for depth in range(900)) + " " * 900 + "pass\n"
    assert "too many" in fault(text).message


DEEP = {
    "parentheses": "'(' * n + '1' + ')' * n",
    "unclosed": "'(' * n",
    "calls": "'f(' * n + '1' + ')' * n",
    "lists": "'[' * n + ']' * n",
    "dicts": "'{1:' * n + '1' + '}' * n",
    "subscripts": "'a[' * n + '1' + ']' * n",
    "f-string": "'f\"' + '{' + '(' * n + '1' + ')' * n + '}\"'",
    "yields": "'def f():\\n x = ' + '(yield ' * n + '1' + ')' * n",
    "sum": "'+'.join(['a'] * n)",
    "sum in brackets": "'(' + ' +\\n'.join(['a'] * n) + ')'",
    "product": "'*'.join(['a'] * n)",
    "power": "'**'.join(['a'] * n)",
    "and": "' and '.join(['a'] * n)",
    "comparison": "' < '.join(['a'] * n)",
    "attributes": "'a' + '.b' * n",
    "chained calls": "'a' + '.b(c, d)' * n",
    "signs": "'-' * n + 'a'",
    "not": "'not ' * n + 'a'",
    "lambda": "'lambda: ' * n + 'a'",
    "conditional": "'a if b else ' * n + 'c'",
    "elif": "'if a: pass\\n' + 'elif a: pass\\n' * n",
    "strings": "'x = ' + '\"a\" ' * n",
    "comprehension": "'[a ' + 'for a in b ' * n + ']'",
    "pattern": "'match x:\\n case ' + '[' * n + ']' * n + ': pass\\n'",
}

SCRIPT = """
import sys, threading
import libcst as cst
from jaxlint.syntax import RECURSION_LIMIT, STACK_BYTES, Driver, SyntaxFault, locate, parse

class Text:
    def __init__(self, text): self.text = text

class Last(cst.CSTVisitor):
    def visit_Name(self, node): self.node = node

def run():
    try:
        module = parse(Text(text))
    except SyntaxFault as error:
        return print("refused", error.message)
    visitor = Last()
    visitor.node = module
    Driver([visitor]).walk(module)
    locate(module, text, [visitor.node])
    print("done")

n = int(sys.argv[2])
text = eval(sys.argv[1]) + "\\n"
sys.setrecursionlimit(RECURSION_LIMIT)
threading.stack_size(STACK_BYTES)
thread = threading.Thread(target=run)
thread.start()
thread.join()
"""


def run_deep(expression: str, depth: int) -> str:
    command = [sys.executable, "-c", textwrap.dedent(SCRIPT), expression, str(depth)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


@pytest.mark.parametrize("name", DEEP)
def test_deep_programs_are_read_or_refused(name: str) -> None:
    assert run_deep(DEEP[name], 20_000).startswith("refused")
    brackets = {"parentheses", "calls", "lists", "dicts", "subscripts", "f-string", "yields"}
    if name in brackets:
        assert run_deep(DEEP[name], MAX_BRACKETS - 5) == "done\n"
    elif name not in ("unclosed", "pattern"):
        # libcst takes quadratic time for a long chain of calls.
        assert run_deep(DEEP[name], 300 if name == "chained calls" else 1000) == "done\n"


def test_the_limits_themselves_are_safe() -> None:
    for name in ("lambda", "conditional", "elif", "and", "attributes"):
        assert run_deep(DEEP[name], MAX_CHAIN - 10) == "done\n", name


def test_limits_are_sane() -> None:
    assert RECURSION_LIMIT > 2 * (MAX_CHAIN + 6 * MAX_BRACKETS) and STACK_BYTES >= 64 << 20


@pytest.mark.parametrize(
    "text",
    [
        "x = [" + "-1.5, " * 20_000 + "]\n",
        "x = {" + "'a': f(b)(c).d[1], " * 5_000 + "}\n",
        "x = (" + " + ".join(f"a{i}*b{i}**2*c.d[{i}]" for i in range(2_000)) + ")\n",
        "x = [" + "lambda: 1, " * 2_000 + "]\n",
        "x = 1\n" + "x = x + 1\n" * 5_000,
        "    \n" + "def f():\n" + "    x = a.b.c + d\n" * 5_000,
        "'''" + "((( [[[ {{{ " * 100 + "'''\n",
        "# " + "((( [[[ {{{ " * 100 + "\n",
        "x = '" + "(" * 500 + "'\n",
        "def f(a):\n"
        + "".join(f"    if a == {i}:\n        return 1\n    elif a == -{i}:\n        return 2\n" for i in range(4000)),
    ],
)
def test_long_programs_that_are_not_deep_are_accepted(text: str) -> None:
    assert find_excess(text) is None


@pytest.mark.parametrize(
    ("text", "offset"),
    [
        ("x = 1\n" + "(" * (MAX_BRACKETS + 1), 6 + MAX_BRACKETS),
        ("match x:\n  case " + "[" * (MAX_PATTERN + 1) + "]" * (MAX_PATTERN + 1) + ": pass\n", 16 + MAX_PATTERN),
    ],
)
def test_places_of_excess(text: str, offset: int) -> None:
    excess = find_excess(text)
    assert excess is not None and excess.offset == offset


@settings(max_examples=150, deadline=None)
@given(st.text(st.sampled_from("()[]{}'\"\\ \nabf:=,.+#\t\r\x0c;lambda if else"), max_size=60))
def test_any_text_parses_or_is_a_fault_inside_the_text(text: str) -> None:
    try:
        parse(Text(text))
    except SyntaxFault as error:
        lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        assert 1 <= error.line <= len(lines) + 1 and error.column >= 1


def test_layout_is_shared_and_nothing_else() -> None:
    module = parse(Text("a = b(c, d)\na = b(c, d)\n"))
    first, second = (line.body[0].value for line in module.body)  # type: ignore[union-attr, index]
    assert isinstance(first, cst.Call) and isinstance(second, cst.Call)
    assert first.args[0].comma is second.args[0].comma
    assert first.func is not second.func and first.args[0].value is not second.args[0].value
    assert sys.modules["libcst"] is cst


def test_a_parser_that_refuses_shared_layout(monkeypatch: pytest.MonkeyPatch, zoo: str) -> None:
    """Another libcst may make its nodes in a way that the cache cannot take; then it makes them itself."""
    monkeypatch.setattr(layout, "_SHARED", ("IndentedBlock",))  # its arguments are lists or nodes
    assert parse(Text(zoo)).deep_equals(cst.parse_module(zoo))
    monkeypatch.setattr(layout, "_SHARED", ("NoSuchNode",))
    assert parse(Text(zoo)).deep_equals(cst.parse_module(zoo))
    assert sys.modules["libcst"] is cst


def test_nodes_are_checked_outside_of_parsing() -> None:
    parse(Text("x\n"))
    with pytest.raises(cst.CSTValidationError):
        cst.Name("")


def test_hash_is_identity() -> None:
    one, two = cst.Name("a"), cst.Name("a")
    assert len({one, two, one}) == 2 and one != two
