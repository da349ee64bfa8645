"""JAX304: traced code changes a container from outside."""

from __future__ import annotations

import libcst as cst

from jaxlint.rules.base import Cause, Rule


class ContainerMutation(Rule):
    """Traced code changes a list, dict or set from outside.

    ## What it does
    Finds `append`, `update`, item assignment and other changes of a container that was made outside the traced
    function: captured from an enclosing scope, a module variable, or a default argument.

    ## Why is this bad?
    The change happens when the function is traced, once, not each time the compiled program runs.

    ## Example
    ```python
    import jax

    seen = []


    @jax.jit
    def square(x):
        seen.append("called")
        return x * x
    ```

    ## Use instead
    ```python
    import jax

    seen = []


    @jax.jit
    def square(x):
        return x * x


    def logged_square(x):
        seen.append("called")
        return square(x)
    ```

    ## How to verify
    Call `square` three times: `len(seen)` is 1 before the change and 3 after it.

    ## Caveats
    A container that is made inside the traced function is its own business and never reported. What is stored for good
    when it is a traced value is a leak: see JAX308.

    ## References
    - [JAX: pure functions](https://docs.jax.dev/en/latest/notebooks/Common_Gotchas_in_JAX.html#pure-functions)
    """

    code = "JAX304"
    name = "container-mutation"
    since = "0.1.0"
    message = "traced code changes a container from outside"
    lenient_in_tests = True

    def leave_Module(self, original_node: cst.Module) -> None:
        """Changes that the interpreter saw leave their trace."""
        for write in self.facts.writes:
            if write.how == "container" and not write.leaks and self.speaks(write.context) and write.obj is not None:
                self.report(
                    write.node,
                    f"`{self.code_for(write.node)}` changes a {write.obj.form} made outside the trace, and does so "
                    f"only while JAX traces `{write.context.name}`",
                    context=write.context,
                    related=(Cause(write.obj.node, f"the {write.obj.form} is made here, outside the traced function"),),
                    help="return the value from the traced function and change the container in the caller",
                )
