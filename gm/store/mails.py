"""Mails, from queued to sent."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from msgspec import Struct

from gm.store.db import (
    MANY,
    Database,
    as_list,
    column,
    count,
    insert,
    select,
    select_one,
    update_row,
)

OPEN = "sent_at IS NULL AND withdrawn_at IS NULL"
"""The condition of mails that may still be sent: those that wait, and those that were refused."""
WAITS = "sent_at IS NULL AND failed_at IS NULL AND withdrawn_at IS NULL"
TO_WRITE = f"{WAITS} AND written_at IS NULL"
TO_SEND = f"{WAITS} AND written_at IS NOT NULL AND joined IS NULL"
PRESENT_LINK = """coalesce((SELECT seat.link_number FROM seat
               WHERE mail.failed_at IS NOT NULL AND seat.game = mail.game
               AND seat.number = mail.seat
               AND lower(seat.address) = lower(mail.address)), link_number)"""
"""The link that a refused mail is written anew with: the seat's own may have been renewed."""
MOST_COUNTED = 100
"""Stuck mails beyond this number are not counted: /healthz would have to read them all."""
HOW_MANY_WAIT = (
    f"(SELECT count(*) FROM mail WHERE {TO_WRITE}) + (SELECT count(*) FROM mail WHERE {TO_SEND})"
)


class Mail(Struct, frozen=True):
    """A mail in the outbox: queued in the transaction of what it tells, written once, sent with
    the same bytes until it is accepted.

    `once`: the event and its recipient; `batch`: what is written together. `game` is None for
    mails about none, `seat` for mails to people without one. `message_id`: until the mail is
    written only what stands left of the @. `not_before`: it is neither written nor sent earlier.
    `about`: the number of what it tells, as `gm.mail.kinds` says. `joined`: another
    mail of the same act to the same person, which tells this too: both wait, are sent and refused
    together, until something changes for one of them.
    """

    id: int
    once: str
    batch: str
    game: str | None
    round: int
    seat: int | None
    kind: str
    about: int | None
    act: int | None
    joined: int | None
    lead: int | None
    deadline: int | None
    mailbox: int | None
    address: str
    language: str
    link_number: int
    message_id: str
    queued_at: int
    not_before: int
    written_at: int | None
    digest: str | None
    tries: int
    first_try: int | None
    next_try: int
    sent_at: int | None
    failed_at: int | None
    withdrawn_at: int | None
    error: str | None


class Leased(Mail, frozen=True):
    """A mail that is being sent, with its bytes."""

    data: bytes


def by_id(db: Database, mail_id: int) -> Mail:
    """One mail. Raises LookupError if there is none of this number."""
    mail = select_one(db, Mail, "SELECT * FROM mail WHERE id = ?", mail_id)
    if mail is None:
        raise LookupError(f"there is no mail {mail_id}")
    return mail


def newest_id(db: Database) -> int:
    """The highest number of a mail; 0 if there is none."""
    return count(db, "SELECT coalesce(max(id), 0) FROM mail")


def after(db: Database, mail_id: int) -> list[Mail]:
    """The mails queued after this one, oldest first."""
    return select(db, Mail, "SELECT * FROM mail WHERE id > ? ORDER BY id", mail_id)


def all_not_sent(db: Database) -> list[Mail]:
    """The mails that wait, were refused or withdrawn, oldest first."""
    return select(db, Mail, "SELECT * FROM mail WHERE sent_at IS NULL ORDER BY id")


def add(db: Database, rows: Sequence[Mapping[str, Any]]) -> None:
    """Add mails that all have the same columns; those that are there already are left alone."""
    insert(db, "mail", rows, unless="once")


def update(db: Database, mail_id: int, changes: Mapping[str, Any]) -> None:
    """Change these columns of a mail."""
    update_row(db, "mail", {"id": mail_id}, changes)


def end(db: Database, mail_id: int, changes: Mapping[str, Any]) -> None:
    """Change these columns of a mail that is not sent any more: its bytes are deleted."""
    update(db, mail_id, changes)
    db.execute("DELETE FROM mail_bytes WHERE mail = ?", [mail_id])


def leased(db: Database, mail_id: int) -> Leased | None:
    """A written mail with its bytes; None without these."""
    sql = """SELECT mail.*, bytes AS data FROM mail JOIN mail_bytes ON mail_bytes.mail = mail.id
             WHERE mail.id = ?"""
    return select_one(db, Leased, sql, mail_id)


