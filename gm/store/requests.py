"""People who asked for something and must confirm by mail: a seat, or to follow games."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from gm.store.db import Database, as_list, count, insert_one, select, select_one, update_row
from gm.store.mails import drop_bytes


class Joining(Struct, frozen=True):
    """A request for a seat, confirmed by a mailed button.

    With `seat` it is this seat's player who wants its mails at this address; `link_number`: of
    the link they asked by.
    """

    id: int
    game: str
    name: str
    address: str
    language: str
    at: int
    confirmed_at: int | None
    seat: int | None = None
    link_number: int | None = None


class Follower(Struct, frozen=True):
    """Somebody who gets the reports of a game, or (`game` None) is told when one opens; from
    `confirmed_at` on.
    """

    id: int
    game: str | None
    address: str
    language: str
    at: int
    confirmed_at: int | None

    @property
    def whose(self) -> tuple[str, str, int]:
        """What makes this follower's links its own."""
        return self.game or "", self.address, self.id


def joining(db: Database, number: int) -> Joining | None:
    """A request for a seat; None if there is none of this number."""
    return select_one(db, Joining, "SELECT * FROM joining WHERE id = ?", number)


def drop_withdrawn_request(db: Database, mail_id: int) -> None:
    """Delete the request for a seat whose mail with the button was withdrawn, if this is such a
    mail.
    """
    sql = """DELETE FROM joining WHERE confirmed_at IS NULL AND id = (SELECT about FROM mail
             WHERE id = ? AND kind = 'confirm' AND withdrawn_at IS NOT NULL)"""
    db.execute(sql, [mail_id])


def add_joining(db: Database, row: Mapping[str, Any]) -> int:
    """Add a request; returns its number."""
    return insert_one(db, "joining", row)


def confirm_joining(db: Database, number: int, at: int) -> None:
    """Store that the button of a request was pressed."""
    update_row(db, "joining", {"id": number}, {"confirmed_at": at})


def mailboxes_asked(db: Database, since: int) -> list[str]:
    """The address of each request for a seat after an instant."""
    return [
        address for (address,) in db.execute("SELECT address FROM joining WHERE at > ?", [since])
    ]


def is_outdated(db: Database, move: Joining) -> bool:
    """True if there is a newer request to move the same seat to another address."""
    sql = "SELECT EXISTS (SELECT 1 FROM joining WHERE game = ? AND seat = ? AND id > ?)"
    return count(db, sql, move.game, move.seat, move.id) > 0


def moves_of(db: Database, game_id: str, seat: int, since: int) -> int:
    """How often a seat's move to another address was asked for after an instant."""
    sql = "SELECT count(*) FROM joining WHERE game = ? AND seat = ? AND at > ?"
    return count(db, sql, game_id, seat, since)


def joined(db: Database, games: Sequence[str]) -> dict[str, dict[str, int]]:
    """Who took a seat in each of these games by a mailed button, and when."""
    sql = """SELECT game, name, confirmed_at FROM joining WHERE seat IS NULL
             AND confirmed_at IS NOT NULL AND game IN (SELECT value FROM json_each(?))"""
    found: dict[str, dict[str, int]] = {game: {} for game in games}
    for game, name, at in db.execute(sql, [as_list(games)]).fetchall():
        found[game][name] = at
    return found


def unconfirmed_in_game(db: Database, game_id: str, since: int) -> int:
    """How many requests for a seat in a game after an instant were not confirmed."""
    sql = """SELECT count(*) FROM joining WHERE game = ? AND seat IS NULL
             AND confirmed_at IS NULL AND at > ?"""
    return count(db, sql, game_id, since)


def unconfirmed_followers(db: Database, game_id: str | None, since: int) -> int:
    """How many asked to follow a game, or (None) to be told of new ones, after an instant and did
    not confirm.
    """
    sql = """SELECT count(*) FROM follower WHERE coalesce(game, '') = coalesce(?, '')
             AND confirmed_at IS NULL AND at > ?"""
    return count(db, sql, game_id, since)


def expire_joinings(db: Database, game_id: str, address: str | None) -> None:
    """Let the buttons mailed to an address in a game do nothing any more."""
    db.execute(
        "UPDATE joining SET at = 0 WHERE game = ? AND lower(address) = lower(?)", [game_id, address]
    )


def expire_unconfirmed(db: Database) -> None:
    """Let all buttons that were not pressed do nothing any more."""
    db.execute("UPDATE joining SET at = 0 WHERE confirmed_at IS NULL")


def forget_unconfirmed(db: Database, before: int) -> None:
    """Delete requests that were made before an instant and never confirmed."""
    db.execute("DELETE FROM joining WHERE confirmed_at IS NULL AND at < ?", [before])


def forget_joinings(db: Database, game_id: str, address: str | None, number: int) -> None:
    """Delete the requests in a game that came from an address or were about a seat."""
    sql = "DELETE FROM joining WHERE game = ? AND (lower(address) = lower(?) OR seat = ?)"
    db.execute(sql, [game_id, address, number])


