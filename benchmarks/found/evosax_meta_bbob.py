"""evosax/problems/bbob/meta_bbob.py:94 JAX403: the key of the parameters is split twice."""

import jax
from evidence import project, shown

project("evosax-0.3.2")
from evosax.problems.bbob import meta_bbob

problem = meta_bbob.MetaBBOBProblem()
for seed in range(20):
    key = jax.random.key(seed)
    params = problem.sample_params(key)
    key_of_rotation = jax.random.split(key)[0]  # as in the second split
    assert jax.random.choice(key_of_rotation, problem.fn_ids) == params.fn_id
shown("in 20 of 20 draws the key of the rotation matrix is the key that chose the function")
