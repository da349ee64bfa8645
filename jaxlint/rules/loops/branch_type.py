"""JAX203: the branches of a choice return different types."""

from __future__ import annotations

import libcst as cst

from jaxlint.rules.base import Rule
from jaxlint.rules.loops.wording import called, part, place


class BranchType(Rule):
    """The branches of `lax.cond` or `lax.switch` return different types.

    ## What it does
    Finds `lax.cond` and `lax.switch` whose branches return different structures, shapes or dtypes, and branches that
    cannot be called with the operands.

    ## Why is this bad?
    All branches are traced, whatever the predicate is, and what follows is compiled once for all of them. If they do
    not agree, a `TypeError` is raised.

    ## Example
    ```python
    import jax
    import jax.numpy as jnp


    def safe_mean(x, count):
        return jax.lax.cond(count > 0, lambda: jnp.mean(x), lambda: 0)
    ```

    ## Use instead
    ```python
    import jax
    import jax.numpy as jnp


    def safe_mean(x, count):
        return jax.lax.cond(count > 0, lambda: jnp.mean(x), lambda: 0.0)
    ```

    ## How to verify
    `jax.jit(safe_mean).lower(jnp.ones(3), 3)` raises before the change and returns after it.

    ## Caveats
    A Python float in one branch and a float32 in the other are alike; an int and a float are not, and `None` is like
    nothing else. What depends on `jax_enable_x64` is not reported.

    ## References
    - [`jax.lax.cond`](https://docs.jax.dev/en/latest/_autosummary/jax.lax.cond.html)
    - [`jax.lax.switch`](https://docs.jax.dev/en/latest/_autosummary/jax.lax.switch.html)
    """

    code = "JAX203"
    name = "branch-type"
    since = "0.2.0"
    needs_trace = False
    message = "the branches of `lax.cond` or `lax.switch` return different types"

    def leave_Module(self, original_node: cst.Module) -> None:
        """What the interpreter noted at choices."""
        for found in self.facts.mismatches:
            name = called(self.facts, found.node)
            before, after = found.difference.before, found.difference.after
            if found.how == "branches" and found.other is not None:
                first = place(found.other)
                second = place(found.fn)
                if first == second:
                    first, second = f"one {first}", "another"
                self.report(
                    found.node,
                    f"the branches of `{name}` must return the same type, but {first} returns {before} and {second} "
                    f"returns {after}{part(found.difference.path)}: JAX raises a TypeError",
                    context=found.context,
                    help="return the same structure, shapes and dtypes from all branches (`0.0` beside a float, zeros "
                    "instead of None)",
                )
            elif found.how == "operands":
                self.report(
                    found.node,
                    f"`{name}` calls {place(found.fn)} with {after} operand{'' if after == '1' else 's'}, but it takes "
                    f"{before}: this raises a TypeError",
                    context=found.context,
                    help="every branch is called with all operands: give unused ones a name such as `_`",
                )
