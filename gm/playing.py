"""Who plays a seat: its player, somebody who took it over, a robot, or nobody; and whose lists the open round waits for."""

from collections.abc import Iterable, Mapping

from msgspec import Struct
from sqlite_utils import Database

from gm import store
from gm.promises import DAY
from gm.store import Game, Seat


class Played(Struct, frozen=True):
    """By whom a seat is played if not by the one it is named for: `by` is `robot`, `stand_in`, or `player`, who is `who`."""

    by: str
    who: str = ""


class Lists(Struct, frozen=True):
    """The seats whose lists the open round waits for and a person plays, and those of them without one."""

    awaited: tuple[Seat, ...]
    missing: tuple[Seat, ...]

    @property
    def number(self) -> int:
        """How many are in."""
        return len(self.awaited) - len(self.missing)


Others = Mapping[str, Played]
"""The seats, by name, that are not played by the one they are named for."""


def others(seats: Iterable[Seat], at: int | None = None) -> Others:
    """Who plays for whom now, or did at an instant."""
    found = {seat.name: _played(seat, at) for seat in seats}
    return {name: played for name, played in found.items() if played is not None}


def _played(seat: Seat, at: int | None) -> Played | None:
    if seat.robot:
        return Played("robot")
    if seat.removed_at is not None and (at is None or at >= seat.removed_at):
        return Played("stand_in")
    if seat.player is not None and (at is None or at >= (seat.taken_at or 0)):
        return Played("player", seat.player)
    return None


def people(seats: Iterable[Seat]) -> list[Seat]:
    """The seats that a person plays."""
    return [seat for seat in seats if not seat.robot and seat.removed_at is None]


def lists_in(db: Database, game: Game) -> Lists:
    """The same count wherever lists are counted. Nobody is awaited before the start and after the end."""
    if game.status not in ("running", "paused", "held"):
        return Lists((), ())
    names, newest = game.rules.awaited(store.open_table(db, game)), store.newest_revisions(db, game.id, game.round)
    awaited = tuple(seat for seat in people(store.seats(db, game.id)) if seat.name in names)
    return Lists(awaited, tuple(seat for seat in awaited if seat.number not in newest))


def stays_open(db: Database, game: Game) -> int | None:
    """Until when the open round is not closed because it was taken back: a day, since everybody has seen the row that follows.

    None once all who are awaited have sent a list since then, and for a round that was not taken back.
    """
    back = max((note.at for note in store.notes(db, game.id, game.round) if note.kind == "rollback"), default=None)
    if back is None:
        return None
    newest = store.newest_revisions(db, game.id, game.round)
    anew = all(seat.number in newest and newest[seat.number].at > back for seat in lists_in(db, game).awaited)
    return None if anew else back + DAY
