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
"""The kinds of mail that a game master may choose: players' words, who took a seat, each report."""
TO_MASTERS = (*MASTERS_MAILS, "alarm", "gone", "refused", "sign_in")
"""All kinds of mail that go to somebody because they are a game master."""

TO_FOLLOWERS = ("follow", "follow_report", "opened")
"""All kinds of mail that go to who follows a game, or wants to know when one opens, or asked to.
Their `ref` says who.
"""

MOST_WORDS = 10
"""So often an hour a game master is mailed of one seat: all its words stand at the desk."""


class Reader(Struct, frozen=True):
    """Somebody whom a mail goes to for no seat: the game master, who asks for a seat, who
    follows.
    """

    address: str
    language: str
    number: None = None
    link_number: int = 0


def put(
    db: Database,
    game: str,
    round_number: int,
    kind: str,
    readers: Iterable[Seat | Reader],
    now: int,
    *,
    ref: int = 0,
    deadline: int = 0,
) -> None:
    """One mail for each reader who has an address; what is queued already is not queued again.

    Call it inside the `write` of what the mail is about.
    """
    rows = [
        {
            "game": game,
            "round": round_number,
            "seat": reader.number,
            "kind": kind,
            "ref": ref,
            "deadline": deadline,
            "address": reader.address,
            "language": reader.language,
            "link_number": reader.link_number,
            "message_id": f"{kind}.{round_number}.{game}.{secrets.token_hex(8)}",
            "queued_at": now,
            "next_try": now,
        }
        for reader in readers
        if reader.address
    ]
    if rows:
        store.mails.add(db, rows)


def was_sent_lately(db: Database, seat: Seat, since: int, *kinds: str) -> bool:
    """Whether a mail of one of these kinds went, or is about to go, to this seat as it is now.
    Call it inside `write`.
    """
    return not store.mails.kinds_queued_since(db, seat, since).isdisjoint(kinds)


def address_number(address: str) -> int:
    """A number that stands for an address, for mails that go to each address once."""
    return int.from_bytes(hashlib.sha256(address.lower().encode()).digest()[:5], "big")


def put_alarm(db: Database, game: str, round_number: int, now: int) -> None:
    """Tell everybody who leads a game that it is held; each at most once an hour. Call it inside
    `write`.
    """
    for reader in masters(db, game):
        put(
            db,
            game,
            round_number,
            "alarm",
            [reader],
            now,
            ref=address_number(reader.address),
            deadline=now // 3600,
        )


def masters(db: Database, game: str) -> list[Reader]:
    """Everybody who leads a game, each in their own language. Needs nothing of the game's row,
    which may be what is damaged.
    """
    spoken = store.games.gm_language(db, game)
    found = []
    for address in store.games.masters(db, game):
        known = store.accounts.get(db, address)
        found.append(Reader(address, known.language if known else spoken))
    return found


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
    """Mail everybody who leads a game and has chosen this kind of mail. Call it inside `write`.

    Words of a `seat` that still wait to be written are not queued twice: what is there when they
    are written is what is told.
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
        reader = Reader(master.address, master.language)
        put(
            db,
            game,
            round_number,
            kind,
            [reader],
            now,
            ref=address_number(address),
            deadline=about_what,
        )


def put_for_followers(db: Database, game: Game, kind: str, now: int, *, version: int = 0) -> None:
    """Mail who follows a game the report of its open round (`follow_report`), which is just
    being closed, or that it has opened (`opened`) to who wants to know of any. Nobody follows a
    private game. Call it inside `write`.
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
            [Reader(one.address, one.language)],
            now,
            ref=one.id,
            deadline=version,
        )
