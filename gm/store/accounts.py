"""Game masters who may sign in, their sessions, the standby list, and links to all seats of an
address.
"""

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import asdict

from gm.clock import DAY
from gm.store.db import Database, count, insert, select_one, update_row
from gm.store.mails import drop_bytes

LINK_SECONDS = 7 * DAY
MY_GAMES_SECONDS = 90 * DAY


class Master(Struct, frozen=True):
    """A game master who may sign in. `password`: hashed, None before the first one;
    `link_number`: of the one-time link.

    `mails`: the kinds of mail chosen, besides those that always come. `host`: whether they look
    after this installation, and may let game masters go.
    """

    address: str
    name: str
    language: str
    password: str | None
    link_number: int
    link_at: int
    mails: str
    host: int

    @property
    def link_ends(self) -> int:
        """Until when the one-time link works, unless it is used before."""
        return self.link_at + LINK_SECONDS

    @property
    def chosen(self) -> tuple[str, ...]:
        """The kinds of mail this game master wants."""
        return msgspec.json.decode(self.mails, type=tuple[str, ...])


class MyGames(Struct, frozen=True):
    """The link that opens every seat of exactly this address: its hash, and when it was mailed.

    Capitals count: some mailboxes differ in them alone.
    """

    address: str
    hash: str
    at: int

    @property
    def ends(self) -> int:
        """Until when it works, unless another is mailed before."""
        return self.at + MY_GAMES_SECONDS


def get(db: Database, address: str) -> Master | None:
    """The game master with this mail address; None if there is none."""
    return select_one(db, Master, "SELECT * FROM gm WHERE address = lower(?)", address)


def update(db: Database, address: str, changed: Mapping[str, Any]) -> None:
    """Change these columns of a game master."""
    update_row(db, "gm", {"address": address.lower()}, changed)


def standby_list(db: Database) -> list[dict[str, Any]]:
    """Everybody on the standby list, longest first: name, language, address, whose list they are
    on, and since when.
    """
    return list(
        db.query("SELECT name, language, address, gm, at FROM standby ORDER BY at, address, gm")
    )


def add(db: Database, row: Mapping[str, Any]) -> None:
    """Add a game master."""
    insert(db, "gm", [row])


def remove(db: Database, address: str) -> None:
    """Remove a game master, with sessions and the people whom they alone saw on the standby
    list.
    """
    end_sessions(db, address)
    db.execute("DELETE FROM standby WHERE gm = ?", [address])
    db.execute("DELETE FROM gm WHERE address = ?", [address])


def credentials(db: Database) -> dict[str, tuple[str | None, int]]:
    """Each game master's hashed password and whether they are a host, by address."""
    return {
        address: (password, host)
        for address, password, host in db.execute("SELECT address, password, host FROM gm")
    }


def void_links(db: Database, further: int) -> None:
    """Void all one-time links, by raising their numbers."""
    db.execute("UPDATE gm SET link_number = link_number + ?", [further])


def signed_in(db: Database, session_hash: str, since: int) -> Master | None:
    """The game master of a session, if it was opened after an instant."""
    sql = """SELECT gm.* FROM gm JOIN session ON session.address = gm.address
             WHERE session.hash = ? AND session.at > ?"""
    return select_one(db, Master, sql, session_hash, since)


def sign_in_mails(db: Database, address: str, since: int) -> int:
    """How many one-time links were queued for a game master after an instant."""
    return count(
        db,
        "SELECT count(*) FROM mail WHERE kind = 'sign_in' AND address = ? AND queued_at > ?",
        address,
        since,
    )


def open_session(db: Database, session_hash: str, address: str, at: int) -> None:
    """Open a session."""
    insert(db, "session", [{"hash": session_hash, "address": address, "at": at}])


def end_session(db: Database, session_hash: str) -> None:
    """End a session."""
    db.execute("DELETE FROM session WHERE hash = ?", [session_hash])


def end_sessions(db: Database, address: str) -> None:
    """End the sessions of a game master."""
    db.execute("DELETE FROM session WHERE address = ?", [address])


def end_all_sessions(db: Database) -> None:
    """End all sessions."""
    db.execute("DELETE FROM session")


def forget_sessions(db: Database, until: int) -> None:
    """Delete sessions that were opened up to an instant."""
    db.execute("DELETE FROM session WHERE at <= ?", [until])


