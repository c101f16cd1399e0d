"""Queueing mails, in the transaction of what they tell; nothing is written or sent here."""

import hashlib
import secrets
from collections.abc import Iterable

from msgspec import Struct, structs

from gm import errors, store
from gm.clock import HOUR
from gm.mail.kinds import KINDS
from gm.store.db import Database
from gm.store.games import Game
from gm.store.seats import Seat

MOST_WORDS = 10
"""At most this many mails an hour to a game master about one seat; all words stand at the desk."""


class Recipient(Struct, frozen=True):
    """A recipient without a seat: game master, applicant or follower."""

    address: str
    language: str
    number: None = None
    link_number: int = 0


class Event(Struct, frozen=True, kw_only=True):
    """What a mail tells: its kind, and the number of what it is `about` (`gm.mail.kinds`).

    Of a reminder the `deadline`, and `lead`, how many seconds before it; None by hand, once an
    hour. `act`: what it tells was done to several games at once. `mailbox`: by it the mails to
    people who only asked to follow are counted. `mark` keeps apart what can be told several
    times: an instant, an hour, the number of a link, the version of a round.
    """

    kind: str
    about: int | None = None
    lead: int | None = None
    deadline: int | None = None
    act: int | None = None
    mailbox: int | None = None
    mark: int = 0


def put(
    db: Database,
    game: str | None,
    round_number: int,
    event: Event,
    recipients: Iterable[Seat | Recipient],
    now: int,
    *,
    not_before: int = 0,
) -> None:
    """Queue one mail for each recipient who has an address; what is queued already is not queued
    again. What tells of one act is written together for each address, nothing before `not_before`.

    Call it inside the `write` of what the mail is about.
    """
    columns = structs.asdict(event)
    mark, place = columns.pop("mark"), [] if game is None else [game, str(round_number)]
    about = [str(value) for name, value in columns.items() if name != "kind" and value is not None]
    what = " ".join([event.kind, *place, *about, str(mark)])
    rows = [
        {
            **columns,
            "once": f"{what} {_whom(game, recipient)}",
            "batch": " ".join(_batch(event, what, place, recipient)),
            "game": game,
            "round": round_number,
            "seat": recipient.number,
            "address": recipient.address,
            "language": recipient.language,
            "link_number": recipient.link_number,
            "message_id": ".".join([event.kind, *reversed(place), secrets.token_hex(8)]),
            "queued_at": now,
            "next_try": max(now, not_before),
            "not_before": not_before,
        }
        for recipient in recipients
        if recipient.address
    ]
    if rows:
        store.mails.add(db, rows)


def _batch(event: Event, what: str, place: list[str], recipient: Seat | Recipient) -> list[str]:
    """What is written together: for an address what tells of one act, else the mails of a kind
    about a round; each mail about no game is written by itself.
    """
    if event.act is not None:
        return ["act", str(event.act), _digest(recipient.address or "")]
    return [event.kind, *place] if place else [what, _whom(None, recipient)]


def _whom(game: str | None, recipient: Seat | Recipient) -> str:
    """A seat, or a digest of an address: the address itself may have to be forgotten."""
    if recipient.number is not None:
        return f"seat {recipient.number}"
    address = recipient.address or ""
    # in other capitals it may be another's mailbox, which has a link of its own
    return _digest(address if game is None else address.lower())


def _digest(address: str) -> str:
    return hashlib.sha256(address.encode()).hexdigest()


def was_sent_lately(db: Database, seat: Seat, since: int, *kinds: str) -> bool:
    """True if a mail of one of these kinds went, or is about to go, to this seat as it is now.
    Inside `write`.
    """
    return not store.told.kinds_queued_since(db, seat, since).isdisjoint(kinds)


def put_alarm(db: Database, game: str, round_number: int, now: int) -> None:
    """Tell all game masters of a game that it is held, each at most once an hour. Inside
    `write`.
    """
    put(db, game, round_number, Event(kind="alarm", mark=now // HOUR), masters(db, game), now)


def masters(db: Database, game: str) -> list[Recipient]:
    """All game masters of a game as recipients. Needs nothing of the game's row, which may be
    damaged.
    """
    spoken = store.games.gm_language(db, game)
    recipients = []
    for address in store.games.masters(db, game):
        language = spoken
        with errors.passed_over(f"the account of a game master of {game}"):
            known = store.accounts.get(db, address)
            language = known.language if known else spoken
        recipients.append(Recipient(address, language))
    return recipients


def put_for_masters(db: Database, game: str, round_number: int, event: Event, now: int) -> None:
    """Mail the game masters of a game who have chosen this kind of mail. Inside `write`.

    Of one seat no second mail is queued while the first is not yet written, because that will tell
    the newest, and at most MOST_WORDS in an hour.
    """
    for address in store.games.masters(db, game):
        master, is_wanted = None, False
        with errors.passed_over(f"the account of a game master of {game}"):
            master = store.accounts.get(db, address)
            is_wanted = master is not None and event.kind in master.chosen
        if master is None or not is_wanted:
            continue
        if KINDS[event.kind].about == "seat":
            about = (game, round_number, event.kind, master.address, event.about or 0)
            if (
                store.told.waits_to_be_written(db, *about)
                or store.told.queued_since(db, *about, now - HOUR) >= MOST_WORDS
            ):
                continue
        put(db, game, round_number, event, [Recipient(master.address, master.language)], now)


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
        event = Event(kind=kind, about=one.id, mark=version)
        put(db, game.id, number, event, [Recipient(one.address, one.language)], now)
