"""A multilayer perceptron: parameters are a list of dicts, functions are pure (nearly all of them)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp

Params = list[dict[str, jax.Array]]

#: Activations of the last call of ``apply_and_keep``, by layer.
kept: dict[str, Any] = {}


def init_params(key: jax.Array, sizes: Sequence[int]) -> Params:
    """Random weights for layers of these sizes."""
    params = []
    for fan_in, fan_out in zip(sizes[:-1], sizes[1:]):
        key, layer_key = jax.random.split(key)
        weights = jax.random.normal(layer_key, (fan_in, fan_out)) / jnp.sqrt(fan_in)
        params.append({"w": weights, "b": jnp.zeros(fan_out)})
    return params


def activate(x: jax.Array, kind: str) -> jax.Array:
    """The nonlinearity of that name."""
    if kind == "relu":
        return jax.nn.relu(x)
    if kind == "tanh":
        return jnp.tanh(x)
    raise ValueError(f"unknown activation {kind!r}")


@partial(jax.jit, static_argnames=("kind",))
def apply(params: Params, images: jax.Array, kind: str = "relu") -> jax.Array:
    """Logits of a batch of images."""
    x = images.reshape(images.shape[0], -1)
    if x.shape[1] != params[0]["w"].shape[0]:
        raise ValueError(f"images have {x.shape[1]} pixels")
    for layer in params[:-1]:
        x = activate(x @ layer["w"] + layer["b"], kind)
    return x @ params[-1]["w"] + params[-1]["b"]


@partial(jax.jit, static_argnames=("train",))
def dropout(x: jax.Array, rate: float, train: bool) -> jax.Array:
    """Zero a share of the activations while training."""
    if not train:
        return x
    keep = jax.random.bernoulli(jax.random.key(0), 1.0 - rate, x.shape)
    return jnp.where(keep, x / (1.0 - rate), 0.0)


@jax.jit
def apply_and_keep(params: Params, images: jax.Array) -> jax.Array:
    """Logits; the activations are kept for inspection."""
    x = images.reshape(images.shape[0], -1)
    for number, layer in enumerate(params[:-1]):
        x = jax.nn.relu(x @ layer["w"] + layer["b"])
        kept[f"layer {number}"] = x
    return x @ params[-1]["w"] + params[-1]["b"]


@jax.jit
def apply_with_activations(params: Params, images: jax.Array) -> tuple[jax.Array, dict[str, jax.Array]]:
    """Logits and the activations of each layer."""
    activations: dict[str, jax.Array] = {}
    x = images.reshape(images.shape[0], -1)
    for number, layer in enumerate(params[:-1]):
        x = jax.nn.relu(x @ layer["w"] + layer["b"])
        activations[f"layer {number}"] = x
    return x @ params[-1]["w"] + params[-1]["b"], activations
