"""Whose orders the open round waits for."""

from msgspec import Struct
from sqlite_utils import Database

from gm import store
from gm.store.games import Game
from gm.store.seats import Seat


class Awaited(Struct, frozen=True):
    """The seats of people that the open round waits for, and those of them without orders."""

    awaited: tuple[Seat, ...]
    missing: tuple[Seat, ...]

    @property
    def number(self) -> int:
        """How many have ordered."""
        return len(self.awaited) - len(self.missing)


def lists_in(db: Database, game: Game) -> Awaited:
    """Who is awaited, and who is missing. Nobody is awaited before the start and after the end."""
    if not game.is_going:
        return Awaited((), ())
    newest = store.lists.newest(db, game.id, game.round)
    awaited = tuple(
        seat
        for seat in store.seats.people(store.seats.of_game(db, game.id))
        if game.awaits(seat.name)
    )
    return Awaited(awaited, tuple(seat for seat in awaited if seat.number not in newest))
