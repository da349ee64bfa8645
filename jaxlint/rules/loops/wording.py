"""How findings about loops and branches of JAX name what they speak of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import libcst as cst

from jaxlint.tracing.values import Bound, Function, Partial, Transformed, Value

if TYPE_CHECKING:
    from jaxlint.tracing.facts import Facts

#: Position and keyword of the carry's first value.
_INIT = {"scan": (1, "init"), "while_loop": (2, "init_val"), "fori_loop": (3, "init_val")}


def called(facts: Facts, node: cst.CSTNode) -> str:
    """The function that a call calls, as it is written."""
    return facts.snippet(node.func) if isinstance(node, cst.Call) else "the loop"


def place(fn: Value) -> str:
    """A function by its name."""
    for _ in range(8):
        if isinstance(fn, Function):
            return "the lambda" if isinstance(fn.node, cst.Lambda) else f"`{fn.name}`"
        if not isinstance(fn, (Bound, Partial, Transformed)):
            break
        fn = fn.fn
    return "the function"


def init_of(facts: Facts, node: cst.CSTNode, path: tuple[Any, ...]) -> str:
    """The part of a carry at ``path``, in the words of the program where it spells its start out."""
    value: cst.BaseExpression | None = None
    if isinstance(node, cst.Call):
        position, keyword = _INIT.get(facts.callee(node).rpartition(".")[2], (-1, ""))
        for index, arg in enumerate(node.args):
            named = arg.keyword.value if arg.keyword is not None else ""
            if named == keyword or (not named and not arg.star and index == position):
                value = arg.value
    rest = list(path)
    while rest and isinstance(value, (cst.Tuple, cst.List)) and isinstance(rest[0], int):
        elements = value.elements
        if any(isinstance(element, cst.StarredElement) for element in elements) or rest[0] >= len(elements):
            break
        value = elements[rest.pop(0)].value
    tail = "".join(f"[{name!r}]" for name in rest)
    if value is None:
        return f"`carry{tail}`" if tail else "it"
    shown = f"`{facts.snippet(value, 40)}`"
    return f"`{tail}` of {shown}" if tail else shown


def part(path: tuple[Any, ...]) -> str:
    """Where in a result, for the end of a sentence."""
    return f" at {''.join(f'[{name!r}]' for name in path)}" if path else ""
