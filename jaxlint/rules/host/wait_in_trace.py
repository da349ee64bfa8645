"""JAX503: traced code waits for the device, or asks an array where it is."""

from __future__ import annotations

import libcst as cst

from jaxlint.findings import Severity
from jaxlint.knowledge.array_api import HOST_METHODS, NOT_ON_TRACER
from jaxlint.rules.base import Rule
from jaxlint.rules.purity.trace_time import repeated
from jaxlint.rules.tracing.conditions import why

#: On a tracer they return what they are given.
_NOTHING = {"jax.device_get": "copies nothing", "jax.block_until_ready": "waits for nothing"}
#: `item` and `tolist` ask for a number: another rule's matter. A tracer has a `sharding` under explicit sharding.
_METHODS = HOST_METHODS - {"item", "tolist"} | {"block_until_ready", "copy_to_host_async", "is_ready"}
_ATTRIBUTES = frozenset({"addressable_shards", "global_shards", "is_fully_addressable", "device"})


class WaitInTrace(Rule):
    """Traced code waits for the device.

    ## What it does
    Finds `jax.device_get(x)`, `jax.block_until_ready(x)`, `x.block_until_ready()` and other questions about the buffer
    of an array (`x.devices()`, `x.delete()`, `x.addressable_shards`, …) where `x` is a traced value.

    ## Why is this bad?
    While JAX traces there is no array yet: nothing to wait for and nothing to copy. The functions return the tracer as
    it is, the methods and attributes raise.

    ## Example
    ```python
    import jax
    import jax.numpy as jnp


    @jax.jit
    def step(w, x):
        loss = jax.device_get(jnp.sum((x @ w) ** 2))
        return (x @ w).block_until_ready(), loss
    ```

    ## Use instead
    ```python
    import jax
    import jax.numpy as jnp


    @jax.jit
    def step(w, x):
        return x @ w, jnp.sum((x @ w) ** 2)


    def run(w, x):
        y, loss = step(w, x)
        return y.block_until_ready(), jax.device_get(loss)
    ```

    ## How to verify
    `jax.jit(step).lower(w, x)` raises an AttributeError before the change.

    ## Caveats
    Silent in tests. `x.item()`, `float(x)` and `np.asarray(x)` of a traced value are JAX105 and JAX109.

    ## References
    - [JAX: asynchronous dispatch](https://docs.jax.dev/en/latest/async_dispatch.html)
    """

    code = "JAX503"
    name = "wait-in-trace"
    since = "0.2.0"
    severity = Severity.WARNING
    message = "traced code waits for the device"
    lenient_in_tests = True

    def visit_Call(self, node: cst.Call) -> None:
        """``jax.device_get(x)``, ``x.block_until_ready()``."""
        name = self.facts.callee(node)
        if name in _NOTHING and node.args:
            self._nothing(node, node.args[0].value, _NOTHING[name])
        elif type(node.func) is cst.Attribute and node.func.attr.value in _METHODS:
            self._missing(node, node.func)

    def visit_Attribute(self, node: cst.Attribute) -> None:
        """``x.addressable_shards``."""
        if node.attr.value in _ATTRIBUTES:
            self._missing(node, node)

    def _nothing(self, node: cst.Call, value: cst.BaseExpression, what: str) -> None:
        found = self.facts.traced(value, sure=False)
        if found is not None and repeated(found.context) is not None and self.speaks(found.context):
            self.found(
                found,
                f"`{self.code_for(node)}` {what}: `{self.code_for(value)}` is {why(found)} "
                f"{self.inside(found.context)}, and there is no array yet",
                at=node,
                help="call it on the result, outside the traced function",
            )

    def _missing(self, node: cst.CSTNode, attribute: cst.Attribute) -> None:
        found = self.facts.tracer(attribute.value)
        if found is not None and self.speaks(found.context):
            error = NOT_ON_TRACER.get(attribute.attr.value, "ConcretizationTypeError")
            self.found(
                found,
                f"`{self.code_for(attribute.value)}` is {why(found)} {self.inside(found.context)}: a tracer has no "
                f"buffer, and `.{attribute.attr.value}` raises {error}",
                at=node,
                help="ask the result, outside the traced function",
            )
