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
            return Known(store.link_numbers(of), store.links_given(of), store.passwords(of))
    except (NotOurs, sqlite3.DatabaseError) as error:
        if live.exists() and errors.is_environment(error) and "no such" not in str(error):
            raise
        return None


def revoke(restored: Database, key: bytes, known: Known | None, now: int, *, all_links: bool) -> int:
    """End all sessions, void all one-time links, and keep the personal links dead that were renewed since the copy was made.

    Passwords stay as they were last set. Returns how many seats have another link than in the copy; with `all_links` every seat.
    """
    with write(restored):
        store.end_all_sessions(restored)
        store.expire_unconfirmed(restored)
        store.void_gm_links(restored, FAR)
        for address, password in (known.masters if known else {}).items():
            store.update_account(restored, address, {"password": password})
        for game_id, most in (known.games if known else {}).items():
            store.raise_links_given(restored, game_id, most)
        renewed = 0
        for game in store.games(restored):
            for seat in store.seats(restored, game.id):
                number = _number(seat, known, all_links=all_links)
                if number == seat.link_number:
                    continue
                addresses.relink(restored, key, seat, {}, "renewed", now, number=number)
                store.relink_mails(restored, seat.game, seat.number, number)
                renewed += 1
    return renewed


def _number(seat: store.Seat, known: Known | None, *, all_links: bool) -> int:
    """The number of a seat's link after a restore. Whoever plays it still keeps the link they have now."""
    number, address = (known and known.seats.get((seat.game, seat.number))) or (seat.link_number, seat.address)
    newest = max(number, seat.link_number)
    if all_links:
        return newest + FAR
    return newest if newest == seat.link_number or (address or "").casefold() == (seat.address or "").casefold() else newest + 1