def attempts(db: Database, key: str) -> int:
    """How many tries to sign in are counted under a key."""
    return count(db, "SELECT count(*) FROM attempt WHERE key = ?", key)


def add_attempts(db: Database, keys: Iterable[str], at: int) -> None:
    """Count a try to sign in under each key."""
    insert(db, "attempt", [{"key": key, "at": at} for key in keys])


def forget_attempts(db: Database, until: int) -> None:
    """Delete tries up to an instant."""
    db.execute("DELETE FROM attempt WHERE at <= ?", [until])


def take_back_attempts(db: Database, key: str, at: int | None = None) -> None:
    """Delete tries under a key: those of one instant, or all."""
    db.execute("DELETE FROM attempt WHERE key = ? AND at = coalesce(?, at)", [key, at])


def standby_of(db: Database, master: str) -> list[dict[str, object]]:
    """The standby list as this game master sees it, longest first, each address once."""
    sql = """SELECT name, language, address, gm, at FROM standby AS first WHERE gm IN ('', ?1)
             AND NOT EXISTS (SELECT 1 FROM standby AS other WHERE other.address = first.address
             AND other.gm IN ('', ?1) AND (other.at, other.gm) < (first.at, first.gm))
             ORDER BY at, address"""
    return list(db.query(sql, [master]))


def put_on_standby(db: Database, row: Mapping[str, Any]) -> None:
    """Put somebody on the standby list, in place of an earlier entry of the same game master."""
    sql = """INSERT INTO standby (gm, address, name, language, at)
             VALUES (:gm, :address, :name, :language, :at) ON CONFLICT (gm, address) DO UPDATE
             SET name = excluded.name, language = excluded.language, at = excluded.at"""
    db.execute(sql, dict(row))


def take_off_standby(db: Database, address: str, gm: str | None = None) -> int:
    """Take an address off the standby list, or off what a game master sees of it; returns how
    often it stood there.
    """
    sql = "DELETE FROM standby WHERE address = lower(?1) AND gm IN ('', coalesce(?2, gm))"
    return db.execute(sql, [address, gm]).rowcount


def take_off_standby_of_game(db: Database, address: str, game_id: str) -> None:
    """Take an address off what the game masters of a game see of the standby list."""
    sql = """DELETE FROM standby WHERE address = lower(?) AND (gm = '' OR gm IN (SELECT address
             FROM game_gm WHERE game = ?))"""
    db.execute(sql, [address, game_id])


def my_games(db: Database, address: str) -> MyGames | None:
    """The newest link to all seats of an address, if it was not ended."""
    return select_one(db, MyGames, "SELECT * FROM my_games WHERE address = ?", address)


def my_games_by_hash(db: Database, link_hash: str) -> MyGames | None:
    """The link with this hash, however old it is."""
    return select_one(db, MyGames, "SELECT * FROM my_games WHERE hash = ?", link_hash)


def add_my_games(db: Database, link: MyGames) -> None:
    """Store the link to all seats of an address, which has none."""
    insert(db, "my_games", [asdict(link)])


def end_my_games(db: Database, now: int, address: str | None = None) -> None:
    """End the links to all seats of an address, or of every address; mails with them are
    withdrawn, and emptied.
    """
    mails = """UPDATE mail SET address = '', error = NULL, withdrawn_at =
               coalesce(withdrawn_at, ?) WHERE kind = 'my_games' AND address <> ''"""
    if address is None:
        db.execute("DELETE FROM my_games")
        drop_bytes(db, db.execute(f"{mails} RETURNING id", [now]))
    else:
        db.execute("DELETE FROM my_games WHERE address = ?", [address])
        same = "lower(address) = lower(?) AND address || '' = ?"
        drop_bytes(db, db.execute(f"{mails} AND {same} RETURNING id", [now, address, address]))


def end_my_games_without_seat(db: Database, now: int) -> None:
    """End the links of every address that has no seat any more."""
    sql = """
        SELECT address
        FROM (SELECT address FROM my_games
          UNION SELECT address FROM mail WHERE kind = 'my_games' AND address <> '') AS held
        WHERE NOT EXISTS (SELECT 1 FROM seat
          WHERE lower(seat.address) = lower(held.address) AND seat.address || '' = held.address)
    """
    for (address,) in db.execute(sql).fetchall():
        end_my_games(db, now, address)
