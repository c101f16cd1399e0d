"""Followers: people without a seat who get the reports of a public game, or a mail whenever one
opens. They ask for it, and confirm by mail.
"""

from gm import store
from gm.clock import DAY, HOUR
from gm.errors import Refusal
from gm.games.names import checked_address
from gm.mail import queue
from gm.mail.queue import Event, Recipient
from gm.people.joining import (
    MOST_OF_A_GAME,
    VALID_SECONDS,
    check_unconfirmed_limit,
    is_asked_often,
    mailbox_number,
)
from gm.store.db import Database, write
from gm.store.games import Game
from gm.store.requests import Follower

MOST_FOLLOWERS = 500
"""Most followers of one game, or of all games that open."""
KEPT_SECONDS = 30 * DAY
"""How long after the end of a game its followers are kept: a last round may be taken back."""


def ask(
    db: Database, game: Game | None, address: str, language: str, now: int, *, own: str = ""
) -> None:
    """Mail a button to somebody who wants to follow a game, or (None) to be told when one opens;
    nothing else happens.

    Followers are mailed nothing. `own`: the address our mails come from. Raises Refusal for a
    bad address, while too many ask, or if there is nothing to follow.
    """
    address = checked_address(address, own)
    with write(db):
        store.meta.always_write(db)
        check_unconfirmed_limit(db, "follow", now)
        of_game = game.id if game else None
        if store.requests.unconfirmed_followers(db, of_game, now - HOUR) >= MOST_OF_A_GAME:
            raise Refusal("many_asked")
        if game and not can_be_followed(game):
            raise Refusal("nothing_to_follow")
        known = next(
            (
                one
                for one in store.requests.followings_of(db, address)
                if one.game == (game and game.id)
            ),
            None,
        )
        if known is not None and (known.confirmed_at is not None or known.at > now - HOUR):
            return
        if is_asked_often(db, address, now):
            return
        row = {"game": game and game.id, "address": address, "language": language, "at": now}
        if known is None:
            number = store.requests.add_follower(db, row)
        else:
            number = known.id
            store.requests.update_follower(db, number, row)
        recipient = Recipient(address, language)
        asked = Event(kind="follow", about=number, mailbox=mailbox_number(address), mark=now)
        queue.put(db, of_game, 0, asked, [recipient], now)


def can_be_followed(game: Game) -> bool:
    """True if the game is public and not over."""
    return game.is_public and game.status != "finished"


def confirm(db: Database, asked: Follower, now: int) -> None:
    """The button: from now on mails come. Raises Refusal if it is too late, or too many follow
    already.
    """
    with write(db):
        current = store.requests.follower(db, asked.id)
        if current is None or (current.confirmed_at is None and now - current.at > VALID_SECONDS):
            raise Refusal("expired_follow")
        if current.confirmed_at is None:
            if len(store.requests.followers(db, current.game)) >= MOST_FOLLOWERS:
                raise Refusal("many_followers")
            store.requests.update_follower(db, current.id, {"confirmed_at": now})


def stop(db: Database, number: int, now: int) -> None:
    """End the mails; nothing of the follower is kept."""
    with write(db):
        store.requests.remove_follower(db, number, now)


def forget_stale(db: Database, now: int) -> None:
    """Forget followers who never confirmed, those of games that are long over, and after an hour
    which mailboxes were written to.
    """
    stale = store.requests.stale_followers(db, now - VALID_SECONDS, now - KEPT_SECONDS)
    if not stale and not store.requests.counts_mailboxes(db, now - HOUR):
        return
    with write(db):
        for number in stale:
            store.requests.remove_follower(db, number, now)
        store.requests.forget_mailboxes(db, now - HOUR)
