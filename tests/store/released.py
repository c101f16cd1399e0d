"""Homes as released versions wrote them, with a game of each kind going on:
`python -m tests.store.released VERSION` keeps that of this program, in a file and on a server.
"""

import gzip
import subprocess
import sys
import tempfile
from pathlib import Path

import time_machine

from gm import clock, demo, store
from gm.installation import FILE, Installation, open_installation
from gm.service import submit
from gm.store.db import Database
from rounds.engine.variant import find, names
from tests.dates import NOON
from tests.postgres import move_to_server, running
from tests.service.whole.one_game import begun

KEPT = Path(__file__).parent / "homes"
KEY = bytes(range(32))
"""The link key of these homes."""
PEOPLE = ("Anna", "Bert", "Cem")


def play(db: Database, home: Installation, rounds: int) -> None:
    """So many rounds of every game, with a list of every seat."""
    for game in store.games.all_games(db):
        for _ in range(rounds):
            now = store.games.existing(db, game.id)
            for seat in store.seats.of_game(db, game.id):
                if now.awaits(seat.name) and store.games.existing(db, game.id).round == now.round:
                    view = now.engine.view(store.rounds.open_table(db, now), seat.name)
                    submit(db, now, seat, now.round, now.engine.robot(view), by="seat")
            if not now.closes_at_once:
                demo.make_due(db, game.id, now.round, clock.now())
            demo.go_on(db, home.config, game.id)


def main(version: str) -> None:
    """Keep a file and a dump of a server under the name of the version."""
    with tempfile.TemporaryDirectory() as folder, time_machine.travel(NOON, tick=False):
        home = Path(folder) / "home"
        home.mkdir()
        (home / "link.key").write_bytes(KEY)
        opened = open_installation(home, {}, create=True)
        with opened.connection() as db:
            for name in names():
                people = PEOPLE[: find(name).seats[-1]]
                begun(opened, db, name, name, dict.fromkeys(people, "en"))
            play(db, opened, 3)
        file = (home / FILE).read_bytes()
        with running() as server:
            move_to_server(home, server.create("kept"))
            dump = server.command(server.programs / "pg_dump", "--no-owner", "--inserts", "kept")
            told = subprocess.check_output([*dump, f"--host={server.folder}"], cwd=server.folder)
    rows = b"\n".join(line for line in told.split(b"\n") if not line.startswith(b"\\"))
    for kind, data in (("db", file), ("sql", rows)):
        (KEPT / f"{version}.{kind}.gz").write_bytes(gzip.compress(data, mtime=0))


if __name__ == "__main__":
    main(sys.argv[1])
