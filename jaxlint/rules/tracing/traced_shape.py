"""JAX106: a shape, a size or a slice bound is traced."""

from __future__ import annotations

import libcst as cst

from jaxlint.knowledge import jax_numpy, jax_random
from jaxlint.knowledge.array_api import SHAPE_METHODS
from jaxlint.rules.base import Rule
from jaxlint.rules.tracing.conditions import why


class TracedShape(Rule):
    """A shape, a size or a slice bound comes from a traced value.

    ## What it does
    Finds traced values where JAX needs a Python number: shapes (`jnp.zeros(n)`, `x.reshape(n, -1)`), sizes and counts
    (`jnp.arange(n)`, `jnp.linspace(0, 1, n)`), axes, and the bounds of slices (`x[:n]`).

    ## Why is this bad?
    Shapes are part of the compiled program, so they must be known when the function is traced. Tracing stops with
    `ConcretizationTypeError`, `TracerIntegerConversionError` or a `TypeError` about shapes.

    ## Example
    ```python
    import jax
    import jax.numpy as jnp


    @jax.jit
    def window(x, n):
        return jnp.sum(x[:n]) / n
    ```

    ## Use instead
    ```python
    import jax
    import jax.numpy as jnp


    @jax.jit
    def window(x, n):
        inside = jnp.arange(x.shape[0]) < n
        return jnp.sum(jnp.where(inside, x, 0.0)) / n
    ```

    If the caller knows the number, declare it: `jax.jit(window, static_argnames=("n",))`. A slice of fixed length at a
    traced place is `jax.lax.dynamic_slice`.

    ## How to verify
    `jax.jit(window).lower(jnp.ones(5), 3)` raises before the change and returns after it.

    ## References
    - [JAX: static and traced operations](https://docs.jax.dev/en/latest/notebooks/thinking_in_jax.html)
    """

    code = "JAX106"
    name = "traced-shape"
    since = "0.1.0"
    message = "a shape, a size or a slice bound comes from a traced value"
    converts = True

    def visit_Call(self, node: cst.Call) -> None:
        """Static arguments of library functions and array methods."""
        name = self.facts.callee(node)
        table = jax_numpy.SHAPE_ARGUMENTS.get(name) or jax_random.SHAPE_ARGUMENTS.get(name) or ()
        if name != "jax.numpy.repeat" or all(arg.keyword is None for arg in node.args):
            table = (*table, *_MORE.get(name, ()))
        if table:
            for position, keyword in table:
                self._argument(node, position, keyword, name.rpartition(".")[2])
        elif not name and type(node.func) is cst.Attribute and node.func.attr.value in SHAPE_METHODS:
            if _is_update(node.func.value):
                return
            owner = self.facts.recorded.get(node.func.value)
            if owner:
                places = SHAPE_METHODS[node.func.attr.value]
                if any(arg.keyword is not None and arg.keyword.value == "total_repeat_length" for arg in node.args):
                    places = tuple(pair for pair in places if pair[1] != "repeats")
                for place, keyword in places:
                    self._argument(node, place, keyword, node.func.attr.value)

    def _argument(self, node: cst.Call, position: int | None, keyword: str, name: str) -> None:
        plain = [arg for arg in node.args if arg.keyword is None]
        chosen = [arg for arg in node.args if arg.keyword is not None and arg.keyword.value == keyword]
        if position is None:
            chosen += plain
        elif 0 <= position < len(plain) and not any(arg.star for arg in plain[: position + 1]):
            chosen.append(plain[position])
        for arg in chosen:
            for part in _parts(arg.value):
                self._check(part, f"`{name}` needs `{{}}` when the function is traced", node)

    def visit_Slice(self, node: cst.Slice) -> None:
        """``x[a:b]``."""
        for bound in (node.lower, node.upper, node.step):
            if bound is not None:
                self._check(bound, "the slice bound `{}` must be known at trace time", bound)

    def _check(self, part: cst.BaseExpression, what: str, at: cst.CSTNode) -> None:
        found = self.facts.traced(part, sure=False)
        if found is not None:
            self.found(
                found,
                f"{what.format(self.code_for(part))}, but it is {why(found)} {self.inside(found.context)}: "
                "shapes are part of the compiled program",
                at=at,
                help="declare it in `static_argnames` if the caller knows it, or keep the full shape and mask",
            )


#: Static arguments beside the measured tables: `repeat` needs its counts unless it is told the total.
_MORE: dict[str, tuple[tuple[int, str], ...]] = {
    "jax.lax.scan": ((3, "length"),),
    "jax.numpy.repeat": ((1, "repeats"),),
}


def _is_update(node: cst.BaseExpression) -> bool:
    """``x.at[i]``, whose ``min`` and ``max`` are updates."""
    return type(node) is cst.Subscript and type(node.value) is cst.Attribute and node.value.attr.value == "at"


def _parts(node: cst.BaseExpression) -> list[cst.BaseExpression]:
    if isinstance(node, (cst.Tuple, cst.List)):
        return [inner for part in node.elements for inner in _parts(part.value)]
    return [node]
