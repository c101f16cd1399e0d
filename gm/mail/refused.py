"""Mails that were refused or still wait: to send them again at once, or never."""

from collections.abc import Collection

from sqlite_utils import Database

from gm import store
from gm.errors import Refusal
from gm.store import Mail, Seat

NOT_SENT = "sent_at IS NULL AND withdrawn_at IS NULL"
INVITING = ("invite", "confirm", "ready")
"""The kinds of mails that offer a seat: pointless once none can be taken."""
IS_REFUSED = f"{NOT_SENT} AND failed_at IS NOT NULL"


def retry(db: Database, mails: Collection[int], now: int) -> int:
    """Send these mails again as if for the first time; how many there were. Call it inside `write`.

    One that was refused is written anew, with the link that the seat has now: the server has nothing of it.
    """
    sql = f"""UPDATE mail SET next_try = :now, error = NULL, tries = 0, first_try = NULL, failed_at = NULL,
        written_at = iif(failed_at IS NULL, written_at, NULL), bytes = iif(failed_at IS NULL, bytes, NULL),
        link_number = coalesce((SELECT seat.link_number FROM seat WHERE mail.failed_at IS NOT NULL AND seat.game = mail.game
            AND seat.number = mail.seat AND lower(seat.address) = lower(mail.address)), link_number)
        WHERE id = :id AND {NOT_SENT}"""  # noqa: S608  # no user's text
    return sum(db.execute(sql, {"now": now, "id": mail}).rowcount for mail in mails)


def forget(db: Database, mails: Collection[int], now: int) -> int:
    """Never send these mails, nor wait for an answer to them; how many there were. Call it inside `write`."""
    sql = f"UPDATE mail SET withdrawn_at = ?, bytes = NULL WHERE id = ? AND {NOT_SENT}"  # noqa: S608  # likewise
    asked = """DELETE FROM joining WHERE confirmed_at IS NULL AND id = (SELECT ref FROM mail WHERE id = ? AND kind = 'confirm'
        AND withdrawn_at IS NOT NULL)"""
    count = sum(db.execute(sql, [now, mail]).rowcount for mail in mails)
    for mail in mails:
        db.execute(asked, [mail])
    return count


def withdraw_offers(db: Database, game: str, now: int) -> None:
    """No seat of the game can be taken any more: what offers one and was not sent never is. Call it inside `write`."""
    forget(db, [mail.id for mail in unsent(db, game) if mail.kind in INVITING], now)


def withdraw_refused(db: Database, game: str, now: int) -> None:
    """Nobody looks after the game any more: what was refused is never sent again. Call it inside `write`."""
    forget(db, [mail.id for mail in unsent(db, game, refused=True)], now)


def why(db: Database, seat: Seat) -> str | None:
    """The mail server's words if the newest mail to this seat's address was refused, else None."""
    sql = """SELECT failed_at, error FROM mail WHERE game = ? AND seat = ? AND address = ? AND withdrawn_at IS NULL
             AND (sent_at IS NOT NULL OR failed_at IS NOT NULL) ORDER BY id DESC LIMIT 1"""
    last = db.execute(sql, [seat.game, seat.number, seat.address]).fetchone()
    return (last[1] or "") if last and last[0] is not None else None


def named(db: Database, mails: Collection[int], game: str | None = None) -> list[int]:
    """These mails, all of them not sent yet (and of this game). Raises Refusal naming those that are not."""
    odd = [mail for mail in mails if mail not in {m.id for m in unsent(db, game)}]
    if odd:
        raise Refusal("no_mail", numbers=odd)
    return list(mails)


def unsent(db: Database, game: str | None = None, *, refused: bool = False) -> list[Mail]:
    """The mails (of a game) that wait or were refused, oldest first; or only the refused ones."""
    which = IS_REFUSED if refused else NOT_SENT
    sql = f"SELECT * FROM mail WHERE {which} AND game = coalesce(?, game) ORDER BY id"  # noqa: S608  # likewise
    return store.select(db, Mail, sql, game)


def of_seat(db: Database, game: str, seat: int) -> list[int]:
    """The mails to a seat that were refused."""
    return [mail.id for mail in unsent(db, game, refused=True) if mail.seat == seat]


def without_seat(db: Database, game: str) -> list[Mail]:
    """The refused mails to people without a seat: invitations, answers to who asked for a seat, mails to game masters."""
    return [mail for mail in unsent(db, game, refused=True) if mail.seat is None]
