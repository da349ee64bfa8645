"""What the drivers share. A driver passes silently on the original project; on the planted one it shows the fault.

A fault that raises is shown by its own exception. A silent one is shown by `planted`, whose text says what was seen.
"""

from __future__ import annotations

import contextlib
import io
import sys
from collections.abc import Callable
from types import FrameType, ModuleType
from typing import Any, NoReturn

import jax
import jax.numpy as jnp
import numpy as np
from jax.errors import KeyReuseError


def planted(text: str) -> NoReturn:
    raise AssertionError(f"planted: {text}")


def key_used_once(function: Callable[..., Any], *args: Any) -> Any:
    """Call with JAX's own check of key reuse (typed keys only)."""
    try:
        with jax.debug_key_reuse(True):
            return jax.block_until_ready(function(*args))
    except KeyReuseError as error:
        planted(f"a key is used twice: {str(error).splitlines()[0]}")


def depends_on_key(function: Callable[[Any], Any]) -> None:
    """Two different keys must give two different results."""
    one, two = (jax.tree.leaves(function(jax.random.key(seed))) for seed in (1, 2))
    if all(np.array_equal(np.asarray(a), np.asarray(b)) for a, b in zip(one, two, strict=True)):
        planted("two different keys give the same values")


def differ(first: Any, second: Any) -> None:
    """Values drawn from two keys must not be the same numbers."""
    if np.array_equal(np.asarray(first), np.asarray(second)):
        planted("two draws that should be independent are the same numbers")


def prints_nothing(function: Callable[..., Any], *args: Any) -> None:
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        function(*args)
    text = out.getvalue()
    if "Tracer" in text or "Traced<" in text:
        planted(f"a print shows a tracer: {text.strip()[:120]}")


def counts_calls(module: ModuleType, function: Callable[..., Any], *args: Any) -> None:
    """A counter of the module must see every call of the jitted function, not only the traced one."""
    before = getattr(module, "CALLS", None)
    for _ in range(3):
        jax.block_until_ready(function(*args))
    if before is not None and module.CALLS - before < 3:
        planted(f"3 calls, {module.CALLS - before} counted")


def counts_on(owner: Any, function: Callable[..., Any], *args: Any) -> None:
    """The same for a counter on an object."""
    for _ in range(3):
        jax.block_until_ready(function(*args))
    calls = getattr(owner, "calls", None)
    if calls is not None and calls < 3:
        planted(f"3 calls, {calls} counted")


def counts_in_closure(inner: Callable[..., Any], function: Callable[..., Any], *args: Any) -> None:
    """The same for a counter in the closure of `inner`, which `function` calls."""
    for _ in range(3):
        jax.block_until_ready(function(*args))
    cells = dict(zip(inner.__code__.co_freevars, inner.__closure__ or (), strict=True))
    if "calls" in cells and cells["calls"].cell_contents < 3:
        planted(f"3 calls, {cells['calls'].cell_contents} counted")


def local_after(name: str, variable: str, function: Callable[..., Any], *args: Any) -> list[Any]:
    """The values that a local variable of the functions called `name` had when they returned."""
    seen = []

    def watch(frame: FrameType, event: str, _: Any) -> None:
        if event == "return" and frame.f_code.co_name == name and variable in frame.f_locals:
            seen.append(frame.f_locals[variable])

    sys.setprofile(watch)
    try:
        function(*args)
    finally:
        sys.setprofile(None)
    return seen


def keeps_no_tracer(values: Any) -> None:
    for value in values:
        if isinstance(value, jax.core.Tracer):
            planted(f"a tracer outlives its trace: {str(value)[:80]}")


def attributes_keep_no_tracer(owner: Any) -> None:
    keeps_no_tracer([value for name, value in vars(owner).items() if name.startswith("last_")])


def equations(function: Callable[..., Any], *args: Any) -> int:
    def count(jaxpr: Any) -> int:
        total = 0
        for eqn in jaxpr.eqns:
            total += 1
            for value in jax.tree.leaves(list(eqn.params.values()), is_leaf=lambda v: hasattr(v, "eqns")):
                total += count(value) if hasattr(value, "eqns") else 0
        return total

    return count(jax.make_jaxpr(function)(*args).jaxpr)


def does_not_grow(function: Callable[..., Any], small: tuple[Any, ...], large: tuple[Any, ...]) -> None:
    """The program that JAX compiles must not get longer with its input."""
    first, second = equations(function, *small), equations(function, *large)
    if second > first + 8:
        planted(f"the traced program grows with its input: {first} equations, then {second}")


def shorter_than(function: Callable[..., Any], args: tuple[Any, ...], limit: int) -> None:
    count = equations(function, *args)
    if count > limit:
        planted(f"the traced program has {count} equations: a loop is unrolled")


def reads_per_call(function: Callable[[], Any], limit: int) -> None:
    """How often a Python number is read from a device array while the function runs."""
    kind: Any = type(jnp.zeros(()))
    reads, plain = 0, kind.__float__

    def counted(self: Any) -> float:
        nonlocal reads
        reads += 1
        return float(plain(self))

    kind.__float__ = counted
    try:
        function()
    finally:
        kind.__float__ = plain
    if reads > limit:
        planted(f"{reads} reads from the device")


def distribution_based(cls: Any, **settings: Any) -> tuple[Any, Any, Any]:
    """An evosax algorithm around a mean, its parameters and its first state."""
    algorithm = cls(population_size=8, solution=jnp.zeros(4), **settings)
    params = algorithm.default_params
    return algorithm, params, algorithm.init(jax.random.key(0), jnp.zeros(4), params)


def population_based(cls: Any, **settings: Any) -> tuple[Any, Any, Any]:
    """An evosax algorithm with a population, its parameters and its first state."""
    algorithm = cls(population_size=8, solution=jnp.zeros(4), **settings)
    params = algorithm.default_params
    start = jax.random.normal(jax.random.key(0), (8, 4))
    return algorithm, params, algorithm.init(jax.random.key(0), start, jnp.sum(start**2, axis=-1), params)


def ask_and_tell(algorithm: Any, params: Any, state: Any) -> Any:
    """One generation on the sphere function."""
    population, state = algorithm.ask(jax.random.key(1), state, params)
    fitness = jnp.sum(population**2, axis=-1)
    return algorithm.tell(jax.random.key(2), population, fitness, state, params)
