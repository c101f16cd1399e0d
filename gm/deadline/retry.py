"""One bad game never stops the others: work on a game is tried three times, then the game is held and its master told."""

from collections.abc import Callable
from typing import TypeVar

from sqlite_utils import Database

from gm import errors, store
from gm.mail import queue
from gm.store import Game, WorkState
from gm.store.db import write
from gm.watchdog import bounded

Found = TypeVar("Found")

MAX_FAILURES = 3
RETRY_SECONDS = 60


def attempt(db: Database, game: str, now: int, work: Callable[[Game], Found]) -> Found | None:
    """Do something with a game. None if that failed for the game's own reasons: a damaged row, a fault or no end in its rules.

    Then it is tried again after a minute, and held after three times, with the fault and its number on the desk. Faults of the
    environment are raised and held against no game.
    """
    before = store.work_state(db, game)
    try:
        with bounded():
            found = store.game(db, game)
            return None if found is None else work(found)
    except Exception as error:
        if errors.is_environment(error):
            raise
        _note_failure(db, game, before, errors.in_words(error, errors.noted(error, f"game {game}")), now)
        return None


def _note_failure(db: Database, game: str, before: WorkState | None, error: str, now: int) -> None:
    with write(db):
        if before is None or store.work_state(db, game) != before:
            return  # taken back, ended or closed meanwhile: what failed is not there any more
        status, failures = before.status, before.failures + 1
        if failures >= MAX_FAILURES and status == "running":
            status = "held"
            queue.put_alarm(db, game, before.round, now)
        failed = {"status": status, "failures": failures, "retry_at": now + RETRY_SECONDS, "error": error}
        store.update_game(db, game, failed)
