"""Synthetic images: one smooth template for each class, with noise."""

from __future__ import annotations

from collections.abc import Iterator

import jax
import jax.numpy as jnp
import numpy as np

SIDE = 8
CLASSES = 10


def make_templates(key: jax.Array) -> jax.Array:
    """One image per class, smooth because it is drawn coarse and scaled up."""
    coarse = jax.random.normal(key, (CLASSES, SIDE // 2, SIDE // 2))
    return jax.image.resize(coarse, (CLASSES, SIDE, SIDE), "linear")


def make_split(key: jax.Array, templates: jax.Array, count: int) -> tuple[jax.Array, jax.Array]:
    """``count`` labelled images."""
    label_key, noise_key = jax.random.split(key)
    labels = jax.random.randint(label_key, (count,), 0, CLASSES)
    noise = jax.random.normal(key, (count, SIDE, SIDE))
    return templates[labels] + 0.5 * noise, labels


def augment(key: jax.Array, images: jax.Array) -> jax.Array:
    """Vary brightness and contrast, image by image."""
    count = images.shape[0]
    brightness = jax.random.uniform(key, (count, 1, 1), minval=-0.2, maxval=0.2)
    contrast = jax.random.uniform(key, (count, 1, 1), minval=0.8, maxval=1.2)
    return contrast * images + brightness


def shuffle_pairs(key: jax.Array, images: jax.Array, labels: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Shuffle both alike: the same key gives the same order, and that is what is wanted."""
    return jax.random.permutation(key, images), jax.random.permutation(key, labels)


def batches(images: jax.Array, labels: jax.Array, size: int) -> Iterator[tuple[jax.Array, jax.Array]]:
    """Consecutive batches; a rest that does not fill one is left out."""
    for start in range(0, labels.shape[0] - size + 1, size):
        yield images[start : start + size], labels[start : start + size]


def class_weights(labels: jax.Array) -> jax.Array:
    """Weights that make rare classes count as much as common ones. Runs once, on the host."""
    counts = np.bincount(np.asarray(labels), minlength=CLASSES)
    weights = np.zeros(CLASSES, np.float32)
    for number, count in enumerate(counts):
        if count > 0:
            weights[number] = len(labels) / (CLASSES * count)
    return jnp.asarray(weights)
