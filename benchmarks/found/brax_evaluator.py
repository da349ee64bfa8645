"""brax/training/acting.py:123 JAX403: an evaluation resets its first environment with the key of its first action."""

import types

import jax
import jax.numpy as jnp
from evidence import data, project, shown

project("brax-0.14.2")
from brax.training import acting

seen = {"reset": [], "policy": []}


class Env:
    """Records the keys that it is reset with."""

    def reset(self, keys):
        jax.debug.callback(lambda keys: seen["reset"].append(keys), data(keys))
        return jnp.zeros(len(keys))


def note(key):
    jax.debug.callback(lambda key: seen["policy"].append(key), data(key), ordered=True)


acting.envs = types.SimpleNamespace(training=types.SimpleNamespace(EvalWrapper=lambda env: env))
acting.actor_step = lambda env, state, policy, key, extra_fields=(): (note(key), (state, jnp.zeros(())))[1]
evaluator = acting.Evaluator(Env(), lambda params: None, 4, 5, 1, jax.random.PRNGKey(0))
seen["reset"].clear()
evaluator._generate_eval_unroll(jnp.zeros(4), jnp.zeros(()), jax.random.PRNGKey(7))
jax.effects_barrier()
assert (seen["reset"][-1][0] == seen["policy"][0]).all()
shown(f"environment 0 is reset with {seen['reset'][-1][0]}, the first action is drawn with {seen['policy'][0]}")
