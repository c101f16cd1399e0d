"""Robots order like anybody: they see what their seat may see, and are too late past the deadline."""

from sqlite_utils import Database

from gm import clock, errors, store
from gm.deadline.retry import RETRY_SECONDS, attempt
from gm.games.orders import Late, submit
from gm.store.db import write
from gm.store.games import Game
from gm.store.seats import Seat


def order_one(db: Database, now: int) -> bool:
    """Let one robot that has no list for its open round order; False if all have. A robot sees what its seat may see.

    A robot that fails is passed over until the next pass of a minute later: its seat may be absent, nothing else is held up.
    """
    found = store.rounds.robot_without_list(db, now, max(now, clock.now()))  # past its deadline a robot is too late like anybody
    if found is not None:
        attempt(db, found[0], now, lambda game: _order(db, game, store.seats.numbered(db, *found), now))
    return found is not None


def _order(db: Database, game: Game, seat: Seat, now: int) -> None:
    """Let a robot order. One that cannot costs its game nothing but a minute: the seat may be absent."""
    try:
        robot = game.engine.robot_of(seat.strength)
        text = robot(game.engine.view(store.rounds.open_table(db, game), seat.name))
        submit(db, game, seat, game.round, text, by="robot")
    except Late:
        pass
    except Exception as error:  # one bad game must never stop the others
        if errors.is_environment(error):
            raise
        number = errors.noted(error, f"robot {seat.name} of {game.id}")
        with write(db):
            if store.games.get(db, game.id) == game:
                changed = {"retry_at": now + RETRY_SECONDS, "error": errors.in_words(error, number)}
                store.games.update(db, game.id, changed)
