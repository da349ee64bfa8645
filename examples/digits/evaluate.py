"""Numbers and curves that tell how good a model is."""

from __future__ import annotations

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def accuracy(logits: jax.Array, labels: jax.Array) -> jax.Array:
    """The share of images whose class is right."""
    return jnp.mean(jnp.argmax(logits, axis=-1) == labels)


@jax.jit
def top_hits(logits: jax.Array, labels: jax.Array, k: int) -> jax.Array:
    """The share of images whose class is among the first ``k`` guesses."""
    order = jnp.argsort(-logits, axis=-1)
    return jnp.mean(jnp.any(order[:, :k] == labels[:, None], axis=-1))


@partial(jax.jit, static_argnames=("bins",))
def calibration(confidence: jax.Array, right: jax.Array, bins: int = 10) -> jax.Array:
    """How often the model is right, by confidence."""
    totals = jnp.zeros(bins)
    place = jnp.clip((confidence * bins).astype(int), 0, bins - 1)
    hits = totals.at[place].add(right)
    return hits / jnp.maximum(totals.at[place].add(1.0), 1.0)


@jax.jit
def mean_entropy(logits: jax.Array) -> jax.Array:
    """How undecided the model is, in units of the most undecided one."""
    log_p = jax.nn.log_softmax(logits)
    entropy = -jnp.sum(np.exp(log_p) * log_p, axis=-1)
    return jnp.mean(entropy) / np.log(logits.shape[-1])


@jax.jit
def smooth(curve: jax.Array) -> jax.Array:
    """An exponential moving average of a curve."""
    mean = curve[0]
    out = []
    for step in range(curve.shape[0]):
        mean = 0.9 * mean + 0.1 * curve[step]
        out.append(mean)
    return jnp.stack(out)


@jax.jit
def smooth_by_scan(curve: jax.Array) -> jax.Array:
    """The same, compiled once for all steps."""

    def step(mean: jax.Array, value: jax.Array) -> tuple[jax.Array, jax.Array]:
        mean = 0.9 * mean + 0.1 * value
        return mean, mean

    return jax.lax.scan(step, curve[0], curve)[1]


def median_filter(values: np.ndarray) -> np.ndarray:
    """Plain NumPy: called back on the host, where values are numbers."""
    padded = np.pad(values, 1, mode="edge")
    out = np.empty_like(values)
    for i in range(len(values)):
        out[i] = np.median(padded[i : i + 3])
    return out


@jax.jit
def robust_curve(curve: jax.Array) -> jax.Array:
    """The median filter inside a compiled function."""
    shape = jax.ShapeDtypeStruct(curve.shape, curve.dtype)
    return jax.pure_callback(median_filter, shape, curve)


def confusion_matrix(logits: jax.Array, labels: jax.Array) -> np.ndarray:
    """Rows are classes, columns are guesses. Two reads from the device, then NumPy."""
    guesses = np.asarray(jnp.argmax(logits, axis=-1))
    matrix = np.zeros((logits.shape[-1], logits.shape[-1]), int)
    for truth, guess in zip(np.asarray(labels), guesses):
        matrix[truth, guess] += 1
    return matrix