def drop_bytes(db: Database, changed: Any) -> None:
    """Delete the bytes of mails that an UPDATE … RETURNING id has changed, because they are not to
    be sent then, or are to be written anew.
    """
    sql = """DELETE FROM mail_bytes
             WHERE mail IN (SELECT CAST(value AS BIGINT) FROM json_each(?))"""
    if numbers := [number for (number,) in changed.fetchall()]:
        db.execute(sql, [as_list(numbers)])


def to_write(db: Database, now: int) -> list[int]:
    """The oldest mails that wait to be written by now."""
    sql = f"SELECT id FROM mail WHERE {TO_WRITE} AND not_before <= ? ORDER BY id LIMIT ?"
    return [number for (number,) in db.execute(sql, [now, MANY]).fetchall()]


def unwritten_in_batch_of(db: Database, mail_id: int) -> list[Mail]:
    """The mails not yet written that are written together with this one, itself among them."""
    sql = f"""SELECT * FROM mail WHERE {TO_WRITE}
             AND batch = (SELECT batch FROM mail WHERE id = ?) ORDER BY id"""
    return select(db, Mail, sql, mail_id)


def fail_unwritten_in_batch_of(db: Database, mail_id: int, at: int, error: str) -> None:
    """Mark the mails not yet written that are written together with this one as failed."""
    sql = f"""UPDATE mail SET failed_at = ?, error = ? WHERE {TO_WRITE}
             AND batch = (SELECT batch FROM mail WHERE id = ?)"""
    db.execute(sql, [at, error, mail_id])


def fail_to_write(db: Database, mail_id: int, at: int, error: str) -> None:
    """Mark a mail as failed to be written, unless somebody else has written it."""
    db.execute(
        "UPDATE mail SET failed_at = ?, error = ? WHERE id = ? AND written_at IS NULL",
        [at, error, mail_id],
    )


def keep_written(db: Database, mails: Sequence[Mail], data: bytes, digest: str, at: int) -> None:
    """Store the bytes of a mail and its Message-ID; the mails after the first are joined to it.
    Does nothing if one of them is written or withdrawn by now, or has another recipient. Inside
    `write`.
    """
    first, *others = mails
    as_before = """WHERE id = ? AND address = ? AND link_number = ? AND written_at IS NULL
                AND withdrawn_at IS NULL"""
    for mail in others:
        sql = f"SELECT count(*) FROM mail {as_before}"
        if count(db, sql, mail.id, mail.address, mail.link_number) == 0:
            return
    sql = f"UPDATE mail SET written_at = ?, digest = ?, message_id = ? {as_before}"
    whose = [first.id, first.address, first.link_number]
    if db.execute(sql, [at, digest, first.message_id, *whose]).rowcount:
        db.execute("DELETE FROM mail_bytes WHERE mail = ?", [first.id])
        insert(db, "mail_bytes", [{"mail": first.id, "bytes": data}])
        for mail in others:
            update(db, mail.id, {"written_at": at, "joined": first.id})
        if others:
            update(db, first.id, {"next_try": min(mail.next_try for mail in mails)})


def joined_to(db: Database, mail: Mail) -> list[Mail]:
    """The mails that wait to be sent with this one, which tells them too."""
    if mail.act is None:
        return []
    return select(db, Mail, f"SELECT * FROM mail WHERE joined = ? AND {WAITS}", mail.id)


def part(db: Database, which: str, *values: object) -> None:
    """Have mails of which a condition is true, and those joined with them, written anew, because
    something changes for one of them.
    """
    sql = f"""
        UPDATE mail
        SET written_at = NULL, joined = NULL,
          tries = coalesce((SELECT first.tries FROM mail AS first
            WHERE first.id = mail.joined), tries),
          first_try = coalesce((SELECT first.first_try FROM mail AS first
            WHERE first.id = mail.joined), first_try)
        WHERE {WAITS} AND written_at IS NOT NULL AND act IS NOT NULL
        AND batch IN (SELECT batch FROM mail WHERE act IS NOT NULL AND ({which}))
        RETURNING id
    """
    drop_bytes(db, db.execute(sql, values))


