"""The work that waits: robots order, due rounds close, mails are written and sent. Every step does one unit; the loop is trivial.

Any number of processes may do this at once, at any moment: the database decides who was first.
"""

import logging
import sqlite3
import time
from collections import Counter
from collections.abc import Callable

from msgspec import Struct
from sqlite_utils import Database

from gm import clock, store
from gm.deadline.closing import RoundResult, batch_due, close_early_one, close_one
from gm.deadline.outage import Waiting, beat, check_clock, clock_doubt, waiting
from gm.deadline.over import settle_one
from gm.deadline.reminders import remind
from gm.deadline.robots import order_one
from gm.installation import Installation
from gm.mail.sending import ACCEPTED, PUT_OFF, PUT_OFF_AGAIN, REFUSED, ServerRefuses, lease, send_one, write_one
from gm.mail.transports import TransportDown, transport
from gm.people import following
from gm.store.file import backup

log = logging.getLogger(__name__)

RESTORED = "the database was restored from a copy; look it over, then: bohnenpost resume"


class TooManyMails(Exception):
    """More mails are due in one go than anybody means to send; none was. The message says how many, and what to do."""


class ClosedRoundSummary(Struct, frozen=True):
    """A round that this pass closed, how many lists of people it awaited, and how many of these had not come."""

    game: str
    round: int
    seats: int
    absent: int


class PassSummary(Struct, frozen=True):
    """What one pass did: units of each step, and what kept rounds from closing or mail from going out, if anything did.

    `newly_put_off`: how many of the mails that were put off had been tried before by nobody.
    """

    ordered: int
    closed: tuple[ClosedRoundSummary, ...]
    reminded: int
    written: int
    sent: int
    waits: str | None = None
    mail_trouble: str | None = None
    refused: int = 0
    put_off: int = 0
    newly_put_off: int = 0
    rounds_wait: tuple[Waiting, ...] = ()


class Posted(Struct, frozen=True):
    """What one pass over the outbox did: batches written; mails that the server accepted, refused, and put off until later,
    some of them for the first time.

    `trouble`: what is wrong with the mail server, if anything is.
    """

    written: int = 0
    accepted: int = 0
    refused: int = 0
    put_off: int = 0
    trouble: str | None = None
    newly_put_off: int = 0


def work(installation: Installation, now: int | None = None, *, clock_is_right: bool = False) -> PassSummary:
    """One pass over everything that is due: rounds first, then mail. What is busy is left for the next pass.

    Raises sqlite3.OperationalError if the database stays locked or the disk takes nothing.
    """
    now = clock.now() if now is None else now
    ordered, closed, reminded, waits = close_due(installation, now, clock_is_right=clock_is_right)
    tidy_up(installation, now)
    try:
        mail = post(installation, now)
    except TooManyMails as error:
        mail = Posted(trouble=str(error))
    with installation.connection() as db:
        rounds_wait = () if backup.held(db) else tuple(waiting(db, now))
    mails = (mail.written, mail.accepted, waits, mail.trouble, mail.refused, mail.put_off, mail.newly_put_off)
    return PassSummary(ordered, closed, reminded, *mails, rounds_wait)


def close_due(
    installation: Installation, now: int, *, clock_is_right: bool = False
) -> tuple[int, tuple[ClosedRoundSummary, ...], int, str | None]:
    """(robots that ordered, rounds closed, reminders queued, why rounds wait). Waits on no mail server."""
    with installation.connection() as db:
        if backup.held(db):
            return 0, (), 0, RESTORED
        ordered = _all(lambda: order_one(db, now))
        results: list[RoundResult] = []
        waits = check_clock(db, now, clock.boot(), clock.boot_id(), trusted=clock_is_right)
        reminded = 0
        if waits is None:
            _all(lambda: close_early_one(db, now))
            batch = batch_due(db, now)
            if batch:
                backup.around(db, installation.config, "before", batch, now)
            _all(lambda: close_one(db, installation.config, now, results))
            if results:
                backup.around(db, installation.config, "after", batch, now)
            reminded = remind(db, now)
        else:
            log.warning("no round is closed: %s", waits)
        ordered += _all(lambda: order_one(db, now))
    closed = tuple(ClosedRoundSummary(c.game.id, c.game.round, len(c.people), c.absent) for c in results)
    return ordered, closed, reminded, waits


def tidy_up(installation: Installation, now: int) -> None:
    """Look back at the games that are over, and forget followers who never confirmed it."""
    with installation.connection() as db:
        if clock_doubt(db, now) is None:
            following.forget_stale(db, now)
        _all(lambda: settle_one(db))


def post(installation: Installation, now: int) -> Posted:
    """Write and send the mail that is due.

    Raises TooManyMails, before the first, if more are due than the settings allow.
    """
    with installation.connection() as db:
        if backup.held(db):
            return Posted(trouble=RESTORED)
        if (many := store.mails.due(db, now)) > installation.config.most_mails:
            why = "none is sent before somebody has looked (bohnenpost mail list)"
            raise TooManyMails(f"{many} mails are due, more than the setting most_mails: {why}")
        written = _all(lambda: backup.held(db) is None and write_one(db, installation, now))
        became, trouble = _send_all(db, installation, now)
    count = Counter(became.values())
    put_off = count[PUT_OFF] + count[PUT_OFF_AGAIN]
    return Posted(written, count[ACCEPTED], count[REFUSED], put_off, trouble, count[PUT_OFF])


def _send_all(db: Database, installation: Installation, now: int) -> tuple[dict[int, str], str | None]:
    """What became of the mails that are due, by id, and why no more were tried if there are more."""
    became: dict[int, str] = {}
    began = time.monotonic()
    in_doubt = clock_doubt(db, now) is not None
    with transport(installation.config, installation.mail_folder) as server:
        try:
            mail = lease(db, now, in_doubt=in_doubt)
            while mail is not None and backup.held(db) is None:  # a copy may have taken the place of the database
                later = now + int(time.monotonic() - began)  # a long pass outlives no lease
                sent = send_one(db, server, mail, later, in_doubt=in_doubt)
                became |= sent.became
                mail = sent.following
        except TransportDown as error:
            if isinstance(error, ServerRefuses):
                became |= error.became
            log.warning("mail waits: %s", error)
            return became, str(error)
    return became, None


def beat_once(installation: Installation) -> None:
    """Note that pages are being served, for a web process without the rest."""
    try:
        with installation.connection() as db:
            beat(db, clock.now())
    except sqlite3.OperationalError as error:
        log.warning("beat: %s", error)


def _all(step: Callable[[], bool]) -> int:
    count = 0
    while step():
        count += 1
    return count
