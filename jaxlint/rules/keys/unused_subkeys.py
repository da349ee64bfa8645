"""JAX406: a split whose subkeys are never used."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from jaxlint.findings import Severity
from jaxlint.rules.base import Rule
from jaxlint.syntax import children

if TYPE_CHECKING:
    from jaxlint.tracing.facts import Facts


class UnusedSubkeys(Rule):
    """A key is split, and none of the subkeys is ever used.

    ## What it does
    Finds calls of `jax.random.split` whose result is thrown away, or bound to names that nothing reads.

    ## Why is this bad?
    `split` changes nothing: the key is the same after it, and draws the same numbers. Who expects the call to advance
    the key gets repeated numbers; who meant to use a subkey uses another one.

    ## Example
    ```python
    import jax


    def noise(key, shape):
        jax.random.split(key)
        return jax.random.normal(jax.random.fold_in(key, 7), shape)
    ```

    ## Use instead
    ```python
    import jax


    def noise(key, shape):
        noise_key, _ = jax.random.split(key)
        return jax.random.normal(noise_key, shape)
    ```

    ## How to verify
    Delete the line: nothing changes.

    ## Caveats
    Names that begin with an underscore are meant to be unused, and one unused subkey among others is no fault. Names of
    a module may be read by others. Silent in tests.

    ## References
    - [JAX: pseudorandom numbers](https://docs.jax.dev/en/latest/random-numbers.html)
    """

    code = "JAX406"
    name = "unused-subkeys"
    since = "0.2.0"
    severity = Severity.WARNING
    needs_trace = False
    message = "a key is split, and none of the subkeys is used"
    lenient_in_tests = True

    def __init__(self, facts: Facts) -> None:
        super().__init__(facts)
        self._any = facts.calls_any(_SPLITS)

    def visit_Expr(self, node: cst.Expr) -> None:
        """``jax.random.split(key)`` as a statement."""
        if self._any and self._splits(node.value):
            self.report(
                node.value,
                f"`{self.code_for(node.value)}` changes nothing: it returns new keys, which are thrown away here",
                help="bind the subkeys and use them: `key, subkey = jax.random.split(key)`",
            )

    def visit_FunctionDef(self, node: cst.FunctionDef) -> None:
        """``a, b = jax.random.split(key)`` in a function that reads neither."""
        if not self._any:
            return
        read: set[str] | None = None
        for statement in _statements(node.body):
            if not isinstance(statement, cst.Assign) or not self._splits(statement.value):
                continue
            names = _names(statement)
            if not names or any(name.startswith("_") for name in names):
                continue
            read = _read(node) if read is None else read
            if not read.intersection(names):
                listed = ", ".join(f"`{name}`" for name in names)
                one = f"{listed} is never" if len(names) == 1 else f"none of {listed} is"
                self.report(
                    statement.value,
                    f"{one} used in `{node.name.value}`: the split has no effect",
                    help="draw from the subkeys, or delete the split",
                )

    def _splits(self, node: cst.BaseExpression) -> bool:
        return isinstance(node, cst.Call) and self.facts.callee(node) in _SPLITS


_SPLITS = frozenset({"jax.random.split"})


def _statements(node: cst.CSTNode) -> list[cst.CSTNode]:
    """The small statements of a function's own body, at any depth of its blocks."""
    out: list[cst.CSTNode] = []
    stack = [node]
    while stack:
        part = stack.pop()
        if isinstance(part, (cst.FunctionDef, cst.ClassDef)):
            continue
        if isinstance(part, cst.BaseSmallStatement):
            out.append(part)
            continue
        stack.extend(children(part))
    return out


def _names(statement: cst.Assign) -> list[str]:
    """The names that a statement binds; none if it binds anything else."""
    out: list[str] = []
    for target in statement.targets:
        parts: list[cst.BaseExpression] = [target.target]
        if isinstance(target.target, (cst.Tuple, cst.List)):
            parts = [element.value for element in target.target.elements]
        for part in parts:
            if not isinstance(part, cst.Name):
                return []
            out.append(part.value)
    return out


def _read(function: cst.FunctionDef) -> set[str]:
    """The names that a function reads, those inside its own functions too; not the key in ``key, a = split(key)``."""
    out: set[str] = set()
    stack: list[cst.CSTNode] = [function.body]
    while stack:
        part = stack.pop()
        if isinstance(part, cst.Name):
            out.add(part.value)
        elif isinstance(part, cst.Assign):
            bound = set(_names(part))
            if not bound:
                stack.extend(children(part))
            elif bound and isinstance(part.value, cst.Call) and part.value.args:
                first, *others = part.value.args
                again = isinstance(first.value, cst.Name) and first.value.value in bound
                stack.extend((part.value.func, *others, *(() if again else (first,))))
            else:
                stack.append(part.value)
        elif isinstance(part, (cst.Global, cst.Nonlocal)):
            out.update(item.name.value for item in part.names)
        else:
            stack.extend(children(part))
    return out