def write_alone(db: Database, mail: Mail) -> None:
    """Have a mail written anew, and never again with others of its act."""
    part(db, "id = ?", mail.id)
    update(db, mail.id, {"written_at": None, "joined": None, "batch": mail.once})


def unwrite(db: Database, mail_id: int) -> None:
    """Have a mail written anew, and those joined with it."""
    part(db, "id = ?", mail_id)
    update(db, mail_id, {"written_at": None})


def next_to_send(db: Database, at: int, latest: int) -> int | None:
    """The number of the written mail that has been due longest; its row may be damaged. On a server
    it is claimed until the end of the `write`, and what others have claimed is passed over.

    A mail put off beyond `latest` was put off by a clock that was wrong, so it is due.
    """
    sql = f"SELECT id FROM mail WHERE {TO_SEND} AND next_try %s ? ORDER BY next_try, id LIMIT 1"
    sql += db.claim
    row = db.execute(sql % "<=", [at]).fetchone() or db.execute(sql % ">", [latest]).fetchone()
    return row[0] if row else None


def next_due_at(db: Database) -> int | None:
    """When the next mail is due to be written (0: at once) or sent; None if none waits."""
    sql = f"""SELECT min(at) FROM (SELECT min(not_before) AS at FROM mail WHERE {TO_WRITE}
             UNION ALL SELECT min(next_try) FROM mail WHERE {TO_SEND}) AS due"""
    at: int | None = db.execute(sql).fetchone()[0]
    return at


def due(db: Database, at: int) -> int:
    """How many mails wait to be written, or to be sent by now."""
    sql = f"""SELECT (SELECT count(*) FROM mail WHERE {TO_WRITE} AND not_before <= ?)
             + (SELECT count(*) FROM mail WHERE {TO_SEND} AND next_try <= ?)"""
    return count(db, sql, at, at)


def waiting(db: Database) -> int:
    """How many mails are neither sent nor failed nor withdrawn."""
    return count(db, f"SELECT {HOW_MANY_WAIT}")


def never_tried(db: Database, before: int) -> tuple[int, int]:
    """How many mails queued before an instant were never tried, MOST_COUNTED or more count as that
    many; and since when the oldest of them waits (0: none).
    """
    never = "tries = 0 AND first_try IS NULL AND queued_at < ?1"
    sql = f"""
        SELECT queued_at
        FROM (
          SELECT * FROM (SELECT queued_at FROM mail WHERE {TO_WRITE} AND {never}
            ORDER BY id LIMIT ?2) AS to_write
          UNION ALL
          SELECT * FROM (SELECT queued_at FROM mail WHERE {TO_SEND} AND {never}
            ORDER BY next_try LIMIT ?2) AS to_send) AS never
    """
    found = column(db, sql, before, MOST_COUNTED)
    return min(len(found), MOST_COUNTED), min(found, default=0)


def mail_figures(db: Database) -> tuple[int, int, int | None]:
    """How many mails wait, how many were refused for good, and when the last one was sent."""
    sql = f"""SELECT {HOW_MANY_WAIT},
             (SELECT count(*) FROM mail WHERE failed_at IS NOT NULL AND withdrawn_at IS NULL),
             (SELECT max(sent_at) FROM mail WHERE sent_at IS NOT NULL)"""
    waiting, failed, last = db.execute(sql).fetchone()
    return waiting, failed, last


def waiting_or_refused(
    db: Database, game_id: str | None = None, *, refused: bool = False
) -> list[Mail]:
    """The mails (of a game) that wait or were refused, oldest first; or only the refused ones."""
    if game_id is not None:
        sql = f"""SELECT * FROM mail WHERE game = ? AND {OPEN}
                 AND (failed_at IS NOT NULL OR ? = 0) ORDER BY id"""
        return select(db, Mail, sql, game_id, int(refused))
    sql = f"""SELECT * FROM mail WHERE id IN (
             SELECT id FROM mail WHERE failed_at IS NOT NULL AND {OPEN} UNION ALL
             SELECT id FROM mail WHERE {TO_WRITE} AND ?1 = 0 UNION ALL
             SELECT id FROM mail WHERE {TO_SEND} AND ?1 = 0) ORDER BY id"""
    return select(db, Mail, sql, int(refused))


