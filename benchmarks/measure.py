"""What is measured, and a stopwatch."""

import time
from collections.abc import Callable
from statistics import median

from msgspec import Struct


class Figure(Struct, frozen=True):
    """One figure in a unit; `against`: that of the yardstick, in the same unit."""

    name: str
    figure: float
    unit: str
    yardstick: str = ""
    against: float | None = None


def seconds(work: Callable[[], object], tries: int = 7) -> float:
    """The median of several tries, after one that does not count."""
    work()
    took = []
    for _ in range(tries):
        began = time.perf_counter()
        work()
        took.append(time.perf_counter() - began)
    return median(took)
