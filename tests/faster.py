"""What would cost more than a minute of `make test`, done with less work: tests neither wait for the
disk nor for hashes that are slow on purpose.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import pytest
from werkzeug.security import generate_password_hash

from gm.store.db import Database
from gm.store.sqlite import PRAGMAS, File

EVERYTHING = pytest.mark.everything


def few_first(all_of_them: Sequence[Any], few: int) -> list[Any]:
    """The values of a parameter, or of several: the first few in every run, the others in `make
    everything`.
    """
    rest = [
        pytest.param(*(value if isinstance(value, tuple) else [value]), marks=EVERYTHING)
        for value in all_of_them[few:]
    ]
    return [*all_of_them[:few], *rest]


@pytest.fixture(autouse=True)
def no_waiting_for_the_disk(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Commits are not synced. Tests marked `durable`, and processes of their own, store as in use."""
    if "durable" not in request.keywords:
        monkeypatch.setitem(PRAGMAS, "synchronous", 0)
        monkeypatch.setitem(PRAGMAS, "journal_mode", "memory")


@pytest.fixture(autouse=True)
def cheap_password_hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Passwords are really hashed, with a 32nd of the work."""

    def with_less_work(password: str) -> str:
        return generate_password_hash(password, "scrypt:1024:8:1")

    monkeypatch.setattr("gm.people.accounts.generate_password_hash", with_less_work)


@contextmanager
def without_disk(db: Database) -> Iterator[None]:
    """Inside, nothing waits for the disk, and a power cut ruins the file."""
    if not isinstance(db, File):
        yield
        return
    fast = {"synchronous": 0, "journal_mode": "memory"}
    for name, value in fast.items():
        db.execute(f"PRAGMA {name}={value}").fetchone()
    try:
        yield
    finally:
        for name in fast:
            db.execute(f"PRAGMA {name}={PRAGMAS[name]}").fetchone()
