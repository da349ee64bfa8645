"""blackjax/ns/utils.py:247 JAX403: the key that is split for the weights draws the sample, too."""

import inspect

import jax
import jax.numpy as jnp
from evidence import project, shown

project("blackjax-1.7.1")
from blackjax.ns import utils

drawn = []
original = utils.log_weights
utils.log_weights = lambda key, dead, shape=100, beta=1.0: drawn.append(key) or jnp.zeros((5, shape))
choice = jax.random.choice
jax.random.choice = lambda key, *args, **kwargs: drawn.append(key) or choice(key, *args, **kwargs)


class Particles:
    loglikelihood = jnp.arange(5.0)


class Dead:
    particles = Particles()


jax.tree.map = lambda f, tree: tree
utils.sample(jax.random.PRNGKey(0), Dead(), 3)
assert jnp.array_equal(drawn[0], drawn[1]) and "split" in inspect.getsource(utils.logX)
shown("`log_weights`, which splits it, and `jax.random.choice` are given the same key")
