"""The one SQLite file: opened safely, changed in one way only."""

import os
import secrets
import sqlite3
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec import Struct
from sqlite_utils import Database

Row = TypeVar("Row", bound=Struct)
Piece = TypeVar("Piece")

DAMAGE = (msgspec.ValidationError, sqlite3.DatabaseError)
"""What reading a damaged row raises: wrong values, undecodable text, a page of the file that is
gone.
"""
READING = threading.RLock()
"""Held by a `reading`. POSIX locks belong to a process: while one of its readers holds the file's
lock, another gets it although a writer of another process waits, so that readers which overlap
would keep it out for ever.
"""
MANY = 64
"""If more pieces of work wait than this, it does not matter which is next."""
APPLICATION_ID = 0x626F686E
"""Stands in the file's header, so that another program's database is not taken for ours."""
WAIT_SECONDS, ASK_SECONDS = 10, 0.002
# The rollback journal with synchronous=EXTRA (3): a receipt is a promise that survives a power cut.
# No WAL: SQLite before 3.51.3 can corrupt a file at a WAL reset, and its speed is not needed.
# secure_delete: a mail holds a personal link, and what is emptied must not be left lying in the
# file.
PRAGMAS: dict[str, str | int] = {
    "journal_mode": "delete",
    "synchronous": 3,
    "foreign_keys": 1,
    "secure_delete": 1,
    "query_only": 1,
}


class NotOurs(Exception):
    """The file is no database of this program, or cannot be opened as one."""


def create(path: Path) -> None:
    """Create an empty database that only its owner may read. Does nothing if the file is there."""
    if path.exists():
        return
    os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))
    with sqlite3.connect(path, isolation_level=None) as connection:
        connection.execute(f"PRAGMA application_id={APPLICATION_ID}")
    connection.close()


def connect(path: Path) -> Database:
    """Open a connection for one request, one tick or one command: close it after, never hand it
    to another thread.

    Everything outside `write` is read-only. Raises NotOurs if the file is missing or not a
    database of this program.
    """
    try:
        connection = sqlite3.connect(
            f"{path.resolve().as_uri()}?mode=rw",
            uri=True,
            timeout=WAIT_SECONDS,
            isolation_level=None,
        )
        db = Database(connection, execute_plugins=False)
    except sqlite3.OperationalError as error:
        raise NotOurs(f"{path}: {error}") from None
    try:
        if db.conn.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
            raise NotOurs(f"{path}: not a database of Bohnenpost")
        for name, wanted in PRAGMAS.items():
            # not fetched, an I/O error would be swallowed
            db.conn.execute(f"PRAGMA {name}={wanted}").fetchone()
            got = db.conn.execute(f"PRAGMA {name}").fetchone()[0]
            if got != wanted:
                raise NotOurs(f"{path}: {name} is {got}, must be {wanted}")
    except sqlite3.DatabaseError as error:
        db.close()
        if isinstance(error, sqlite3.OperationalError):
            raise
        raise NotOurs(f"{path}: {error}") from None
    except BaseException:
        db.close()
        raise
    return db


@contextmanager
def opened(path: Path) -> Iterator[Database]:
    """Open a connection and close it at the end of the block."""
    db = connect(path)
    try:
        yield db
    finally:
        db.close()


class _Kept(threading.local):
    """The connection that a thread keeps; `file`: process, path, device and inode of its file."""

    db: Database | None = None
    file: tuple[object, ...] = ()
    is_used: bool = False


_kept = _Kept()


@contextmanager
def kept(path: Path) -> Iterator[Database]:
    """The connection that this thread keeps to a file, opened anew if the file was replaced;
    another one while it is used already. Raises NotOurs as `connect` does.
    """
    if _kept.is_used:
        with opened(path) as db:
            yield db
        return
    db = _kept_connection(path)
    _kept.is_used = True
    try:
        yield db
    except BaseException:
        forget_kept(db)  # whatever state it was left in
        raise
    finally:
        _kept.is_used = False


def _kept_connection(path: Path) -> Database:
    try:
        status = path.stat()
    except OSError as error:
        raise NotOurs(f"{path}: {error.strerror}") from None
    file = (os.getpid(), path.resolve(), status.st_dev, status.st_ino)
    if _kept.db is None or _kept.file != file:
        forget_kept(_kept.db)
        _kept.db, _kept.file = connect(path), file
    return _kept.db


def forget_kept(db: Database | None) -> None:
    """Close this connection and keep it no longer, after an error of the database for instance;
    does nothing if it is not the one that this thread keeps.
    """
    if db is None or _kept.db is not db:
        return
    if _kept.file[0] == os.getpid():  # a fork leaves its parent's alone
        db.close()
    _kept.db = None


def data_version(db: Database) -> int:
    """A number that is another one, for this connection, once anybody else has changed the
    database.
    """
    version: int = db.execute("PRAGMA data_version").fetchone()[0]
    return version


def path_of(db: Database) -> Path:
    """The file behind a connection."""
    return Path(db.execute("PRAGMA database_list").fetchone()[2])


def insert(
    db: Database, table: str, rows: Sequence[Mapping[str, Any]], *, ignore: bool = False
) -> None:
    """Add rows that all have the same columns; with `ignore` only those that are not there yet."""
    db.conn.executemany(
        _insert(table, tuple(rows[0]), ignore=ignore), [tuple(row.values()) for row in rows]
    )


def insert_one(db: Database, table: str, row: Mapping[str, Any]) -> int:
    """Add a row to a table that numbers its rows; returns the number."""
    number = db.execute(_insert(table, tuple(row), ignore=False), list(row.values())).lastrowid
    assert number is not None
    return number


