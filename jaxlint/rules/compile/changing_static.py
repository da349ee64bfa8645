"""JAX603: a static argument that is another one at every call."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from jaxlint.findings import Severity
from jaxlint.rules.base import Cause, Rule
from jaxlint.rules.compile.arithmetic import only_computes
from jaxlint.rules.compile.scopes import computed_from, counters, free_names, holds, own_name, stored_in
from jaxlint.tracing.values import Function, Partial, Ref, Static, Value

if TYPE_CHECKING:
    from jaxlint.tracing.compiled import JitCall, Passed
    from jaxlint.tracing.values import ClassValue


class ChangingStatic(Rule):
    """A static argument is another one at every call.

    ## What it does
    Finds calls of a jitted function in a loop whose static argument changes in every iteration although the function
    only computes with it (a loop counter, a learning rate), or is a new object each time (a lambda, a `partial`, an
    instance that hashes by identity).

    ## Why is this bad?
    JAX compiles one program for each value of a static argument. One that is new at every call compiles at every call,
    and the cache keeps all of the programs.

    ## Example
    ```python
    from functools import partial

    import jax


    @partial(jax.jit, static_argnames="rate")
    def update(w, grads, rate):
        return w - rate * grads


    def fit(w, grads, steps):
        for i in range(steps):
            w = update(w, grads, rate=0.1 / (i + 1))
        return w
    ```

    ## Use instead
    ```python
    import jax


    @jax.jit
    def update(w, grads, rate):
        return w - rate * grads


    def fit(w, grads, steps):
        for i in range(steps):
            w = update(w, grads, rate=0.1 / (i + 1))
        return w
    ```

    A function or an object that stays the same is made once, before the loop.

    ## How to verify
    `with jax.log_compiles(): fit(w, grads, 3)` logs three compilations before the change and one after it.

    ## Caveats
    A number that decides on a shape, on the length of a loop or on a branch has to be static; that is not reported.

    ## References
    - [JAX: static arguments](https://docs.jax.dev/en/latest/jit-compilation.html#marking-arguments-as-static)
    """

    code = "JAX603"
    name = "changing-static"
    since = "0.2.0"
    severity = Severity.WARNING
    needs_trace = False
    message = "a static argument is another one at every call"
    lenient_in_tests = True

    def leave_Module(self, original_node: cst.Module) -> None:
        """Calls in loops."""
        for call in self.facts.jit_calls:
            if call.assumed or not call.loops or call.static.everything or call.context.regions:
                continue
            if call.wrapped.transform.binder == "jit" and self.speaks(call.context):
                for passed in call.passed:
                    if passed.static and passed.node is not None and not passed.trouble:
                        self._look(call, passed, passed.node)

    def _look(self, call: JitCall, passed: Passed, node: cst.BaseExpression) -> None:
        loop = call.loops[-1]
        changing = stored_in(loop)
        read = {name.value for name in free_names(node)}
        if _is_new(passed.value, node, loop) and not read & changing - own_name(passed.value):
            what = "is a new object in every iteration, and it is found by its identity"
            advice = "make it once, before the loop"
        elif read & computed_from(loop, counters(loop)) and self._could_be_traced(call, passed):
            what = "is another number in every iteration, and the function only computes with it"
            advice = f"take `{passed.name}` out of the static arguments"
        else:
            return
        self.report(
            node,
            f"`{self.code_for(node)}` is passed for the static `{passed.name}` and {what}: JAX compiles at every call",
            context=call.context,
            related=(Cause(call.wrapped.node, "declared static here"),),
            help=advice,
        )

    def _could_be_traced(self, call: JitCall, passed: Passed) -> bool:
        """Whether the function only computes with a number: a tracer would do as well."""
        if call.function is None or not isinstance(passed.value, Static) or passed.param is None:
            return False
        return only_computes(self.facts, call.function.node.body, passed.param.name.value)


def _is_new(value: Value, node: cst.BaseExpression, loop: cst.CSTNode) -> bool:
    """Whether an argument is made in each iteration and has no equal."""
    if isinstance(value, Function):
        return holds(loop, value.node)
    if isinstance(value, Partial):
        return type(node) is cst.Call
    if isinstance(value, Ref) and value.obj.form == "instance" and value.obj.cls is not None:
        return _hashes_by_identity(value.obj.cls) and holds(loop, value.obj.node)
    return False


def _hashes_by_identity(cls: ClassValue) -> bool:
    plain = cls.family == "plain" and not cls.node.decorators and not cls.bases
    return plain and not {"__eq__", "__hash__"} & cls.members.keys()
