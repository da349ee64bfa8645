"""flax learning-rate schedules: the step is traced."""

from __future__ import annotations

import jax
from flax.training.lr_schedule import create_cosine_learning_rate_schedule

schedule = create_cosine_learning_rate_schedule(0.1, 10, 5, warmup_length=2)
jax.jit(schedule)(3)
