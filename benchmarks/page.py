"""The order page: opened and sent, alone and while a batch runs, against a page of the same size
from a bare Flask.
"""

import http.client
import os
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from itertools import count, cycle
from pathlib import Path
from statistics import median

from msgspec import Struct
from msgspec.structs import replace

from benchmarks.fixtures import furnish, number_of
from benchmarks.measure import Figure
from gm import store
from gm.installation import Installation
from rounds.engine.variant import names

ALONE = 200
"""Requests for a figure without a batch."""
GAMES = 100
PAUSE_SECONDS = 0.05
"""Between two players beside a batch: five thousand in ten minutes would be eight a second,
these are twice as many.
"""
PRACTICE_SECONDS, THINKING_SECONDS = 60, 15
VISITORS_A_SECOND = 1000 / 600
FORM = {"Content-Type": "application/x-www-form-urlencoded"}
LIST = "round=1&rev=0&pass=yes&press={}&action=submit&whole=yes"


class Asked(Struct):
    """Milliseconds until the pages were answered."""

    opened: list[float] = []
    sent: list[float] = []

    def lines(self, when: str) -> Iterator[Figure]:
        """What ninety-nine of a hundred got at the latest."""
        for name, took in (("GET", self.opened), ("POST", self.sent)):
            yield Figure(
                f"order page, {name}, p99 {when}", sorted(took)[int(len(took) * 0.99)], "ms"
            )


def alone() -> Iterator[Figure]:
    """GET and POST, with nothing beside."""
    with tempfile.TemporaryDirectory() as folder:
        installation = furnish(Path(folder), GAMES, 5, lists=False)
        with served(installation) as port:
            pages = links(installation)
            opened, sent = _ask(port, "GET", pages, ALONE), _ask(port, "POST", pages, ALONE)
            size = len(_page(port, pages[0]))
        with _bare(size) as port:
            bare_get, bare_post = _ask(port, "GET", ["/"], ALONE), _ask(port, "POST", ["/"], ALONE)
    yield Figure("order page, GET alone", median(opened), "ms", "bare Flask", median(bare_get))
    yield Figure("order page, POST alone", median(sent), "ms", "bare Flask", median(bare_post))


def beside_practice() -> Iterator[Figure]:
    """GET and POST while a thousand visitors practise within ten minutes, as many of them as may."""
    with tempfile.TemporaryDirectory() as folder:
        installation = furnish(Path(folder), GAMES, 5, lists=False)
        found = []
        for visitors in (0, VISITORS_A_SECOND):
            with visited(installation, 0, visitors) as asked:
                time.sleep(PRACTICE_SECONDS)
            found.append([*asked.lines("beside practice")])
    for without, beside in zip(*found, strict=True):
        yield replace(beside, yardstick="without", against=without.figure)


def _practise(port: int, number: int) -> None:
    """A visitor begins a game, and closes three rounds if there was room for it."""
    variants, line = names(), http.client.HTTPConnection("localhost", port, timeout=30)
    headers = FORM | {"X-Forwarded-For": f"198.18.{number // 256}.{number % 256}"}

    def ask(method: str, path: str) -> str:
        line.request(method, path, "whole=yes" if method == "POST" else None, headers)
        answer = line.getresponse()
        answer.read()
        return answer.headers["Location"] or ""

    link = ask("POST", f"/practice/{variants[number % len(variants)]}")
    for closed in range(1, 4 if link else 0):
        ask("GET", link)
        time.sleep(THINKING_SECONDS)
        ask("POST", f"{link.partition('?')[0]}/close?round={closed}")
    line.close()


@contextmanager
def visited(installation: Installation, due: int, visitors: float = 0) -> Iterator[Asked]:
    """Inside, players of the games after the first `due` open and send, again and again;
    `visitors`: how many begin to practise in a second.
    """
    asked, is_over = Asked(), threading.Event()
    with served(installation, environ={"BOHNENPOST_PROXIES": "1"}) as port:
        pages = links(installation, due)
        turn = cycle(pages)
        # in each language: what is compiled with the first page is measured by itself
        for path in pages[:2]:
            _page(port, path)

        def visit() -> None:
            while not is_over.wait(PAUSE_SECONDS):
                asked.opened += _ask(port, "GET", [next(turn)], 1)
                asked.sent += _ask(port, "POST", [next(turn)], 1)

        def come() -> None:
            for number in count():
                if is_over.wait(1 / visitors):
                    return
                crowd.submit(_practise, port, number)

        with ThreadPoolExecutor(2) as player, ThreadPoolExecutor(100) as crowd:
            visits = [player.submit(visit)] + ([player.submit(come)] if visitors else [])
            try:
                yield asked
            finally:
                is_over.set()
                for line in visits:
                    line.result()


def _ask(port: int, method: str, paths: list[str], number: int) -> list[float]:
    """Milliseconds of so many requests, one after the other. Raises AssertionError for one that
    fails.
    """
    took = []
    line = http.client.HTTPConnection("localhost", port, timeout=30)
    for path, _ in zip(cycle(paths), range(number), strict=False):
        body = LIST.format(time.time_ns())  # something new each time, so that each is stored
        began = time.perf_counter()
        line.request(
            method, path, body if method == "POST" else None, FORM if method == "POST" else {}
        )
        answer = line.getresponse()
        answer.read()
        took.append((time.perf_counter() - began) * 1000)
        assert answer.status in (200, 303), answer.status
    line.close()
    return took


def links(installation: Installation, after: int = 0) -> list[str]:
    """The personal links of all players, without those of the first games."""
    with installation.connection() as db:
        seats = [
            seat
            for game in store.games.all_games(db)
            if number_of(game) >= after
            for seat in store.seats.of_game(db, game.id)
        ]
    return [installation.path("seat", seat.game, seat.name, 1) for seat in seats]


def _page(port: int, path: str) -> bytes:
    with closing(http.client.HTTPConnection("localhost", port, timeout=30)) as line:
        line.request("GET", path)
        return line.getresponse().read()


@contextmanager
def served(
    installation: Installation, *options: str, environ: Mapping[str, str] | None = None
) -> Iterator[int]:
    """The pages in a process of their own; by default they are all it does."""
    port = free_port()
    settings = {
        **os.environ,
        "BOHNENPOST_PORT": str(port),
        "BOHNENPOST_BASE_URL": f"http://localhost:{port}",
        **(environ or {}),
    }
    command = [
        sys.executable,
        "-m",
        "gm",
        "--home",
        str(installation.home),
        "serve",
        *(options or ("--no-scheduler",)),
    ]
    with _process(command, port, settings):
        yield port


@contextmanager
def _bare(size: int) -> Iterator[int]:
    """A page of so many bytes from a Flask that reads one row and stores one."""
    port = free_port()
    with _process(
        [sys.executable, "-m", "benchmarks.bare_flask", str(port), str(size)],
        port,
        dict(os.environ),
    ):
        yield port


@contextmanager
def _process(command: list[str], port: int, environ: dict[str, str]) -> Iterator[None]:
    # our own program
    running = subprocess.Popen(command, env=environ, stdout=subprocess.DEVNULL)  # noqa: S603
    try:
        wait_for(port)
        yield
    finally:
        running.terminate()
        running.wait()


def free_port() -> int:
    """A port of this machine that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


def wait_for(port: int) -> None:
    """Until the front page is answered. Raises OSError after twenty seconds."""
    until = time.monotonic() + 20
    while True:
        try:
            if _page(port, "/"):
                return
        except OSError:
            if time.monotonic() > until:
                raise
            time.sleep(0.005)
