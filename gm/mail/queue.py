"""Queueing mails, in the transaction of what they tell; nothing is written or sent here."""

import hashlib
import secrets
from collections.abc import Iterable

from msgspec import Struct
from sqlite_utils import Database

from gm import store
from gm.clock import HOUR
from gm.store.games import Game
from gm.store.seats import Seat

MASTERS_MAILS = ("words", "joined", "gm_report")
"""Kinds of mail that a game master may choose: players' words, who took a seat, each report."""
TO_MASTERS = (*MASTERS_MAILS, "alarm", "gone", "refused", "sign_in")
"""All kinds of mail to game masters."""

TO_FOLLOWERS = ("follow", "follow_report", "opened")
"""All kinds of mail to followers, or to people who asked to be one. Their `ref` is the
follower's number.
"""

MOST_WORDS = 10
"""At most this many mails an hour to a game master about one seat; all words stand at the desk."""


class Recipient(Struct, frozen=True):
    """A recipient without a seat: game master, applicant or follower."""

    address: str
    language: str
    number: None = None
    link_number: int = 0


def put(
    db: Database,
    game: str,
    round_number: int,
    kind: str,
    recipients: Iterable[Seat | Recipient],
    now: int,
    *,
    ref: int = 0,
    deadline: int = 0,
) -> None:
    """Queue one mail for each recipient who has an address; what is queued already is not queued
    again.

    Call it inside the `write` of what the mail is about.
    """
    rows = [
        {
            "game": game,
            "round": round_number,
            "seat": recipient.number,
            "kind": kind,
            "ref": ref,
            "deadline": deadline,
            "address": recipient.address,
            "language": recipient.language,
            "link_number": recipient.link_number,
            "message_id": f"{kind}.{round_number}.{game}.{secrets.token_hex(8)}",
            "queued_at": now,
            "next_try": now,
        }
        for recipient in recipients
        if recipient.address
    ]
    if rows:
        store.mails.add(db, rows)


def was_sent_lately(db: Database, seat: Seat, since: int, *kinds: str) -> bool:
    """True if a mail of one of these kinds went, or is about to go, to this seat as it is now.
    Inside `write`.
    """
    return not store.mails.kinds_queued_since(db, seat, since).isdisjoint(kinds)


def address_number(address: str) -> int:
    """A number for an address, for mails that go to each address once."""
    return int.from_bytes(hashlib.sha256(address.lower().encode()).digest()[:5], "big")


def put_alarm(db: Database, game: str, round_number: int, now: int) -> None:
    """Tell all game masters of a game that it is held, each at most once an hour. Inside
    `write`.
    """
    for recipient in masters(db, game):
        put(
            db,
            game,
            round_number,
            "alarm",
            [recipient],
            now,
            ref=address_number(recipient.address),
            deadline=now // 3600,
        )


def masters(db: Database, game: str) -> list[Recipient]:
    """All game masters of a game as recipients. Needs nothing of the game's row, which may be
    damaged.
    """
    spoken = store.games.gm_language(db, game)
    recipients = []
    for address in store.games.masters(db, game):
        known = store.accounts.get(db, address)
        recipients.append(Recipient(address, known.language if known else spoken))
    return recipients


def put_for_masters(
    db: Database,
    game: str,
    round_number: int,
    kind: str,
    now: int,
    *,
    seat: int = 0,
    version: int = 0,
) -> None:
    """Mail the game masters of a game who have chosen this kind of mail. Inside `write`.

    Words of a `seat` that still wait to be written are not queued twice: the mail tells what is
    there when it is written.
    """
    about_what = now * store.mails.SEATS + seat if seat else version
    for address in store.games.masters(db, game):
        master = store.accounts.get(db, address)
        if master is None or kind not in master.chosen:
            continue
        about = (game, round_number, kind, address_number(address), seat)
        if seat and (
            store.mails.waits_to_be_written(db, *about)
            or store.mails.queued_since(db, *about, now - HOUR) >= MOST_WORDS
        ):
            continue
        recipient = Recipient(master.address, master.language)
        put(
            db,
            game,
            round_number,
            kind,
            [recipient],
            now,
            ref=address_number(address),
            deadline=about_what,
        )


def put_for_followers(db: Database, game: Game, kind: str, now: int, *, version: int = 0) -> None:
    """Mail a game's followers its report (`follow_report`), or tell those who asked for it that
    a game has opened (`opened`). Nobody follows a private game. Inside `write`.
    """
    number = game.round if kind == "follow_report" else 0
    for one in (
        store.requests.followers(db, game.id if kind == "follow_report" else None)
        if game.listed
        else ()
    ):
        put(
            db,
            game.id,
            number,
            kind,
            [Recipient(one.address, one.language)],
            now,
            ref=one.id,
            deadline=version,
        )
