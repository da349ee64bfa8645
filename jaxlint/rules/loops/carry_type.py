"""JAX202: a loop's carry changes its type."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from jaxlint.rules.base import Rule
from jaxlint.rules.loops.wording import called, init_of, place

if TYPE_CHECKING:
    from jaxlint.tracing.facts import Mismatch

_HELP = {
    "dtype": "give it the dtype that the body returns from the start, or convert what the body returns",
    "shape": "allocate the full size before the loop and write with `.at[i].set(…)`; a scan can also collect rows in "
    "its second output",
    "structure": "start with the same structure (tuples, keys, no None) that the body returns",
}


class CarryType(Rule):
    """A loop's carry changes its type.

    ## What it does
    Finds `lax.scan`, `lax.while_loop` and `lax.fori_loop` whose body returns a carry of another dtype, shape or
    structure than it was given, or no carry at all, and bodies that cannot be called with a loop's arguments.

    ## Why is this bad?
    JAX compiles one body for all iterations, so the carry must come back as it went in. Otherwise a `TypeError` is
    raised when the loop is traced.

    ## Example
    ```python
    import jax
    import jax.numpy as jnp


    def halvings(x):
        def body(carry):
            count, value = carry
            return count + 0.5, value / 2

        return jax.lax.while_loop(lambda carry: jnp.max(carry[1]) > 1.0, body, (jnp.int32(0), jnp.float32(x)))
    ```

    ## Use instead
    ```python
    import jax
    import jax.numpy as jnp


    def halvings(x):
        def body(carry):
            count, value = carry
            return count + 1, value / 2

        return jax.lax.while_loop(lambda carry: jnp.max(carry[1]) > 1.0, body, (jnp.int32(0), jnp.float32(x)))
    ```

    ## How to verify
    `halvings(8.0)` raises before the change and returns after it.

    ## Caveats
    Python numbers adapt: a carry that starts as `0` and comes back as a float is promoted before the loop, and nothing
    is reported. Neither is anything that depends on `jax_enable_x64`.

    ## References
    - [`jax.lax.scan`](https://docs.jax.dev/en/latest/_autosummary/jax.lax.scan.html)
    - [`jax.lax.while_loop`](https://docs.jax.dev/en/latest/_autosummary/jax.lax.while_loop.html)
    """

    code = "JAX202"
    name = "carry-type"
    since = "0.2.0"
    needs_trace = False
    message = "a loop's carry changes its type"

    def leave_Module(self, original_node: cst.Module) -> None:
        """What the interpreter noted at loops."""
        for found in self.facts.mismatches:
            if found.how == "carry":
                self._carry(found)
            elif found.how == "pair":
                self._pair(found)
            elif found.how == "parameters":
                self._parameters(found)

    def _carry(self, found: Mismatch) -> None:
        loop, body = called(self.facts, found.node), place(found.fn)
        what = init_of(self.facts, found.node, found.difference.path)
        before, after, how = found.difference.before, found.difference.after, found.difference.how
        self.report(
            found.node,
            f"the carry of `{loop}` must come back as it went in: {what} starts as {before}, but {body} returns "
            f"{after} for it: JAX raises a TypeError",
            context=found.context,
            help=_HELP[how],
        )

    def _pair(self, found: Mismatch) -> None:
        self.report(
            found.node,
            f"the body of `{called(self.facts, found.node)}` must return a pair `(carry, y)`, but {place(found.fn)} "
            f"returns {found.difference.after}: JAX raises a TypeError",
            context=found.context,
            help="write `return carry, None` if nothing is to be collected",
        )

    def _parameters(self, found: Mismatch) -> None:
        given, takes = found.difference.after, found.difference.before
        arguments = "argument" if given == "1" else "arguments"
        self.report(
            found.node,
            f"`{called(self.facts, found.node)}` calls {place(found.fn)} with {given} {arguments}, but it takes "
            f"{takes}: this raises a TypeError",
            context=found.context,
            help="a scan calls `body(carry, x)`, a fori_loop `body(i, carry)`, a while_loop `cond(carry)` and "
            "`body(carry)`: put several values into one tuple",
        )
