"""Train the classifier: ``python -m digits.train``."""

from __future__ import annotations

import argparse
from typing import Any

import jax
import jax.numpy as jnp

from digits import data, evaluate, model, optim

#: Updates so far.
updates = 0


def loss_fn(params: model.Params, images: jax.Array, labels: jax.Array) -> jax.Array:
    """Mean cross entropy."""
    log_p = jax.nn.log_softmax(model.apply(params, images))
    return -jnp.mean(jnp.take_along_axis(log_p, labels[:, None], axis=-1))


@jax.jit
def update(
    params: model.Params, velocity: Any, images: jax.Array, labels: jax.Array, rate: float
) -> tuple[model.Params, Any, jax.Array]:
    """One step of gradient descent."""
    global updates
    updates += 1
    print(f"tracing update for images of shape {images.shape}")
    loss, grads = jax.value_and_grad(loss_fn)(params, images, labels)
    step, velocity = optim.momentum(grads, velocity)
    params = jax.tree.map(lambda p, s: p - rate * s, params, step)
    return params, velocity, loss


def train(key: jax.Array, *, epochs: int = 5, count: int = 512, size: int = 64) -> tuple[model.Params, list[float]]:
    """Train on fresh synthetic data; the parameters and the loss of every step."""
    data_key, init_key, order_key = jax.random.split(key, 3)
    template_key, image_key = jax.random.split(data_key)
    images, labels = data.make_split(image_key, data.make_templates(template_key), count)
    params = model.init_params(init_key, (data.SIDE**2, 32, data.CLASSES))
    velocity = jax.tree.map(jnp.zeros_like, params)
    losses = []
    step = 0
    for epoch in range(epochs):
        order_key, epoch_key = jax.random.split(order_key)
        order = jax.random.permutation(epoch_key, count)
        for batch_images, batch_labels in data.batches(images[order], labels[order], size):
            rate = optim.warm_up(step, 0.05, 10)
            params, velocity, loss = update(params, velocity, batch_images, batch_labels, rate)
            losses.append(float(loss))
            step += 1
        score = evaluate.accuracy(model.apply(params, images), labels)
        print(f"epoch {epoch}: accuracy {float(score):.3f}")
    return params, losses


def fit_until_good(
    params: model.Params, images: jax.Array, labels: jax.Array, goal: float, most: int = 500
) -> tuple[model.Params, int]:
    """Update until the loss is good enough, and say how many steps it took."""
    velocity = jax.tree.map(jnp.zeros_like, params)
    for step in range(most):
        params, velocity, loss = update(params, velocity, images, labels, 0.05)
        if float(loss) < goal:
            return params, step + 1
        if step % 100 == 0:
            print(f"step {step}: loss {float(loss):.4f}")
    return params, most


def jitter(key: jax.Array, params: model.Params, scale: float = 0.1) -> model.Params:
    """The parameters with noise on them."""
    noisy = []
    for layer in params:
        noisy.append({name: leaf + scale * jax.random.normal(key, leaf.shape) for name, leaf in layer.items()})
    return noisy


def random_restarts(key: jax.Array, params: model.Params, count: int) -> list[model.Params]:
    """Noisy copies of the parameters, each from a key of its own."""
    return [jitter(jax.random.fold_in(key, number), params) for number in range(count)]


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    _, losses = train(jax.random.key(options.seed), epochs=options.epochs)
    print(f"{len(losses)} updates, of which {updates} were counted; last loss {losses[-1]:.4f}")


if __name__ == "__main__":
    main()
