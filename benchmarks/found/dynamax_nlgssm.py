"""dynamax/nonlinear_gaussian_ssm/inference_test_utils.py:101 JAX401: both weight matrices are drawn with one key."""

import jax.numpy as jnp
import jax.random as jr
from evidence import project, shown

project("dynamax-1.0.3")
from dynamax.nonlinear_gaussian_ssm.inference_test_utils import make_nlgssm_params

params = make_nlgssm_params(3, 3, key=jr.PRNGKey(1))
z = jnp.array([0.3, -1.2, 0.7])
circle = params.dynamics_function(z) ** 2 + params.emission_function(z) ** 2
assert jnp.allclose(circle, 1.0, atol=1e-5), circle
shown("sin(dynamics)**2 + cos(emissions)**2 == 1: the two random matrices are the same")
