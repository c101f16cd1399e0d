"""One bad game never stops the others: work on a game is tried three times, then the game is held and its master told."""

from collections.abc import Callable
from typing import Any, TypeVar

from sqlite_utils import Database

from gm import errors, store
from gm.mail import queue
from gm.store import Game
from gm.store.db import write
from gm.watchdog import bounded

Found = TypeVar("Found")

MAX_FAILURES = 3
RETRY_SECONDS = 60
READY = "(game.retry_at IS NULL OR game.retry_at <= ?)"
"""In SQL: a game whose work did not fail within the last minute. Whoever looks for work asks for this."""


def attempt(db: Database, game: str, mail_domain: str, now: int, work: Callable[[Game], Found]) -> Found | None:
    """Do something with a game. None if that failed for the game's own reasons: a damaged row, a fault or no end in its rules.

    Then it is tried again after a minute, and held after three times, with the fault and its number on the desk. Faults of the
    environment are raised and held against no game.
    """
    before = _state(db, game)
    try:
        with bounded():
            found = store.game(db, game)
            return None if found is None else work(found)
    except Exception as error:
        if errors.is_environment(error):
            raise
        _note_failure(db, game, before, errors.in_words(error, errors.noted(error, f"game {game}")), mail_domain, now)
        return None


def _state(db: Database, game: str) -> Any:
    """What changes whenever something happens to a game; read without understanding the row."""
    sql = "SELECT status, round, deadline, sequence, failures, retry_at FROM game WHERE id = ?"
    return db.execute(sql, [game]).fetchone()


def _note_failure(db: Database, game: str, before: Any, error: str, mail_domain: str, now: int) -> None:
    with write(db):
        if _state(db, game) != before:  # taken back, ended or closed meanwhile: what failed is not there any more
            return
        status, round_number, failures = before[0], before[1], before[4] + 1
        if failures >= MAX_FAILURES and status == "running":
            status = "held"
            queue.put_alarm(db, game, round_number, mail_domain, now)
        sql = "UPDATE game SET status = ?, failures = ?, retry_at = ?, error = ? WHERE id = ?"
        db.execute(sql, [status, failures, now + RETRY_SECONDS, error, game])
