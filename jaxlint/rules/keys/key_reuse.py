"""JAX401: a random key is used twice."""

from __future__ import annotations

import libcst as cst

from jaxlint.rules.base import Cause, Rule
from jaxlint.rules.keys.comparisons import on_purpose


class KeyReuse(Rule):
    """A random key is used twice.

    ## What it does
    Finds keys that are drawn from (or handed to a function that draws from them) more than once on one path. Layers,
    streams and samplers of flax, equinox, haiku, numpyro, blackjax and distrax count, too: two models that are
    initialised from one key get the same weights wherever their layers have the same shape.

    ## Why is this bad?
    The same key gives the same random bits: the second draw repeats the first. With equal shapes and distributions the
    numbers are equal, with others they are dependent.

    ## Example
    ```python
    import jax


    def noise(key, shape):
        scale = jax.random.uniform(key)
        return scale * jax.random.normal(key, shape)
    ```

    ## Use instead
    ```python
    import jax


    def noise(key, shape):
        scale_key, noise_key = jax.random.split(key)
        scale = jax.random.uniform(scale_key)
        return scale * jax.random.normal(noise_key, shape)
    ```

    ## How to verify
    `with jax.debug_key_reuse(True): noise(jax.random.key(0), (3,))` raises `KeyReuseError` before the change.

    ## Caveats
    Two results of one key that are subtracted or compared are common random numbers and not reported. Another use on
    purpose is right too: say so with `# noqa: JAX401`. Silent in tests, where that is usual. Splitting changes the
    random stream.

    ## References
    - [JAX: pseudorandom numbers](https://docs.jax.dev/en/latest/random-numbers.html)
    """

    code = "JAX401"
    name = "key-reuse"
    since = "0.1.0"
    needs_trace = False
    message = "a random key is used twice"
    lenient_in_tests = True

    def leave_Module(self, original_node: cst.Module) -> None:
        """Second uses that the interpreter saw."""
        for reuse in self.facts.reuses:
            if reuse.looped or reuse.folds or reuse.first.how == "split" or not self.speaks(reuse.second.context):
                continue
            if on_purpose(self.facts, reuse):
                continue
            self.report(
                reuse.second.node,
                f"`{self.code_for(reuse.second.node)}` uses a key that was used before: the random numbers repeat or "
                "depend on each other",
                context=reuse.second.context,
                related=(Cause(reuse.first.node, "the key is used here first"),),
                help="split the key and use each part once: `key_a, key_b = jax.random.split(key)`",
            )
