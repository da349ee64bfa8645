"""A cheap look at how deep a text is nested, before libcst's parser sees it.

That parser is a recursive one with no limit of its own: a thousand open brackets, or a few thousand chained operators,
overflow the C stack and take the process with them. The first checks only bound the depth from above, at the speed of
``bytes.replace``; tokens are looked at only in the rare file that exceeds a bound.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from jaxlint.syntax.limits import MAX_BRACKETS, MAX_CHAIN, MAX_PATTERN


class Excess(NamedTuple):
    """Where a text passes a limit, and which."""

    offset: int
    message: str


_TOO_MANY_BRACKETS = "too many nested parentheses"
_TOO_LONG_CHAIN = f"too deeply nested: more than {MAX_CHAIN} chained operators"
_TOO_MANY_ELIFS = f"too deeply nested: more than {MAX_CHAIN} chained elif branches"
_TOO_DEEP_PATTERN = f"too deeply nested: more than {MAX_PATTERN} brackets in one pattern"

_NO_BRACKETS = bytes(set(range(256)) - set(b"()[]{}"))
_NO_LINKS = bytes(set(range(256)) - set(b"-+*/%@&|^<>=~.\"')]}"))
_LINK_WORDS = (b"not", b"and", b"or", b"in", b"is", b"else", b"for", b"await", b"lambda")
#: Where a statement begins, in any code that is laid out as people do: no chain goes on across it.
_BREAK = re.compile(
    r"(?<![-+*/%@&|^<>=~.,(\[{\\])\n(?=[A-Za-z_@])(?!(?:not|and|or|in|is|if|else|for)\b)"
    r"|\n[ \t]+(?=(?:def|class|return|if|elif|else|while|try|except|raise|assert|pass|del|import)\b)"
)
_LINKS = re.compile(r"[-+*/%@&|^<>=~.\"')\]}]|\b(?:not|and|or|in|is|else|for|await|lambda)\b")
_CASE = re.compile(r"case\b(?![ \t]*[=.,:)\]])")
_PATTERN = re.compile(r"[(\[{]|[)\]}]|\n|#.*|:|\"\"\"|\'\'\'|\"(?:[^\"\\\n]|\\.)*\"|\'(?:[^\'\\\n]|\\.)*\'")
_TRIPLE = frozenset({'"""', "'''"})
#: A pattern with so many characters is none.
_LONGEST_PATTERN = 4_000
_ELIF = re.compile(r"^([ \t]*)(elif\b|else\b|(?=[^\s#]))", re.MULTILINE)
_TOKEN = re.compile(
    r"""
    (?P<comment> \#[^\r\n]* )
  | (?P<string> (?P<prefix> (?<!\w) [rRbBuUfFtT]{0,2} )
      (?: \"\"\" (?: [^\\] | \\. )*? \"\"\" | ''' (?: [^\\] | \\. )*? '''
        | " (?: [^"\\\r\n] | \\. )* " | ' (?: [^'\\\r\n] | \\. )* ' ) )
  | (?P<open> [(\[{] ) | (?P<close> [)\]}] ) | (?P<comma> , ) | (?P<line> [;\r\n] )
  | (?P<high> [.%@~] | \*\*? | //? | \bawait\b ) | (?P<sticky> \blambda\b )
  | (?P<low> [-+] | [&|^<>=!]+ | \b(?: not | and | or | in | is | else | for )\b )
  | \w+ | \\\r?\n
    """,
    re.VERBOSE | re.DOTALL,
)


def find_excess(text: str) -> Excess | None:
    """The first place where ``text`` is nested too deeply to be parsed, or None."""
    data = text.encode("utf-8", "surrogatepass")
    if _bracket_bound(data) > MAX_BRACKETS or (_all_links(data) > MAX_CHAIN and _chain_bound(text) > MAX_CHAIN):
        excess = _scan(text)
        if excess is not None:
            return excess
    if text.count("elif") > MAX_CHAIN and (excess := _scan_elifs(text)):
        return excess
    return _scan_patterns(text) if "case" in text and "match" in text else None


def _bracket_bound(data: bytes) -> int:
    """At least as large as the greatest number of open brackets.

    Matched pairs are peeled off, up to three levels a round; what is left over counts in full. Brackets in strings take
    part, which only raises the bound unless somebody arranges them to hide others.
    """
    brackets = data.translate(None, _NO_BRACKETS)
    rounds = 0
    while brackets and rounds * 3 <= MAX_BRACKETS:
        peeled = brackets.replace(b"()", b"").replace(b"[]", b"").replace(b"{}", b"")
        if len(peeled) == len(brackets):
            break
        brackets = peeled
        rounds += 1
    return rounds * 3 + len(brackets)