def asked_to_join(db: Database, game_id: str) -> int:
    """How many requests for a seat wait for their button."""
    sql = "SELECT count(*) FROM joining WHERE game = ? AND confirmed_at IS NULL AND seat IS NULL"
    return count(db, sql, game_id)


def invited_or_asking(db: Database, game_id: str) -> list[tuple[str, str]]:
    """Everybody who was invited to a game or has asked for a seat in it: address and language."""
    sql = """SELECT address, language FROM joining WHERE game = ? AND seat IS NULL UNION
             SELECT address, language FROM mail WHERE game = ? AND kind = 'invite'
             AND address <> '' ORDER BY 1, 2"""
    return db.execute(sql, [game_id, game_id]).fetchall()


def follower(db: Database, number: int) -> Follower | None:
    """The follower with this number; None if there is none."""
    return select_one(db, Follower, "SELECT * FROM follower WHERE id = ?", number)


def followers(db: Database, game_id: str | None) -> list[Follower]:
    """The confirmed followers of a game, or those who are told when one opens."""
    return select(
        db,
        Follower,
        """SELECT * FROM follower WHERE coalesce(game, '') = coalesce(?, '')
        AND confirmed_at IS NOT NULL ORDER BY id""",
        game_id,
    )


def followings_of(db: Database, address: str) -> list[Follower]:
    """What an address follows, or has asked to."""
    return select(
        db, Follower, "SELECT * FROM follower WHERE lower(address) = lower(?) ORDER BY id", address
    )


def add_follower(db: Database, row: Mapping[str, Any]) -> int:
    """Add a follower; returns their number."""
    return insert_one(db, "follower", row)


def update_follower(db: Database, number: int, changed: Mapping[str, Any]) -> None:
    """Change these columns of a follower."""
    update_row(db, "follower", {"id": number}, changed)


def remove_follower(db: Database, number: int, now: int) -> None:
    """Remove a follower: unsent mails to them are withdrawn, sent ones lose the address."""
    db.execute("DELETE FROM follower WHERE id = ?", [number])
    sql = """UPDATE mail SET address = '', error = NULL, withdrawn_at =
             coalesce(withdrawn_at, ?)
             WHERE kind IN ('follow', 'follow_report', 'opened') AND about = ? RETURNING id"""
    drop_bytes(db, db.execute(sql, [now, number]))


def stale_followers(db: Database, asked_before: int, ended_before: int) -> list[int]:
    """The followers who asked before an instant and never confirmed, and those of games that
    were over before another.
    """
    sql = """SELECT id FROM follower WHERE confirmed_at IS NULL AND at < ? UNION
             SELECT follower.id FROM follower JOIN game ON game.id = follower.game
             WHERE game.status = 'finished'
             AND coalesce((SELECT max(closed_at) FROM round WHERE round.game = game.id), 0) < ?"""
    return [number for (number,) in db.execute(sql, [asked_before, ended_before]).fetchall()]


def follower_numbers(db: Database) -> frozenset[int]:
    """The numbers of all followers, confirmed or not."""
    return frozenset(number for (number,) in db.execute("SELECT id FROM follower"))


def follow_mails_to(db: Database, mailbox: int, since: int) -> int:
    """How many mails that ask a follower to confirm were queued for a mailbox, by its number,
    after an instant.
    """
    sql = """SELECT count(*) FROM mail WHERE mailbox = ? AND queued_at > ?"""
    return count(db, sql, mailbox, since)


def counts_mailboxes(db: Database, until: int) -> bool:
    """True if such a mail queued up to an instant still has the number of its mailbox."""
    sql = """SELECT EXISTS (SELECT 1 FROM mail WHERE mailbox IS NOT NULL
             AND queued_at <= ?)"""
    return count(db, sql, until) > 0


def forget_mailboxes(db: Database, until: int) -> None:
    """Remove the numbers of mailboxes from such mails queued up to an instant."""
    sql = "UPDATE mail SET mailbox = NULL WHERE mailbox IS NOT NULL AND queued_at <= ?"
    db.execute(sql, [until])


def unconfirmed_since(db: Database, since: int) -> dict[str, int]:
    """How many requests after an instant were not confirmed, also deleted ones: for `seats` of
    games that anybody may join, for seats by an `invitation`, `moves` of a seat to another
    address, and to `follow`.

    Of those to follow none whose mailbox is forgotten.
    """
    sql = """
        SELECT CASE WHEN joining.seat IS NOT NULL THEN 'moves' WHEN listed = 1 THEN 'seats'
          ELSE 'invitation' END, count(*)
        FROM joining
        JOIN game ON game.id = joining.game
        WHERE confirmed_at IS NULL AND at > ?
        GROUP BY 1
        UNION ALL
        SELECT 'follow', count(*)
        FROM mail
        WHERE mailbox IS NOT NULL AND queued_at > ?
        AND NOT EXISTS (SELECT 1 FROM follower
          WHERE follower.id = mail.about AND follower.at = mail.queued_at
          AND confirmed_at IS NOT NULL)
    """
    return dict(db.execute(sql, [since, since]).fetchall())
