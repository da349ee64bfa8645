"""JAX407: one key for every lane of a vmap."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from jaxlint.findings import Severity
from jaxlint.rules.base import Cause, Rule
from jaxlint.syntax import called_name, children

if TYPE_CHECKING:
    from jaxlint.tracing.context import Context
    from jaxlint.tracing.facts import Broadcast

#: Calls in a vmapped function after which equal noise in every lane is likely to be meant: an estimate or a comparison
#: is made with common random numbers, or a whole run is evaluated.
_EVALUATES = frozenset({
    "mean", "sum", "average", "nanmean", "nansum", "var", "std", "median", "max", "min", "argmax", "argmin", "prod",
    "any", "all", "quantile", "percentile", "logsumexp", "softmax", "log_prob", "logpdf", "grad", "value_and_grad",
    "vjp", "jvp", "scan", "fori_loop", "while_loop", "vmap", "dot", "matmul", "einsum", "solve", "norm",
})  # fmt: skip

#: `choice` and `permutation` are left out: one key for several tables of probabilities couples the choices.
_DRAWS = frozenset({"draw", "stream"})


class BroadcastKey(Rule):
    """Every lane of a vmap draws from the same key.

    ## What it does
    Finds functions under `jax.vmap` that draw numbers and return them, from a key that is not mapped over: one with
    `in_axes=None`, one that a lambda or an inner function closes over, or one that `partial` binds.

    ## Why is this bad?
    Every lane gets the same numbers. A batch of environments begins in one state, a batch of images gets one noise.

    ## Example
    ```python
    import jax


    def perturb(key, x):
        return x + jax.random.normal(key, x.shape)


    def perturb_all(key, xs):
        return jax.vmap(perturb, in_axes=(None, 0))(key, xs)
    ```

    ## Use instead
    ```python
    import jax


    def perturb(key, x):
        return x + jax.random.normal(key, x.shape)


    def perturb_all(key, xs):
        return jax.vmap(perturb)(jax.random.split(key, xs.shape[0]), xs)
    ```

    ## How to verify
    Compare the numbers of two lanes.

    ## Caveats
    Functions that split the key, or that average, compare or run something to its end, are left alone: there common
    random numbers are likely to be meant. Where one mask is meant for all lanes, draw it outside the vmapped function.
    Silent in tests.

    ## References
    - [`jax.vmap`](https://docs.jax.dev/en/latest/_autosummary/jax.vmap.html)
    """

    code = "JAX407"
    name = "broadcast-key"
    since = "0.2.0"
    severity = Severity.WARNING
    needs_trace = False
    message = "every lane of a vmap draws from the same key"
    lenient_in_tests = True

    def leave_Module(self, original_node: cst.Module) -> None:
        """Draws in a vmap from a key of the outside."""
        for use in self.facts.broadcasts:
            if use.how not in _DRAWS or not self.speaks(use.context) or _evaluates(use):
                continue
            related = () if use.region.node is use.node else (Cause(use.region.node, "vmapped here"),)
            self.report(
                use.node,
                f"`{self.code_for(use.node)}` uses the same key in every lane of a `vmap`: all lanes draw the same "
                "numbers",
                context=use.context,
                related=(*related, Cause(use.token.node, "the key comes from here, and is not mapped over")),
                help="split the key, one for each lane, and map over the keys: `jax.random.split(key, n)`",
            )


def _evaluates(use: Broadcast) -> bool:
    """Whether a function between the vmap and the draw does more with the numbers than to return them."""
    if _calls(use.function, _EVALUATES):
        return True
    context: Context | None = use.context
    while context is not None and use.region in context.regions:
        entered = context.caller is not None and use.region in context.caller.regions
        if entered and _calls(context.function, _EVALUATES):
            return True
        context = context.caller
    return False


def _calls(node: cst.CSTNode, names: frozenset[str]) -> bool:
    """Whether a node holds a call of any of these."""
    stack = [node]
    while stack:
        part = stack.pop()
        if isinstance(part, cst.Call) and called_name(part) in names:
            return True
        stack.extend(children(part))
    return False