def _all_links(data: bytes) -> int:
    """At least as large as the number of operators in the whole file: few files have more than one chain may."""
    return len(data.translate(None, _NO_LINKS)) + sum(data.count(word) for word in _LINK_WORDS)


def _chain_bound(text: str) -> int:
    """At least as large as the number of operators in the longest statement, if that exceeds the limit."""
    start = longest = 0
    for match in _BREAK.finditer(text):
        end = match.start()
        if end - start > MAX_CHAIN:
            longest = max(longest, _count_links(text, start, end))
        start = end
    if len(text) - start > MAX_CHAIN:
        longest = max(longest, _count_links(text, start, len(text)))
    return longest


def _count_links(text: str, start: int, end: int) -> int:
    return sum(1 for _ in _LINKS.finditer(text, start, end))


class _Level:
    """An open bracket: how deep the expression within may be at this point.

    A tighter operator adds depth only until the next looser one: ``a*b + c*d`` is two deep, not three.
    """

    __slots__ = ("high", "low", "sticky")

    def __init__(self) -> None:
        self.reset()
        self.sticky = 0

    def reset(self) -> None:
        self.low = self.high = 0

    def depth(self) -> int:
        return self.low + self.high + self.sticky


def _scan(text: str, brackets: int = 0) -> Excess | None:
    """Counts brackets and chained operators token by token."""
    levels = [_Level()]
    outer = 0
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup
        level = levels[-1]
        if kind == "open":
            level.high += 1  # a call or subscript on what stands before
            outer += level.depth()
            levels.append(_Level())
            if len(levels) - 1 + brackets > MAX_BRACKETS:
                return Excess(match.start(), _TOO_MANY_BRACKETS)
        elif kind == "close":
            if len(levels) > 1:
                levels.pop()
                outer -= levels[-1].depth()
        elif kind == "comma":
            level.reset()
        elif kind == "line":
            if len(levels) == 1:
                level.reset()
                level.sticky = 0
        elif kind == "low":
            level.low += 1
            level.high = 0
        elif kind == "high":
            level.high += 1
        elif kind == "sticky":
            level.sticky += 1  # a comma may belong to the lambda's parameters
        elif kind == "string":
            level.high += 1  # adjacent strings nest like operators
            if set(match["prefix"]) & set("fFtT") and (excess := _scan(_inside(match), len(levels) - 1 + brackets)):
                return Excess(match.start(), excess.message)
        else:
            continue
        if outer + levels[-1].depth() > MAX_CHAIN:
            return Excess(match.start(), _TOO_LONG_CHAIN)
    return None


def _inside(match: re.Match[str]) -> str:
    """The content of a string token."""
    body = match["string"][len(match["prefix"]) :]
    width = 3 if body[:3] in ('"""', "'''") and len(body) >= 6 else 1
    return body[width:-width]


def _scan_elifs(text: str) -> Excess | None:
    """Looks for one ``if`` with too many branches."""
    chains: dict[int, int] = {}
    for match in _ELIF.finditer(text):
        indent = len(match[1])
        if match[2] == "elif":
            chains[indent] = chains.get(indent, 0) + 1
            if chains[indent] > MAX_CHAIN:
                return Excess(match.start(2), _TOO_MANY_ELIFS)
        elif not match[2]:
            chains = {column: count for column, count in chains.items() if column < indent}
    return None


def _scan_patterns(text: str) -> Excess | None:
    """Looks for a ``case`` with too many open brackets."""
    for case in _CASE.finditer(text):
        if text[text.rfind("\n", 0, case.start()) + 1 : case.start()].strip(" \t"):
            continue  # not at the beginning of a line
        depth = 0
        for match in _PATTERN.finditer(text, case.end()):
            if match[0] in "([{":
                depth += 1
                if depth > MAX_PATTERN:
                    return Excess(match.start(), _TOO_DEEP_PATTERN)
            elif match[0] in ")]}":
                depth -= 1
            if depth <= 0 and match[0] in ("\n", ":"):
                break
            if match[0] in _TRIPLE or match.end() - case.end() > _LONGEST_PATTERN:
                break  # prose that begins with "case", not a pattern
    return None
