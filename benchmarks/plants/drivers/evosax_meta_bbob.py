"""evosax MetaBBOBProblem: a rotation for a number of dimensions that is traced."""

from __future__ import annotations

import jax
from evosax.problems.bbob.meta_bbob import MetaBBOBProblem

problem = MetaBBOBProblem()
jax.jit(problem.generate_random_rotation)(jax.random.key(0), 4)
