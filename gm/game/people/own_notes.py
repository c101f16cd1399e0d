"""What a player writes for themselves beside a game: in no mail, at no desk, and of no use to who has the seat later."""

from sqlite_utils import Database

from gm import store
from gm.errors import Refusal
from gm.game.names import plain_words
from gm.game.people.seating import check_same
from gm.store.db import write
from gm.store.notes import OwnNotes
from gm.store.seats import Seat

MOST = 4000
"""So many characters."""


def save(db: Database, seat: Seat, text: str, seen: int, now: int) -> None:
    """Keep the notes, in place of those of the instant `seen` (0: there were none); empty ones are none.

    Raises Refusal for too many characters, or if others were kept meanwhile, and Replaced if the seat has changed hands since its
    link was opened; then nothing is stored.
    """
    text = plain_words(text)
    if len(text) > MOST:
        raise Refusal("long_notes", number=len(text), limit=MOST)
    with write(db):
        check_same(db, seat)
        kept = store.notes.own_notes(db, seat)
        if kept is not None and kept.text == text:
            return
        if (kept.at if kept else 0) != seen:
            raise Refusal("newer_notes")
        if text:
            store.notes.set_own_notes(db, OwnNotes(seat.game, seat.number, text, max(now, seen + 1)))
        else:
            store.notes.forget_own_notes(db, seat.game, seat.number)
