"""JAX306: traced code reads a clock."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from jaxlint.rules.base import Cause, Rule
from jaxlint.rules.purity.trace_time import repeated, speaks_of_tracing

if TYPE_CHECKING:
    from jaxlint.tracing.facts import Effect


class ClockRead(Rule):
    """Traced code reads a clock.

    ## What it does
    Finds `time.time()`, `time.perf_counter()`, `datetime.now()` and the like inside functions that JAX compiles, also
    in helpers that such functions call.

    ## Why is this bad?
    The clock is read when the function is traced, once, and the time becomes a constant of the compiled program. Two
    reads around some operations measure how long JAX took to trace them, at every call the same number.

    ## Example
    ```python
    import time

    import jax
    import jax.numpy as jnp


    @jax.jit
    def solve(a, b):
        start = time.perf_counter()
        x = jnp.linalg.solve(a, b)
        return x, time.perf_counter() - start
    ```

    ## Use instead
    ```python
    import time

    import jax
    import jax.numpy as jnp

    solve = jax.jit(jnp.linalg.solve)


    def timed_solve(a, b):
        start = time.perf_counter()
        x = jax.block_until_ready(solve(a, b))
        return x, time.perf_counter() - start
    ```

    ## How to verify
    Call it three times: before the change the three times are the same number.

    ## Caveats
    A function that speaks of tracing or compiling (in a message or a comment) measures just that and is not reported.
    Silent in tests.

    ## References
    - [JAX: benchmarking](https://docs.jax.dev/en/latest/benchmarking.html)
    """

    code = "JAX306"
    name = "clock-read"
    since = "0.2.0"
    message = "traced code reads a clock"
    lenient_in_tests = True

    def leave_Module(self, original_node: cst.Module) -> None:
        """One finding a function: the first read, and the others beside it."""
        reads: dict[cst.CSTNode, list[Effect]] = {}
        for effect in self.facts.effects:
            if effect.kind == "clock" and repeated(effect.context) is not None and self.speaks(effect.context):
                reads.setdefault(effect.context.function, []).append(effect)
        for first, *others in reads.values():
            if speaks_of_tracing(self, first.context):
                continue
            places = dict.fromkeys(other.node for other in others if other.node is not first.node)
            self.report(
                first.node,
                f"`{self.code_for(first.node)}` reads the clock {self.inside(first.context)} once, while JAX traces: "
                "every call of the compiled function sees that same time",
                context=first.context,
                related=tuple(Cause(place, "and the clock is read here, while JAX traces") for place in places),
                help="read the clock around the call, after `jax.block_until_ready` of its result",
            )
