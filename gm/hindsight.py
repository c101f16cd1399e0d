"""What is worked out once when a game is over, and kept: luck and skill, and what `verify` says of its record."""

import msgspec
from sqlite_utils import Database

from gm import faults, store
from gm.db import write
from gm.fairness import has_chain, verdict
from gm.store import Game
from gm.watchdog import bounded
from rounds.variant import Hindsight

NOTHING_PROMISED = "-"
"""The verdict on a game that began before there was a chain."""


def remembered(game: Game) -> Hindsight | None:
    """What was worked out; None for a game that is not over, or not yet looked at."""
    return msgspec.json.decode(game.hindsight, type=Hindsight) if game.hindsight else None


def settle_one(db: Database) -> bool:
    """Look back at one game that is over and was not looked back at; False if none is. What fails is kept as its verdict."""
    row = db.execute("SELECT id FROM game WHERE status = 'finished' AND verdict IS NULL LIMIT 1").fetchone()
    if row is None:
        return False
    try:
        with bounded():
            game = store.game(db, row[0])
            assert game is not None
            found = verdict(db, game) if has_chain(db, game) else NOTHING_PROMISED
            look_back(db, game)
    except Exception as error:  # one bad game must never stop the others
        if faults.is_environment(error):
            raise
        found = faults.in_words(error, faults.noted(error, f"looking back at {row[0]}"))
    with write(db):
        db.table("game").update(row[0], {"verdict": found})
    return True


def look_back(db: Database, game: Game) -> Hindsight | None:
    """The same, worked out and kept if it is not there yet. None for an aborted game, or a variant that has no such thing."""
    if game.hindsight or game.status != "finished" or game.aborted or game.rules.hindsight is None:
        return remembered(game)
    closed = store.closed_rounds(db, game.id)
    found = game.rules.hindsight([store.table_after(db, game, c.number) for c in closed])
    with write(db):
        db.table("game").update(game.id, {"hindsight": msgspec.json.encode(found).decode()})
    return found
