"""JAX113: a flag or mode of a jitted function works only as long as nobody passes it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from jaxlint.findings import Severity
from jaxlint.rules.base import Cause, Rule
from jaxlint.rules.tracing.modes import mode_tests

if TYPE_CHECKING:
    from jaxlint.tracing.compiled import JitCall
    from jaxlint.tracing.values import Transformed


class LatentStatic(Rule):
    """A flag with a default is not static: the first caller that passes it fails.

    ## What it does
    Finds parameters of functions under a `jax.jit` or `jax.checkpoint` decorator whose default is a flag or a string,
    that are not declared static, and that an `if` in the function decides on.

    ## Why is this bad?
    A default that nobody passes stays a Python value, so the function works. Passed, by position or by name, it is
    traced: a flag fails in the `if`, a string at the call.

    ## Example
    ```python
    import jax


    @jax.jit
    def normalise(x, center=True):
        if center:
            x = x - x.mean()
        return x / x.std()
    ```

    ## Use instead
    ```python
    from functools import partial

    import jax


    @partial(jax.jit, static_argnames="center")
    def normalise(x, center=True):
        if center:
            x = x - x.mean()
        return x / x.std()
    ```

    ## How to verify
    `normalise(jnp.arange(3.0), center=False)` raises before the change and returns after it.

    ## Caveats
    Nothing fails as long as no caller passes the argument; a call that does is JAX111.

    ## References
    - [JAX: static arguments](https://docs.jax.dev/en/latest/jit-compilation.html#marking-arguments-as-static)
    """

    code = "JAX113"
    name = "latent-static"
    since = "0.2.0"
    status = "preview"
    because = "nothing fails until somebody passes the argument"
    severity = Severity.WARNING
    message = "a flag of a jitted function works only as long as nobody passes it"
    lenient_in_tests = True

    def leave_Module(self, original_node: cst.Module) -> None:
        """Look at every decorated function; a call that passes the argument is the other rule's."""
        calls = self.facts.jit_calls
        passed = {(call.wrapped, one.name) for call in calls if not call.assumed for one in call.passed}
        for call in calls:
            if call.wrapped.transform.binder in ("jit", "checkpoint") and self.speaks(call.context):
                self._look(call, passed)

    def _look(self, call: JitCall, passed: set[tuple[Transformed, str]]) -> None:
        fn, static = call.function, call.static
        if fn is None or static.everything or call.wrapped.transform.filtered or type(fn.node) is not cst.FunctionDef:
            return
        if all(decorator.decorator is not call.wrapped.node for decorator in fn.node.decorators):
            return  # who jits a function at a call knows what it passes
        for param, test, what in mode_tests(fn.node):
            name = param.name.value
            if not static.name(name) and (call.wrapped, name) not in passed:
                self.report(
                    param,
                    f"`{name}` of `{fn.name}` is {what} that is not static: whoever passes it finds it traced, and "
                    f"`{self.code_for(test)}` fails",
                    context=call.context,
                    story=(Cause(call.wrapped.node, f"`{fn.name}` is {call.wrapped.transform.label} here"),),
                    related=(Cause(test, "its Python value is asked for here"),),
                    help=f'declare it: `static_argnames=("{name}",)`',
                )
