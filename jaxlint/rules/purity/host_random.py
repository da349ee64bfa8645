"""JAX307: traced code draws random numbers on the host."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from jaxlint.rules.base import Cause, Rule
from jaxlint.rules.purity.trace_time import repeated
from jaxlint.tracing.context import RegionKind

if TYPE_CHECKING:
    from jaxlint.tracing.facts import Effect


class HostRandom(Rule):
    """Traced code draws random numbers on the host.

    ## What it does
    Finds draws from `random`, `numpy.random` and `secrets`, from their generator objects, and `os.urandom`, inside
    functions that JAX compiles or maps, also in helpers that such functions call.

    ## Why is this bad?
    The number is drawn when the function is traced, once, and becomes a constant of the compiled program: each call
    "draws" the same number. Under `vmap` all rows share one.

    ## Example
    ```python
    import jax
    import numpy as np


    @jax.jit
    def noisy(x):
        return x + np.random.normal(size=x.shape)
    ```

    ## Use instead
    ```python
    import jax


    @jax.jit
    def noisy(key, x):
        return x + jax.random.normal(key, x.shape)
    ```

    ## How to verify
    Call `noisy` twice with the same `x`: before the change the results are equal.

    ## Caveats
    A generator that is made from a seed inside the traced function draws the same numbers by design, and is not
    reported. Silent in tests.

    ## References
    - [JAX: pseudorandom numbers](https://docs.jax.dev/en/latest/random-numbers.html)
    """

    code = "JAX307"
    name = "host-random"
    since = "0.2.0"
    message = "traced code draws random numbers on the host"
    lenient_in_tests = True

    def leave_Module(self, original_node: cst.Module) -> None:
        """Draws that the interpreter saw happen under a transform."""
        seeded = {
            (effect.context.function, _module(effect.name)) for effect in self.facts.effects if effect.kind == "seed"
        }
        for effect in self.facts.effects:
            if effect.kind == "random" and (effect.context.function, _module(effect.name)) not in seeded:
                self._check(effect)

    def _check(self, effect: Effect) -> None:
        region = repeated(effect.context, mapped=True)
        if region is None or not self.speaks(effect.context) or effect.shown is not None:
            return  # a traced argument fails: that is said by the rule about NumPy
        once = "all rows share what is drawn" if region.kind is RegionKind.MAP else "every call gets the same numbers"
        related = (Cause(effect.made[0], "the generator is made here"),) if effect.made is not None else ()
        self.report(
            effect.node,
            f"`{self.code_for(effect.node)}` draws {self.inside(effect.context)} once, while JAX traces "
            f"({region.label}): {once}",
            context=effect.context,
            related=related,
            help="pass a key in and draw with `jax.random`",
        )


def _module(name: str) -> str:
    return name.rpartition(".")[0]
