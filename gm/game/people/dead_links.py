"""Personal links that open nothing any more: what became of each, for whoever still has it, and the mail to who lost a seat."""

from sqlite_utils import Database

from gm import store
from gm.mail import queue
from gm.mail.queue import Reader
from gm.store import Seat


def bury(db: Database, seat: Seat, why: str, now: int, text: str = "") -> int:
    """Remember what became of the link that opens a seat until now. Inside `write`.

    `why`: it was `renewed`, the `address` changed (`own_address`: by the player), the seat was `replaced`, `removed`, `given_up`
    before the start, or its player has `left`. `text`: the reason that was given.
    """
    row = {"hash": seat.link_hash, "game": seat.game, "seat": seat.name, "why": why, "at": now, "text": text.strip()}
    row["who"] = seat.name if why == "left" else seat.called  # who leaves is forgotten
    return store.add_dead_link(db, row)


def tell(db: Database, seat: Seat, number: int, now: int) -> None:
    """Mail who held a seat that they lost it, whatever becomes of the seat; `about`: their dead link. Inside `write`."""
    if seat.address:
        queue.put(db, seat.game, 0, "lost", [Reader(seat.address, seat.language)], now, ref=number)
