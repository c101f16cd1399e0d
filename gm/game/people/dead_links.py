"""Personal links that open nothing any more: what became of each, for whoever still has it."""

from sqlite_utils import Database

from gm import store
from gm.store.seats import Seat


def bury(db: Database, seat: Seat, why: str, now: int, text: str = "") -> int:
    """Remember what became of the link that opens a seat until now. Inside `write`.

    `why`: it was `renewed`, or every link was when a copy was `restored`; the `address` changed (`own_address`: by the player);
    the seat was `replaced` or `removed`, or its player has `left`. `text`: the reason that was given.
    """
    row = {"hash": seat.link_hash, "game": seat.game, "seat": seat.name, "why": why, "at": now, "text": text.strip()}
    row["who"] = seat.name if why == "left" else seat.called  # who leaves is forgotten
    return store.seats.add_dead_link(db, row)
