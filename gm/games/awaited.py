"""Whose orders the open round waits for, and until when a round that was taken back stays open."""

from msgspec import Struct
from sqlite_utils import Database

from gm import store
from gm.clock import DAY
from gm.store.games import Game
from gm.store.seats import Seat


class Lists(Struct, frozen=True):
    """The seats of people that the open round waits for, and those of them without orders."""

    awaited: tuple[Seat, ...]
    missing: tuple[Seat, ...]

    @property
    def number(self) -> int:
        """How many have ordered."""
        return len(self.awaited) - len(self.missing)


def lists_in(db: Database, game: Game) -> Lists:
    """Who is awaited, and who is missing. Nobody is awaited before the start and after the end."""
    if game.status not in ("running", "paused", "held"):
        return Lists((), ())
    newest = store.lists.newest(db, game.id, game.round)
    awaited = tuple(
        seat
        for seat in store.seats.people(store.seats.of_game(db, game.id))
        if game.awaits(seat.name)
    )
    return Lists(awaited, tuple(seat for seat in awaited if seat.number not in newest))


def stays_open(db: Database, game: Game) -> int | None:
    """Until when a round that was taken back is not closed early: a day, because everybody has
    seen the next row.

    None once all awaited people have ordered anew, and for a round that was not taken back.
    """
    back = taken_back_at(db, game)
    if back is None:
        return None
    newest = store.lists.newest(db, game.id, game.round)
    awaited = lists_in(db, game).awaited
    anew = awaited and all(
        seat.number in newest and newest[seat.number].at > back for seat in awaited
    )
    return None if anew else back + DAY


def taken_back_at(db: Database, game: Game) -> int | None:
    """When the open round was last taken back; None if it was not."""
    return max(
        (
            note.at
            for note in store.notes.of_round(db, game.id, game.round)
            if note.kind == "rollback"
        ),
        default=None,
    )
