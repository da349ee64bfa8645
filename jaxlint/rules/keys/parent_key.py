"""JAX403: a key is used after it was split."""

from __future__ import annotations

import libcst as cst

from jaxlint.rules.base import Cause, Rule
from jaxlint.rules.keys.comparisons import on_purpose


class ParentKey(Rule):
    """A random key is used after it was split.

    ## What it does
    Finds keys that are drawn from, split again or handed on to a function that uses them after `jax.random.split` has
    used them up.

    ## Why is this bad?
    Splitting consumes the key. Splitting it again gives the same subkeys again, and numbers drawn from it are not
    independent of what its subkeys give.

    ## Example
    ```python
    import jax


    def init(key, n):
        w_key, b_key = jax.random.split(key)
        w = jax.random.normal(w_key, (n, n))
        b = jax.random.normal(key, (n,))
        return w, b
    ```

    ## Use instead
    ```python
    import jax


    def init(key, n):
        w_key, b_key = jax.random.split(key)
        w = jax.random.normal(w_key, (n, n))
        b = jax.random.normal(b_key, (n,))
        return w, b
    ```

    ## How to verify
    `with jax.debug_key_reuse(True): init(jax.random.key(0), 3)` raises `KeyReuseError` before the change.

    ## Caveats
    Silent in tests. Using another key changes the random stream.

    ## References
    - [JAX: pseudorandom numbers](https://docs.jax.dev/en/latest/random-numbers.html)
    """

    code = "JAX403"
    name = "parent-key"
    since = "0.1.0"
    needs_trace = False
    message = "a random key is used after it was split"
    lenient_in_tests = True

    def leave_Module(self, original_node: cst.Module) -> None:
        """Uses after a split."""
        for reuse in self.facts.reuses:
            if reuse.looped or reuse.folds or reuse.first.how != "split" or not self.speaks(reuse.second.context):
                continue
            if on_purpose(self.facts, reuse):
                continue
            again = "splits it again, which gives the same subkeys" if reuse.second.how == "split" else "uses it again"
            self.report(
                reuse.second.node,
                f"the key was split before, and `{self.code_for(reuse.second.node)}` {again}",
                context=reuse.second.context,
                related=(Cause(reuse.first.node, "the key is split here"),),
                help="use a subkey of the split, and a new name for each",
            )
