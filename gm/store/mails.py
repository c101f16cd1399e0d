"""Mails, from queued to sent."""

from msgspec import Struct
from sqlite_utils import Database

from gm.store.db import select_one
from gm.store.lists import Revision

SEATS = 1_000_000
"""More than any game has: an instant and a seat fit into one number."""


class Mail(Struct, frozen=True):
    """A mail in the outbox: queued with its round, written once, sent with the same bytes until it is taken.

    `seat` None: to the game master. `ref`: the revision of a receipt, the note of a piece of news, the lead time of a
    reminder, which also names the `deadline` it was for. A mail to a game master is about an address in short, and its
    `deadline` says what of: for a player's words or a new seat instant and seat in one number.
    """

    id: int
    game: str
    round: int
    seat: int | None
    kind: str
    ref: int
    deadline: int
    address: str
    language: str
    link_number: int
    message_id: str
    queued_at: int
    written_at: int | None
    bytes: bytes | None
    digest: str | None
    tries: int
    first_try: int | None
    next_try: int
    sent_at: int | None
    failed_at: int | None
    withdrawn_at: int | None
    error: str | None

    @property
    def of_seat(self) -> int:
        """The seat that a mail to a game master tells of."""
        return self.deadline % SEATS


def receipt_mail(db: Database, of: Revision) -> Mail | None:
    """The mail with the receipt of a list, if one was queued and not withdrawn."""
    sql = """SELECT * FROM mail WHERE game = ? AND round = ? AND seat = ? AND kind = 'receipt' AND ref = ?
             AND withdrawn_at IS NULL ORDER BY id DESC LIMIT 1"""
    return select_one(db, Mail, sql, of.game, of.round, of.seat, of.number)
