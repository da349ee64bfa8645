"""What the scripts beside it share: the pinned project on the path, keys that are recorded, one line of evidence."""

from __future__ import annotations

import contextlib
import os
import pathlib
import sys
from collections.abc import Iterator

import jax
import numpy as np

CORPUS = pathlib.Path(os.environ.get("CORPUS", "corpus"))


def project(folder: str) -> None:
    """Import this project from the corpus, not from what is installed."""
    root = CORPUS / folder
    if not root.is_dir():
        sys.exit(f"{root}: not there (benchmarks/corpus/fetch.py brings it; CORPUS names the folder)")
    sys.path.insert(0, str(root))


@contextlib.contextmanager
def recorded_splits() -> Iterator[list[np.ndarray]]:
    """The children of every `jax.random.split` with concrete keys, in order, as rows of numbers."""
    seen: list[np.ndarray] = []
    split = jax.random.split

    def recording(key: jax.Array, num: int = 2) -> jax.Array:
        children = split(key, num)
        if not isinstance(children, jax.core.Tracer):
            seen.append(np.asarray(data(children)).reshape(-1, 2))
        return children

    jax.random.split = recording
    try:
        yield seen
    finally:
        jax.random.split = split


def data(key: jax.Array) -> jax.Array:
    """The numbers of a key of either kind."""
    return jax.random.key_data(key) if jax.dtypes.issubdtype(key.dtype, jax.dtypes.prng_key) else key


def shared(a: np.ndarray, b: np.ndarray) -> int:
    """How many rows of `a` stand in `b`, too."""
    return len({tuple(row) for row in a.tolist()} & {tuple(row) for row in b.tolist()})


def shown(text: str) -> None:
    print(text)
