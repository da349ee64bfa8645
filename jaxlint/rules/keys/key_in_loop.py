"""JAX402: the same key in every iteration, or at every call."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from jaxlint.rules.base import Cause, Rule

if TYPE_CHECKING:
    from jaxlint.tracing.keys import Reuse


class KeyInLoop(Rule):
    """The same random key is used in every iteration.

    ## What it does
    Finds keys that do not change from one iteration of a loop (a Python loop, a comprehension, a scan, `lax.map`,
    `tree.map`) to the next and are drawn from in each, by JAX or by a library (`rngs={"dropout": key}`, a sampler's
    `step`), and flax layers that keep a key as a field and draw from it at every call.

    ## Why is this bad?
    Every iteration draws the same numbers.

    ## Example
    ```python
    import jax


    def noisy_steps(key, x, n):
        for _ in range(n):
            x = x + jax.random.normal(key, x.shape)
        return x
    ```

    ## Use instead
    ```python
    import jax


    def noisy_steps(key, x, n):
        for step_key in jax.random.split(key, n):
            x = x + jax.random.normal(step_key, x.shape)
        return x
    ```

    `key, step_key = jax.random.split(key)` at the top of the body, or `jax.random.fold_in(key, i)` with the loop's
    counter do as well.

    ## How to verify
    Print the drawn numbers of two iterations, or run under `jax.debug_key_reuse(True)`.

    ## Caveats
    Silent in tests.

    ## References
    - [JAX: pseudorandom numbers](https://docs.jax.dev/en/latest/random-numbers.html)
    """

    code = "JAX402"
    name = "key-in-loop"
    since = "0.1.0"
    needs_trace = False
    message = "the same random key is used in every iteration"
    lenient_in_tests = True

    def leave_Module(self, original_node: cst.Module) -> None:
        """Second iterations that meet the same key, and draws from a layer's own key."""
        for reuse in self.facts.reuses:
            if reuse.folds or not self.speaks(reuse.second.context):
                continue
            if reuse.looped and reuse.token.source == "fold_in":
                self._folded(reuse)
            elif reuse.looped:
                self.report(
                    reuse.second.node,
                    f"`{self.code_for(reuse.second.node)}` uses the same key in every iteration "
                    f"{self.inside(reuse.second.context)}: each draws the same numbers",
                    context=reuse.second.context,
                    related=(Cause(reuse.token.node, "the key comes from here and does not change in the loop"),),
                    help="split the key for each iteration, or derive one: `jax.random.fold_in(key, i)`",
                )
        self._fields()

    def _folded(self, reuse: Reuse) -> None:
        """``fold_in`` with data that does not change."""
        self.report(
            reuse.token.node,
            f"`{self.code_for(reuse.token.node)}` gives the same key in every iteration "
            f"{self.inside(reuse.second.context)}: neither the key nor the data changes",
            context=reuse.second.context,
            related=(Cause(reuse.second.node, "the key is used here, each time round"),),
            help="fold in the loop's counter: `jax.random.fold_in(key, i)`",
        )

    def _fields(self) -> None:
        for draw in self.facts.field_keys:
            if not self.speaks(draw.context):
                continue
            self.report(
                draw.node,
                f"`self.{draw.name}` is a field of `{draw.class_name}`, so every call of the layer draws the same "
                "numbers",
                context=draw.context,
                help='ask flax for a key: `self.make_rng("name")`, and pass `rngs={"name": key}` to `apply`',
            )
