"""A batch: rounds closed and their mails written, in growing sizes; and what players wait for
their page beside the largest.
"""

import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

from benchmarks.fixtures import fall_due, furnish
from benchmarks.measure import Figure
from benchmarks.page import visited
from gm.service import close_due, write_mails

SIZES = (10, 100, 1000, 10_000)
OTHERS = 20
"""Games that are not due, whose players open and send meanwhile."""
SEATS = 5


def growing(largest: int) -> Iterator[Figure]:
    """Batches of 10 games and more: seconds, and the cost of a seat against that in a batch of
    100.
    """
    cost: dict[int, float] = {}
    sizes = [size for size in SIZES if size <= largest]
    for games in sizes:
        with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
            installation = furnish(Path(folder), games + OTHERS, SEATS)
            now = fall_due(installation, games)
            asked = (
                stack.enter_context(visited(installation, games)) if games == sizes[-1] else None
            )
            with installation.connection() as db:
                began = time.perf_counter()
                while close_due(db, installation.config, now):
                    pass
                closed = time.perf_counter()
                while write_mails(db, installation, now):
                    pass
                done = time.perf_counter()
        cost[games] = (done - began) * 1000 / games / SEATS
        yield Figure(f"{games} games of {SEATS}, rounds closed", closed - began, "s")
        yield Figure(f"{games} games of {SEATS}, mails written", done - closed, "s")
        yield Figure(
            f"{games} games of {SEATS}, all for one seat",
            cost[games],
            "ms",
            "in 100 games",
            cost.get(100),
        )
        if asked is not None:
            yield from asked.lines(f"beside a batch of {games} games")