def put_off_for_server(db: Database, mail_id: int, at: int, next_try: int, error: str) -> None:
    """Let a mail wait until the server accepts any, as if it was never tried; one without bytes
    is written anew.
    """
    sql = f"""
        UPDATE mail
        SET failed_at = NULL, first_try = ?, next_try = ?, error = ?,
          written_at = CASE WHEN failed_at IS NULL THEN written_at END,
          joined = CASE WHEN failed_at IS NULL THEN joined END,
          link_number = {PRESENT_LINK}
        WHERE (id = ? OR joined = ?) AND {OPEN}
    """
    db.execute(sql, [at, next_try, error, mail_id, mail_id])


def retry(db: Database, mail_id: int, at: int) -> int:
    """Send a mail as if for the first time, a refused one written anew with the present link;
    returns 1 if it was not sent yet.
    """
    part(db, "id = ?", mail_id)
    sql = f"""UPDATE mail SET next_try = ?, error = NULL, tries = 0, first_try = NULL, failed_at =
             NULL, written_at = CASE WHEN failed_at IS NULL THEN written_at END, joined = NULL,
             link_number = {PRESENT_LINK} WHERE id = ?
             AND {OPEN}"""
    return db.execute(sql, [at, mail_id]).rowcount


def withdraw(db: Database, mail_id: int, at: int) -> int:
    """Never send a mail; returns 1 if it was not sent yet. The farewell mail to somebody who
    left loses its address.
    """
    part(db, "id = ?", mail_id)
    sql = f"""UPDATE mail SET withdrawn_at = ?, address = CASE kind WHEN 'left' THEN ''
             ELSE address END WHERE id = ? AND {OPEN}"""
    withdrawn = db.execute(sql, [at, mail_id]).rowcount
    if withdrawn:
        db.execute("DELETE FROM mail_bytes WHERE mail = ?", [mail_id])
    return withdrawn


def _withdraw(db: Database, which: str, at: int, *values: object) -> None:
    """Withdraw all unsent mails of which a condition is true."""
    part(db, which, *values)
    sql = f"UPDATE mail SET withdrawn_at = ? WHERE {OPEN} AND ({which}) RETURNING id"
    drop_bytes(db, db.execute(sql, [at, *values]))


def withdraw_to_seat(db: Database, game_id: str, seat_number: int, at: int) -> None:
    """Withdraw unsent mails to a seat, also refused ones."""
    _withdraw(db, "game = ? AND seat = ?", at, game_id, seat_number)


def withdraw_about_seat(db: Database, game_id: str, seat_number: int, at: int) -> None:
    """Withdraw unsent mails to game masters about a player's words, or that they joined."""
    _withdraw(
        db, "game = ? AND kind IN ('words', 'joined') AND about = ?", at, game_id, seat_number
    )


def withdraw_from_round(db: Database, game_id: str, number: int, at: int) -> None:
    """Withdraw unsent mails about how a round ended, or about orders for a later one."""
    which = """game = ? AND (kind IN ('report', 'gm_report', 'follow_report') AND round >= ?
               OR kind IN ('receipt', 'reminder', 'row') AND round > ?)"""
    _withdraw(db, which, at, game_id, number, number)


def withdraw_of_act(db: Database, act: int, game_id: str, at: int) -> set[int]:
    """Withdraw the mails about what an act did to a game that are neither sent nor, as far as can
    be told, being sent just now; returns the seats that hear nothing of it then. Inside `write`.
    """
    sql = f"""SELECT id, seat FROM mail WHERE game = ? AND act = ? AND {WAITS}
             AND (SELECT first.next_try <= ? OR first.error IS NOT NULL FROM mail AS first
             WHERE first.id = coalesce(mail.joined, mail.id))"""
    rows = db.execute(sql, [game_id, act, at]).fetchall()
    for number, _ in rows:
        withdraw(db, number, at)
    return {seat for _, seat in rows}


def withdraw_receipts(
    db: Database, game_id: str, round_number: int, lists: Sequence[tuple[int, int]], at: int
) -> None:
    """Withdraw the receipts of lists, by seat and version, that are neither sent nor being sent
    just now.
    """
    which = """game = ? AND round = ? AND kind = 'receipt' AND failed_at IS NULL AND next_try <= ?
               AND seat || ' ' || about IN (SELECT value FROM json_each(?))"""
    which_lists = as_list([f"{seat} {revision}" for seat, revision in lists])
    _withdraw(db, which, at, game_id, round_number, at, which_lists)


