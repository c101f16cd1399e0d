"""Luck and skill of a game that is over, computed once and stored."""

from typing import Any

import msgspec

from gm import store
from gm.store.db import Database
from gm.store.games import Game


def remembered(game: Game) -> Any:
    """The stored hindsight; None if the game is not over or not yet looked at, or if its variant
    has none.
    """
    hindsight = game.engine.hindsight
    return (
        msgspec.json.decode(game.hindsight, type=hindsight.kind)
        if hindsight and game.hindsight
        else None
    )


def look_back(db: Database, game: Game) -> Any:
    """The hindsight, computed if it is not stored yet. None for an aborted game too."""
    hindsight = game.engine.hindsight
    if hindsight is None or game.hindsight or game.status != "finished" or game.aborted:
        return remembered(game)
    start, *closed = store.rounds.closed(db, game.id)
    tables = [store.rounds.table_of(db, game, one.state) for one in (start, *closed)]
    return hindsight.find(tables, [game.engine.read_events(one.events) for one in closed])
