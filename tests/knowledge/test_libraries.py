"""`jaxlint.knowledge.libraries` and the layers of nnx and haiku, asked of the libraries that are installed."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import pytest

pytest.importorskip("jax", reason="the judge of these tables is JAX itself")

import jax
import jax.numpy as jnp
from test_library_transforms import resolve

from jaxlint.knowledge import layers
from jaxlint.knowledge import libraries as table

X = jnp.ones((2, 4))
IMAGE = jnp.ones((2, 8, 8, 3))
KEY = jax.random.key(0)


def outcome(function: Callable[..., Any], *arguments: Any) -> str:
    """What happens to a function under jit: "ok" or the class of the error."""
    try:
        jax.jit(lambda *args: (function(*args), 0)[1])(*arguments)
    except Exception as error:
        return type(error).__name__
    return "ok"


_CHEX: dict[str, tuple[Any, ...]] = {
    "assert_trees_all_close": (X, X),
    "assert_trees_all_equal": (X, X),
    "assert_tree_all_finite": (X,),
    "assert_trees_all_close_ulp": (X, X),
    "assert_is_divisible": (jnp.int32(4), jnp.int32(2)),
    "assert_scalar": (jnp.float32(1),),
    "assert_scalar_positive": (jnp.float32(1),),
    "assert_scalar_negative": (jnp.float32(-1),),
    "assert_scalar_non_negative": (jnp.float32(1),),
    "assert_scalar_in": (jnp.float32(0.5), jnp.float32(0), jnp.float32(1)),
}


@pytest.mark.parametrize("name", sorted(table.CHEX_VALUE_ASSERTIONS))
def test_chex_assertions_about_values_fail_on_tracers(name: str) -> None:
    arguments = _CHEX[name.rpartition(".")[2]]
    assert outcome(resolve(name), *arguments) != "ok"


@pytest.mark.parametrize("name", sorted(table.CHEXIFIED))
def test_chexified_assertions_work(name: str) -> None:
    chex = pytest.importorskip("chex")
    arguments = _CHEX[name.rpartition(".")[2]]
    assertion = resolve(name)
    chex.chexify(jax.jit(lambda *args: (assertion(*args), args[0])[1]), async_check=False)(*arguments)


@pytest.mark.parametrize(
    "name", ["assert_shape", "assert_rank", "assert_equal_shape", "assert_type", "assert_trees_all_equal_shapes"]
)
def test_other_chex_assertions_take_tracers(name: str) -> None:
    chex = pytest.importorskip("chex")
    arguments = {"assert_shape": ((2, 4),), "assert_rank": (2,), "assert_type": (float,), "assert_equal_shape": ()}
    rest = arguments.get(name)
    function = getattr(chex, name)
    call = (lambda x: function([x, x])) if rest == () else (lambda x: function(x, *(rest or (x,))))
    assert outcome(call, X) == "ok"


_NNX: dict[str, tuple[tuple[Any, ...], dict[str, Any], Any]] = {
    "Linear": ((4, 3), {}, X),
    "LinearGeneral": ((4, 3), {}, X),
    "Conv": ((3, 3), {"kernel_size": (3, 3)}, IMAGE),
    "ConvTranspose": ((3, 3), {"kernel_size": (3, 3)}, IMAGE),
    "Embed": ((5, 3), {}, jnp.ones(2, int)),
    "LayerNorm": ((4,), {}, X),
    "BatchNorm": ((4,), {}, X),
    "RMSNorm": ((4,), {}, X),
    "GroupNorm": ((4, 2), {}, X),
    "InstanceNorm": ((4,), {}, X),
    "Dropout": ((0.5,), {}, X),
    "Einsum": (("ab,bc->ac", (4, 3)), {}, X),
    "MultiHeadAttention": ((2, 4), {"decode": False}, jnp.ones((2, 3, 4))),
    "Sequential": ((jnp.tanh,), {}, X),
    "PReLU": ((), {}, X),
    "LoRA": ((4, 2, 3), {}, X),
}


@pytest.mark.parametrize("name", _NNX)
def test_nnx_layers_give_an_array(name: str) -> None:
    nnx = pytest.importorskip("flax.nnx")
    arguments, keywords, given = _NNX[name]
    cls = getattr(nnx, name)
    rngs = {"rngs": nnx.Rngs(0)} if "rngs" in inspect.signature(cls.__init__).parameters else {}
    assert isinstance(cls(*arguments, **keywords, **rngs)(given), jax.Array)
    assert layers.is_layer_class(f"flax.nnx.{name}")


_HAIKU: dict[str, tuple[tuple[Any, ...], Any]] = {
    "Linear": ((3,), X),
    "Conv1D": ((3, 3), jnp.ones((2, 8, 3))),
    "Conv2D": ((3, 3), IMAGE),
    "Conv2DTranspose": ((3, 3), IMAGE),
    "Embed": ((5, 3), jnp.ones(2, int)),
    "LayerNorm": ((-1, True, True), X),
    "GroupNorm": ((1,), IMAGE),
    "RMSNorm": ((-1,), X),
    "InstanceNorm": ((True, True), IMAGE),
    "Flatten": ((), IMAGE),
    "Bias": ((), X),
    "AvgPool": ((2, 2, "SAME"), IMAGE),
    "MaxPool": ((2, 2, "SAME"), IMAGE),
    "DepthwiseConv2D": ((1, 3), IMAGE),
    "nets.MLP": (([3, 3],), X),
    "Sequential": (([jnp.tanh],), X),
}


@pytest.mark.parametrize("name", _HAIKU)
def test_haiku_layers_give_an_array(name: str) -> None:
    hk = pytest.importorskip("haiku")
    arguments, given = _HAIKU[name]
    f = hk.transform(lambda x: resolve(f"haiku.{name}")(*arguments)(x))
    assert isinstance(f.apply(f.init(KEY, given), None, given), jax.Array)
    assert layers.is_layer_class(f"haiku.{name}")


@pytest.mark.parametrize("name", [name for name in sorted(layers.CELLS) if name.startswith("haiku")])
def test_cells_give_a_pair(name: str) -> None:
    hk = pytest.importorskip("haiku")
    cell = resolve(name)
    f = hk.transform(lambda x: cell(3)(x, cell(3).initial_state(2)))
    assert len(f.apply(f.init(KEY, X), None, X)) == 2


@pytest.mark.parametrize("name", sorted(table.ARRAY_FUNCTIONS | table.TREE_FUNCTIONS | table.VARIABLES))
def test_names_exist(name: str) -> None:
    assert callable(resolve(name))


def test_numpyro_distributions() -> None:
    dist = pytest.importorskip("numpyro.distributions")
    normal = dist.Normal(jnp.zeros(2), 1.0)
    assert table.is_distribution("numpyro.distributions.Normal")
    for name in sorted(table.DISTRIBUTION_PROPERTIES):
        assert isinstance(getattr(normal, name), jax.Array)
    for method in ("log_prob", "cdf", "icdf"):
        assert isinstance(getattr(normal, method)(0.5), jax.Array)
    assert isinstance(normal.sample(KEY), jax.Array)
    for method in (lambda d: d.to_event(1), lambda d: d.expand([2]), lambda d: d.mask(True)):
        assert isinstance(method(normal), dist.Distribution)


def test_distrax_distributions() -> None:
    distrax = pytest.importorskip("distrax")
    normal = distrax.Normal(jnp.zeros(2), jnp.ones(2))
    for method in ("mean", "mode", "median", "stddev", "variance", "entropy"):
        assert isinstance(getattr(normal, method)(), jax.Array)
    for method in ("log_prob", "prob", "cdf", "log_cdf"):
        assert isinstance(getattr(normal, method)(0.5), jax.Array)
    assert isinstance(normal.sample(seed=KEY), jax.Array)
    assert isinstance(normal.kl_divergence(normal), jax.Array)


def test_nnx_variables_are_read() -> None:
    nnx = pytest.importorskip("flax.nnx")
    for name in sorted(table.VARIABLES - {"flax.nnx.RngState", "flax.nnx.VariableState"}):
        variable = resolve(name)(X)
        assert isinstance(variable.value, jax.Array) and isinstance(variable[...], jax.Array)
    assert isinstance(nnx.Rngs(0).params(), jax.Array) and isinstance(nnx.Rngs(0)(), jax.Array)
