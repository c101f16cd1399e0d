"""Seats and who plays them, and dead links."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from gm.store.db import Database, as_list, count, insert, insert_one, select, select_one, update_row


class Seat(Struct, frozen=True):
    """A place in a game, numbered from 1 in the order of joining. A robot has no address, and a
    `strength` if one was chosen.

    `player`: who plays it now, if not the one it is named for, since `player_since`.
    `removed_at`: since when nobody does, and the stand-in plays on. `asked_at`: when the player
    was last asked, before the start, whether they are there. `again`: 1 or 0, whether the player
    plays once more, said after the end.
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
    player_since: int | None
    news: int
    strength: str
    again: int | None

    @property
    def called(self) -> str:
        """The person's name, for greetings."""
        return self.player or self.name

    def was_played(self, at: int) -> bool:
        """True if the present player played already when a round was closed at this instant."""
        return self.player_since is None or at > self.player_since

    def is_at(self, address: str) -> bool:
        """True if mails to this seat go to this address, however it is spelled."""
        return self.address is not None and self.address.casefold() == address.casefold()

    @property
    def lead_times(self) -> tuple[int, ...]:
        """How long before a deadline this player is reminded, in seconds; empty: never."""
        return msgspec.json.decode(self.reminder_leads, type=tuple[int, ...])


class DeadLink(Struct, frozen=True):
    """A personal link that opens nothing any more: of which seat, who played it, why and since
    when; `text`: the reason given.
    """

    id: int
    hash: str
    game: str
    seat: str
    who: str
    why: str
    at: int
    text: str


class Played(Struct, frozen=True):
    """Who plays a seat if not its player: a `robot` of the strength `who`; the `stand_in`; or
    the `player` `who`.
    """

    by: str
    who: str = ""


ActualPlayers = Mapping[str, Played]
"""The seats, by name, that somebody else plays than the one they are named for."""


def of_game(db: Database, game_id: str) -> list[Seat]:
    """The seats of a game in the order of joining."""
    return select(db, Seat, "SELECT * FROM seat WHERE game = ? ORDER BY number", game_id)


def of_games(db: Database, games: Sequence[str]) -> dict[str, list[Seat]]:
    """The seats of each of these games in the order of joining."""
    sql = "SELECT * FROM seat WHERE game IN (SELECT value FROM json_each(?)) ORDER BY game, number"
    found: dict[str, list[Seat]] = {game: [] for game in games}
    for seat in select(db, Seat, sql, as_list(games)):
        found[seat.game].append(seat)
    return found


def taken(db: Database, games: Sequence[str]) -> dict[str, tuple[int, int]]:
    """How many seats each of these games has, and how many of them a person took, by its id."""
    sql = """SELECT game, count(*), count(*) FILTER (WHERE robot = 0) FROM seat
             WHERE game IN (SELECT value FROM json_each(?)) GROUP BY game"""
    rows = db.execute(sql, [as_list(games)]).fetchall()
    return dict.fromkeys(games, (0, 0)) | {game: (seats, people) for game, seats, people in rows}


def numbered(db: Database, game_id: str, number: int) -> Seat:
    """One seat. Raises LookupError if there is none of this number."""
    seat = select_one(db, Seat, "SELECT * FROM seat WHERE game = ? AND number = ?", game_id, number)
    if seat is None:
        raise LookupError(f"{game_id} has no seat {number}")
    return seat


def add(db: Database, row: Mapping[str, Any]) -> None:
    """Add a seat."""
    insert(db, "seat", [row])


def remove(db: Database, game_id: str, number: int) -> None:
    """Delete a seat: only before the start, when nothing depends on it."""
    db.execute("DELETE FROM seat WHERE game = ? AND number = ?", [game_id, number])


def update(db: Database, game_id: str, number: int, changed: Mapping[str, Any]) -> None:
    """Change these columns of a seat."""
    update_row(db, "seat", {"game": game_id, "number": number}, changed)


def by_link(db: Database, link_hash: str) -> Seat | None:
    """The seat that a personal link opens; None if it opens none."""
    return select_one(db, Seat, "SELECT * FROM seat WHERE link_hash = ?", link_hash)


def by_calendar(db: Database, calendar_hash: str) -> Seat | None:
    """The seat whose calendar feed this is."""
    return select_one(db, Seat, "SELECT * FROM seat WHERE calendar_hash = ?", calendar_hash)


def by_unsubscribe(db: Database, unsubscribe_hash: str) -> Seat | None:
    """The seat whose reminders this link ends."""
    return select_one(db, Seat, "SELECT * FROM seat WHERE unsubscribe_hash = ?", unsubscribe_hash)


