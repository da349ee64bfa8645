"""JAX601: a new function is jitted again and again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from jaxlint.findings import Severity
from jaxlint.rules.base import Cause, Rule
from jaxlint.rules.compile.scopes import free_names, holds, own_name, runs_each_time, stored_in, takes_only_data
from jaxlint.tracing.values import Bound, Function, Partial, Ref, Transformed, Value

if TYPE_CHECKING:
    from jaxlint.tracing.compiled import JitCall, Repeated
    from jaxlint.tracing.facts import Facts


class FreshJit(Rule):
    """A new function is jitted in every iteration or call.

    ## What it does
    Finds `jax.jit` of a lambda, a nested function, a bound method, a `partial` or of `jax.vmap(f)` that is made and
    called in the body of a loop, or in a function that is visibly called in one.

    ## Why is this bad?
    JAX keeps compiled programs by the identity of the function. A function that is new each time is traced and compiled
    each time, which takes some thousand times longer than the call itself. (Jitting the same module-level function
    again finds the program, and is harmless.)

    ## Example
    ```python
    import jax
    import jax.numpy as jnp


    def fit(w, xs, steps):
        for _ in range(steps):
            grads = jax.jit(jax.grad(lambda w: jnp.sum((xs @ w) ** 2)))(w)
            w = w - 0.1 * grads
        return w
    ```

    ## Use instead
    ```python
    import jax
    import jax.numpy as jnp


    def fit(w, xs, steps):
        gradient = jax.jit(jax.grad(lambda w: jnp.sum((xs @ w) ** 2)))
        for _ in range(steps):
            w = w - 0.1 * gradient(w)
        return w
    ```

    What changes from call to call becomes an argument of the jitted function. A method is jitted once in `__init__`:
    `self._step = jax.jit(self.step)`.

    ## How to verify
    `with jax.log_compiles(): fit(w, xs, 3)` logs a compilation for each step before the change and one after it.

    ## Caveats
    A function that depends on a configuration which the loop changes has to be compiled for each; that is not reported.

    ## References
    - [JAX: caching](https://docs.jax.dev/en/latest/jit-compilation.html#jit-and-caching)
    """

    code = "JAX601"
    name = "fresh-jit"
    since = "0.2.0"
    severity = Severity.WARNING
    needs_trace = False
    message = "a new function is jitted in every iteration or call"
    lenient_in_tests = True

    def __init__(self, facts: Facts) -> None:
        super().__init__(facts)
        self._seen: set[Transformed] = set()

    def leave_Module(self, original_node: cst.Module) -> None:
        """Calls of jitted functions that were made on the spot."""
        for call in self.facts.jit_calls:
            compiles = call.wrapped.transform.binder == "jit" and call.wrapped.transform.name.startswith(("jax.", "eq"))
            if not call.assumed and compiles and not call.context.regions and self.speaks(call.context):
                self._loop(call)
                self._function(call)
                self._factory(call)

    def _loop(self, call: JitCall) -> None:
        """Made and called in the same loop, or made in one around it."""
        for loop in reversed(call.loops):
            if not isinstance(loop, (cst.For, cst.While)) or _leaves(loop.body.body[-1]):
                return
            if runs_each_time(loop.body, call.wrapped.node):
                if self._is_fresh(call.wrapped, loop.body) and self._could_stay(call.wrapped, stored_in(loop)):
                    self._speak(call, "every iteration", "before the loop", loop)
                return

    def _function(self, call: JitCall) -> None:
        """Made and called in a function that is called in a loop."""
        function = call.context.function
        repeated = self.facts.repeated.get(function)
        if not call.loops and repeated is not None and type(function) is cst.FunctionDef:
            self._made_in(call, function, repeated, stored_in(function) - _constant_owner(call, repeated))

    def _factory(self, call: JitCall) -> None:
        """Made by a factory that is called in a loop."""
        value: Value = call.wrapped
        while isinstance(value, Transformed):
            value = value.fn
        if not isinstance(value, Function) or value.frame is None or call.wrapped in self._seen:
            return
        self._seen.add(call.wrapped)
        for factory, repeated in self.facts.repeated.items():
            if type(factory) is cst.FunctionDef and factory is not call.context.function and repeated.loop is not None:
                self._made_in(call, factory, repeated, stored_in(factory))

    def _made_in(self, call: JitCall, function: cst.FunctionDef, repeated: Repeated, changing: set[str]) -> None:
        if function.decorators or not runs_each_time(function.body, call.wrapped.node):
            return  # a decorator may keep its results
        if self._is_fresh(call.wrapped, function.body) and self._could_stay(call.wrapped, changing):
            self._speak(call, f"every call of `{function.name.value}`", "once, where it stays", repeated.node)

    def _speak(self, call: JitCall, when: str, where: str, place: cst.CSTNode) -> None:
        made = f"`{self.code_for(call.wrapped.node)}`"
        if _argument(call.wrapped) is None and call.function is not None:
            made = f"the decorator of `{call.function.name}`"
        self.report(
            call.wrapped.node,
            f"{made} jits a new function in {when}: JAX compiles it anew each time",
            context=call.context,
            related=(Cause(place, "this repeats it"),),
            help=f"jit it {where}, and pass what changes as an argument",
        )

    def _is_fresh(self, wrapped: Transformed, scope: cst.CSTNode) -> bool:
        """Whether the function under the jit is made in each run of ``scope``."""
        given = _argument(wrapped)
        if isinstance(wrapped.fn, Bound):
            method = isinstance(wrapped.fn.fn, Function)
            return type(given) is cst.Attribute and method and not wrapped.transform.filtered
        if isinstance(wrapped.fn, Partial):
            return type(given) is cst.Call
        return _is_made_in(wrapped.fn, scope)

    def _could_stay(self, wrapped: Transformed, changing: set[str]) -> bool:
        """Whether the function needs nothing of what changes, apart from arrays."""
        parts: list[cst.CSTNode] = []
        value: Value = wrapped
        while isinstance(value, Transformed):
            given = _argument(value)
            if given is not None and not isinstance(given, cst.Name):
                parts.append(given)
            value = value.fn
        if isinstance(value, Function):
            parts.append(value.node)
        return all(takes_only_data(self.facts, part, changing - own_name(value)) for part in parts)


def _argument(wrapped: Transformed) -> cst.BaseExpression | None:
    """The expression of the function that is transformed, where it is a call with one."""
    node = wrapped.node
    return node.args[0].value if type(node) is cst.Call and node.args and node.args[0].star == "" else None


def _is_made_in(value: Value, scope: cst.CSTNode) -> bool:
    if isinstance(value, Function):
        return holds(scope, value.node)
    if not isinstance(value, Transformed) or value.transform.binder == "jit":
        return False
    if value.transform.binder == "checkpoint" or value.transform.filtered:
        return _is_made_in(value.fn, scope)  # these compare by the function that they hold
    return holds(scope, value.node)


def _constant_owner(call: JitCall, repeated: Repeated) -> set[str]:
    """The name of a method's ``self``, where the repeated call has the same object each time."""
    function = call.context.function
    assert isinstance(function, cst.FunctionDef)
    first = next(iter(function.params.params), None)
    if first is None or not call.context.passed or not isinstance(call.context.passed[0], Ref):
        return set()
    changes = stored_in(repeated.loop) if repeated.loop is not None else set()
    read = {name.value for name in free_names(repeated.node.func)} if type(repeated.node) is cst.Call else set()
    return set() if read & changes else {first.name.value}


def _leaves(statement: cst.CSTNode) -> bool:
    """Whether the loop ends after its first round."""
    if type(statement) is not cst.SimpleStatementLine:
        return False
    return isinstance(statement.body[-1], (cst.Break, cst.Return, cst.Raise))
