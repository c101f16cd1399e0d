"""How fast rounds close while sixteen people click: by a worker beside the process that serves the
pages, and by one process that does both, each against the same with nobody clicking.
"""

import http.client
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import cycle
from pathlib import Path
from statistics import median

from benchmarks.fixtures import fall_due, furnish
from benchmarks.measure import Figure
from benchmarks.page import links, served
from gm.installation import Installation
from gm.store.db import count

CLIENTS, GAMES, SEATS, RUNS = 16, 400, 3, 5
LONGEST_SECONDS = 30
"""What is not closed by then does not count."""


def readers() -> Iterator[Figure]:
    """Rounds closed in a second, each run, and the median of all."""
    for name, is_one in (("a worker", False), ("one serve", True)):
        alone = median(_rate(0, is_one=is_one) for _ in range(RUNS))
        rates = []
        for run in range(1, RUNS + 1):
            rates.append(_rate(CLIENTS, is_one=is_one))
            yield Figure(f"rounds closed by {name} beside readers, run {run}", rates[-1], "/s")
        yield Figure(
            f"rounds closed by {name} beside {CLIENTS} readers, median",
            median(rates),
            "/s",
            "alone",
            alone,
        )


def _rate(clients: int, *, is_one: bool) -> float:
    """How many rounds are closed in a second, from the first to the last."""
    with tempfile.TemporaryDirectory() as folder:
        installation = furnish(Path(folder), GAMES, SEATS)
        pages = links(installation)
        options = ("--host", "localhost") if is_one else ("--no-scheduler",)
        with served(installation, *options) as port, _clicking(port, pages, clients):
            time.sleep(2)
            fall_due(installation, GAMES)
            if is_one:
                return _seen(installation)
            with _worker(installation):
                return _seen(installation)


@contextmanager
def _clicking(port: int, pages: list[str], clients: int) -> Iterator[None]:
    """Inside, so many clients open order pages, one after the other."""
    is_over = threading.Event()

    def click(first: int) -> None:
        line = http.client.HTTPConnection("localhost", port, timeout=60)
        for path in cycle(pages[first:] + pages[:first]):
            if is_over.is_set():
                break
            line.request("GET", path)
            answer = line.getresponse()
            answer.read()
            assert answer.status == 200, answer.status
        line.close()

    threads = [
        threading.Thread(target=click, args=[number * len(pages) // CLIENTS])
        for number in range(clients)
    ]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        is_over.set()
        for thread in threads:
            thread.join()


@contextmanager
def _worker(installation: Installation) -> Iterator[None]:
    command = [sys.executable, "-m", "gm", "--home", str(installation.home), "worker"]
    # our own program
    running = subprocess.Popen(command, stdout=subprocess.DEVNULL)  # noqa: S603
    try:
        yield
    finally:
        running.terminate()
        running.wait()


def _seen(installation: Installation) -> float:
    first, until = 0.0, time.monotonic() + LONGEST_SECONDS
    with installation.connection() as db:
        while (now := time.monotonic()) < until:
            closed = count(db, "SELECT count(*) FROM game WHERE round > 1")
            if closed and not first:
                first, before = now, closed
            if closed == GAMES:
                break
            time.sleep(0.05)
    return (closed - before) / (now - first) if first and now > first else 0.0
