"""What is worked out once when a game is over, and kept: luck and skill, and what `verify` says of its record."""

import msgspec
from sqlite_utils import Database

from gm import store
from gm.store import Game
from rounds.variant import Hindsight

NOTHING_PROMISED = "-"
"""The verdict on a game that began before there was a chain."""


def remembered(game: Game) -> Hindsight | None:
    """What was worked out; None for a game that is not over, or not yet looked at."""
    return msgspec.json.decode(game.hindsight, type=Hindsight) if game.hindsight else None


def look_back(db: Database, game: Game) -> Hindsight | None:
    """The same, worked out if it is not there yet. None for an aborted game, or a variant that has no such thing."""
    if game.hindsight or game.status != "finished" or game.aborted or game.engine.hindsight is None:
        return remembered(game)
    closed = store.closed_rounds(db, game.id)
    return game.engine.hindsight([store.table_after(db, game, c.number) for c in closed])
