"""What people were mailed, and what was refused: questions about mails, which change nothing."""

from collections.abc import Collection, Sequence

from gm.store.db import Database, as_list, count, select, select_one
from gm.store.games import Game
from gm.store.mails import OPEN, TO_WRITE, WAITS, Mail
from gm.store.seats import Seat


def alarmed_at(db: Database, game_id: str, round_number: int) -> int | None:
    """When the game masters were first told that this round is held."""
    sql = "SELECT min(queued_at) FROM mail WHERE game = ? AND round = ? AND kind = 'alarm'"
    at: int | None = db.execute(sql, [game_id, round_number]).fetchone()[0]
    return at


def round_mails(db: Database, game_id: str, round_number: int) -> tuple[int, int]:
    """How many mails tell players of the start (0) or of a closed round, and how many of them
    were sent.
    """
    sql = """SELECT count(*), count(sent_at) FROM mail WHERE game = ? AND round = ?
             AND kind IN ('start', 'report')"""
    counts: tuple[int, int] = db.execute(sql, [game_id, round_number]).fetchone()
    return counts


def was_reported(db: Database, game_id: str, round_number: int, seat: int, version: int) -> bool:
    """True if a seat was sent the report of this version of a closed round."""
    sql = """SELECT 1 FROM mail WHERE game = ? AND round = ? AND seat = ? AND kind = 'report'
             AND about = ? AND sent_at IS NOT NULL"""
    return db.execute(sql, [game_id, round_number, seat, version]).fetchone() is not None


def last_reminder(db: Database, game_id: str, seat: int) -> int | None:
    """When a reminder to a seat was last queued."""
    sql = "SELECT max(queued_at) FROM mail WHERE game = ? AND seat = ? AND kind = 'reminder'"
    at: int | None = db.execute(sql, [game_id, seat]).fetchone()[0]
    return at


def was_reminded(db: Database, game: Game, seat: int, lead: int) -> bool:
    """True if a seat was reminded of the open round's deadline at this lead time or a shorter
    one.
    """
    sql = """SELECT 1 FROM mail WHERE game = ? AND round = ? AND seat = ? AND kind = 'reminder'
             AND deadline = ? AND lead <= ?"""
    return db.execute(sql, [game.id, game.round, seat, game.deadline, lead]).fetchone() is not None


def first_sent(
    db: Database, game_id: str, without: Sequence[str]
) -> dict[tuple[int | None, int, str], str]:
    """The Message-ID of the first mail about a game that was sent to each recipient: seat (None for
    nobody's), number of the link in it, address. Mails of the kinds `without` do not count, nor
    those that tell of several games.
    """
    kinds = ", ".join("?" * len(without))
    sql = f"""
        SELECT seat, link_number, address, message_id
        FROM (SELECT seat, link_number, address, message_id, row_number()
            OVER (PARTITION BY seat, link_number, address ORDER BY sent_at, id) AS place
          FROM mail
          WHERE game = ? AND sent_at IS NOT NULL AND act IS NULL AND kind NOT IN ({kinds})) AS sent
        WHERE place = 1
    """
    rows = db.execute(sql, [game_id, *without]).fetchall()
    return {(seat, link, address): of for seat, link, address, of in rows}


def receipt(db: Database, game_id: str, round_number: int, seat: int, number: int) -> Mail | None:
    """The mail with the receipt of a revision, if one was queued and not withdrawn."""
    sql = """SELECT * FROM mail WHERE game = ? AND round = ? AND seat = ? AND kind = 'receipt'
             AND about = ? AND withdrawn_at IS NULL ORDER BY id DESC LIMIT 1"""
    return select_one(db, Mail, sql, game_id, round_number, seat, number)


def kinds_queued_since(db: Database, to: Seat, since: int) -> set[str]:
    """The kinds of mails queued after an instant for a seat with its present address and link."""
    sql = """SELECT kind FROM mail WHERE game = ? AND seat = ? AND address = ?
             AND link_number = ? AND queued_at > ? AND withdrawn_at IS NULL"""
    return {
        kind
        for (kind,) in db.execute(
            sql, [to.game, to.number, to.address, to.link_number, since]
        ).fetchall()
    }


def is_refused(db: Database, mail_id: int) -> bool:
    """True if a mail was refused for good, and is not tried again."""
    return (
        db.execute(
            "SELECT 1 FROM mail WHERE id = ? AND failed_at IS NOT NULL", [mail_id]
        ).fetchone()
        is not None
    )


def newest_refusal(db: Database, to: Seat) -> str | None:
    """The server's words if the newest mail to a seat's address was refused; else None."""
    sql = """SELECT failed_at, error FROM mail WHERE game = ? AND seat = ? AND address = ?
             AND withdrawn_at IS NULL AND (sent_at IS NOT NULL OR failed_at IS NOT NULL)
             ORDER BY id DESC LIMIT 1"""
    last = db.execute(sql, [to.game, to.number, to.address]).fetchone()
    return (last[1] or "") if last and last[0] is not None else None


