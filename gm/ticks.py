"""The passes of a running service: over rounds, over mail, and for copies, each at the instant at
which it has something to do.
"""

import logging
import os
import signal
import sqlite3
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from apscheduler.schedulers.background import BackgroundScheduler

from gm import clock
from gm.deadline.outage import beat, check_clock
from gm.deadline.upcoming import next_copy, next_mail, next_pass
from gm.installation import Installation
from gm.service import LEAVING, RESTORED, TooManyMails, tick_copies, tick_mail, tick_rounds, tidy_up
from gm.store.db import Database
from gm.store.file.migrations import OtherSchema

log = logging.getLogger(__name__)

PASS_SECONDS = 60
"""After this long there is a pass, whatever is known to be due."""
LOOK_SECONDS = 2
"""How often a thread looks whether anything was changed, or the clock was set."""
BETWEEN_SECONDS = 1
"""The shortest time from the beginning of a pass to the next."""
REST_SECONDS = 10
"""How long a pass rests that could not do what is due."""
BEAT_SECONDS = 10
"""How often a process that only serves pages looks whether it has to store a heartbeat."""
SET_SECONDS = 1.5
"""If the wall clock moves by more than this against the steady one, somebody has set it, or the
machine slept.
"""
LET_CLOSE_SECONDS = 60
"""How long mail waits for a pass over rounds, so that rounds close without it."""


