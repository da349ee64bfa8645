"""JAX308: a tracer outlives its trace."""

from __future__ import annotations

import libcst as cst

from jaxlint.rules.base import Cause, Rule
from jaxlint.tracing.facts import Write


class TracerLeak(Rule):
    """A traced value is stored where it outlives its trace.

    ## What it does
    Finds traced values that are stored in something made outside the trace: appended to a captured list, assigned to
    an attribute, a global or a nonlocal variable. The same for Haiku's key sequence and state (`hk.next_rng_key()`,
    `hk.set_state`) inside a plain JAX loop, where Haiku's own loops are needed.

    ## Why is this bad?
    After the trace the stored tracer stands for nothing. Using it raises `UnexpectedTracerError`, often far away.

    ## Example
    ```python
    import jax
    import jax.numpy as jnp


    def trajectory(x, n):
        path = []

        def step(x, _):
            x = 0.5 * x
            path.append(x)
            return x, None

        jax.lax.scan(step, x, None, length=n)
        return jnp.stack(path)
    ```

    ## Use instead
    ```python
    import jax


    def trajectory(x, n):
        def step(x, _):
            x = 0.5 * x
            return x, x

        return jax.lax.scan(step, x, None, length=n)[1]
    ```

    ## How to verify
    Run it under `jax.checking_leaks()`, or use the stored value after the call.

    ## References
    - [`UnexpectedTracerError`](https://docs.jax.dev/en/latest/errors.html#jax.errors.UnexpectedTracerError)
    """

    code = "JAX308"
    name = "tracer-leak"
    since = "0.1.0"
    message = "a traced value is stored where it outlives its trace"
    lenient_in_tests = True

    def _library(self, write: Write) -> None:
        """State that a library keeps around the loop."""
        region = write.context.region()
        where = f"inside `{write.context.name}`" + (f" ({region.label})" if region is not None else "")
        self.report(
            write.node,
            f"`{self.code_for(write.node)}` changes {write.target} {where}: it keeps a tracer of the loop's body, and "
            "using it after the loop raises UnexpectedTracerError",
            context=write.context,
            value=write.value,
            help="use Haiku's own `hk.scan`, `hk.fori_loop`, `hk.while_loop` or `hk.map`, or draw the keys before the "
            "loop and scan over them",
        )

    def leave_Module(self, original_node: cst.Module) -> None:
        """Writes that the interpreter saw take a tracer along."""
        for write in self.facts.writes:
            if not write.leaks or not self.speaks(write.context):
                continue
            if write.how == "library":
                self._library(write)
                continue
            related: tuple[Cause, ...] = ()
            if write.obj is not None and write.how == "container":
                related = (Cause(write.obj.node, f"the {write.obj.form} is made here, outside the trace"),)
            region = write.context.region()
            where = f" ({region.label})" if region is not None else ""
            self.report(
                write.node,
                f"`{self.code_for(write.node)}` keeps a value that is traced {self.inside(write.context)}{where}: when "
                "the trace is over it is a leaked tracer, and using it raises UnexpectedTracerError",
                context=write.context,
                value=write.value,
                related=related,
                help="return the value from the traced function instead (from a scan body as its second result)",
            )
