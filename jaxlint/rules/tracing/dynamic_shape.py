"""JAX107: the shape of a result depends on traced values."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from jaxlint.knowledge import jax_numpy
from jaxlint.rules.base import Rule
from jaxlint.rules.tracing.conditions import why

if TYPE_CHECKING:
    from jaxlint.tracing.facts import Facts

_ONE_ARGUMENT = "jax.numpy.where"
#: What decides their shape is not the first argument; JAX106 speaks of it.
_BY_ANOTHER_ARGUMENT = frozenset({"jax.numpy.repeat", "jax.numpy.delete"})


class DynamicShape(Rule):
    """The shape of a result depends on traced values.

    ## What it does
    Finds `x[mask]` with a traced boolean mask, `jnp.nonzero`, `jnp.unique`, `jnp.argwhere`, `jnp.where` with one
    argument and the like without `size=`, in traced code.

    ## Why is this bad?
    How many elements pass the mask is known only when the program runs, and shapes must be known when it is traced.
    Tracing stops with `NonConcreteBooleanIndexError` or `ConcretizationTypeError`.

    ## Example
    ```python
    import jax
    import jax.numpy as jnp


    @jax.jit
    def positive_mean(x):
        return jnp.mean(x[x > 0])
    ```

    ## Use instead
    ```python
    import jax
    import jax.numpy as jnp


    @jax.jit
    def positive_mean(x):
        return jnp.mean(x, where=x > 0)
    ```

    Reductions take `where=`; `jnp.where(mask, x, 0.0)` keeps the shape; `jnp.nonzero(mask, size=n)` fixes it, and
    `x.at[mask].set(v)` is `jnp.where(mask, v, x)`.

    ## How to verify
    `jax.jit(positive_mean).lower(jnp.ones(3))` raises before the change and returns after it.

    ## Caveats
    A mask that NumPy makes from static values is fine.

    ## References
    - [`NonConcreteBooleanIndexError`](https://docs.jax.dev/en/latest/errors.html#jax.errors.NonConcreteBooleanIndexError)
    """

    code = "JAX107"
    name = "dynamic-shape"
    since = "0.1.0"
    message = "the shape of a result depends on traced values"

    def __init__(self, facts: Facts) -> None:
        super().__init__(facts)
        self._targets: set[cst.CSTNode] = set()

    def visit_AssignTarget(self, node: cst.AssignTarget) -> None:
        """``x[mask] = v`` is another rule's."""
        self._targets.add(node.target)

    def visit_AugAssign(self, node: cst.AugAssign) -> None:
        """``x[mask] += v`` is another rule's."""
        self._targets.add(node.target)

    def visit_Subscript(self, node: cst.Subscript) -> None:
        """``x[mask]``."""
        if node in self._targets or not self.facts.recorded.get(node.value):
            return
        for part in node.slice:
            if type(part.slice) is cst.Index:
                found = self.facts.traced(part.slice.value)
                if found is not None and found.value.dtype == "bool":
                    self.found(
                        found,
                        f"the mask `{self.code_for(found.node)}` is {why(found)} {self.inside(found.context)}: how "
                        "many elements it keeps is not known when JAX traces",
                        at=node,
                        help="keep the shape: `jnp.where(mask, x, 0)`, or `where=mask` in a reduction",
                    )
                    return

    def visit_Call(self, node: cst.Call) -> None:
        """Functions whose result has a data-dependent shape."""
        name = self.facts.callee(node)
        if name not in jax_numpy.DATA_DEPENDENT_SHAPE or name in _BY_ANOTHER_ARGUMENT:
            return
        keyword = jax_numpy.DATA_DEPENDENT_SHAPE[name]
        given = {arg.keyword.value for arg in node.args if arg.keyword is not None}
        plain = [arg for arg in node.args if arg.keyword is None]
        if keyword in given or any(arg.star for arg in node.args) or not plain:
            return
        if name == _ONE_ARGUMENT and (len(plain) > 1 or given):
            return
        found = self.facts.traced(plain[0].value, sure=False)
        if found is not None:
            short = name.replace("jax.numpy.", "jnp.")
            help = f"fix it with `{keyword}=`" if keyword else "keep the full shape and mask"
            self.found(
                found,
                f"the size of what `{short}` returns depends on `{self.code_for(found.node)}`, which is {why(found)} "
                f"{self.inside(found.context)}: it is not known when JAX traces",
                at=node,
                help=help,
            )
