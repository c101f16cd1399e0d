"""How fast rounds close while sixteen people click: by a worker beside the process that serves the
pages, and by one process that does both, each against the same with nobody clicking. And by two
workers beside two web servers, on a file and on a PostgreSQL server.
"""

import http.client
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import cycle
from pathlib import Path
from statistics import median

from benchmarks.fixtures import fall_due, furnish
from benchmarks.measure import Figure
from benchmarks.page import links, served
from gm.installation import Installation, open_installation
from gm.store.db import count
from tests import postbox, postgres

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


def servers() -> Iterator[Figure]:
    """Two workers beside two web servers: rounds and pages in a second, on a PostgreSQL server
    against those on a file. Nothing where no server is installed.
    """
    if postgres.programs() is None:
        return
    for clients in (0, CLIENTS):
        rates = {
            engine: [_of_two(engine, clients) for _ in range(RUNS)] for engine in ("file", "server")
        }
        rounds, pages = (
            {engine: median(run[what] for run in runs) for engine, runs in rates.items()}
            for what in (0, 1)
        )
        who = f"two workers, {clients} readers" if clients else "two workers, nobody reads"
        yield Figure(f"rounds by {who}: server", rounds["server"], "/s", "file", rounds["file"])
        if clients:
            yield Figure(
                f"pages beside {who}: server", pages["server"], "/s", "file", pages["file"]
            )


def _of_two(engine: str, clients: int) -> tuple[float, float]:
    """Rounds closed and pages opened in a second, with two workers and two web servers."""
    with ExitStack() as running:
        folder = Path(running.enter_context(tempfile.TemporaryDirectory()))
        house = furnish(folder, GAMES, SEATS)
        _, port = running.enter_context(postbox.running())
        settings = f'smtp_host = "127.0.0.1"\nsmtp_port = {port}\nsmtp_tls = "none"\n'
        if engine == "server":
            server = running.enter_context(postgres.running())
            postgres.move_to_server(house.home, server.create("bench"))
        with (house.home / "bohnenpost.toml").open("a", encoding="utf-8") as file:
            file.write(settings)
        house = open_installation(house.home, {})
        pages = links(house)
        ports = [running.enter_context(served(house, "--no-scheduler")) for _ in range(2)]
        opened = [
            running.enter_context(_clicking(port, pages, clients // len(ports))) for port in ports
        ]
        time.sleep(2)
        fall_due(house, GAMES)
        before, began = sum(map(len, opened)), time.monotonic()
        for _ in range(2):
            running.enter_context(_worker(house))
        rate = _seen(house)
        return rate, (sum(map(len, opened)) - before) / (time.monotonic() - began)


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
def _clicking(port: int, pages: list[str], clients: int) -> Iterator[list[str]]:
    """Inside, so many clients open order pages, one after the other; what they have opened."""
    is_over, opened = threading.Event(), list[str]()

    def click(first: int) -> None:
        line = http.client.HTTPConnection("localhost", port, timeout=60)
        for path in cycle(pages[first:] + pages[:first]):
            if is_over.is_set():
                break
            line.request("GET", path)
            answer = line.getresponse()
            answer.read()
            assert answer.status == 200, answer.status
            opened.append(path)
        line.close()

    threads = [
        threading.Thread(target=click, args=[number * len(pages) // CLIENTS])
        for number in range(clients)
    ]
    for thread in threads:
        thread.start()
    try:
        yield opened
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
