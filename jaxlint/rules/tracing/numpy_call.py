"""JAX109: numpy or scipy receives a traced value."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from jaxlint.knowledge import numpy_api
from jaxlint.knowledge.host_effects import HOST_RANDOM
from jaxlint.rules.base import Rule
from jaxlint.rules.tracing.conditions import why


class NumpyCall(Rule):
    """NumPy or SciPy receives a traced value.

    ## What it does
    Finds calls of NumPy and SciPy functions on traced values, traced values stored into a NumPy buffer, and NumPy
    arrays indexed by a traced value.

    ## Why is this bad?
    NumPy needs the numbers now. A traced value has none, so the call fails with `TracerArrayConversionError`.

    ## Example
    ```python
    import jax
    import numpy as np


    @jax.jit
    def loss(w, x):
        return np.square(x @ w).mean()
    ```

    ## Use instead
    ```python
    import jax
    import jax.numpy as jnp


    @jax.jit
    def loss(w, x):
        return jnp.square(x @ w).mean()
    ```

    NumPy on shapes and constants is fine, and often better: it runs once, at trace time.

    ## How to verify
    `jax.jit(loss).lower(jnp.ones(3), jnp.ones((2, 3)))` raises before the change and returns after it.

    ## Caveats
    `np.sum`, `np.mean`, `np.shape` and a few others call the method of their argument and work; they are not reported.
    `jnp` functions compute in 32 bits unless x64 is enabled.

    ## References
    - [`TracerArrayConversionError`](https://docs.jax.dev/en/latest/errors.html#jax.errors.TracerArrayConversionError)
    """

    code = "JAX109"
    name = "numpy-on-traced"
    since = "0.1.0"
    message = "NumPy or SciPy receives a traced value"
    converts = True

    def visit_Call(self, node: cst.Call) -> None:
        """``np.f(traced)``."""
        name = self.facts.callee(node)
        module, _, rest = name.partition(".")
        if (module == "numpy" and rest in numpy_api.FAILS_IN_ANY_POSITION) or (
            name in HOST_RANDOM and module == "numpy"
        ):
            self._arguments(node, name, node.args)
        elif module == "numpy" and rest in numpy_api.FAILS_ON_TRACER:
            self._arguments(node, name, node.args[:1])
        elif module == "scipy" and name.startswith(tuple(numpy_api.SCIPY_PREFIXES_FAIL)):
            if name not in numpy_api.SCIPY_WORKS:
                self._arguments(node, name, node.args)

    def _arguments(self, node: cst.Call, name: str, args: Sequence[cst.Arg]) -> None:
        for arg in args:
            for part in _parts(arg.value):
                found = self.facts.tracer(part, sure=False)
                if found is not None:
                    short = "np." + name[6:] if name.startswith("numpy.") else name
                    self.found(
                        found,
                        f"`{short}` needs the numbers of `{self.code_for(part)}`, which is {why(found)} "
                        f"{self.inside(found.context)}: this fails when JAX traces it",
                        at=node,
                        help=_instead(name),
                    )
                    return

    def leave_Module(self, original_node: cst.Module) -> None:
        """Stores into numpy buffers and numpy tables indexed by a traced value."""
        for fault in self.facts.faults:
            if fault.how not in ("host-store", "host-index"):
                continue
            what = "stores a traced value in" if fault.how == "host-store" else "uses a traced value to index"
            self.report(
                fault.node,
                f"`{self.code_for(fault.node)}` {what} a NumPy array {self.inside(fault.context)}: this fails when JAX "
                "traces it",
                context=fault.context,
                value=fault.value,
                converts=False,
                help="make it a JAX array: `jnp.zeros(…)` with `x = x.at[i].set(v)`, or `jnp.asarray(table)[i]`",
            )


def _instead(name: str) -> str:
    if name.startswith("numpy.random."):
        return "draw with `jax.random` and a key"
    return f"write `jnp.{name[6:]}`" if name.startswith("numpy.") else f"use `jax.{name}` where it exists"


def _parts(node: cst.BaseExpression) -> list[cst.BaseExpression]:
    if isinstance(node, (cst.Tuple, cst.List)):
        return [inner for part in node.elements for inner in _parts(part.value)]
    return [node]
