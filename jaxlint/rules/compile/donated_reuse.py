"""JAX606: an array is read after its buffer was donated."""

from __future__ import annotations

import libcst as cst

from jaxlint.rules.base import Cause, Rule


class DonatedReuse(Rule):
    """An array is read after its buffer was donated.

    ## What it does
    Finds reads of a variable that was passed to a jitted function in a donated position (`donate_argnums`,
    `donate_argnames`) and not bound anew, also by the same call in the next iteration of a loop.

    ## Why is this bad?
    Donation lets XLA put a result where the argument was, and the argument is deleted. Every later read of its data
    raises `RuntimeError: Array has been deleted`.

    ## Example
    ```python
    from functools import partial

    import jax


    @partial(jax.jit, donate_argnums=0)
    def smooth(field):
        return 0.5 * (field + field[::-1])


    def settle(field, sweeps):
        for _ in range(sweeps):
            out = smooth(field)
        return out
    ```

    ## Use instead
    ```python
    from functools import partial

    import jax


    @partial(jax.jit, donate_argnums=0)
    def smooth(field):
        return 0.5 * (field + field[::-1])


    def settle(field, sweeps):
        for _ in range(sweeps):
            field = smooth(field)
        return field
    ```

    Or keep a copy (`jnp.copy(field)`) of what is still wanted, or do not donate it.

    ## How to verify
    `settle(jnp.arange(4.0), 2)` raises before the change and returns after it.

    ## Caveats
    A donated array that no result can replace, because none has its shape and dtype, is left alone, and so is a NumPy
    array: there the donation does nothing.

    ## References
    - [JAX: buffer donation](https://docs.jax.dev/en/latest/buffer_donation.html)
    """

    code = "JAX606"
    name = "donated-reuse"
    since = "0.2.0"
    needs_trace = False
    message = "an array is read after its buffer was donated"

    def leave_Module(self, original_node: cst.Module) -> None:
        """Reads that the interpreter saw."""
        for use in self.facts.donated_uses:
            name = self.code_for(use.node)
            given = self.code_for(use.donation.argument)
            if use.again:
                text = f"`{given}` is donated in every iteration and never bound anew: the second call finds it deleted"
            elif name == given:
                text = f"`{name}` was donated before: its buffer is deleted, and this read of it fails"
            elif type(use.node) is cst.Name:
                text = f"`{name}` is the array that was donated before (as `{given}`): this read of it fails"
            else:
                text = f"`{name}` is part of `{given}`, which was donated before: this read of it fails"
            self.report(
                use.node,
                text,
                context=use.context,
                related=(Cause(use.donation.call, f"`{given}` is donated here"),),
                help=f"bind the result to the same name (`{given} = …`), or copy first what is still wanted",
            )
