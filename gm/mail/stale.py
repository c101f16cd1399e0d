"""Mails that have nothing to say any more by the time they could go out."""

from sqlite_utils import Database

from gm import store
from gm.store import Mail


def is_stale(db: Database, mail: Mail, now: int) -> bool:
    """Whether a queued reminder has nothing to say any more: orders are in, the round is over, or its deadline is another one.

    Or word of a refused mail that is sent again.
    """
    if mail.kind == "refused":
        return not store.is_refused(db, mail.ref)
    if mail.kind != "reminder":
        return False
    game = store.game(db, mail.game)
    if game is None or not game.is_open or (game.round, game.deadline) != (mail.round, mail.deadline) or now >= mail.deadline:
        return True
    return mail.seat in store.newest_revisions(db, mail.game, mail.round)


def stays(db: Database, mail: Mail) -> bool:
    """Whether a reminder belongs to a game that is held: let go on in time, it still has something to say."""
    game = store.game(db, mail.game) if mail.kind == "reminder" else None
    return game is not None and game.status == "held"
