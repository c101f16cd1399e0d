"""Stopwatches: time on the wall and time computed, in microseconds, as medians of several tries."""

import time
from collections.abc import Callable, Iterator, Mapping
from statistics import median

from msgspec import Struct

MICRO = 1e6
IN_MICROSECONDS = {"us": 1.0, "ms": 1e3, "s": MICRO}
LOOP = 100_000


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


class Options(Struct, frozen=True):
    """What is measured: the largest number of games in one batch, and seats a game. `peers`: microseconds that others took."""

    games: int
    seats: int
    peers: Mapping[str, float] = {}


class Figure(Struct, frozen=True):
    """One figure, and what is asked of it.

    `against`: the yardstick's figure in the same unit. `limit`: the most for their ratio. `note`: what was not measured, or how.
    """

    name: str
    figure: float
    unit: str
    yardstick: str = ""
    against: float | None = None
    limit: float | None = None
    note: str = ""

    @property
    def ratio(self) -> float | None:
        """The figure in yardsticks."""
        return self.figure / self.against if self.against else None

    @property
    def holds(self) -> bool | None:
        """Whether the target is reached; None where there is none, or no yardstick."""
        return None if self.limit is None or self.ratio is None else self.ratio <= self.limit


def beside_loop(name: str, figure: float, unit: str, note: str = "") -> Figure:
    """A time for information: beside it a loop of fixed work, which says how fast the machine is now."""
    loop = typically(lambda: sum(number * number for number in range(LOOP))).wall
    return Figure(name, figure, unit, "a loop of fixed work", loop / IN_MICROSECONDS[unit], note=note)


Bench = Callable[[Options], Iterator[Figure]]
