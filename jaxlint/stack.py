"""Room for deep recursion: nested code recurses in the parser, in the interpreter and in the visitors."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T")

#: 256 MB are reserved, not used. At least what ``syntax/limits.py`` asks for: it cannot be imported without libcst.
STACK_BYTES = 256 * 1024 * 1024
RECURSION_LIMIT = 30_000


def deep(work: Callable[[], T]) -> T:
    """Run ``work`` on a thread with a big stack and return its result; its exceptions are raised here."""
    box: dict[str, Any] = {}

    def target() -> None:
        try:
            box["value"] = work()
        except BaseException as error:
            box["error"] = error

    limit, size = sys.getrecursionlimit(), STACK_BYTES
    sys.setrecursionlimit(max(limit, RECURSION_LIMIT))
    try:
        while not _started(thread := threading.Thread(target=target, name="jaxlint", daemon=True), size):
            size //= 4
            if size < 1024 * 1024:  # no thread to be had: the main stack must do
                sys.setrecursionlimit(limit)
                return work()
        thread.join()
    finally:
        sys.setrecursionlimit(limit)
    if "error" in box:
        raise box["error"]
    return box["value"]  # type: ignore[no-any-return]


def _started(thread: threading.Thread, size: int) -> bool:
    """Start the thread with a stack of ``size`` bytes; False where the system refuses."""
    before = threading.stack_size()
    try:
        threading.stack_size(size)
        thread.start()
    except (RuntimeError, ValueError, MemoryError):
        return False
    finally:
        threading.stack_size(before)
    return True