def newest_refusals(db: Database, games: Sequence[str]) -> dict[tuple[str, int], tuple[str, int]]:
    """The server's words for each seat of these games whose newest mail to its address was
    refused, and when: by game and number.
    """
    sql = """
        SELECT mail.game, mail.seat, coalesce(mail.error, ''), failed_at
        FROM mail
        JOIN seat ON seat.game = mail.game AND seat.number = mail.seat
          AND seat.address = mail.address
        WHERE failed_at IS NOT NULL AND withdrawn_at IS NULL
        AND mail.game IN (SELECT value FROM json_each(?))
        AND NOT EXISTS (SELECT 1 FROM mail AS newer
          WHERE newer.game = mail.game AND newer.seat = mail.seat
          AND newer.address = mail.address AND newer.id > mail.id AND newer.withdrawn_at IS NULL
          AND (newer.sent_at IS NOT NULL OR newer.failed_at IS NOT NULL))
    """
    rows = db.execute(sql, [as_list(games)]).fetchall()
    return {(game, seat): (error, at) for game, seat, error, at in rows}


def refused_without_seat(db: Database, games: Sequence[str]) -> list[Mail]:
    """The refused mails about these games to people without a seat, oldest first."""
    sql = f"""SELECT * FROM mail WHERE failed_at IS NOT NULL AND {OPEN} AND seat IS NULL
             AND game IN (SELECT value FROM json_each(?)) ORDER BY id"""
    return select(db, Mail, sql, as_list(games))


def queued_since(
    db: Database,
    game_id: str,
    round_number: int,
    kind: str,
    address: str,
    seat_number: int,
    since: int,
) -> int:
    """How many mails of a kind about a seat were queued to a game master after an instant."""
    sql = """SELECT count(*) FROM mail WHERE game = ? AND round = ? AND kind = ? AND address = ?
             AND about = ? AND queued_at > ?"""
    return count(db, sql, game_id, round_number, kind, address, seat_number, since)


def waits_to_be_written(
    db: Database, game_id: str, round_number: int, kind: str, address: str, seat_number: int
) -> bool:
    """True if a mail to a game master about this seat waits to be written."""
    sql = f"""SELECT 1 FROM mail WHERE {TO_WRITE} AND game = ? AND round = ? AND kind = ?
             AND address = ? AND about = ?"""
    which = [game_id, round_number, kind, address, seat_number]
    return db.execute(sql, which).fetchone() is not None


def invited_since(db: Database, since: int) -> int:
    """How many invitations were queued after an instant, to any game."""
    return count(db, "SELECT count(*) FROM mail WHERE kind = 'invite' AND queued_at > ?", since)


def newest_reports_sent(db: Database, game_id: str) -> dict[int, int]:
    """When the newest report (or the one before, if that waits) was sent to the address of each
    seat of a game, by its number.
    """
    sql = """SELECT mail.seat, max(sent_at) FROM mail JOIN seat ON seat.game = mail.game
             AND seat.number = mail.seat AND seat.address = mail.address WHERE mail.game = ?
             AND kind IN ('start', 'report', 'final') AND sent_at IS NOT NULL GROUP BY mail.seat"""
    return dict(db.execute(sql, [game_id]).fetchall())


def invited(db: Database, game_id: str) -> int:
    """How many mails invite to a game."""
    return count(db, "SELECT count(*) FROM mail WHERE game = ? AND kind = 'invite'", game_id)


def masters_know_refusals(db: Database, mail: Mail, since: int) -> bool:
    """True if a mail about this refusing address was queued for the game's game masters after an
    instant.

    All addresses that strangers typed count as one.
    """
    sql = """SELECT 1 FROM mail AS told JOIN mail AS first ON first.id = told.about
             WHERE told.game = ? AND told.kind = 'refused' AND told.queued_at > ?
             AND told.withdrawn_at IS NULL
             AND (lower(first.address) = lower(?) OR (first.kind = 'confirm' AND first.kind = ?))"""
    return db.execute(sql, [mail.game, since, mail.address, mail.kind]).fetchone() is not None


def others_were_sent(db: Database, address: str, since: int) -> bool:
    """True if a mail to any other address was sent after an instant."""
    sql = "SELECT 1 FROM mail WHERE sent_at > ? AND lower(address) <> lower(?) LIMIT 1"
    return db.execute(sql, [since, address]).fetchone() is not None


def any_to_others(db: Database, mails: Collection[int], address: str) -> bool:
    """True if one of these mails goes to another address."""
    sql = """SELECT 1 FROM mail WHERE id IN (SELECT CAST(value AS BIGINT) FROM json_each(?))
             AND lower(address) <> lower(?)"""
    return db.execute(sql, [as_list(mails), address]).fetchone() is not None


def any_waiting(db: Database, mails: Collection[int]) -> bool:
    """True if one of these mails is neither sent nor failed nor withdrawn."""
    sql = f"""SELECT 1 FROM mail WHERE {WAITS}
             AND id IN (SELECT CAST(value AS BIGINT) FROM json_each(?))"""
    return db.execute(sql, [as_list(mails)]).fetchone() is not None
