"""JAX303: traced code writes a global or nonlocal variable."""

from __future__ import annotations

import libcst as cst

from jaxlint.rules.base import Rule


class GlobalWrite(Rule):
    """Traced code writes a global or nonlocal variable.

    ## What it does
    Finds assignments to `global` and `nonlocal` variables inside functions that JAX compiles.

    ## Why is this bad?
    The assignment runs when the function is traced, not when the compiled program runs: a counter stays at one, a
    running value is never updated again.

    ## Example
    ```python
    import jax

    calls = 0


    @jax.jit
    def double(x):
        global calls
        calls += 1
        return 2 * x
    ```

    ## Use instead
    ```python
    import jax


    @jax.jit
    def double(x, calls):
        return 2 * x, calls + 1
    ```

    State goes in as an argument and comes out as a result; what is not part of the computation (a counter of calls) is
    updated by the caller.

    ## How to verify
    Call `double` three times: `calls` is 1 before the change.

    ## References
    - [JAX: pure functions](https://docs.jax.dev/en/latest/notebooks/Common_Gotchas_in_JAX.html#pure-functions)
    """

    code = "JAX303"
    name = "global-write"
    since = "0.1.0"
    message = "traced code writes a global or nonlocal variable"
    lenient_in_tests = True

    def leave_Module(self, original_node: cst.Module) -> None:
        """Writes that the interpreter saw leave their trace."""
        for write in self.facts.writes:
            if write.how in ("global", "nonlocal") and not write.leaks and self.speaks(write.context):
                kind = "global" if write.how == "global" else "enclosing function's"
                self.report(
                    write.node,
                    f"`{write.target}` is the {kind} variable and is written {self.inside(write.context)} only while "
                    "JAX traces: later calls of the compiled function leave it as it is",
                    context=write.context,
                    help="pass the value in as an argument and return the new one",
                )
