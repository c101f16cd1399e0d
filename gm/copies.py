"""Copying the file of a database while it is used; `backup.py` says when, and looks whether a copy is sound."""

import contextlib
import os
import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from sqlite_utils import Database

from gm import db


def copy_to(target: Path, source: Database) -> None:
    """The database as it is at one moment, unchecked, for its owner alone; what is at `target` is replaced."""
    target.unlink(missing_ok=True)
    os.close(os.open(target, os.O_CREAT | os.O_WRONLY | os.O_EXCL, 0o600))
    with writable(target) as into:
        source.conn.backup(into)


def before_upgrade(file: Path, folder: Path, now: int) -> None:
    """A copy of the database as it is before its schema changes, for who goes back to the former program.

    It is not checked: what is damaged is to be copied too. Call it inside the transaction of the change, before its first
    statement; it reads with a connection of its own, since none is copied that holds the write lock.
    """
    folder.mkdir(exist_ok=True, mode=0o700)
    target = name_for(folder, now, "before-upgrade")
    half = target.with_name(f".{target.name}.half")
    try:
        with db.opened(file) as source:
            copy_to(half, source)
        put(half, target)
    finally:
        half.unlink(missing_ok=True)


def put(half: Path, target: Path) -> None:
    """Give a finished copy its name, once the disk has it."""
    with half.open("rb") as written:
        os.fsync(written.fileno())
    half.rename(target)


def name_for(folder: Path, now: int, when: str = "") -> Path:
    """A name that is not taken, with the moment in it."""
    stem = f"bohnenpost-{datetime.fromtimestamp(now, UTC):%Y%m%dT%H%M%SZ}" + (f"-{when}" if when else "")
    names = [folder / f"{stem}.db", *(folder / f"{stem}-{number}.db" for number in range(2, 100))]
    return next(name for name in names if not name.exists())


@contextlib.contextmanager
def writable(file: Path) -> Iterator[sqlite3.Connection]:
    """A bare connection to a file that is copied into."""
    connection = sqlite3.connect(file, timeout=db.WAIT_SECONDS, isolation_level=None)
    try:
        connection.execute("PRAGMA synchronous=3").fetchone()
        yield connection
    finally:
        connection.close()
