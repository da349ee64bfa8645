"""JAX108: a traced value is hashed or formatted."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

import libcst as cst

from jaxlint.knowledge.formats import CALLS_FLOAT, TAKES_ANYTHING, braces_with_format, percent_types
from jaxlint.rules.base import Rule
from jaxlint.rules.tracing.conditions import why

if TYPE_CHECKING:
    from collections.abc import Sequence

_FORMAT_HELP = 'write `jax.debug.print("{x:.3f}", x=x)`, which formats the number when the program runs'
_HASH_HELP = "look it up in an array (`table[i]`) or choose with `jnp.where` or `jax.lax.switch`"


class HashedTracer(Rule):
    """A traced value is hashed or formatted.

    ## What it does
    Finds traced values that Python hashes (`hash(x)`, as a key of a dict, as an element of a set) and ones with a
    format: `f"{x:.2f}"`, `format(x, ".2f")`, `"{:.2f}".format(x)`, `"%.2f" % x`.

    ## Why is this bad?
    A tracer stands for a number that is not there yet: it has no hash and no digits. JAX raises a `TypeError` while it
    traces.

    ## Example
    ```python
    import jax

    NAMES = {0: "left", 1: "right"}


    @jax.jit
    def step(x, side):
        print(f"moved {x.sum():.2f} to the {NAMES[side]}")
        return x + 1
    ```

    ## Use instead
    ```python
    from functools import partial

    import jax

    NAMES = {0: "left", 1: "right"}


    @partial(jax.jit, static_argnames="side")
    def step(x, side):
        jax.debug.print("moved {:.2f} to the " + NAMES[side], x.sum())
        return x + 1
    ```

    ## How to verify
    `jax.jit(step).lower(jnp.ones(3), 0)` raises before the change.

    ## Caveats
    `f"{x}"`, `str(x)` and `"%s" % x` work, and show the tracer: where they are printed, see JAX301.

    ## References
    - [`jax.debug.print`](https://docs.jax.dev/en/latest/_autosummary/jax.debug.print.html)
    """

    code = "JAX108"
    name = "hashed-tracer"
    since = "0.2.0"
    message = "a traced value is hashed or formatted"

    def leave_Module(self, original_node: cst.Module) -> None:
        """Dicts and sets that the interpreter saw look a tracer up."""
        for fault in self.facts.faults:
            if fault.how == "hash":
                self.report(
                    fault.node,
                    f"`{self.code_for(fault.node)}` looks up a value that is traced {self.inside(fault.context)}: a "
                    "tracer has no hash, and this fails when JAX traces it",
                    context=fault.context,
                    value=fault.value,
                    help=_HASH_HELP,
                )

    def visit_DictElement(self, node: cst.DictElement) -> None:
        """``{x: …}``."""
        self._hashed(node.key, "as a key")

    def visit_DictComp(self, node: cst.DictComp) -> None:
        """``{x: … for …}``."""
        self._hashed(node.key, "as a key")

    def visit_Set(self, node: cst.Set) -> None:
        """``{x, …}``."""
        for part in node.elements:
            if type(part) is cst.Element and self._hashed(part.value, "in a set"):
                return

    def visit_SetComp(self, node: cst.SetComp) -> None:
        """``{x for …}``."""
        self._hashed(node.elt, "in a set")

    def visit_FormattedStringExpression(self, node: cst.FormattedStringExpression) -> None:
        """``f"{x:.2f}"``."""
        if node.format_spec and not node.conversion:
            self._formatted(node.expression, node.expression)

    def visit_BinaryOperation(self, node: cst.BinaryOperation) -> None:
        """``"%.2f" % x``."""
        if type(node.operator) is not cst.Modulo or type(node.left) is not cst.SimpleString:
            return
        types = percent_types(_text(node.left)) or []
        items = [part.value for part in node.right.elements] if type(node.right) is cst.Tuple else [node.right]
        for letter, item in zip(types, items, strict=False):
            if letter not in TAKES_ANYTHING and self._formatted(item, node, under_grad=letter in CALLS_FLOAT):
                return

    def visit_Call(self, node: cst.Call) -> None:
        """``hash(x)``, ``set([x])``, ``format(x, ".2f")``, ``"{:.2f}".format(x)``."""
        name = self.facts.callee(node)
        given = [arg.value for arg in node.args if arg.keyword is None and not arg.star]
        if name == "builtins.hash" and given:
            self._hashed(given[0], "by `hash()`", at=node)
        elif name in ("builtins.set", "builtins.frozenset", "dict.fromkeys") and given:
            listed = given[0]
            if isinstance(listed, (cst.List, cst.Tuple)):
                any(self._hashed(part.value, "in a set", at=node) for part in listed.elements)
        elif name == "builtins.format" and len(given) > 1:
            self._formatted(given[0], node)
        elif type(node.func) is cst.Attribute and node.func.attr.value == "format":
            self._braces(node, node.func.value, given)

    def _braces(self, node: cst.Call, text: cst.BaseExpression, given: Sequence[cst.BaseExpression]) -> None:
        if type(text) is not cst.SimpleString:
            return
        places = braces_with_format(_text(text))
        named = [(arg.keyword.value, arg.value) for arg in node.args if arg.keyword is not None]
        for place, value in (*enumerate(given), *named):
            if place in places and self._formatted(value, node):
                return

    def _hashed(self, value: cst.BaseExpression, where: str, at: cst.CSTNode | None = None) -> bool:
        for part in [e.value for e in value.elements] if type(value) is cst.Tuple else [value]:
            found = self.facts.tracer(part, sure=False)
            if found is not None:
                self.found(
                    found,
                    f"`{self.code_for(part)}` is {why(found)} {self.inside(found.context)} and used {where}: a tracer "
                    "has no hash, and this fails when JAX traces it",
                    at=at,
                    help=_HASH_HELP,
                )
                return True
        return False

    def _formatted(self, value: cst.BaseExpression, at: cst.CSTNode, *, under_grad: bool = True) -> bool:
        look = self.facts.tracer if under_grad else self.facts.traced
        found = look(value, sure=False)
        if found is None:
            return False
        self.found(
            found,
            f"`{self.code_for(value)}` is {why(found)} {self.inside(found.context)} and has no digits to format: this "
            "fails when JAX traces it",
            at=at,
            help=_FORMAT_HELP,
        )
        return True


def _text(node: cst.SimpleString) -> str:
    value = ast.literal_eval(node.value)
    return value if isinstance(value, str) else ""
