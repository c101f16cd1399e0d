"""A game that fails never stops the others: work on it is tried three times, then it is held and
its game masters are told.
"""

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from gm import errors, store
from gm.mail import queue
from gm.store.connections import opened
from gm.store.db import Database, write
from gm.store.games import WorkState

MAX_FAILURES = 3
RETRY_SECONDS = 60
MOST_SECONDS = 60
NO_END = "the work on it did not end within a minute"
STATUS_NO_END = 70


@contextmanager
def guarded(db: Database, game: str, now: int) -> Iterator[None]:
    """Run this block for one game. If it fails because of the game, by a damaged row or a fault in
    its rules, the failure is counted and the block ends.

    The game is tried again after a minute and held after three failures, with the fault and its
    number on the desk. A block that does not end within a minute holds the game at once and ends
    this process. Faults of the environment are raised and count against no game.
    """
    before = store.games.work_state(db, game)
    try:
        with ending(
            db, game, lambda other, why: _note_failure(other, game, before, why, now, MAX_FAILURES)
        ):
            yield
    except Exception as error:
        if errors.is_environment(error):
            raise
        _note_failure(
            db, game, before, errors.in_words(error, errors.noted(error, f"game {game}")), now, 1
        )


@contextmanager
def ending(db: Database, game: str, give_up: Callable[[Database, str], None]) -> Iterator[None]:
    """If the block takes a minute, call `give_up` with a new connection and the fault in words, and
    end this process with status 70.

    Nothing else stops an endless loop in the rules; whoever looks after this process starts the
    next. Only work without a lock may take that long, so `give_up` can write.
    """
    place = db.place

    def end() -> None:
        fault = TimeoutError(NO_END)
        try:
            why = errors.in_words(fault, errors.noted(fault, f"game {game}; this process ends"))
            with opened(place) as other:
                give_up(other, why)
        finally:
            os._exit(STATUS_NO_END)

    timer = threading.Timer(MOST_SECONDS, end)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _note_failure(
    db: Database, game: str, before: WorkState | None, error: str, now: int, failures: int
) -> None:
    """Count failures of a game, and hold it if there are too many."""
    with write(db, game):
        if before is None or store.games.work_state(db, game) != before:
            return  # taken back, ended or closed meanwhile: what failed is not there any more
        status, failures = before.status, before.failures + failures
        if failures >= MAX_FAILURES and status == "running":
            status = "held"
            with errors.passed_over(f"the game masters of {game}"):
                queue.put_alarm(db, game, before.round, now)
        failed = {
            "status": status,
            "failures": failures,
            "retry_at": now + RETRY_SECONDS,
            "error": error,
        }
        store.games.update(db, game, failed)
