"""Keys that a restored database must not bring back: sessions, one-time links, and personal links that were renewed since."""

import sqlite3
from pathlib import Path

from msgspec import Struct
from sqlite_utils import Database

from gm import errors, store
from gm.game.people import addresses
from gm.store import db
from gm.store.db import NotOurs, write

FAR = 1000
"""Where nobody knows how often a link was renewed, its number goes on so much further."""


class Known(Struct, frozen=True):
    """What the database that is replaced says of its keys: the number of each personal link with its address, the highest number
    that was given in each game, and each game master's password."""

    seats: dict[tuple[str, int], tuple[int, str | None]]
    games: dict[str, int]
    masters: dict[str, str | None]


def known_keys(live: Path) -> Known | None:
    """None if there is no such database or it cannot be read; a busy one is raised."""
    try:
        with db.opened(live) as of:
            seats = of.execute("SELECT game, number, link_number, address FROM seat").fetchall()
            newest = "coalesce((SELECT max(link_number) FROM seat WHERE seat.game = game.id), 0)"
            given = of.execute(f"SELECT id, max(links_given, {newest}) FROM game").fetchall()  # noqa: S608  # no user's text
            masters = of.execute("SELECT address, password FROM gm").fetchall()
    except (NotOurs, sqlite3.DatabaseError) as error:
        if live.exists() and errors.is_environment(error) and "no such" not in str(error):
            raise
        return None
    return Known({(s[0], s[1]): (s[2], s[3]) for s in seats}, dict(given), dict(masters))


def revoke(restored: Database, key: bytes, known: Known | None, now: int, *, all_links: bool) -> int:
    """End all sessions, void all one-time links, and keep the personal links dead that were renewed since the copy was made.

    Passwords stay as they were last set. Returns how many seats have another link than in the copy; with `all_links` every seat.
    """
    with write(restored):
        restored.execute("DELETE FROM session")
        restored.execute("UPDATE joining SET at = 0 WHERE confirmed_at IS NULL")
        restored.execute("UPDATE gm SET link_number = link_number + ?", [FAR])
        for address, password in (known.masters if known else {}).items():
            restored.execute("UPDATE gm SET password = ? WHERE address = ?", [password, address])
        for game_id, most in (known.games if known else {}).items():
            restored.execute("UPDATE game SET links_given = max(links_given, ?) WHERE id = ?", [most, game_id])
        renewed = 0
        for game in store.games(restored):
            for seat in store.seats(restored, game.id):
                number = _number(seat, known, all_links=all_links)
                if number == seat.link_number:
                    continue
                addresses.relink(restored, key, seat, {}, "renewed", now, number=number)
                restored.execute(
                    "UPDATE mail SET link_number = ?, written_at = NULL, bytes = NULL WHERE game = ? AND seat = ?"
                    " AND sent_at IS NULL AND failed_at IS NULL AND withdrawn_at IS NULL",
                    [number, seat.game, seat.number],
                )
                renewed += 1
    return renewed


def _number(seat: store.Seat, known: Known | None, *, all_links: bool) -> int:
    """The number of a seat's link after a restore. Whoever plays it still keeps the link they have now."""
    number, address = (known and known.seats.get((seat.game, seat.number))) or (seat.link_number, seat.address)
    newest = max(number, seat.link_number)
    if all_links:
        return newest + FAR
    return newest if newest == seat.link_number or (address or "").casefold() == (seat.address or "").casefold() else newest + 1