def update_row(
    db: Database, table: str, key: Mapping[str, Any], changed: Mapping[str, Any]
) -> None:
    """Change the row with this key."""
    db.execute(_update(table, tuple(key), tuple(changed)), [*changed.values(), *key.values()])


@cache
def _insert(table: str, columns: tuple[str, ...], *, ignore: bool) -> str:
    how = " OR IGNORE" if ignore else ""
    return (
        f"INSERT{how} INTO {table} ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})"
    )


@cache
def _update(table: str, key: tuple[str, ...], columns: tuple[str, ...]) -> str:
    changed, where = (
        sep.join(f"{column} = ?" for column in names)
        for sep, names in ((", ", columns), (" AND ", key))
    )
    return f"UPDATE {table} SET {changed} WHERE {where}"  # noqa: S608


@contextmanager
def reading(db: Database) -> Iterator[None]:
    """Read several things at one moment, waiting for a writer at most once.

    Keep it short: until its end nobody can commit. One at a time in a process.
    """
    with READING:
        db.conn.execute("BEGIN")
        try:
            yield
        finally:
            db.rollback()


@contextmanager
def write(db: Database) -> Iterator[None]:
    """The only way to change rows: holds the write lock from the first statement to the commit.

    Waits up to ten seconds for the lock, then raises sqlite3.OperationalError with nothing
    changed. Inside another `write` it is a part of that one: an error takes back its own changes
    alone.
    """
    if db.conn.in_transaction and not db.conn.execute("PRAGMA query_only").fetchone()[0]:
        db.conn.execute("SAVEPOINT part")
        try:
            yield
        except BaseException:
            if db.conn.in_transaction:  # a full disk has ended all of it
                db.conn.execute("ROLLBACK TO part")
            raise
        finally:
            if db.conn.in_transaction:
                db.conn.execute("RELEASE part")
        return
    db.conn.execute("PRAGMA query_only=0")
    try:
        _begin(db)
        yield
        db.conn.execute("COMMIT")  # inside the try: a refused COMMIT would keep the lock
    except BaseException:
        db.rollback()  # no error if SQLite has rolled back by itself (disk full)
        raise
    finally:
        db.conn.execute("PRAGMA query_only=1")


class _Rehearsed(Exception):
    """Ends a `rehearsal`."""


@contextmanager
def rehearsal(db: Database) -> Iterator[None]:
    """Like `write`, but nothing of it stays."""
    try:
        with write(db):
            yield
            raise _Rehearsed
    except _Rehearsed:
        pass


def _begin(db: Database) -> None:
    """Take the write lock, asking every few milliseconds. SQLite's own waiting sleeps longer
    each time, so a waiting form would be overtaken by others for tenths of a second.
    """
    patience = db.conn.execute("PRAGMA busy_timeout").fetchone()[0]
    until = time.monotonic() + patience / 1000
    db.conn.execute("PRAGMA busy_timeout=0")
    try:
        while True:
            try:
                db.conn.execute("BEGIN IMMEDIATE")
            except sqlite3.OperationalError as error:
                # also its extended kinds
                is_busy = error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY
                if not is_busy or time.monotonic() > until:
                    raise
                time.sleep(ASK_SECONDS)
            else:
                return
    finally:
        db.conn.execute(f"PRAGMA busy_timeout={patience}")


@contextmanager
def without_disk(db: Database) -> Iterator[None]:
    """Inside, nothing waits for the disk, and a power cut ruins the file: for test data."""
    fast = {"synchronous": 0, "journal_mode": "memory"}
    for name, value in fast.items():
        db.conn.execute(f"PRAGMA {name}={value}").fetchone()
    try:
        yield
    finally:
        for name in fast:
            db.conn.execute(f"PRAGMA {name}={PRAGMAS[name]}").fetchone()


def one_of(waiting: Sequence[Piece]) -> Piece:
    """The first piece of work; of many a random one."""
    return waiting[0] if len(waiting) < MANY else secrets.choice(waiting)


def select(db: Database, kind: type[Row], sql: str, *values: object) -> list[Row]:
    """Rows as values of a kind. Raises msgspec.ValidationError for a damaged row."""
    # left open by an error, it would keep others from writing
    with closing(db.conn.execute(sql, values)) as cursor:
        names = [column[0] for column in cursor.description]
        rows = [dict(zip(names, row, strict=True)) for row in cursor]
    values_of_kind: list[Row] = msgspec.convert(rows, list[kind])  # type: ignore[valid-type]
    return values_of_kind


def as_list(values: Sequence[str]) -> str:
    """Several values as one, for a condition like `IN (SELECT value FROM json_each(?))`."""
    return msgspec.json.encode(values).decode()


def count(db: Database, sql: str, *values: object) -> int:
    """The one number that a statement returns."""
    number: int = db.execute(sql, list(values)).fetchone()[0]
    return number


def select_one(db: Database, kind: type[Row], sql: str, *values: object) -> Row | None:
    """The first row, or None."""
    first = select(db, kind, sql, *values)
    return first[0] if first else None


def file_damage(db: Database) -> list[str]:
    """What SQLite finds wrong with the file, and rows whose foreign key points to none."""
    lines = [line for (line,) in db.execute("PRAGMA integrity_check") if line != "ok"]
    return lines + [f"dangling row {row}" for row in db.execute("PRAGMA foreign_key_check")]


def strangers(db: Database) -> list[str]:
    """Kinds of things in the file that this program never makes: triggers and views."""
    return [
        kind
        for (kind,) in db.execute(
            "SELECT type FROM sqlite_master WHERE type IN ('trigger', 'view')"
        )
    ]
