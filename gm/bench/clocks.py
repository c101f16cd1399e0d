"""Stopwatches: time on the wall and time computed, in microseconds, as medians of several tries."""

import time
from collections.abc import Callable
from statistics import median

from msgspec import Struct

MICRO = 1e6


class Took(Struct, frozen=True):
    """How long something took."""

    wall: float
    cpu: float


def once(work: Callable[[], object]) -> Took:
    """One try."""
    wall, cpu = time.perf_counter(), time.process_time()
    work()
    return Took((time.perf_counter() - wall) * MICRO, (time.process_time() - cpu) * MICRO)


def typically(work: Callable[[], object], tries: int = 7) -> Took:
    """The medians of several tries, after one that does not count."""
    work()
    took = [once(work) for _ in range(tries)]
    return Took(median(one.wall for one in took), median(one.cpu for one in took))
