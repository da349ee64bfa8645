"""Transforms: which arguments are functions, how their parameters are bound, and which region they open.

Source: JAX's public documentation of each function, checked by tests/knowledge/test_transforms.py against the
installed JAX (names and parameter order).
"""

from __future__ import annotations

from jaxlint.knowledge.library_transforms import LIBRARY_ROWS
from jaxlint.knowledge.transform_rows import Transform

_JIT = ("fun", "in_shardings", "out_shardings", "static_argnums", "static_argnames", "donate_argnums")
_VMAP = ("fun", "in_axes", "out_axes", "axis_name", "axis_size", "spmd_axis_name")
_GRAD = ("fun", "argnums", "has_aux", "holomorphic", "allow_int", "reduce_axes")
_SCAN = ("f", "init", "xs", "length", "reverse", "unroll")
#: Flax's own: they take a module class or a method, and count its `self` as argument 0.
_LIFTED = ("target", "variables", "rngs", "concrete", "prevent_cse", "static_argnums", "policy", "methods")
_LIFTED_JIT = ("target", "variables", "rngs", "static_argnums", "static_argnames", "donate_argnums")

_ROWS = (
    Transform("jax.jit", "jit", "stage", _JIT, "jitted"),
    Transform("jax.experimental.pjit.pjit", "jit", "stage", _JIT, "jitted by `pjit`"),
    Transform(
        "jax.pmap", "jit", "stage",
        ("fun", "axis_name", "in_axes", "out_axes", "static_broadcasted_argnums"), "mapped by `pmap`",
    ),
    Transform("jax.vmap", "vmap", "map", _VMAP, "vmapped"),
    Transform("jax.grad", "grad", "diff", _GRAD, "differentiated"),
    Transform("jax.value_and_grad", "grad", "diff", _GRAD, "differentiated"),
    Transform("jax.jacfwd", "grad", "diff", _GRAD, "differentiated"),
    Transform("jax.jacrev", "grad", "diff", _GRAD, "differentiated"),
    Transform("jax.jacobian", "grad", "diff", _GRAD, "differentiated"),
    Transform("jax.hessian", "grad", "diff", _GRAD, "differentiated"),
    Transform("jax.checkpoint", "checkpoint", "stage", ("fun", "prevent_cse", "policy", "static_argnums"), "under `jax.checkpoint`"),
    Transform("jax.remat", "checkpoint", "stage", ("fun", "prevent_cse", "policy", "static_argnums"), "under `jax.remat`"),
    Transform("jax.ad_checkpoint.checkpoint", "checkpoint", "stage", ("fun", "prevent_cse", "policy", "static_argnums"), "under `jax.checkpoint`"),
    Transform("jax.custom_vjp", "custom", "none", ("fun", "nondiff_argnums"), "a `custom_vjp`"),
    Transform("jax.custom_jvp", "custom", "none", ("fun", "nondiff_argnums"), "a `custom_jvp`"),
    Transform("jax.custom_gradient", "wrap", "none", ("fun",), "a `custom_gradient`"),
    Transform("jax.named_call", "wrap", "none", ("fun",), "named"),
    Transform("jax.custom_batching.custom_vmap", "wrap", "none", ("fun",), "a `custom_vmap`"),
    Transform("jax.custom_batching.sequential_vmap", "wrap", "none", ("fun",), "a `sequential_vmap`"),
    Transform("jax.linear_util.wrap_init", "wrap", "none", ("fun",), "wrapped"),
    Transform("jax.shard_map", "shard", "stage", ("f",), "under `shard_map`"),
    Transform("jax.experimental.shard_map.shard_map", "shard", "stage", ("f", "mesh", "in_specs", "out_specs"), "under `shard_map`"),
    Transform("jax.make_jaxpr", "shape", "stage", ("fun", "static_argnums"), "traced by `make_jaxpr`"),
    Transform("jax.eval_shape", "call", "stage", ("fun",), "traced by `eval_shape`", returns="result"),
    Transform("jax.vjp", "vjp", "diff", ("fun",), "differentiated by `vjp`", returns="result"),
    Transform("jax.jvp", "vjp", "diff", ("fun", "primals", "tangents"), "differentiated by `jvp`", returns="result"),
    Transform("jax.linearize", "vjp", "diff", ("fun",), "linearized", returns="result"),
    Transform("jax.lax.scan", "scan", "stage", _SCAN, "the body of a `lax.scan`", returns="result"),
    Transform("jax.lax.cond", "cond", "stage", ("pred", "true_fun", "false_fun"), "a branch of a `lax.cond`", returns="result"),
    Transform("jax.lax.switch", "switch", "stage", ("index", "branches"), "a branch of a `lax.switch`", returns="result"),
    Transform("jax.lax.while_loop", "while", "stage", ("cond_fun", "body_fun", "init_val"), "the body of a `lax.while_loop`", returns="result"),
    Transform("jax.lax.fori_loop", "fori", "stage", ("lower", "upper", "body_fun", "init_val"), "the body of a `lax.fori_loop`", returns="result"),
    Transform("jax.lax.map", "map", "stage", ("f", "xs", "batch_size"), "mapped by `lax.map`", returns="result"),
    Transform("jax.lax.associative_scan", "associative", "none", ("fn", "elems", "reverse", "axis"), "combined by `lax.associative_scan`", returns="result"),
    Transform("jax.lax.custom_root", "associative", "stage", ("f", "initial_guess", "solve", "tangent_solve"), "solved by `lax.custom_root`", returns="result"),
    Transform("jax.tree.map", "tree", "none", ("f", "tree"), "mapped over a pytree", returns="result"),
    Transform("jax.tree_util.tree_map", "tree", "none", ("f", "tree"), "mapped over a pytree", returns="result"),
    Transform("jax.tree_map", "tree", "none", ("f", "tree"), "mapped over a pytree", returns="result"),
    Transform("jax.pure_callback", "callback", "host", ("callback", "result_shape_dtypes"), "called back on the host", returns="result"),
    Transform("jax.experimental.io_callback", "callback", "host", ("callback", "result_shape_dtypes"), "called back on the host", returns="result"),
    Transform("jax.debug.callback", "callback", "host", ("callback",), "called back on the host", returns="result"),
    Transform("jax.experimental.host_callback.call", "callback", "host", ("callback_func", "arg"), "called back on the host", returns="result"),
    Transform("jax.experimental.host_callback.id_tap", "callback", "host", ("tap_func", "arg"), "called back on the host", returns="result"),
    Transform("flax.linen.remat", "checkpoint", "stage", _LIFTED, "under `nn.remat`"),
    Transform("flax.linen.checkpoint", "checkpoint", "stage", _LIFTED, "under `nn.checkpoint`"),
    Transform("flax.linen.jit", "jit", "stage", _LIFTED_JIT, "jitted by `nn.jit`"),
    Transform("equinox.filter_jit", "jit", "stage", ("fun",), "jitted by `filter_jit`", filtered=True),
    Transform("equinox.filter_pmap", "jit", "stage", ("fun",), "mapped by `filter_pmap`", filtered=True),
    Transform("equinox.filter_vmap", "vmap", "map", ("fun",), "vmapped by `filter_vmap`", filtered=True),
    Transform("equinox.filter_grad", "grad", "diff", ("fun",), "differentiated by `filter_grad`", filtered=True),
    Transform("equinox.filter_value_and_grad", "grad", "diff", ("fun",), "differentiated by `filter_value_and_grad`", filtered=True),
    Transform("equinox.filter_checkpoint", "checkpoint", "stage", ("fun",), "under `filter_checkpoint`", filtered=True),
    Transform("equinox.filter_custom_vjp", "wrap", "none", ("fun",), "a `filter_custom_vjp`", filtered=True),
    Transform("equinox.filter_closure_convert", "wrap", "none", ("fun",), "closure-converted", filtered=True),
    Transform("equinox.filter_eval_shape", "call", "stage", ("fun",), "traced by `filter_eval_shape`", returns="result", filtered=True),
    Transform("equinox.filter_pure_callback", "callback", "host", ("callback",), "called back on the host", returns="result"),
)  # fmt: skip

#: Every transform by its canonical name.
TRANSFORMS: dict[str, Transform] = {row.name: row for row in (*_ROWS, *LIBRARY_ROWS)}

#: Transforms whose second result stands for a value beside the gradient.
WITH_VALUE = frozenset({
    "jax.value_and_grad", "equinox.filter_value_and_grad", "flax.nnx.value_and_grad", "haiku.value_and_grad",
})  # fmt: skip

#: Other names for the same thing (re-exports), old name -> canonical name.
ALIASES: dict[str, str] = {"jax.ad_checkpoint.remat": "jax.checkpoint"}

#: Decorators that leave the call as it is.
TRANSPARENT_DECORATORS = frozenset({
    "functools.lru_cache", "functools.cache", "typing.overload", "typing.override", "typing_extensions.override",
    "typing_extensions.overload", "typing.no_type_check", "flax.linen.compact", "flax.linen.nowrap",
    "jaxtyping.jaxtyped", "beartype.beartype", "typeguard.typechecked", "chex.assert_max_traces", "abc.abstractmethod",
    "typing.final", "jax.named_scope", "jax.profiler.annotate_function", "haiku.transparent", "jax.named_call",
    "flax.linen.module.compact",
})  # fmt: skip
