"""blackjax/smc/pretuning.py:84 JAX402: every tuned parameter is moved by the same noise."""

import jax
import jax.numpy as jnp
from evidence import project, shown

project("blackjax-1.7.1")
from blackjax.smc import pretuning

seen = []
original = pretuning.generate_gaussian_noise
pretuning.generate_gaussian_noise = lambda *args, **kwargs: seen.append(original(*args, **kwargs)) or seen[-1]
old = {"step_size": jnp.ones(10), "length": jnp.ones(10)}
pretuning.update_parameter_distribution(
    jax.random.PRNGKey(0),
    previous_param_samples=old,
    previous_particles=jnp.zeros(10),
    latest_particles=jnp.ones(10),
    measure_of_chain_mixing=lambda before, after, rate: jnp.ones(10),
    alpha=1.0,
    sigma_parameters={"step_size": jnp.array(0.5), "length": jnp.array(0.5)},
    acceptance_probability=jnp.ones(10),
)
first, second = (noise["step_size"] if isinstance(noise, dict) else noise for noise in seen)
assert jnp.array_equal(first, second)
shown("the noises of `step_size` and of `length` are equal, number by number")
