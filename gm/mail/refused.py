"""Mails that were refused or still wait: send them again at once, or never."""

from collections.abc import Collection, Sequence

from gm import store
from gm.errors import Refusal
from gm.mail.kinds import kind_of
from gm.store.db import Database
from gm.store.mails import Mail

MOST_ASKED = 20
"""Most refused mails to applicants that are shown: anybody may ask, with any address."""


def retry(db: Database, mails: Collection[int], now: int) -> int:
    """Send these mails again as if for the first time; returns how many there were. Inside
    `write`.

    A refused mail is written anew, with the link that the seat has now.
    """
    return sum(store.mails.retry(db, mail, now) for mail in mails)


def forget(db: Database, mails: Collection[int], now: int) -> int:
    """Never send these mails; returns how many there were. Inside `write`."""
    count = sum(store.mails.withdraw(db, mail, now) for mail in mails)
    for mail in mails:
        store.requests.drop_withdrawn_request(db, mail)
    return count


def withdraw_offers(db: Database, game: str, now: int) -> None:
    """No seat of the game can be taken any more: never send what offers one. Inside `write`."""
    mails = store.mails.waiting_or_refused(db, game)
    forget(db, [mail.id for mail in mails if kind_of(mail.kind).offers_seat], now)


def withdraw_refused(db: Database, game: str, now: int) -> None:
    """Nobody looks after the game any more: never send what was refused. Inside `write`."""
    forget(db, [mail.id for mail in store.mails.waiting_or_refused(db, game, refused=True)], now)


def named(
    db: Database, mails: Collection[int], game: str | None = None, *, refused: bool = False
) -> list[int]:
    """These mails, if all of them are unsent or refused (and of this game). Raises Refusal
    naming the others.
    """
    known = {mail.id for mail in store.mails.waiting_or_refused(db, game, refused=refused)}
    odd = [mail for mail in mails if mail not in known]
    if odd:
        raise Refusal("no_mail", numbers=odd)
    return list(mails)


def of_seat(db: Database, game: str, seat: int) -> list[int]:
    """The refused mails to a seat."""
    return [
        mail.id
        for mail in store.mails.waiting_or_refused(db, game, refused=True)
        if mail.seat == seat
    ]


def without_seat(db: Database, games: Sequence[str]) -> list[Mail]:
    """The refused mails about these games to people without a seat: invitations, the newest
    answers to applicants, mails to game masters.
    """
    found = []
    mails = store.told.refused_without_seat(db, games)
    for game in games:
        of_game = [mail for mail in mails if mail.game == game]
        asked = [mail for mail in of_game if mail.kind == "confirm"]
        found += [mail for mail in of_game if mail not in asked[:-MOST_ASKED]]
    return found


def of_no_game(db: Database) -> list[Mail]:
    """The newest refused mails that are about no game: the host's."""
    mails = [mail for mail in store.mails.waiting_or_refused(db, refused=True) if mail.game is None]
    return mails[-MOST_ASKED:]
