"""JAX309: compiled code keeps a value that the program changes."""

from __future__ import annotations

import libcst as cst

from jaxlint.rules.base import Cause, Rule

#: What is computed from these changes when the arguments change their shapes, and then JAX compiles anew.
_OF_SHAPES = (".shape", "len(", ".ndim", ".size")


class StaleRead(Rule):
    """Compiled code keeps a value that the program changes.

    ## What it does
    Finds attributes, variables and dict entries that a jitted function reads from outside, that the program changes
    after a call, and that the function does not see when it is called again.

    ## Why is this bad?
    The value is read when the function is traced, and becomes a constant of the compiled program. A jitted method whose
    `self` is static is compiled once an object, whatever its attributes are later.

    ## Example
    ```python
    from functools import partial

    import jax
    import jax.numpy as jnp


    class Trainer:
        def __init__(self):
            self.rate = 0.1

        @partial(jax.jit, static_argnums=0)
        def step(self, w):
            return w - self.rate * w

        def train(self, w):
            for _ in range(10):
                w = self.step(w)
                self.rate = self.rate * 0.5
            return w
    ```

    ## Use instead
    ```python
    import jax
    import jax.numpy as jnp


    @jax.jit
    def step(w, rate):
        return w - rate * w


    class Trainer:
        def __init__(self):
            self.rate = 0.1

        def train(self, w):
            for _ in range(10):
                w = step(w, self.rate)
                self.rate = self.rate * 0.5
            return w
    ```

    ## How to verify
    Call `step` before and after the change with the same arguments: the results are equal.

    ## Caveats
    Only what is read, changed and called again in code that jaxlint can follow from one place is reported. Objects that
    say how they are hashed, and modules of flax, haiku and equinox, are not (JAX 0.12 traces again when the hash of a
    static `self` changed; 0.10 keeps the old program all the same). Silent in tests.

    ## References
    - [JAX: `jax.jit` with methods](https://docs.jax.dev/en/latest/faq.html#how-to-use-jit-with-methods)
    """

    code = "JAX309"
    name = "stale-read"
    since = "0.2.0"
    message = "compiled code keeps a value that the program changes"
    lenient_in_tests = True

    def leave_Module(self, original_node: cst.Module) -> None:
        """Reads that the interpreter saw overtaken; one finding a place."""
        said: set[cst.CSTNode] = set()
        for stale in self.facts.stale:
            if stale.node in said or not self.speaks(stale.context):
                continue
            if stale.source is not None and any(word in self.code_for(stale.source, 200) for word in _OF_SHAPES):
                continue
            said.add(stale.node)
            self.report(
                stale.node,
                f"`{self.code_for(stale.node)}` is read {self.inside(stale.context)} once, while JAX traces: the "
                f"compiled function does not see that `{self.code_for(stale.written)}` is changed later",
                context=stale.context,
                related=(
                    Cause(stale.written, "it is changed here"),
                    Cause(stale.call, "and the compiled function is called again here"),
                ),
                help="pass it in as an argument",
            )
