"""How fast a deadline batch is, stage by stage.

Each line is a figure, a yardstick measured in the same run (the same work done with the bare library), their ratio, the target,
and whether it holds. Figures move by a factor of two from machine to machine and hour to hour; ratios do not.
"""

from collections.abc import Callable, Iterator, Mapping

from msgspec import Struct


class Options(Struct, frozen=True):
    """What is measured: the largest number of games in one batch, and seats a game. `peers`: microseconds that others took."""

    games: int
    seats: int
    peers: Mapping[str, float] = {}


class Line(Struct, frozen=True):
    """One figure, and what is asked of it.

    `against`: the yardstick's figure in the same unit. `limit`: the most for the ratio, or without a yardstick for the figure.
    `note`: what was not measured, or how.
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
        """Whether the target is reached; None where there is none."""
        if self.limit is None:
            return None
        return (self.figure if self.ratio is None else self.ratio) <= self.limit


Bench = Callable[[Options], Iterator[Line]]


def benches() -> dict[str, Bench]:
    """All benches by name, in the order of the work."""
    from gm.bench import batch, engine, page, sending, start  # noqa: PLC0415  # nothing else of the program needs them

    return {
        "engine": engine.rounds,
        "hindsight": engine.hindsight,
        "close": batch.close,
        "write": batch.write,
        "send": sending.send,
        "batch": batch.whole,
        "large": batch.large,
        "storage": batch.storage,
        "page": page.pages,
        "start": start.start,
    }