class Ticks:
    """The passes of a running service. Rounds and mail are separate, so that a slow mail server
    holds up no round.

    A scheduler starts each at the nearest instant at which something is due. That is found out
    anew after each pass, and when anybody has changed the database or set the clock. A thread of
    its own looks for that: the scheduler sleeps by the wall clock, so one that is set back would
    silence it. A mail server that is down is left alone for 30 seconds, doubling to five minutes.
    """

    def __init__(self, installation: Installation, *, serves_pages: bool) -> None:
        """`serves_pages`: whether this process serves pages, so that its standing still counts
        as an outage.
        """
        self._installation = installation
        self._serves_pages = serves_pages
        # not three interval jobs that ask whether anything is due: a clock that is set back would
        # silence them too, so the thread that looks for that would have to stay
        self._scheduler = BackgroundScheduler(timezone=UTC)
        self._stopping = threading.Event()
        # a scheduler that shuts down waits for its jobs with a lock that adding one needs
        self._setting = threading.Lock()
        self._looking = threading.Thread(target=self._look, name="look", daemon=True)
        self._passes = {
            "rounds": _Pass(self.rounds, next_pass),
            "mail": _Pass(self.mail, next_mail),
        }
        if installation.config.backup_folder:
            self._passes["copies"] = _Pass(self.copies, next_copy)
        self._mail_pause = 0

    def start(self) -> None:
        """Begin with a pass over everything."""
        self._scheduler.start()
        self._looking.start()
        for name in self._passes:
            self._set(name, clock.now())

    def start_beats(self) -> None:
        """Store heartbeats and do nothing else: another process closes rounds and sends mail."""
        self._scheduler.add_job(
            self.beat, "interval", seconds=BEAT_SECONDS, next_run_time=datetime.now(UTC)
        )
        self._scheduler.start()

    def repeat(self, job: Callable[[], None]) -> None:
        """Run a job that is in no hurry every ten minutes."""
        self._scheduler.add_job(job, "interval", seconds=10 * PASS_SECONDS)

    def stop(self) -> None:
        """Finish the steps that were begun, and begin nothing more."""
        with self._setting:
            self._stopping.set()
        LEAVING.set()
        try:
            self._scheduler.shutdown(wait=True)
        finally:
            LEAVING.clear()

    def beat(self) -> None:
        """Store a heartbeat, in a web process that does nothing else."""
        try:
            with self._installation.connection() as db:
                beat(db, clock.now())
        except sqlite3.OperationalError as error:
            log.warning("beat: %s", error)
        except OtherSchema as error:
            end_process(error)

    def rounds(self) -> float:
        """One pass over rounds. Skipped if the database is locked. Returns how many seconds the
        next one rests.
        """
        now = clock.now()
        try:
            if self._serves_pages:
                with self._installation.connection() as db:
                    beat(db, now)
            done = tick_rounds(self._installation, now)
            if not done.closed:  # idle
                tidy_up(self._installation, now)
        except sqlite3.OperationalError as error:
            log.warning("rounds: %s", error)
            return REST_SECONDS
        except OtherSchema as error:
            end_process(error)
            return REST_SECONDS
        if done.closed:
            log.info("rounds closed: %s", len(done.closed))
        return REST_SECONDS if done.waits else 0

    def mail(self) -> float:
        """One pass over the outbox, once no pass over rounds is running. Returns how many seconds
        the next one rests.
        """
        rounds = self._passes["rounds"].running
        if rounds.acquire(timeout=LET_CLOSE_SECONDS):
            rounds.release()
        now = clock.now()
        try:
            with self._installation.connection() as db:
                # the pass over rounds may come later
                check_clock(db, now, clock.boot(), clock.boot_id())
            trouble = tick_mail(self._installation, now).trouble
        except (sqlite3.OperationalError, TooManyMails) as error:
            log.warning("mail: %s", error)
            return REST_SECONDS
        except OtherSchema:
            return REST_SECONDS  # the pass over rounds ends the process
        is_down = trouble not in (None, RESTORED)
        self._mail_pause = min(max(30, self._mail_pause * 2), 300) if is_down else 0
        return self._mail_pause

    def copies(self) -> float:
        """A copy of the database, if one is due before or after a batch of rounds. Returns how
        many seconds the next one rests.
        """
        try:
            tick_copies(self._installation, clock.now())
        except (sqlite3.OperationalError, OtherSchema) as error:
            log.warning("copies: %s", error)
            return PASS_SECONDS
        return 0

    def _run(self, name: str) -> None:
        """One pass, and no second one beside it; then all find out when they come next."""
        kind = self._passes[name]
        try:
            with kind.running:
                kind.began = time.monotonic()
                kind.rests_until = kind.began + REST_SECONDS  # if it fails
                kind.rests_until = time.monotonic() + kind.once()
        finally:
            self._plan()

    def _plan(self) -> None:
        """Set each pass to the nearest instant at which it has something to do. If that cannot be
        found out, it comes after a rest, and finds what is wrong.
        """
        now = clock.now()
        for name, kind in self._passes.items():
            until = now + round(max(0, kind.began + PASS_SECONDS - time.monotonic()))
            try:
                with self._installation.connection() as db:
                    instant = kind.comes_next(db, now, until)
            except Exception as error:  # whatever it is, passes go on
                log.warning("%s: %s", name, error)
                instant = min(until, now + REST_SECONDS)
            self._set(name, instant)

    def _set(self, name: str, instant: int) -> None:
        """Start a pass at this instant. One that runs sets the next itself once it has ended."""
        kind = self._passes[name]
        if kind.running.locked():
            return
        rest = max(kind.began + BETWEEN_SECONDS, kind.rests_until) - time.monotonic()
        soonest = datetime.now(UTC) + timedelta(seconds=max(0, rest))
        with self._setting:
            if self._stopping.is_set():
                return
            self._scheduler.add_job(
                self._run,
                "date",
                run_date=max(datetime.fromtimestamp(instant, UTC), soonest),
                args=[name],
                id=name,
                replace_existing=True,
                misfire_grace_time=None,
                # the one that sets the next has not ended for the scheduler yet
                max_instances=2,
            )

    def _look(self) -> None:
        """Plan anew when anybody has changed the database or set the clock, until stopped."""
        while not self._stopping.is_set():
            version: object = None
            ahead = 0.0
            try:
                # opened anew each minute, because a restore may have put another file there
                with self._installation.connection() as db:
                    for _ in range(PASS_SECONDS // LOOK_SECONDS):
                        seen, moved = db.version, clock.now() - time.monotonic()
                        if seen != version or abs(moved - ahead) > SET_SECONDS:
                            version, ahead = seen, moved
                            self._plan()
                        if self._stopping.wait(LOOK_SECONDS):
                            return
            except Exception as error:  # whatever it is, this thread goes on
                log.warning("look: %s", error)
                self._stopping.wait(LOOK_SECONDS)


class _Pass:
    """One kind of pass: what it does once and how long it rests then, when it has something to do
    next, whether it runs, when the last one began and until when it rests (by the steady clock).
    """

    def __init__(
        self, once: Callable[[], float], comes_next: Callable[[Database, int, int], int]
    ) -> None:
        self.once, self.comes_next = once, comes_next
        self.running, self.began, self.rests_until = threading.Lock(), 0.0, 0.0


def end_process(error: OtherSchema) -> None:
    """End this process as SIGTERM does: a newer program has changed the schema, and whoever
    looks after us starts that one.
    """
    log.error("%s; this process ends, so that the new one can be started", error)
    os.kill(os.getpid(), signal.SIGTERM)


def tick_until_stopped(ticks: Ticks, ready: Callable[[], None]) -> None:
    """Run the passes until SIGTERM or Ctrl-C; what was begun is finished."""
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda *_: stop.set())
    ticks.start()
    ready()
    stop.wait()
    ticks.stop()
