"""What is worked out once when a game is over, and kept: luck and skill, and what `verify` says of its record."""

import logging
import sqlite3

import msgspec
from sqlite_utils import Database

from gm import store
from gm.db import write
from gm.fairness import has_chain, verdict
from gm.store import Game
from rounds.variant import Hindsight

log = logging.getLogger(__name__)

NOTHING_PROMISED = "-"
"""The verdict on a game that began before there was a chain."""


def remembered(game: Game) -> Hindsight | None:
    """What was worked out; None for a game that is not over, or not yet looked at."""
    return msgspec.json.decode(game.hindsight, type=Hindsight) if game.hindsight else None


def settle_one(db: Database) -> bool:
    """Look back at one game that is over and was not looked back at; False if none is. What fails is kept as its verdict."""
    row = db.execute("SELECT id FROM game WHERE status = 'finished' AND verdict IS NULL LIMIT 1").fetchone()
    game = store.game(db, row[0]) if row else None
    if game is None:
        return False
    try:
        found = verdict(db, game) if has_chain(db, game) else NOTHING_PROMISED
        look_back(db, game)
    except sqlite3.OperationalError:  # the environment's fault, not the game's
        raise
    except Exception as error:  # one bad game must never stop the others
        log.exception("%s could not be looked back at", game.id)
        found = f"{type(error).__name__}: {error}"[:500]
    with write(db):
        db.table("game").update(game.id, {"verdict": found})
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
