"""JAX404: a key made from a constant where it should vary."""

from __future__ import annotations

import libcst as cst

from jaxlint.findings import Severity
from jaxlint.rules.base import Rule


class ConstantKey(Rule):
    """A key is made from a constant where it should vary.

    ## What it does
    Finds `jax.random.key(0)` and `jax.random.PRNGKey(0)` with a constant seed inside code that JAX compiles, inside a
    loop, and in functions that are given a key of their own.

    ## Why is this bad?
    Every call, or every iteration, gets the same random numbers; the key that the caller chose has no effect.

    ## Example
    ```python
    import jax


    @jax.jit
    def dropout(x):
        keep = jax.random.bernoulli(jax.random.key(0), 0.9, x.shape)
        return x * keep
    ```

    ## Use instead
    ```python
    import jax


    @jax.jit
    def dropout(key, x):
        keep = jax.random.bernoulli(key, 0.9, x.shape)
        return x * keep
    ```

    ## How to verify
    Call the function twice and compare the random numbers.

    ## Caveats
    A fixed random projection is a good reason for a constant key: say so with `# noqa: JAX404`. Keys that only serve
    `jax.eval_shape` are not reported. Silent in tests.

    ## References
    - [JAX: pseudorandom numbers](https://docs.jax.dev/en/latest/random-numbers.html)
    """

    code = "JAX404"
    name = "constant-key"
    since = "0.1.0"
    severity = Severity.WARNING
    message = "a key is made from a constant where it should vary"
    lenient_in_tests = True

    def leave_Module(self, original_node: cst.Module) -> None:
        """Constant seeds that the interpreter saw."""
        seen: set[cst.CSTNode] = set()
        for made in self.facts.constant_keys:
            if made.node in seen or not self.speaks(made.context):
                continue
            seen.add(made.node)
            if "dummy" in self.facts.comment_on(made.node, made.context).lower():
                continue  # the author says that its numbers do not matter
            what = {
                "region": "every call of the compiled function draws the same numbers",
                "loop": "every iteration draws the same numbers",
                "shadow": f"the key parameter `{made.detail}` is at hand and has no effect on it",
            }[made.where]
            region = made.context.region()
            if made.where == "region" and region is not None and region.name.startswith("jax.lax."):
                what = "every iteration draws the same numbers"
            self.report(
                made.node,
                f"`{self.code_for(made.node)}` {self.inside(made.context)} is always the same key: {what}",
                context=made.context,
                help="take a key as an argument and split it",
            )
