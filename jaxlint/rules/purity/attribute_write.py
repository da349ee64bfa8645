"""JAX305: traced code writes an attribute of an outer object."""

from __future__ import annotations

import libcst as cst

from jaxlint.rules.base import Rule


class AttributeWrite(Rule):
    """Traced code writes an attribute of `self` or another outer object.

    ## What it does
    Finds `self.x = …` and `obj.x = …` inside functions that JAX compiles, where the object was made outside the trace.

    ## Why is this bad?
    The attribute is written when the function is traced, once. The compiled program neither reads nor writes it again.

    ## Example
    ```python
    from functools import partial

    import jax


    class Counter:
        def __init__(self):
            self.count = 0

        @partial(jax.jit, static_argnums=0)
        def step(self, x):
            self.count += 1
            return x + 1
    ```

    ## Use instead
    ```python
    from functools import partial

    import jax


    class Counter:
        @partial(jax.jit, static_argnums=0)
        def step(self, x, count):
            return x + 1, count + 1
    ```

    ## How to verify
    Call `step` three times: `count` is 1 before the change.

    ## Caveats
    Modules of flax, haiku and equinox treat attributes by rules of their own and are not reported; nor are classes
    whose base class is defined in another file.

    ## References
    - [JAX: `jax.jit` with methods](https://docs.jax.dev/en/latest/faq.html#how-to-use-jit-with-methods)
    """

    code = "JAX305"
    name = "attribute-write"
    since = "0.1.0"
    message = "traced code writes an attribute of an outer object"
    lenient_in_tests = True

    def leave_Module(self, original_node: cst.Module) -> None:
        """Writes that the interpreter saw leave their trace."""
        for write in self.facts.writes:
            if write.how == "attribute" and not write.leaks and self.speaks(write.context):
                self.report(
                    write.node,
                    f"`{self.code_for(write.node)}` is written {self.inside(write.context)} only while JAX traces: "
                    "later calls of the compiled function leave it as it is",
                    context=write.context,
                    help="return the new value and store it in the caller",
                )