def playing_at(db: Database, address: str) -> list[Seat]:
    """The seats that this mail address holds in games that are not over."""
    sql = """SELECT seat.* FROM seat JOIN game ON game.id = seat.game
             WHERE lower(seat.address) = lower(?) AND game.status <> 'finished'
             ORDER BY seat.game, seat.number"""
    return select(db, Seat, sql, address)


def addresses_like(db: Database, address: str) -> list[str]:
    """The addresses of seats that differ from this one at most in capitals."""
    sql = "SELECT DISTINCT address FROM seat WHERE lower(address) = lower(?) ORDER BY address"
    return [other for (other,) in db.execute(sql, [address])]


def at(db: Database, address: str) -> list[Seat]:
    """All seats of exactly this address: games that are not over first, by their next deadline."""
    sql = """SELECT seat.* FROM seat JOIN game ON game.id = seat.game
             WHERE lower(seat.address) = lower(?) AND seat.address || '' = ?
             ORDER BY game.status = 'finished', game.deadline IS NULL, game.deadline,
             game.created_at DESC, game.id"""
    return select(db, Seat, sql, address, address)


def players(db: Database) -> dict[tuple[str, str], tuple[str | None, int | None]]:
    """Address and since when of each seat's player, by game and name."""
    rows = db.execute("SELECT game, name, address, player_since FROM seat").fetchall()
    return {(game, name): (address, since) for game, name, address, since in rows}


def dead_link(db: Database, number: int) -> DeadLink | None:
    """A dead link by its number; None if there is none."""
    return select_one(db, DeadLink, "SELECT * FROM dead_link WHERE id = ?", number)


def dead_hashes(db: Database) -> frozenset[str]:
    """The hashes of all personal links that open nothing any more."""
    return frozenset(link for (link,) in db.execute("SELECT hash FROM dead_link"))


def link_since(db: Database, seat: Seat) -> int:
    """When the link that opens a seat took the place of another; 0 for its first."""
    sql = "SELECT coalesce(max(at), 0) FROM dead_link WHERE game = ? AND seat = ?"
    return count(db, sql, seat.game, seat.name)


def dead_link_by_hash(db: Database, link_hash: str) -> DeadLink | None:
    """A dead link by its hash; None if it opens something, never did, or died before this was
    stored.
    """
    return select_one(db, DeadLink, "SELECT * FROM dead_link WHERE hash = ?", link_hash)


def bury(db: Database, seat: Seat, why: str, at: int, text: str = "") -> int:
    """Remember what became of the link that opens a seat until now; returns its number as a dead
    link.

    `why`: `renewed`, or `restored` with every link; the `address` changed (`own_address`: by the
    player); the seat was `replaced` or `removed`; its player has `left`, or it was `vacated` by
    a restore: who that was is not stored. `text`: the reason that was given. What was known of
    the same link is replaced.
    """
    who = seat.name if why in ("left", "vacated") else seat.called
    db.execute("DELETE FROM dead_link WHERE hash = ?", [seat.link_hash])
    row = {"game": seat.game, "seat": seat.name, "who": who, "why": why, "at": at}
    return insert_one(db, "dead_link", row | {"hash": seat.link_hash, "text": text.strip()})


def left(db: Database, games: Sequence[str]) -> list[tuple[str, str]]:
    """The seats in these games whose player has left and that nobody plays since: game and name,
    in the order of joining.
    """
    sql = """SELECT game, name FROM seat WHERE game IN (SELECT value FROM json_each(?))
             AND removed_at IS NOT NULL AND EXISTS (SELECT 1 FROM dead_link
             WHERE dead_link.game = seat.game AND dead_link.seat = seat.name AND why = 'left'
             AND at = removed_at) ORDER BY game, number"""
    return db.execute(sql, [as_list(games)]).fetchall()


def forget_who_had_links(db: Database, game_id: str, seat_name: str) -> None:
    """Let the dead links of a seat name only the seat."""
    db.execute("UPDATE dead_link SET who = seat WHERE game = ? AND seat = ?", [game_id, seat_name])


def actual_players(seats: Iterable[Seat], at: int | None = None) -> ActualPlayers:
    """Who really plays each seat whose name is not its player's, now or at an instant: a robot, the
    stand-in, or who replaced them.
    """
    by_seat = {seat.name: _played(seat, at) for seat in seats}
    return {name: played for name, played in by_seat.items() if played is not None}


def _played(seat: Seat, at: int | None) -> Played | None:
    if seat.robot:
        return Played("robot", seat.strength)
    if seat.removed_at is not None and (at is None or at >= seat.removed_at):
        return Played("stand_in")
    if seat.player is not None and (at is None or at >= (seat.player_since or 0)):
        return Played("player", seat.player)
    return None


def people(seats: Iterable[Seat]) -> list[Seat]:
    """The seats that a person plays."""
    return [seat for seat in seats if not seat.robot and seat.removed_at is None]
