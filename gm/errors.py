"""Faults: whether the environment or the data is to blame, and the number that links a fault in the
log to what people are told of it.
"""

import logging
import secrets
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

log = logging.getLogger(__name__)

UNREADABLE = ("Could not decode to UTF-8", "malformed JSON")
"""SQLite's messages for a damaged text, which Python reports as an OperationalError."""


def is_environment(error: BaseException) -> bool:
    """True if disk, lock or file is to blame: such faults are retried for ever and count against no
    game. A damaged row is not one of them.
    """
    return isinstance(error, sqlite3.OperationalError) and not str(error).startswith(UNREADABLE)


def noted(error: BaseException, what: str) -> str:
    """Log a fault with its traceback; returns the number it has in the log."""
    number = secrets.token_hex(4)
    log.error("fault %s: %s", number, what, exc_info=error)
    return number


@contextmanager
def passed_over(what: str) -> Iterator[None]:
    """If this block fails for one game, note the fault and go on with the others. Faults of the
    environment are raised.
    """
    try:
        yield
    except Exception as error:
        if is_environment(error):
            raise
        noted(error, what)


def in_words(error: BaseException, number: str) -> str:
    """A fault as it is stored in a row: its number, kind and text."""
    return (
        f"{number} {type(error).__name__}: {error}"[:500].encode(errors="backslashreplace").decode()
    )


class Refusal(Exception):
    """A request that can't be fulfilled; nothing was changed.

    `code` names its sentence in `templates/refusals.txt`, which says why and how to mend it;
    `values` fill it.
    """

    def __init__(self, code: str, **values: object) -> None:
        self.code, self.values = code, values
        super().__init__(f"{code} {values}")
