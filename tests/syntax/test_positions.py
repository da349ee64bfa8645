"""Positions are those of libcst's PositionProvider, as offsets."""

from __future__ import annotations

import re
from typing import Any

import libcst as cst
import pytest
from libcst.metadata import MetadataWrapper, PositionProvider

from jaxlint.findings import Span
from jaxlint.syntax import NodeNotFound, locate, positions

NEWLINE = re.compile(r"\r\n|\r|\n")

ODD = {
    "empty": "",
    "one newline": "\n",
    "no final newline": "x = 1",
    "comment without newline": "x = 1\n# end",
    "only a comment": "  # c",
    "crlf": "if a:\r\n    b = '''x\r\ny'''\r\n    c\r\n",
    "crlf without end": "if a:\r\n    b\r\n    c",
    "cr": "if a:\r    b\r    c(d)\r",
    "mixed newlines": "a\nb\r\nc\rd\n",
    "tabs": "if a:\n\tif b:\n\t\tc = (d,\n\t\t\te)\n\td\n",
    "continuation": "x = a + \\\n    b \\\n  + c\nassert x, \\\n 'm'\n",
    "astral": "𝔘 = 'é𝔘' + f(ü)\n𝔘.b\n",
    "form feed alone": "a = 1\n\x0c\nb = 2\n",
    "form feed in blanks": "a = 1 \x0c+ 2\n",
    "trailing blanks": "def f():\n    pass\n   ",
    "semicolons": "a; b ; c;\nif x: d; e ;\n",
    "decorators": "@a\n# c\n@b.c(1)\n\n# d\nasync def f(): pass\n",
    "footers": "if a:\n    b\n    # c\n  # d\n# e\nf\n",
    "parentheses": "x = ((a) + (((b))))\n(c)\n((yield))\n",
    "import parentheses": "from a import (b as c,\n  d)\nfrom a import b, c\n",
    "elif": "if a:\n  b\nelif c:\n  d\nelse:\n  e\n\ng\n",
    "one line": "class A: x = 1; y = 2\nfor i in z: pass\nelse: pass\n",
}


def all_nodes(module: cst.Module) -> list[cst.CSTNode]:
    found: list[cst.CSTNode] = []
    todo: list[cst.CSTNode] = [module]
    while todo:
        node = todo.pop()
        found.append(node)
        todo.extend(node.children)
    return found


def expected(module: cst.Module, text: str) -> dict[cst.CSTNode, Span]:
    starts = [0, *(match.end() for match in NEWLINE.finditer(text))]
    ranges = MetadataWrapper(module, unsafe_skip_copy=True).resolve(PositionProvider)

    def offset(line: int, column: int) -> int:
        # The provider counts a last newline that is not there.
        return starts[line - 1] + column if line <= len(starts) else len(text)

    return {
        node: Span(offset(where.start.line, where.start.column), offset(where.end.line, where.end.column))
        for node, where in ranges.items()
    }


@pytest.mark.parametrize("name", ODD)
def test_odd_files(name: str) -> None:
    text = ODD[name]
    module = cst.parse_module(text)
    assert locate(module, text, all_nodes(module)) == expected(module, text)


@pytest.mark.parametrize("text", list(ODD.values()))
def test_each_node_alone(text: str) -> None:
    """Alone, a node has no neighbour whose search would find what it needs."""
    module = cst.parse_module(text)
    known = expected(module, text)
    for node in all_nodes(module):
        assert locate(module, text, [node]) == {node: known[node]}


def test_zoo(zoo: str) -> None:
    module = cst.parse_module(zoo)
    known = expected(module, zoo)
    nodes = list(known)  # a few empty SimpleWhitespaces are in the tree but never printed
    assert locate(module, zoo, nodes) == known
    for node in nodes[::7]:
        assert locate(module, zoo, [node]) == {node: known[node]}


def test_installed_files(corpus: list[tuple[str, str]]) -> None:
    for path, text in corpus:
        try:
            module = cst.parse_module(text)
        except cst.ParserSyntaxError:
            continue
        known = expected(module, text)
        nodes = list(known)
        assert locate(module, text, nodes) == known, path
        few = nodes[:: max(1, len(nodes) // 20)]
        assert locate(module, text, few) == {node: known[node] for node in few}, path


def sliced(text: str, kind: type[cst.CSTNode]) -> list[str]:
    module = cst.parse_module(text)
    spans = locate(module, text, [node for node in all_nodes(module) if isinstance(node, kind)])
    return [text[span.start : span.end] for span in sorted(spans.values())]


def test_statements_begin_at_their_keyword() -> None:
    text = "@a\n# c\nasync def f():\n    # d\n    if x:\n        y\n    # e\n"
    assert sliced(text, cst.FunctionDef) == ["async def f():\n    # d\n    if x:\n        y"]
    assert sliced(text, cst.If) == ["if x:\n        y"]


def test_form_feeds_that_libcst_drops() -> None:
    """libcst forgets a form feed before a statement, so its own positions are wrong from there on."""
    text = "\x0ca = f(1)\n\x0cb = g(2)\nif c:\n    d\n\x0c\x0ce(3)\n"
    assert sliced(text, cst.Call) == ["f(1)", "g(2)", "e(3)"]
    assert sliced(text, cst.SimpleStatementLine) == ["a = f(1)", "b = g(2)", "d", "e(3)"]
    assert sliced(text, cst.If) == ["if c:\n    d"]


def test_a_byte_order_mark_in_the_text_is_skipped() -> None:
    assert sliced("\ufeffab = cd\n", cst.Name) == ["ab", "cd"]


def test_nothing_wanted() -> None:
    assert locate(cst.parse_module("a\n"), "a\n", []) == {}


def test_a_foreign_node_is_an_error() -> None:
    module = cst.parse_module("a\n")
    with pytest.raises(NodeNotFound, match="Name has no place in the module"):
        locate(module, "a\n", [module.body[0], cst.Name("a")])


def test_a_node_that_stands_twice_has_its_first_place() -> None:
    name = cst.Name("a")
    block = cst.parse_statement("if x:\n    y\n")
    line = cst.SimpleStatementLine([cst.Expr(cst.Tuple([cst.Element(name), cst.Element(name)]))])
    module = cst.Module([line, block, block])
    text = module.code
    assert text == "(a, a)\nif x:\n    y\nif x:\n    y\n"
    spans = locate(module, text, [name, block])
    assert spans == {name: Span(1, 2), block: Span(7, 18)}


def test_very_deep_trees_are_printed_another_way(monkeypatch: pytest.MonkeyPatch, zoo: str) -> None:
    """Python 3.12 limits the depth of calls through C; the way around it must find the same places."""
    module = cst.parse_module(zoo)
    known = expected(module, zoo)
    printed, original, tries = positions._printed, cst.CSTNode._codegen, []

    def overflow_once(*arguments: Any) -> Any:
        tries.append(cst.CSTNode._codegen is original)
        if len(tries) == 1:
            raise RecursionError
        return printed(*arguments)

    monkeypatch.setattr(positions, "_printed", overflow_once)
    assert locate(module, zoo, list(known)) == known
    assert tries == [True, False] and cst.CSTNode._codegen is original


def test_the_parser_shares_no_nodes(zoo: str) -> None:
    nodes = all_nodes(cst.parse_module(zoo))
    assert len({id(node) for node in nodes}) == len(nodes)
