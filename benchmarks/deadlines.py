"""How long after its deadline a round is closed by `serve`, and how long until its last report is
handed to the mail server.
"""

import re
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import Envelope

from benchmarks.fixtures import furnish, number_of
from benchmarks.measure import Figure
from benchmarks.page import free_port, served
from gm import clock, store
from gm.installation import Installation
from gm.store.db import write

EVENING, AT_ONCE, SEATS = 50, 1000, 5
AHEAD_SECONDS = 30
"""From setting the deadlines to the first: the service is up and asleep by then."""


class Heard:
    """A mail server that notes when the last report of each game came."""

    def __init__(self) -> None:
        self.at: dict[str, float] = {}

    async def handle_DATA(self, _: Any, __: Any, envelope: Envelope) -> str:  # noqa: N802  # the name aiosmtpd looks for
        """Take a mail."""
        content = envelope.content if isinstance(envelope.content, bytes) else b""
        if found := re.search(rb"Message-ID: <report\.1\.(game-\d+)\.", content):
            self.at[found[1].decode()] = time.time()
        return "250 OK"


def late() -> Iterator[Figure]:
    """Fifty games within one minute, then very many at one instant, these with and without mail."""
    closed, reported = _run(EVENING, lambda number: number * 60 // 50)
    yield Figure(f"{EVENING} games within a minute, latest closing", max(closed), "s")
    yield Figure(f"{EVENING} games within a minute, latest report", max(reported), "s")
    alone, _none = _run(AT_ONCE, lambda _: 0, BOHNENPOST_MOST_MAILS="1")
    closed, reported = _run(AT_ONCE, lambda _: 0)
    yield Figure(f"{AT_ONCE} games at one instant, first closing", min(closed), "s")
    yield Figure(
        f"{AT_ONCE} games at one instant, last closing",
        max(closed),
        "s",
        "without mail",
        max(alone),
    )
    yield Figure(f"{AT_ONCE} games at one instant, latest report", max(reported), "s")


def _run(
    games: int, after: Callable[[int], int], **environ: str
) -> tuple[list[float], list[float]]:
    """Seconds from each deadline to its closing, and to the last report; the latter are empty if
    no mail may go out.
    """
    with tempfile.TemporaryDirectory() as folder:
        installation, heard, port = furnish(Path(folder), games, SEATS), Heard(), free_port()
        server = Controller(heard, hostname="127.0.0.1", port=port)
        server.start()
        try:
            mail = {"BOHNENPOST_SMTP_HOST": "127.0.0.1", "BOHNENPOST_SMTP_PORT": str(port)}
            mail |= {"BOHNENPOST_SMTP_TLS": "none"}
            with served(installation, "--host", "localhost", environ=mail | environ):
                deadlines = _set(installation, after)
                closed = _seen(installation, deadlines)
                while not environ and len(heard.at) < games:
                    time.sleep(0.1)
                time.sleep(1)
        finally:
            server.stop()
    return (
        [closed[game] - at for game, at in deadlines.items()],
        [heard.at[game] - at for game, at in deadlines.items() if game in heard.at],
    )


def _set(installation: Installation, after: Callable[[int], int]) -> dict[str, int]:
    first, deadlines = clock.now() + AHEAD_SECONDS, {}
    with installation.connection() as db, write(db):
        for game in store.games.all_games(db):
            deadlines[game.id] = first + after(number_of(game))
            at = {"deadline": deadlines[game.id], "scheduled_deadline": deadlines[game.id]}
            store.games.update(db, game.id, at)
            for seat in store.seats.of_game(db, game.id):
                store.seats.update(db, game.id, seat.number, {"reminder_leads": "[]"})
    return deadlines


def _seen(installation: Installation, deadlines: dict[str, int]) -> dict[str, float]:
    """When each game was first seen in its second round."""
    closed: dict[str, float] = {}
    with installation.connection() as db:
        while len(closed) < len(deadlines):
            games = [game for (game,) in db.execute("SELECT id FROM game WHERE round > 1")]
            for game in games:
                closed.setdefault(game, time.time())
            time.sleep(0.02)
    return closed
