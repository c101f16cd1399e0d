"""The passes of a running service, started by a scheduler: one for rounds, one for mail."""

import logging
import os
import signal
import sqlite3
import threading
from collections.abc import Callable
from datetime import UTC, datetime

from apscheduler.schedulers.background import BackgroundScheduler

from gm import clock
from gm.deadline.outage import beat, check_clock
from gm.installation import Installation
from gm.service import TooManyMails, tick_mail, tick_rounds, tidy_up
from gm.store.file.migrations import OtherSchema

log = logging.getLogger(__name__)

INTERVAL_SECONDS = 10

Tick = Callable[[], object]


class Ticks:
    """The passes of a running service. Rounds and mail are separate, so that a slow mail server
    holds up no round.

    A mail server that is down is left alone for 30 seconds, doubling to five minutes.
    """

    def __init__(self, installation: Installation, *, serves_pages: bool) -> None:
        """`serves_pages`: whether this process serves pages, so that its standing still counts
        as an outage.
        """
        self._installation = installation
        self._serves_pages = serves_pages
        self._mail_pause, self._no_mail_before = 0, 0

    def beat(self) -> None:
        """Store a heartbeat, in a web process that does nothing else."""
        try:
            with self._installation.connection() as db:
                beat(db, clock.now())
        except sqlite3.OperationalError as error:
            log.warning("beat: %s", error)
        except OtherSchema as error:
            end_process(error)

    def rounds(self) -> None:
        """One pass over rounds. Skipped if the database is locked."""
        now = clock.now()
        try:
            if self._serves_pages:
                with self._installation.connection() as db:
                    beat(db, now)
            closed = tick_rounds(self._installation, now).closed
            if not closed:  # idle
                tidy_up(self._installation, now)
        except sqlite3.OperationalError as error:
            log.warning("rounds: %s", error)
        except OtherSchema as error:
            end_process(error)
        else:
            if closed:
                log.info("closed %s rounds", len(closed))

    def mail(self) -> None:
        """One pass over the outbox."""
        now = clock.now()
        if now < self._no_mail_before:
            return
        try:
            with self._installation.connection() as db:
                # the pass over rounds may come later
                check_clock(db, now, clock.boot(), clock.boot_id())
            trouble = tick_mail(self._installation, now).trouble
        except (sqlite3.OperationalError, TooManyMails) as error:
            log.warning("mail: %s", error)
            return
        except OtherSchema:
            return  # the pass over rounds ends the process
        self._mail_pause = min(max(30, self._mail_pause * 2), 300) if trouble else 0
        self._no_mail_before = now + self._mail_pause


def end_process(error: OtherSchema) -> None:
    """End this process as SIGTERM does: a newer program has changed the schema, and whoever
    looks after us starts that one.
    """
    log.error("%s; this process ends, so that the new one can be started", error)
    os.kill(os.getpid(), signal.SIGTERM)


def tick_until_stopped(ticks: list[Tick], ready: Callable[[], None]) -> None:
    """Run the ticks until SIGTERM or Ctrl-C; what was begun is finished."""
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    scheduler = scheduler_of(ticks)
    scheduler.start()
    ready()
    stop.wait()
    scheduler.shutdown(wait=True)


def scheduler_of(ticks: list[Tick]) -> BackgroundScheduler:
    """A scheduler for these ticks. It has no job store and no grace limit: the table of games is
    the truth, this only wakes us up.
    """
    scheduler = BackgroundScheduler(timezone=UTC)
    for tick in ticks:
        scheduler.add_job(
            tick,
            "interval",
            seconds=INTERVAL_SECONDS,
            next_run_time=datetime.now(UTC),
            coalesce=True,
            max_instances=1,
            misfire_grace_time=None,
        )
    return scheduler
