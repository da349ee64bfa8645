"""Every row of `jaxlint.knowledge.library_transforms`, asked of the libraries that are installed."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable
from typing import Any

import pytest

pytest.importorskip("jax", reason="the judge of these tables is JAX itself")

import jax
import jax.numpy as jnp

from jaxlint.knowledge import library_transforms as table
from jaxlint.knowledge.transform_rows import Transform
from jaxlint.knowledge.transforms import TRANSFORMS

X = jnp.ones(2)


def resolve(name: str) -> Any:
    """The library's object of that name; skip where the library is missing."""
    parts = name.split(".")
    pytest.importorskip(parts[0], reason=f"{parts[0]} is not installed here")
    for count in range(len(parts) - 1, 0, -1):
        try:
            found = importlib.import_module(".".join(parts[:count]))
        except ModuleNotFoundError:
            continue
        for part in parts[count:]:
            found = getattr(found, part)
        return found
    raise AssertionError(name)


def kind(value: Any) -> str:
    """Why a value has no Python value: "staged" (or mapped), "diff", or "" if it has one."""
    if not isinstance(value, jax.core.Tracer):
        return ""
    try:
        bool(jnp.sum(value) > 0)
    except jax.errors.TracerBoolConversionError:
        return "staged"
    return "diff"


class Spy:
    """A function that notes what kinds of leaves each of its arguments has."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        self.seen: list[tuple[frozenset[str], ...]] = []

    def __call__(self, *args: Any) -> Any:
        self.seen.append(tuple(frozenset(map(kind, jax.tree.leaves(arg))) for arg in args))
        return self.function(*args)

    def staged(self, index: int) -> bool:
        return any(index < len(seen) and "staged" in seen[index] for seen in self.seen)


@pytest.mark.parametrize(
    "row", [row for row in table.LIBRARY_ROWS if not row.name.endswith(".potential_fn")], ids=lambda r: r.name
)
def test_parameters(row: Transform) -> None:
    """The row names parameters that the function has, in this order."""
    function = resolve(row.name)
    if row.name.startswith("blackjax."):
        return  # built by a factory that hides its parameters; the calls below show them
    names = list(inspect.signature(function).parameters)
    there = [name for name in row.params if name in names]
    assert there == sorted(there, key=names.index)
    if not row.name.startswith("jaxopt."):
        assert row.params[0] == names[0] or "args" in names or row.name == "jax.numpy.vectorize"


_JAXOPT_EXTRA: dict[str, dict[str, Any]] = {
    "Bisection": {"lower": 0.0, "upper": 4.0},
    "ProjectedGradient": {"projection": lambda p, _: p},
    "ProximalGradient": {"prox": lambda p, h, s: p},
    "MirrorDescent": {"projection_grad": lambda p, g, s, h: p - s * g, "stepsize": 0.1},
    "ScipyMinimize": {"method": "BFGS"},
    "ScipyRootFinding": {"method": "hybr"},
}
_JAXOPT_RUN: dict[str, tuple[Any, ...]] = {
    "Bisection": (None,),
    "LBFGSB": (X, (X - 5, X + 5)),
    "ProximalGradient": (X, None),
    "ProjectedGradient": (X, None),
    "MirrorDescent": (X, None),
}


@pytest.mark.parametrize("name", [name for name in TRANSFORMS if name.startswith("jaxopt.")])
def test_jaxopt_traces_every_argument(name: str) -> None:
    solver = resolve(name)
    short = name.rpartition(".")[2]
    parameter = TRANSFORMS[name].params[0]

    def function(p: Any, scale: Any) -> Any:
        if short == "Bisection":
            return p - 1.5 * scale
        return jnp.sum((p * scale - 2) ** 2) if parameter == "fun" and short != "Broyden" else p * 0.5 * scale

    spy = Spy(function)
    extra = dict(_JAXOPT_EXTRA.get(short, {}))
    if short == "OptaxSolver":
        extra["opt"] = resolve("optax.sgd")(0.1)
    solver(**{parameter: lambda p, scale: spy(p, scale)}, **extra).run(*_JAXOPT_RUN.get(short, (X,)), 1.0)
    assert spy.staged(0) and spy.staged(1)


_BLACKJAX: dict[str, Callable[[Any, Any], Any]] = {
    "nuts": lambda make, f: make(f, 0.1, X),
    "hmc": lambda make, f: make(f, 0.1, X, 3),
    "ghmc": lambda make, f: make(f, 0.1, X, 0.9, 0.1),
    "multinomial_hmc": lambda make, f: make(f, 0.1, X, 3),
    "orbital_hmc": lambda make, f: make(f, 0.1, X, 4),
    "rmhmc": lambda make, f: make(f, 0.1, lambda p: jnp.ones(2), 3),
    "slice_sampling": lambda make, f: make(f),
}


@pytest.mark.parametrize("name", _BLACKJAX)
def test_blackjax_traces_the_density(name: str) -> None:
    spy = Spy(lambda p: -0.5 * jnp.sum(p**2))
    key = jax.random.key(0)
    algorithm = _BLACKJAX[name](resolve(f"blackjax.{name}"), spy)
    try:
        state = algorithm.init(X)
    except TypeError:
        state = algorithm.init(X, key)
    algorithm.step(key, state)
    assert spy.staged(0)


def test_blackjax_adaptation() -> None:
    spy = Spy(lambda p: -0.5 * jnp.sum(p**2))
    blackjax = pytest.importorskip("blackjax")
    blackjax.window_adaptation(blackjax.nuts, spy).run(jax.random.key(0), X, num_steps=3)
    assert spy.staged(0)


@pytest.mark.parametrize("name", sorted(table.SCHEDULED))
def test_schedules_are_called_with_a_traced_count(name: str) -> None:
    make = resolve(name)
    spy = Spy(lambda count: 0.1)
    assert next(iter(inspect.signature(make).parameters)) == table.SCHEDULED[name]
    extra = {"eta": 0.1, "key": 0} if name == "optax.noisy_sgd" else {}
    transformation = make(spy, **extra)
    state = transformation.init(X)
    jax.jit(lambda g, s: transformation.update(g, s, X))(X, state)
    assert spy.staged(0)


@pytest.mark.parametrize("name", sorted(table.SCHEDULES))
def test_ready_made_schedules(name: str) -> None:
    assert callable(resolve(name))


@pytest.mark.parametrize("name", table.HAIKU_APPLY)
def test_haiku_apply_leads(name: str) -> None:
    transformed = resolve(name)(lambda x: x)
    names = tuple(inspect.signature(transformed.apply).parameters)
    assert names[: len(table.HAIKU_APPLY[name].lead)] == table.HAIKU_APPLY[name].lead
    assert next(iter(inspect.signature(transformed.init).parameters)) == table.HAIKU_INIT.lead[0]


def test_haiku_keys_leak_from_plain_loops() -> None:
    hk = pytest.importorskip("haiku")

    def function(xs: Any) -> Any:
        def body(carry: Any, x: Any) -> Any:
            return carry + jax.random.normal(hk.next_rng_key()), None

        out, _ = jax.lax.scan(body, 0.0, xs)
        return out + jax.random.normal(hk.next_rng_key())

    with pytest.raises(jax.errors.UnexpectedTracerError):
        hk.transform(function).apply({}, jax.random.key(0), X)


@pytest.mark.parametrize("name", ["NUTS", "HMC", "BarkerMH", "AIES", "ESS", "SA"])
def test_numpyro_kernels_trace_what_is_sampled(name: str) -> None:
    numpyro = pytest.importorskip("numpyro")
    seen: set[str] = set()

    def model() -> None:
        seen.add(kind(numpyro.sample("z", numpyro.distributions.Normal(0.0, 1.0))))

    ensemble = name in ("AIES", "ESS")
    options = {"num_chains": 4, "chain_method": "vectorized"} if ensemble else {}
    kernel = getattr(numpyro.infer, name)(model)
    mcmc = numpyro.infer.MCMC(kernel, num_warmup=2, num_samples=2, progress_bar=False, **options)
    mcmc.run(jax.random.key(0))
    assert "staged" in seen


@pytest.mark.parametrize(("count", "traced"), [(1, False), (3, True)])
def test_numpyro_predictive(count: int, traced: bool) -> None:
    numpyro = pytest.importorskip("numpyro")
    seen: set[str] = set()

    def model() -> None:
        seen.add(kind(numpyro.sample("z", numpyro.distributions.Normal(0.0, 1.0))))

    numpyro.infer.Predictive(model, num_samples=count)(jax.random.key(0))
    assert ("staged" in seen) is traced


def run_odeint(f: Any) -> Any:
    return resolve("jax.experimental.ode.odeint")(f, X, jnp.linspace(0.0, 1.0, 3), 2.0)


DIRECT: dict[str, tuple[Callable[[Any], Any], Callable[..., Any], tuple[bool, ...]]] = {
    "odeint": (run_odeint, lambda y, t, a: -y, (True, True, True)),
    "minimize": (
        lambda f: jax.scipy.optimize.minimize(f, X, args=(2.0,), method="BFGS"),
        lambda p, a: jnp.sum((p - a) ** 2),
        (True, False),
    ),
    "cg": (lambda f: jax.scipy.sparse.linalg.cg(f, X), lambda v: 2 * v, (True,)),
    "custom_linear_solve": (
        lambda f: jax.lax.custom_linear_solve(f, X, lambda mv, b: b / 2, symmetric=True),
        lambda v: 2 * v,
        (True,),
    ),
    "vectorize": (lambda f: jnp.vectorize(f)(X, X), lambda a, b: a + b, (True, True)),
    "apply_along_axis": (lambda f: jnp.apply_along_axis(f, 0, jnp.ones((2, 2))), lambda a: a.sum(), (True,)),
    "fromfunction": (lambda f: jnp.fromfunction(f, (2, 2)), lambda a, b: a + b, (True, True)),
    "closure_convert": (lambda f: jax.closure_convert(f, X), lambda a: a.sum(), (True,)),
}


@pytest.mark.parametrize("name", DIRECT)
def test_direct_callers(name: str) -> None:
    run, function, expected = DIRECT[name]
    spy = Spy(function)
    run(spy)
    assert tuple(spy.staged(index) for index in range(len(expected))) == expected


def test_optimistix_and_lineax() -> None:
    optx, lx = pytest.importorskip("optimistix"), pytest.importorskip("lineax")
    spy = Spy(lambda y, args: y - jnp.tanh(y + 1))
    optx.root_find(spy, optx.Newton(rtol=1e-5, atol=1e-5), X)
    assert spy.staged(0)
    matvec = Spy(lambda v: 2 * v)
    lx.FunctionLinearOperator(matvec, X)
    assert matvec.staged(0)


def test_diffrax() -> None:
    diffrax = pytest.importorskip("diffrax")
    spy = Spy(lambda t, y, args: -y)
    diffrax.diffeqsolve(diffrax.ODETerm(spy), diffrax.Tsit5(), 0.0, 1.0, 0.1, X)
    assert spy.staged(0) and spy.staged(1)
