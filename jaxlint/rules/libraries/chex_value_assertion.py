"""JAX901: a chex assertion about values, on a tracer."""

from __future__ import annotations

import libcst as cst

from jaxlint.knowledge.libraries import CHEX_VALUE_ASSERTIONS, CHEXIFIED
from jaxlint.knowledge.library_transforms import CHEXIFY
from jaxlint.rules.base import Rule

_CHEXIFY_HELP = "wrap the jitted function in `chex.chexify`"
_CHECKIFY_HELP = "write `checkify.check(…)` and run the function under `checkify.checkify`"


class ChexValueAssertion(Rule):
    """A chex assertion about values gets a traced array.

    ## What it does
    Finds assertions of chex that look at numbers (`assert_trees_all_close`, `assert_tree_all_finite`,
    `assert_scalar_positive`, …) on traced values.

    ## Why is this bad?
    They need the numbers, and a tracer has none: they raise when JAX traces the function. The assertions about shapes,
    ranks and types work on tracers.

    ## Example
    ```python
    import chex
    import jax


    @jax.jit
    def step(params, grads):
        chex.assert_tree_all_finite(grads)
        return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads)
    ```

    ## Use instead
    ```python
    import chex
    import jax


    @chex.chexify
    @jax.jit
    def step(params, grads):
        chex.assert_tree_all_finite(grads)
        return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads)
    ```

    ## How to verify
    Call the function once: without `chex.chexify` it raises a RuntimeError.

    ## Caveats
    `chex.chexify` helps `assert_trees_all_close`, `assert_trees_all_equal` and `assert_tree_all_finite` only; for the
    others there is `checkify.check`.

    ## References
    - [Chex: asserting jitted functions](https://chex.readthedocs.io/en/latest/api.html#chex.chexify)
    """

    code = "JAX901"
    name = "chex-value-assertion"
    since = "0.2.0"
    message = "a chex assertion about values fails on a traced value"
    lenient_in_tests = True

    def visit_Call(self, node: cst.Call) -> None:
        """``chex.assert_…(traced)``."""
        name = self.facts.callee(node)
        if name not in CHEX_VALUE_ASSERTIONS:
            return
        for arg in node.args:
            found = self.facts.tracer(arg.value, sure=False)
            if found is None or not self.speaks(found.context):
                continue
            if name in CHEXIFIED and any(mark == CHEXIFY.name for mark, _ in found.context.marks):
                continue
            short = name.rpartition(".")[2]
            self.found(
                found,
                f"`{short}` needs the numbers of `{self.code_for(arg.value)}`, which is traced "
                f"{self.inside(found.context)}: it raises when JAX traces it",
                at=node,
                help=_CHEXIFY_HELP if name in CHEXIFIED else _CHECKIFY_HELP,
            )
            return
