"""jaxmarl/environments/mpe/simple_facmac.py:241 JAX402: every prey looks in the same random directions."""

import jax
import jax.numpy as jnp
from evidence import project, shown

project("jaxmarl-0.2.0")
from jaxmarl.environments.mpe import simple_facmac

env = simple_facmac.SimpleFacmacMPE6a()
drawn = []
for name in ("uniform", "normal"):
    original = getattr(jax.random, name)

    def recording(key, *args, original=original, **kwargs):
        out = original(key, *args, **kwargs)
        drawn.append(out)
        return out

    setattr(jax.random, name, recording)
with jax.disable_jit():
    _, state = env.reset(jax.random.PRNGKey(0))
    drawn.clear()
    for prey in range(env.num_good_agents):
        env._prey_policy(jax.random.PRNGKey(1), state, env.num_adversaries + prey)
half = len(drawn) // env.num_good_agents
assert half and all(jnp.array_equal(a, b) for a, b in zip(drawn[:half], drawn[half : 2 * half], strict=True))
shown(f"{env.num_good_agents} prey, one key: the {half} draws of the first are those of the second")
