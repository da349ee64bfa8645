"""Many processes for many files. Results come back in the order of the files, however the work was shared out."""

from __future__ import annotations

import gc
import multiprocessing
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.context import BaseContext

from jaxlint import faults
from jaxlint.engine import Clock, Engine, Result, Suppress, Task, check_serially
from jaxlint.stack import deep

#: Chunks per process: small enough to share out evenly, large enough that passing them is nothing.
_CHUNKS = 8


def run(tasks: Sequence[Task], engine: Engine, suppress: Suppress, jobs: int) -> Result:
    """Check the files in ``jobs`` processes. Raises SelectorError, before any process starts."""
    for settings in {task.settings for task in tasks}:
        engine.rules_for(settings, "")  # imports once, for all forks; and a wrong selector ends the run here
    gc.freeze()  # forks share these pages as long as no collector writes to them
    context = _context()
    jobs = min(jobs, len(tasks))
    size = max(1, -(-len(tasks) // (jobs * _CHUNKS)))
    chunks = [tasks[i : i + size] for i in range(0, len(tasks), size)]
    total = Result()
    for chunk, result in zip(chunks, _results(chunks, suppress, jobs, context), strict=True):
        total.add(_recover(chunk, suppress, context) if result is None else result)
    return total


def _context() -> BaseContext:
    """Forks where there are any: they start with everything imported."""
    methods = multiprocessing.get_all_start_methods()
    return multiprocessing.get_context("fork" if "fork" in methods else "spawn")


def _results(
    chunks: Sequence[Sequence[Task]], suppress: Suppress, jobs: int, context: BaseContext
) -> list[Result | None]:
    """A result for each chunk; None where a process died before it could answer."""
    results: list[Result | None] = []
    with ProcessPoolExecutor(jobs, mp_context=context) as pool:
        futures = [pool.submit(_check_chunk, chunk, suppress) for chunk in chunks]
        for future in futures:
            try:
                results.append(future.result())
            except BrokenProcessPool:
                results.append(None)
    return results


def _recover(chunk: Sequence[Task], suppress: Suppress, context: BaseContext) -> Result:
    """A process died, here or elsewhere in the pool: try the chunk alone, then halves, until one file is to blame."""
    (result,) = _results([chunk], suppress, 1, context)
    if result is not None:
        return result
    if len(chunk) == 1:
        path = chunk[0].path
        return Result([faults.internal_error(path, "the process that checked it died (out of memory?)")], files=1)
    total = Result()
    half = len(chunk) // 2
    for part in (chunk[:half], chunk[half:]):
        total.add(_recover(part, suppress, context))
    return total


def _check_chunk(chunk: Sequence[Task], suppress: Suppress) -> Result:
    """Runs in the child."""
    gc.disable()
    engine = Engine(Clock())
    result: Result = deep(lambda: check_serially(chunk, engine, suppress))
    for name, seconds in engine.clock.seconds.items():
        result.seconds[name] = result.seconds.get(name, 0.0) + seconds
    return result
