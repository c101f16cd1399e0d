"""Faults of our own: whose they are, and the number by which the log and the people told of one
mean the same.
"""

import logging
import secrets
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

log = logging.getLogger(__name__)

UNREADABLE = ("Could not decode to UTF-8", "malformed JSON")
"""SQLite's words for a damaged text, which Python reports as if the database could not be used."""


def is_environment(error: BaseException) -> bool:
    """Whether a fault lies in disk, lock or file: tried again for ever, held against no game. A
    damaged row is not of these.
    """
    return isinstance(error, sqlite3.OperationalError) and not str(error).startswith(UNREADABLE)


def noted(error: BaseException, what: str) -> str:
    """Write a fault to the log with its traceback; the number it stands under there."""
    number = secrets.token_hex(4)
    log.error("fault %s: %s", number, what, exc_info=error)
    return number


@contextmanager
def passed_over(what: str) -> Iterator[None]:
    """One bad game never stops the others: a fault of its own in this block is noted and the
    rest of the block left out.
    """
    try:
        yield
    except Exception as error:
        if is_environment(error):
            raise
        noted(error, what)


def in_words(error: BaseException, number: str) -> str:
    """A fault as a row keeps it: its number, kind and text."""
    return (
        f"{number} {type(error).__name__}: {error}"[:500].encode(errors="backslashreplace").decode()
    )


class Refusal(Exception):
    """What was asked for can't be done, and nothing was changed.

    `code` names its sentence in `templates/refusals.txt`, which says why and how to mend it;
    `values` fill it.
    """

    def __init__(self, code: str, **values: object) -> None:
        """Keep both."""
        self.code, self.values = code, values
        super().__init__(f"{code} {values}")
