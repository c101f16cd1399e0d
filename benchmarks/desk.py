"""The desk of a game master with twenty games and with two hundred, each with a history."""

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from benchmarks.fixtures import furnish, order_all
from benchmarks.measure import Figure
from gm import clock, store
from gm.installation import Installation
from gm.people import accounts, masters
from gm.service import close_game
from gm.web import create_app
from tests.faster import without_disk

FEW, MANY, ROUNDS = 20, 200, 3
TIMES = 9
PASSWORD = "correct horse battery"  # noqa: S105


def desk() -> Iterator[Figure]:
    """Processor time of the first page of the desk."""
    few, many = (_opened(number) for number in (FEW, MANY))
    yield Figure(f"the desk, {MANY} games", many, "ms", f"{FEW} games", few)


def _opened(number: int) -> float:
    with tempfile.TemporaryDirectory() as folder:
        home = furnish(Path(folder), number, 5)
        _play(home)
        web = create_app(home).test_client()
        path = signed_in(home)
        web.post(path, data={"password": PASSWORD, "whole": "yes"})
        took = []
        for _ in range(TIMES):
            began = time.process_time()
            assert web.get("/desk").status_code == 200
            took.append(time.process_time() - began)
    return median(took) * 1000


def _play(home: Installation) -> None:
    with home.connection() as db, without_disk(db):
        for game in store.games.all_games(db):
            for _ in range(ROUNDS):
                due = store.games.existing(db, game.id).deadline
                close_game(db, home.config, game.id, due or 0)
                order_all(db, game.id)


def signed_in(home: Installation, most: int = 1000) -> str:
    """Add a game master who leads the first games, `most` at most; returns the path at which the
    password is set.
    """
    with home.connection() as db:
        made = accounts.add_gm(db, "uli@example.org", "Uli", "en", clock.now())
        for game in store.games.all_games(db)[:most]:
            masters.add_master(db, game.id, made.address)
    return home.path("password", who=made.address, number=made.link_number)