def bring_back_receipts(db: Database, game_id: str, round_number: int, closed_at: int) -> None:
    """Send after all what was withdrawn because a report would say it, of a round that is open
    again before its report was sent; not to a link that opens the seat no more.
    """
    sql = """
        UPDATE mail
        SET withdrawn_at = NULL, written_at = NULL
        WHERE game = ? AND round = ? AND kind = 'receipt' AND sent_at IS NULL
        AND withdrawn_at = ?
        AND link_number = (SELECT link_number FROM seat
          WHERE seat.game = mail.game AND seat.number = mail.seat)
        AND NOT EXISTS (SELECT 1 FROM mail AS told
          WHERE told.game = mail.game AND told.round = mail.round AND told.seat = mail.seat
          AND told.kind = 'report' AND told.sent_at IS NOT NULL)
    """
    db.execute(sql, [game_id, round_number, closed_at])


def forget_seat(db: Database, game_id: str, seat: int) -> None:
    """Empty the mails to a seat that is gone: number, address and text.

    Their rows stay, because somebody may be writing or sending them just now.
    """
    part(db, "game = ? AND seat = ?", game_id, seat)
    sql = """UPDATE mail SET seat = NULL, once = 'of a seat that is gone ' || id, address = ''
             WHERE game = ? AND seat = ? RETURNING id"""
    drop_bytes(db, db.execute(sql, [game_id, seat]))


def withdraw_to_master(
    db: Database, game_id: str, address: str, kinds: Collection[str], at: int
) -> None:
    """Withdraw unsent mails of these kinds to a game master of a game."""
    which = """game = ? AND seat IS NULL AND lower(address) = ?
               AND kind IN (SELECT value FROM json_each(?))"""
    _withdraw(db, which, at, game_id, address, as_list(kinds))


def readdress(
    db: Database, game_id: str, seat: int, address: str, link_number: int, now: int
) -> None:
    """Have unsent mails to a seat, refused or not, written anew for another address and link.

    Receipts stay as they are, because they hold orders.
    """
    part(db, "game = ? AND seat = ?", game_id, seat)
    sql = f"""UPDATE mail SET address = ?, link_number = ?, failed_at = NULL, error = NULL,
             written_at = NULL, joined = NULL, tries = 0, first_try = NULL, next_try = ?
             WHERE game = ? AND seat = ? AND kind <> 'receipt' AND {OPEN}
             RETURNING id"""
    drop_bytes(db, db.execute(sql, [address, link_number, now, game_id, seat]))


def relink(db: Database, game_id: str, seat: int, link_number: int) -> None:
    """Have waiting mails to a seat written anew, with another personal link."""
    part(db, "game = ? AND seat = ?", game_id, seat)
    sql = f"""UPDATE mail SET link_number = ?, written_at = NULL WHERE game = ? AND seat = ?
             AND {WAITS} RETURNING id"""
    drop_bytes(db, db.execute(sql, [link_number, game_id, seat]))


def forget_earlier_addresses(db: Database, game_id: str, seat_name: str, since: int) -> None:
    """Remove the earlier addresses of a seat's player since an instant from all mails but those
    that wait.
    """
    sql = """UPDATE mail SET address = '', error = NULL, withdrawn_at =
             coalesce(withdrawn_at, failed_at) WHERE game = ? AND kind = 'moved_away'
             AND coalesce(sent_at, failed_at, withdrawn_at) IS NOT NULL AND about IN (SELECT id
             FROM note WHERE game = ? AND seat = ? AND at >= ?)"""
    db.execute(sql, [game_id, game_id, seat_name, since])


def forget_to(db: Database, game_id: str, address: str | None, now: int) -> None:
    """Remove an address from mails of a game to no seat; unsent ones are withdrawn."""
    sql = """UPDATE mail SET address = '', withdrawn_at = coalesce(withdrawn_at, ?)
             WHERE game = ? AND seat IS NULL AND lower(address) = lower(?) RETURNING id"""
    drop_bytes(db, db.execute(sql, [now, game_id, address]))


def empty_of_seat(db: Database, game_id: str, seat: int) -> None:
    """Remove address and text from all mails to a seat."""
    part(db, "game = ? AND seat = ?", game_id, seat)
    sql = "UPDATE mail SET address = '' WHERE game = ? AND seat = ? RETURNING id"
    drop_bytes(db, db.execute(sql, [game_id, seat]))
