"""Seats and who plays them; requests for one, and links that open nothing any more."""

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
from msgspec import Struct
from sqlite_utils import Database

from gm.store.db import select, select_one, update


class Seat(Struct, frozen=True):
    """A place in a game, numbered from 1 in the order of joining. A robot has no address.

    `player`: who plays it now, if not the one it is named for, and `player_since` since when. `removed_at`: nobody does any more,
    the stand-in plays on. `asked_at`: when the player was last asked, before the start, whether they are there.
    """

    game: str
    number: int
    name: str
    player: str | None
    address: str | None
    language: str
    robot: int
    link_number: int
    link_hash: str
    calendar_hash: str
    unsubscribe_hash: str
    html: int
    receipts: int
    reminder_leads: str
    asked_at: int | None
    ready_at: int | None
    away_from: str | None
    away_to: str | None
    removed_at: int | None
    phrase: str
    player_since: int | None
    news: int

    @property
    def called(self) -> str:
        """The person's name, for greetings."""
        return self.player or self.name

    def was_played(self, at: int) -> bool:
        """Whether who plays this seat now did so already when a round was closed at this instant."""
        return self.player_since is None or at > self.player_since

    def is_at(self, address: str) -> bool:
        """Whether mails to this seat go to this address, however it is spelled."""
        return self.address is not None and self.address.casefold() == address.casefold()

    @property
    def lead_times(self) -> tuple[int, ...]:
        """How long before a deadline this player is reminded, in seconds; none: never."""
        return msgspec.json.decode(self.reminder_leads, type=tuple[int, ...])


class Joining(Struct, frozen=True):
    """Somebody asked for a seat and was mailed a link; the seat is theirs once its button was pressed.

    `seat`: or it is who plays this seat, and wants its mails at this address; `link_number`: of the link they asked by.
    """

    id: int
    game: str
    name: str
    address: str
    language: str
    at: int
    confirmed_at: int | None
    phrase: str
    seat: int | None = None
    link_number: int | None = None


class GivenUp(Struct, frozen=True):
    """Somebody whose seat was given up before the start, for the mail that says so and what it offers."""

    id: int
    game: str
    name: str
    address: str
    language: str
    at: int


class DeadLink(Struct, frozen=True):
    """A personal link that opens nothing any more: of which seat, who played it, why and since when; `text`: the reason given."""

    id: int
    hash: str
    game: str
    seat: str
    who: str
    why: str
    at: int
    text: str


class Played(Struct, frozen=True):
    """By whom a seat is played if not by the one it is named for: `by` is `robot`, `stand_in`, or `player`, who is `who`."""

    by: str
    who: str = ""


Others = Mapping[str, Played]
"""The seats, by name, that are not played by the one they are named for."""


def seats(db: Database, game_id: str) -> list[Seat]:
    """The seats of a game in the order of joining."""
    return select(db, Seat, "SELECT * FROM seat WHERE game = ? ORDER BY number", game_id)


def seats_taken(db: Database) -> dict[str, tuple[int, int]]:
    """How many seats each game has, and how many of them a person took, by its id."""
    sql = "SELECT game, count(*), count(*) FILTER (WHERE robot = 0) FROM seat GROUP BY game"
    return {game: (seats, people) for game, seats, people in db.execute(sql).fetchall()}


def seat(db: Database, game_id: str, number: int) -> Seat:
    """One seat. Raises LookupError if there is none of this number."""
    found = select_one(db, Seat, "SELECT * FROM seat WHERE game = ? AND number = ?", game_id, number)
    if found is None:
        raise LookupError(f"{game_id} has no seat {number}")
    return found


def update_seat(db: Database, game_id: str, number: int, changed: Mapping[str, Any]) -> None:
    """Change these columns of a seat."""
    update(db, "seat", {"game": game_id, "number": number}, changed)


def seat_by_link(db: Database, link_hash: str) -> Seat | None:
    """The seat a personal link opens, if it opens one."""
    return select_one(db, Seat, "SELECT * FROM seat WHERE link_hash = ?", link_hash)


def seat_by_calendar(db: Database, calendar_hash: str) -> Seat | None:
    """The seat whose calendar feed this is."""
    return select_one(db, Seat, "SELECT * FROM seat WHERE calendar_hash = ?", calendar_hash)


def seat_by_unsubscribe(db: Database, unsubscribe_hash: str) -> Seat | None:
    """The seat whose reminders this link stops."""
    return select_one(db, Seat, "SELECT * FROM seat WHERE unsubscribe_hash = ?", unsubscribe_hash)


def seats_of(db: Database, address: str) -> list[Seat]:
    """The seats this mail address holds in games that are not over."""
    sql = """SELECT seat.* FROM seat JOIN game ON game.id = seat.game
             WHERE lower(seat.address) = lower(?) AND game.status <> 'finished' ORDER BY seat.game"""
    return select(db, Seat, sql, address)


def joining(db: Database, number: int) -> Joining | None:
    """A request for a seat."""
    return select_one(db, Joining, "SELECT * FROM joining WHERE id = ?", number)


def drop_withdrawn_request(db: Database, mail_id: int) -> None:
    """Forget the request for a seat whose mail with the button was withdrawn, if this is such a mail."""
    sql = """DELETE FROM joining WHERE confirmed_at IS NULL AND id = (SELECT ref FROM mail WHERE id = ? AND kind = 'confirm'
             AND withdrawn_at IS NOT NULL)"""
    db.execute(sql, [mail_id])


def dead_link(db: Database, number: int) -> DeadLink | None:
    """A personal link that opens nothing any more, by its number."""
    return select_one(db, DeadLink, "SELECT * FROM dead_link WHERE id = ?", number)


def given_up(db: Database, number: int) -> GivenUp | None:
    """Somebody whose seat was given up."""
    return select_one(db, GivenUp, "SELECT * FROM given_up WHERE id = ?", number)


def asked_to_join(db: Database, game_id: str) -> int:
    """How many requests for a seat wait for their button to be pressed."""
    sql = "SELECT count(*) FROM joining WHERE game = ? AND confirmed_at IS NULL AND seat IS NULL"
    number: int = db.execute(sql, [game_id]).fetchone()[0]
    return number


def others(seats: Iterable[Seat], at: int | None = None) -> Others:
    """Who plays for whom now, or did at an instant."""
    found = {seat.name: _played(seat, at) for seat in seats}
    return {name: played for name, played in found.items() if played is not None}


def _played(seat: Seat, at: int | None) -> Played | None:
    if seat.robot:
        return Played("robot")
    if seat.removed_at is not None and (at is None or at >= seat.removed_at):
        return Played("stand_in")
    if seat.player is not None and (at is None or at >= (seat.player_since or 0)):
        return Played("player", seat.player)
    return None


def people(seats: Iterable[Seat]) -> list[Seat]:
    """The seats that a person plays."""
    return [seat for seat in seats if not seat.robot and seat.removed_at is None]
