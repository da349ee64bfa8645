"""JAX408: split and fold_in on one key."""

from __future__ import annotations

import libcst as cst

from jaxlint.findings import Severity
from jaxlint.rules.base import Cause, Rule


class SplitAndFold(Rule):
    """One key is split, and a small number is folded into it.

    ## What it does
    Finds keys that are split and also given to `jax.random.fold_in` with a number below the number of subkeys: a
    constant, the counter of a loop, the index of a process or a device.

    ## Why is this bad?
    `jax.random.fold_in(key, i)` is the very key that `jax.random.split(key, n)[i]` gives (so it is since JAX 0.5, where
    `jax_threefry_partitionable` is on by default). What is drawn from the one repeats what is drawn from the other.

    ## Example
    ```python
    import jax


    def sample(key, n, shape):
        init_key, _ = jax.random.split(key)
        x = jax.random.normal(init_key, shape)
        for i in range(n):
            x = x + jax.random.normal(jax.random.fold_in(key, i), shape)
        return x
    ```

    ## Use instead
    ```python
    import jax


    def sample(key, n, shape):
        init_key, loop_key = jax.random.split(key)
        x = jax.random.normal(init_key, shape)
        for i in range(n):
            x = x + jax.random.normal(jax.random.fold_in(loop_key, i), shape)
        return x
    ```

    ## How to verify
    `jax.random.split(key)[0] == jax.random.fold_in(key, 0)`.

    ## Caveats
    A counter whose start cannot be read is left alone. Silent in tests.

    ## References
    - [`jax_threefry_partitionable`](https://docs.jax.dev/en/latest/jax.random.html)
    """

    code = "JAX408"
    name = "split-and-fold"
    since = "0.2.0"
    severity = Severity.WARNING
    needs_trace = False
    message = "a key is split, and a small number is folded into it: both give the same keys"
    lenient_in_tests = True

    def leave_Module(self, original_node: cst.Module) -> None:
        """Pairs of a split and a fold that the interpreter saw."""
        for reuse in self.facts.reuses:
            if not reuse.folds or not self.speaks(reuse.second.context):
                continue
            other = "the key is split here" if reuse.first.how == "split" else "a number is folded into the key here"
            self.report(
                reuse.second.node,
                f"`{self.code_for(reuse.second.node)}`: `fold_in(key, i)` gives the same key as `split(key, n)[i]`, "
                "and this key is used for both",
                context=reuse.second.context,
                related=(Cause(reuse.first.node, other),),
                help="split the key first, and fold numbers into a subkey that serves nothing else",
            )
