"""Evidence: what a function's own text says about a parameter. An array, something else, or nothing.

For functions whose callers are not seen. The docstring, and what is done with the parameter, are read; one sign that it
is no array outweighs all signs that it is one.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import libcst as cst

from jaxlint.knowledge.array_api import (
    ARRAY_ATTRIBUTES,
    ARRAY_METHODS,
    SHAPE_METHODS,
    STATIC_ATTRIBUTES,
    UPDATE_ATTRIBUTE,
)
from jaxlint.knowledge.jax_numpy import FLAG_ARGUMENTS, SHAPE_ARGUMENTS
from jaxlint.knowledge.operands import ARRAY_OPERANDS, PYTHON_CALLS, PYTHON_ONLY, STATIC_KEYWORDS
from jaxlint.syntax import children

if TYPE_CHECKING:
    from jaxlint.tracing.modules import ModuleSpace

_ATTRIBUTES = STATIC_ATTRIBUTES | ARRAY_ATTRIBUTES | ARRAY_METHODS | {UPDATE_ATTRIBUTE}
_FLAGS = frozenset(FLAG_ARGUMENTS)


class Uses:
    """What a function's body does with its names.

    ``arrays``: name -> the function that takes it as an operand. ``never``: names that can be no arrays; ``hardly``:
    names that are used as Python values (or wrongly so). ``host``: it reads arrays in
    so many words. ``generator``: it yields.
    """

    def __init__(self, node: cst.FunctionDef, space: ModuleSpace) -> None:
        self.space = space
        self.arrays: dict[str, str] = {}
        self.never: set[str] = set()
        self.hardly: set[str] = set()
        self.host = False
        self.generator = False
        stack: list[Any] = [node.body]
        while stack:
            one = stack.pop()
            handler = _HANDLERS.get(one.__class__)
            if handler is not None:
                handler(self, one)
            stack.extend(children(one))

    @staticmethod
    def _note(names: set[str], node: cst.CSTNode) -> None:
        if type(node) is cst.Name:
            names.add(node.value)

    def _call(self, node: cst.Call) -> None:
        name = self.space.library_name(node.func)
        self._note(self.never, node.func)
        root = name.partition(".")[0]
        operands = ARRAY_OPERANDS.get(name, 0)
        shapes: tuple[tuple[int | None, str], ...] = SHAPE_ARGUMENTS.get(name, ())
        if not name and type(node.func) is cst.Attribute:
            shapes = SHAPE_METHODS.get(node.func.attr.value, ())
        static = {position for position, _ in shapes}
        words = STATIC_KEYWORDS | _FLAGS | {word for _, word in shapes}
        names = self.hardly if name in PYTHON_CALLS or root in ("numpy", "scipy", "math") else None
        names = self.never if name in PYTHON_ONLY else names
        for number, arg in enumerate(node.args):
            word = arg.keyword.value if arg.keyword is not None else ""
            if word in words or (not word and not {number, None}.isdisjoint(static)):
                self._static(arg.value)
            elif arg.star:
                self._note(self.hardly, arg.value)
            elif names is not None:
                self._note(names, arg.value)
            elif not word and number < operands and type(arg.value) is cst.Name:
                self.arrays.setdefault(arg.value.value, name)

    def _static(self, node: cst.BaseExpression) -> None:
        """An expression that must be a Python value, and with it the names that it is made of."""
        if isinstance(node, (cst.Tuple, cst.List)):
            for element in node.elements:
                self._static(element.value)
        elif type(node) is cst.BinaryOperation:
            self._static(node.left)
            self._static(node.right)
        else:
            self._note(self.never, node)

    def _attribute(self, node: cst.Attribute) -> None:
        if node.attr.value in ("block_until_ready", "tolist", "item"):
            self.host = True
        if type(node.value) is not cst.Name:
            return
        name, attribute = node.value.value, node.attr.value
        if attribute not in _ATTRIBUTES:
            self.hardly.add(name)
        elif attribute == UPDATE_ATTRIBUTE or attribute in ARRAY_METHODS or attribute in ARRAY_ATTRIBUTES:
            self.arrays.setdefault(name, f".{attribute}")

    def _comparison(self, node: cst.Comparison) -> None:
        for side, other in _sides(node):
            if isinstance(other, (cst.SimpleString, cst.ConcatenatedString, cst.FormattedString)):
                self._note(self.never, side)
            elif type(other) is cst.Name and other.value in ("None", "True", "False"):
                self._note(self.hardly, side)
        if any(isinstance(one.operator, (cst.In, cst.NotIn)) for one in node.comparisons):
            self._note(self.hardly, node.left)

    def _test(self, node: Any) -> None:
        for part in _asked(node.test):
            self._note(self.hardly, part)

    def _subscript(self, node: cst.Subscript) -> None:
        for element in node.slice:
            index = element.slice
            if type(index) is cst.Index and isinstance(index.value, cst.SimpleString):
                self._note(self.never, node.value)

    def _walked(self, node: Any) -> None:
        self._note(self.hardly, node.iter)

    def _yield(self, node: cst.Yield) -> None:
        self.generator = True


def _sides(node: cst.Comparison) -> list[tuple[cst.BaseExpression, cst.BaseExpression]]:
    operands = [node.left, *(one.comparator for one in node.comparisons)]
    pairs = list(pairwise(operands))
    return [*pairs, *((right, left) for left, right in pairs)]


def _asked(test: cst.BaseExpression) -> list[cst.BaseExpression]:
    if type(test) is cst.BooleanOperation:
        return [*_asked(test.left), *_asked(test.right)]
    if type(test) is cst.UnaryOperation and type(test.operator) is cst.Not:
        return _asked(test.expression)
    return [test]


_HANDLERS: dict[type, Any] = {
    cst.Call: Uses._call,
    cst.Attribute: Uses._attribute,
    cst.Comparison: Uses._comparison,
    cst.If: Uses._test,
    cst.IfExp: Uses._test,
    cst.While: Uses._test,
    cst.Subscript: Uses._subscript,
    cst.For: Uses._walked,
    cst.CompFor: Uses._walked,
    cst.Yield: Uses._yield,
}

# Docstrings -------------------------------------------------------------------------------------------------------

#: ``x: text``, ``x (type): text`` (Google), ``x : type`` (NumPy); ``:param type x: text`` (Sphinx).
_ENTRY = re.compile(r"^[ \t]*(?P<name>\w+)[ \t]*(?:\((?P<type>[^)\n]*)\))?[ \t]*:[ \t]*(?P<text>.*)$", re.MULTILINE)
_SPHINX = re.compile(r"^[ \t]*:param[ \t]+(?P<type>[^:\n]*?)[ \t]*\b(?P<name>\w+):[ \t]*(?P<text>.*)$", re.MULTILINE)
#: The first word that says what it is decides: "array of shape (n,)" is an array, "shape of the array" is none.
_WORDS = re.compile(
    r"\b(?:np\.|(?P<array>(?:nd)?arrays?|tensors?|arraylike|array_like)|int|ints|integer|bool|boolean|str|string|callable|"
    r"function|tuple|list|dict|dictionary|mapping|shape|dtype|sequence|flag|float|number|pytree|module|class|object|"
    r"config|name|whether|axis|axes|numpy|path|none)\b",
    re.IGNORECASE,
)


def documented(docstring: str) -> tuple[set[str], set[str]]:
    """The parameters that a docstring says are arrays, and those that it says are something else."""
    arrays: set[str] = set()
    others: set[str] = set()
    for found in (*_ENTRY.finditer(docstring), *_SPHINX.finditer(docstring)):
        said = _WORDS.search(f"{found['type'] or ''} {found['text']}")
        if said is not None:
            (arrays if said["array"] else others).add(found["name"])
    return arrays - others, others
