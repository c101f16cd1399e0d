"""The order page: opened and sent, alone and while a batch runs, against a page of the same size from a bare Flask."""

import http.client
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import cycle
from pathlib import Path
from statistics import median

from gm import store
from gm.bench import Line, Options
from gm.bench.ground import fall_due, furnish
from gm.bench.start import free_port, wait_for
from gm.installation import Installation

ALONE = 200
"""Requests for a figure without a batch."""
BATCH = 1000
"""Games of the batch that runs beside."""
FORM = {"Content-Type": "application/x-www-form-urlencoded"}
LIST = "round=1&rev=0&pass=yes&action=submit&whole=yes"


def pages(options: Options) -> Iterator[Line]:
    """GET and POST, alone and beside a batch."""
    number = min(BATCH, options.games)
    with tempfile.TemporaryDirectory() as folder:
        quiet = furnish(Path(folder) / "quiet", 100, options.seats, lists=False)
        with _served(quiet) as port:
            links = _links(quiet)
            opened, sent = _ask(port, "GET", links, ALONE), _ask(port, "POST", links, ALONE)
        size = _size_of_a_page(quiet)
        with _bare(size) as port:
            bare_get, bare_post = _ask(port, "GET", ["/"], ALONE), _ask(port, "POST", ["/"], ALONE)
        yield Line("order page, GET alone", median(opened), "ms", "bare Flask", median(bare_get), 2)
        yield Line("order page, POST alone", median(sent), "ms", "bare Flask", median(bare_post), 2)
        house = furnish(Path(folder) / "busy", number, options.seats, lists=False)
        others = [f"game-{count}" for count in range(number // 2)]
        yield from _beside_a_batch(house, others)


def _beside_a_batch(house: Installation, open_games: list[str]) -> Iterator[Line]:
    """Half of the games fall due; players of the other half open and send."""
    now = fall_due(house)
    with house.connection() as db:
        db.conn.execute("PRAGMA query_only=0").fetchone()
        marks = ",".join("?" * len(open_games))
        db.execute(f"UPDATE game SET deadline = ? WHERE id IN ({marks})", [now + 10**6, *open_games])  # noqa: S608
    with _served(house) as port:
        links = _links(house, open_games)
        command = [sys.executable, "-m", "gm.bench.worker"]
        opened, sent = [], []
        for part in ("close", "write"):
            batch = subprocess.Popen([*command, part, str(house.home), str(now)], stdout=subprocess.DEVNULL)  # noqa: S603
            turn = cycle(links)
            while batch.poll() is None:
                opened += _ask(port, "GET", [next(turn)], 1)
                sent += _ask(port, "POST", [next(turn)], 1)
    yield Line("order page, GET beside a batch, p99", _p99(opened), "ms", limit=100, note=f"{len(opened)} asked")
    yield Line("order page, POST beside a batch, p99", _p99(sent), "ms", limit=100, note=f"{len(sent)} sent")


def _ask(port: int, method: str, paths: list[str], number: int) -> list[float]:
    """Milliseconds of so many requests, one after the other. Raises AssertionError for one that fails."""
    took = []
    line = http.client.HTTPConnection("localhost", port, timeout=30)
    for path, _ in zip(cycle(paths), range(number), strict=False):
        began = time.perf_counter()
        line.request(method, path, LIST if method == "POST" else None, FORM if method == "POST" else {})
        answer = line.getresponse()
        answer.read()
        took.append((time.perf_counter() - began) * 1000)
        assert answer.status in (200, 303), answer.status
    line.close()
    return took


def _p99(took: list[float]) -> float:
    return sorted(took)[int(len(took) * 0.99)]


def _links(house: Installation, games: list[str] | None = None) -> list[str]:
    with house.connection() as db:
        seats = [seat for game in games or [g.id for g in store.games(db)] for seat in store.seats(db, game)]
    return [house.seat_url(seat.game, seat.name, 1).removeprefix(house.config.base_url) for seat in seats]


def _size_of_a_page(house: Installation) -> int:
    with _served(house) as port:
        line = http.client.HTTPConnection("localhost", port, timeout=30)
        line.request("GET", _links(house)[0])
        return len(line.getresponse().read())


@contextmanager
def _served(house: Installation) -> Iterator[int]:
    """The pages in a process of their own."""
    port = free_port()
    environ = os.environ | {"BOHNENPOST_PORT": str(port), "BOHNENPOST_BASE_URL": f"http://localhost:{port}"}
    command = [sys.executable, "-m", "gm", "--home", str(house.home), "serve", "--no-scheduler"]
    with _process(command, port, environ):
        yield port


@contextmanager
def _bare(size: int) -> Iterator[int]:
    """A page of so many bytes from a Flask that reads one row and stores one."""
    port = free_port()
    with _process([sys.executable, "-m", "gm.bench.bare", str(port), str(size)], port, dict(os.environ)):
        yield port


@contextmanager
def _process(command: list[str], port: int, environ: dict[str, str]) -> Iterator[None]:
    running = subprocess.Popen(command, env=environ, stdout=subprocess.DEVNULL)  # noqa: S603  # our own program
    try:
        wait_for(port)
        yield
    finally:
        running.terminate()
        running.wait()
