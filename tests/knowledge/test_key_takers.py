"""Every entry of `jaxlint.knowledge.key_takers`, asked of the libraries that are installed."""

from __future__ import annotations

import importlib
import inspect
from typing import Any

import pytest

pytest.importorskip("jax", reason="the libraries are built on it")

import jax
import jax.numpy as jnp

from jaxlint.knowledge import key_takers as table
from jaxlint.knowledge.key_takers import Taker


def named(name: str) -> Any:
    """What a dotted name stands for; the test is skipped where its library is missing."""
    parts = name.split(".")
    found: Any = pytest.importorskip(parts[0])
    for index, part in enumerate(parts[1:], 2):
        if not hasattr(found, part):
            importlib.import_module(".".join(parts[:index]))
        found = getattr(found, part)
    return found


def takes(function: Any, taker: Taker) -> bool:
    """Whether the key has that place and that name."""
    parameters = [name for name in inspect.signature(function).parameters if name != "self"]
    return taker.keyword in parameters and taker.position in (-1, parameters.index(taker.keyword))


def same(one: Any, other: Any) -> bool:
    return all(bool((a == b).all()) for a, b in zip(jax.tree.leaves(one), jax.tree.leaves(other), strict=True))


def data(key: Any) -> Any:
    return jax.random.key_data(key)


@pytest.mark.parametrize("name", sorted(table.FUNCTIONS))
def test_functions(name: str) -> None:
    assert takes(named(name), table.FUNCTIONS[name])


@pytest.mark.parametrize("name", sorted(table.MAKERS))
def test_makers_exist(name: str) -> None:
    assert callable(named(name))


@pytest.mark.parametrize("name", sorted(name for name, family in table.MAKERS.items() if family == "initialiser"))
def test_initialisers(name: str) -> None:
    made = named(name)(1.0, "fan_in", "normal") if name.endswith("variance_scaling") else named(name)()
    assert takes(made, table.METHODS["initialiser", ""])
    shape = (3, 4, 4) if name.endswith("delta_orthogonal") else (4, 4)
    one, other = made(jax.random.key(0), shape), made(jax.random.key(1), shape)
    assert not same(one, other)


def test_blackjax() -> None:
    blackjax = pytest.importorskip("blackjax")
    kernel = blackjax.nuts(lambda x: -jnp.sum(x**2), 0.1, jnp.ones(2))
    assert takes(kernel.step, table.METHODS["blackjax", "step"])
    assert takes(kernel.init, table.METHODS["blackjax", "init"])
    warmup = blackjax.window_adaptation(blackjax.nuts, lambda x: -jnp.sum(x**2))
    assert takes(warmup.run, table.METHODS["blackjax adaptation", "run"])


@pytest.mark.parametrize(("family", "method"), sorted(key for key in table.METHODS if key[0].startswith("numpyro.")))
def test_numpyro_inference(family: str, method: str) -> None:
    owner = named("numpyro.infer." + family.removeprefix("numpyro."))
    assert takes(getattr(owner, method or "__call__"), table.METHODS[family, method])


@pytest.mark.parametrize("family", ["numpyro distribution", "distrax distribution"])
def test_distributions(family: str) -> None:
    base = named("numpyro.distributions.Distribution" if family.startswith("numpyro") else "distrax.Distribution")
    for (owner, method), taker in table.METHODS.items():
        if owner == family:
            assert takes(getattr(base, method), taker)
    for owner, method in table.SAME_FAMILY:
        assert owner != family or hasattr(base, method)


def test_linen() -> None:
    nn = pytest.importorskip("flax.linen")

    class Small(nn.Module):  # type: ignore[misc,name-defined]
        @nn.compact
        def __call__(self, x: Any) -> Any:
            noise = jax.random.normal(self.make_rng("noise"), x.shape) if self.has_rng("noise") else 0
            dropout = nn.Dropout(0.5, deterministic=not self.has_rng("dropout"))
            return nn.Dense(4, name="inner")(x).sum() + noise, dropout(x)

    key, x = jax.random.key(0), jnp.ones(40)
    for method in ("init", "init_with_output"):
        assert takes(getattr(nn.Module, method), table.METHODS["linen", method])
    assert "rngs" in inspect.signature(nn.Module.apply).parameters
    params = Small().init(key, x)
    assert same(params, Small().init(key, x))
    assert same(Small().apply(params, x, rngs={"dropout": key}), Small().apply(params, x, rngs={"dropout": key}))
    # what is drawn is not what the key itself gives, nor what its subkeys give
    keys = [key, *jax.random.split(key, 8)]
    assert not any(same(params["params"]["inner"]["kernel"], jax.random.normal(k, (40, 4))) for k in keys)


def test_rngs_of_nnx() -> None:
    nnx = pytest.importorskip("flax.nnx")
    key = jax.random.key(0)
    assert same(data(nnx.Rngs(key).params()), data(jax.random.split(key)[0]))
    assert same(data(nnx.Rngs(key).params()), data(jax.random.fold_in(key, 0)))
    one_key = nnx.Rngs(params=key, dropout=key)
    assert same(data(one_key.params()), data(one_key.dropout()))
    default = nnx.Rngs(0)
    assert not same(data(default.params()), data(default.dropout()))
    assert same(data(nnx.Rngs(0).dropout()), data(nnx.Rngs(0).dropout()))


def test_haiku() -> None:
    haiku = pytest.importorskip("haiku")
    key, x = jax.random.key(0), jnp.ones(3)
    plain, stateful = haiku.transform(lambda x: x), haiku.transform_with_state(lambda x: x)
    for family, made in (("haiku", plain), ("haiku with state", stateful)):
        assert takes(made.init, table.METHODS[family, "init"])
        assert takes(made.apply, table.METHODS[family, "apply"])
    assert "rng" not in inspect.signature(haiku.without_apply_rng(plain).apply).parameters
    for name in table.HAIKU_KEYS - {"reserve_rng_keys"}:
        drawing = haiku.transform(lambda x, name=name: getattr(haiku, name)(*([1] if name.endswith("keys") else [])))
        assert same(data(jnp.ravel(drawing.apply({}, key, x))[0]), data(jax.random.split(key)[1]))


def test_equinox_dropout() -> None:
    equinox = pytest.importorskip("equinox")
    dropout, x = equinox.nn.Dropout(0.5), jnp.ones(40)
    assert table.METHODS["equinox.Dropout", ""].keyword in inspect.signature(type(dropout).__call__).parameters
    assert not same(dropout(x, key=jax.random.key(0)), dropout(x, key=jax.random.key(1)))
    assert same(dropout(x, key=jax.random.key(0), inference=True), x)
