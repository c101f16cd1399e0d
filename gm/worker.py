"""The work that waits: robots order, due rounds close, mails are written and sent. Every step does one unit; the loop is trivial.

Any number of processes may do this at once, at any moment: the database decides who was first.
"""

import logging
import sqlite3
from collections.abc import Callable

from msgspec import Struct

from gm import clock
from gm.deadline import Closing, close_one
from gm.installation import Installation
from gm.mail import Down, carrier
from gm.orders import order_one
from gm.outbox import send_one, write_one

log = logging.getLogger(__name__)


class Closed(Struct, frozen=True):
    """A round that this pass closed, and how many of its seats had sent nothing."""

    game: str
    round: int
    seats: int
    absent: int


class Done(Struct, frozen=True):
    """What one pass did: units of each step, and what kept the mail from going out, if anything did."""

    ordered: int
    closed: tuple[Closed, ...]
    written: int
    sent: int
    mail_trouble: str | None = None


def work(installation: Installation, now: int | None = None) -> Done:
    """One pass over everything that is due. Raises sqlite3.OperationalError if the database stays locked;

    the next pass goes on.
    """
    now = clock.now() if now is None else now
    domain = installation.config.mail_domain
    with installation.connection() as db:
        ordered = _all(lambda: order_one(db, now, domain))
        closings: list[Closing] = []
        _all(lambda: close_one(db, now, domain, closings))
        ordered += _all(lambda: order_one(db, now, domain))
        written = _all(lambda: write_one(db, installation, now))
        sent, trouble = 0, None
        with carrier(installation.config, installation.mail_folder) as post:
            try:
                while send_one(db, post, now):
                    sent += 1
            except Down as error:
                log.warning("mail waits: %s", error)
                trouble = str(error)
    closed = tuple(Closed(c.game.id, c.game.round, len(c.lists), list(c.lists.values()).count(None)) for c in closings)
    return Done(ordered, closed, written, sent, trouble)


def tick(installation: Installation) -> None:
    """One pass for the scheduler: a busy database is no fault, the next tick comes."""
    try:
        done = work(installation)
    except sqlite3.OperationalError as error:
        log.warning("tick: %s", error)
    else:
        if done.closed or done.sent:
            log.info("closed %s rounds, sent %s mails", len(done.closed), done.sent)


def _all(step: Callable[[], bool]) -> int:
    count = 0
    while step():
        count += 1
    return count
