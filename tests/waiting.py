"""Waiting for other threads and processes: for what they do, and never for a time that a busy computer may need.

The end is so far off that it says only that something hangs; nothing is judged by how long it took.
"""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable
from typing import TypeVar

PATIENCE_S = 300.0
T = TypeVar("T")


def until(condition: Callable[[], T], what: str) -> T:
    """Waits until a condition gives something that is true, and gives that; `what` says it where it never comes."""
    end_s = time.monotonic() + PATIENCE_S
    while not (found := condition()):
        assert time.monotonic() < end_s, f"waited {PATIENCE_S:.0f} s in vain for {what}"
        time.sleep(0.01)
    return found


def ended(process: subprocess.Popen[T]) -> tuple[T, T]:
    """Waits until a process has ended, and gives what it said on standard output and standard error."""
    try:
        return process.communicate(timeout=PATIENCE_S)
    except subprocess.TimeoutExpired as error:
        process.kill()
        raise AssertionError(f"waited {PATIENCE_S:.0f} s in vain for the end of {process.args}") from error
