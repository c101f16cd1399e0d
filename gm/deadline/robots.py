"""A robot that fails holds nothing up."""

from collections.abc import Iterator
from contextlib import contextmanager

from gm import errors, store
from gm.deadline.retry import RETRY_SECONDS
from gm.games.orders import Late
from gm.store.db import Database, write
from gm.store.games import Game
from gm.store.seats import Seat


@contextmanager
def excused(db: Database, game: Game, seat: Seat, now: int) -> Iterator[None]:
    """If a robot fails in this block, note the fault and pass its seat over for a minute; the seat
    may be absent. A robot that is too late is no fault.
    """
    try:
        yield
    except Late:
        pass
    except Exception as error:  # one bad game must never stop the others
        if errors.is_environment(error):
            raise
        number = errors.noted(error, f"robot {seat.name} of {game.id}")
        with write(db, game.id):
            if store.games.get(db, game.id) == game:
                changed = {"retry_at": now + RETRY_SECONDS, "error": errors.in_words(error, number)}
                store.games.update(db, game.id, changed)
