"""optax schedules under jit: counters and what the module keeps."""

from __future__ import annotations

import jax
from optax.schedules import _inject, _schedule
from support import counts_on, keeps_no_tracer

jax.jit(_schedule.exponential_decay(0.1, 10, 0.9))(3)
keeps_no_tracer(getattr(_schedule, "SEEN", []))
wrapped = _inject.WrappedSchedule(_schedule.constant_schedule(0.1))
counts_on(wrapped, jax.jit(lambda state: wrapped(state)), wrapped.init())
