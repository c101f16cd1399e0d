"""What is worked out once when a game is over, and kept: luck and skill, and what `verify` says of its record."""

from typing import Any

import msgspec
from sqlite_utils import Database

from gm import errors, store
from gm.proof.fairness import verdict
from gm.store import Game
from gm.store.db import write
from gm.watchdog import bounded


def remembered(game: Game) -> Any:
    """What was worked out; None for a game that is not over, or not yet looked at, or of a variant that has no such thing."""
    hindsight = game.engine.hindsight
    return msgspec.json.decode(game.hindsight, type=hindsight.kind) if hindsight and game.hindsight else None


def look_back(db: Database, game: Game) -> Any:
    """The same, worked out if it is not there yet. None for an aborted game too."""
    hindsight = game.engine.hindsight
    if hindsight is None or game.hindsight or game.status != "finished" or game.aborted:
        return remembered(game)
    start, *closed = store.closed_rounds(db, game.id)
    tables = [store.table_of(db, game, one.state) for one in (start, *closed)]
    return hindsight.find(tables, [game.engine.read_events(one.events) for one in closed])


def settle_one(db: Database) -> bool:
    """Look back at one game that is over and was not looked back at; False if none is. What fails is kept as its verdict."""
    over = store.game_to_settle(db)
    if over is None:
        return False
    try:
        with bounded():
            game = store.game(db, over)
            assert game is not None
            found, hindsight = verdict(db, game), look_back(db, game)
    except Exception as error:  # one bad game must never stop the others
        if errors.is_environment(error):
            raise
        found, hindsight = errors.in_words(error, errors.noted(error, f"looking back at {over}")), None
    kept = msgspec.json.encode(hindsight).decode() if hindsight else None
    with write(db):
        store.update_game(db, over, {"verdict": found, "hindsight": kept})
    return True
