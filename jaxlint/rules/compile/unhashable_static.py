"""JAX602: a static argument that has no hash."""

from __future__ import annotations

import libcst as cst

from jaxlint.rules.base import Cause, Rule


class UnhashableStatic(Rule):
    """A static argument has no hash.

    ## What it does
    Finds lists, dicts, sets, arrays (random keys, too) and objects without a hash that are passed where a jitted
    function declares its argument static.

    ## Why is this bad?
    JAX keeps one compiled program for each value of a static argument and looks it up by its hash. A value without one
    raises `ValueError: Non-hashable static arguments are not supported`.

    ## Example
    ```python
    from functools import partial

    import jax


    @partial(jax.jit, static_argnames="axes")
    def total(x, axes):
        return x.sum(tuple(axes))


    def summary(x):
        return total(x, axes=[0, 1])
    ```

    ## Use instead
    ```python
    from functools import partial

    import jax


    @partial(jax.jit, static_argnames="axes")
    def total(x, axes):
        return x.sum(axes)


    def summary(x):
        return total(x, axes=(0, 1))
    ```

    A tuple for a list, `@dataclass(frozen=True)` for a configuration. An array is no static argument: let it be traced,
    and check the argument numbers (they count `self`, and begin with 0).

    ## How to verify
    `summary(jnp.ones((2, 2)))` raises before the change and returns after it.

    ## References
    - [JAX: static arguments](https://docs.jax.dev/en/latest/jit-compilation.html#marking-arguments-as-static)
    """

    code = "JAX602"
    name = "unhashable-static"
    since = "0.2.0"
    needs_trace = False
    message = "a static argument has no hash"

    def leave_Module(self, original_node: cst.Module) -> None:
        """Arguments that the interpreter saw."""
        for call in self.facts.jit_calls:
            if call.wrapped.transform.binder != "jit" or call.assumed or call.static.everything:
                continue
            for passed in call.passed:
                if not (passed.static and passed.trouble and passed.node is not None):
                    continue
                called = call.function.name if call.function is not None else "the function"
                name = f"`{passed.name}`" if passed.name else "this argument"
                self.report(
                    passed.node,
                    f"{name} is static in `{called}`, and `{self.code_for(passed.node)}` is {passed.trouble} which has "
                    "no hash: the call fails",
                    context=call.context,
                    related=(Cause(call.wrapped.node, "declared static here"),),
                    help=_help(passed.trouble),
                )


def _help(trouble: str) -> str:
    if "array" in trouble:
        return "an array is traced, not static: leave it out of `static_argnums`, and count them from 0"
    if "dataclass" in trouble:
        return "write `@dataclass(frozen=True)`"
    if trouble.startswith("a list"):
        return "pass a tuple"
    return "pass something hashable, such as a tuple or a frozen dataclass"
