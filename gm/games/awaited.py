"""Whose orders the open round waits for."""

from collections.abc import Container, Sequence

from msgspec import Struct

from gm import store
from gm.store.db import Database
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
    return among(game, store.seats.of_game(db, game.id), newest)


def among(game: Game, seats: Sequence[Seat], ordered: Container[int]) -> Awaited:
    """Who is awaited and missing among the seats of a game; `ordered`: the numbers of those that
    have orders in its open round.
    """
    awaited = tuple(
        seat for seat in store.seats.people(seats) if game.is_going and game.awaits(seat.name)
    )
    return Awaited(awaited, tuple(seat for seat in awaited if seat.number not in ordered))
