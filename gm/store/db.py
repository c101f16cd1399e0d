"""The database, one SQLite file or one on a PostgreSQL server: opened safely, changed in one way
only.
"""

import atexit
import os
import secrets
import sqlite3
import threading
import time
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, Union

import msgspec
import sqlite_utils
from msgspec import Struct

from gm.store.schema import NUMBERED, TABLES, NotOurs

if TYPE_CHECKING:
    from gm.store.postgres import Postgres

File = sqlite_utils.Database
Database = Union[File, "Postgres"]  # the server's is imported only where it is used
Place = Path | str
"""Where a database is: the path of its file, or the address of one on a server."""
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


def create(path: Path) -> None:
    """Create an empty database that only its owner may read. Does nothing if the file is there."""
    if path.exists():
        return
    os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))
    with sqlite3.connect(path, isolation_level=None) as connection:
        connection.execute(f"PRAGMA application_id={APPLICATION_ID}")
    connection.close()


def connect(place: Place) -> Database:
    """Open a connection for one request, one tick or one command: close it after, never hand it
    to another thread.

    Everything outside `write` is read-only. Raises NotOurs if the file is missing or not a
    database of this program.
    """
    return _connect_to_server(place) if isinstance(place, str) else _connect(place)


def _connect_to_server(address: str) -> "Postgres":
    try:
        from gm.store.postgres import Postgres  # noqa: PLC0415  # an extra that few install
    except ImportError:
        raise NotOurs(
            "database: one on a server needs psycopg: pip install --require-hashes -r "
            "requirements-postgres.lock"
        ) from None
    return Postgres(address)


def _connect(path: Path) -> File:
    try:
        connection = sqlite3.connect(
            f"{path.resolve().as_uri()}?mode=rw",
            uri=True,
            timeout=WAIT_SECONDS,
            isolation_level=None,
        )
        db = File(connection, execute_plugins=False)
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
def opened(place: Place) -> Iterator[Database]:
    """Open a connection and close it at the end of the block."""
    db = connect(place)
    try:
        yield db
    finally:
        db.close()


class _Kept(threading.local):
    """The connection that a thread keeps to a file; `to`: process, path, device and inode."""

    db: File | None = None
    to: tuple[object, ...] = ()
    is_used: bool = False


_kept = _Kept()


@contextmanager
def kept(place: Place) -> Iterator[Database]:
    """The connection that this thread keeps to a file, opened anew if the file was replaced, or
    one of the few that this process keeps to a server; another one while it is used already.
    Raises NotOurs as `connect` does.
    """
    if _kept.is_used:
        with opened(place) as db:
            yield db
        return
    db = _server_connection(place) if isinstance(place, str) else _kept_connection(place)
    _kept.is_used = True
    try:
        yield db
    except BaseException:
        forget_kept(db)  # whatever state it was left in
        raise
    finally:
        _kept.is_used = False
        if not isinstance(db, File):
            _give_back(db)


MOST_CONNECTIONS = 6
"""Connections that a process keeps to a server: one for each kind of pass, the others for pages,
of which each needs one for some milliseconds.
"""
ASK_AGAIN_SECONDS = 1
_change = threading.Condition()
_open: Counter[tuple[int, str]] = Counter()
_idle: list["Postgres"] = []
"""Connections to a server: how many a process has to an address, and those that nobody uses."""


def _server_connection(address: str) -> "Postgres":
    """A connection that no other thread of this process uses until it is given back. Raises
    sqlite3.OperationalError if there is none for ten seconds.
    """
    until = time.monotonic() + WAIT_SECONDS
    to = (os.getpid(), address)  # a fork leaves its parent's alone
    while True:
        with _change:
            for db in [*_idle]:
                _idle.remove(db)
                if (db.process, db.address) == to:
                    return db
                _forget_server_connection(db)
            may_open = _open[to] < MOST_CONNECTIONS
            if may_open:
                _open[to] += 1
            elif not _change.wait(until - time.monotonic()):
                raise sqlite3.OperationalError("no connection to the database became free")
        if may_open:
            try:
                return _connect_to_server(address)
            except BaseException as error:
                with _change:
                    _open[to] -= 1
                    # the server may have no more for us than those that others use now
                    if not isinstance(error, sqlite3.OperationalError) or not _open[to]:
                        raise
                    if time.monotonic() > until:
                        raise
                    _change.wait(ASK_AGAIN_SECONDS)


def _give_back(db: "Postgres") -> None:
    with _change:
        if db.conn.closed:
            _forget_server_connection(db)
        else:
            _idle.append(db)
        _change.notify()


def _forget_server_connection(db: "Postgres") -> None:
    """Count a connection no longer, and close it if it is this process's. Inside `_change`."""
    _open[db.process, db.address] -= 1
    if db.process == os.getpid():
        db.close()


def _kept_connection(place: Path) -> File:
    try:
        status = place.stat()
    except OSError as error:
        raise NotOurs(f"{place}: {error.strerror}") from None
    to = (os.getpid(), place.resolve(), status.st_dev, status.st_ino)
    if _kept.db is None or _kept.to != to:
        forget_kept(_kept.db)
        _kept.db, _kept.to = _connect(place), to
    return _kept.db


def forget_kept(db: Database | None) -> None:
    """Close this connection and keep it no longer, after an error of the database for instance;
    does nothing to a file's if it is not the one that this thread keeps.
    """
    if db is not None and not isinstance(db, File):
        db.close()
    if db is None or _kept.db is not db:
        return
    if _kept.to[0] == os.getpid():  # a fork leaves its parent's alone
        db.close()
    _kept.db = None


atexit.register(lambda: forget_kept(_kept.db))


def data_version(db: Database) -> object:
    """A value that is another one, for this connection, once anybody else has changed the
    database.
    """
    if isinstance(db, File):
        return db.execute("PRAGMA data_version").fetchone()[0]
    return db.version


def place_of(db: Database) -> Place:
    """Where the database behind a connection is."""
    if isinstance(db, File):
        return Path(db.execute("PRAGMA database_list").fetchone()[2])
    return db.address


def insert(
    db: Database, table: str, rows: Sequence[Mapping[str, Any]], *, unless: str = ""
) -> None:
    """Add rows that all have the same columns; but none whose value in the column `unless` is there
    already.
    """
    execute = db.conn.executemany if isinstance(db, File) else db.executemany
    execute(_insert(table, tuple(rows[0]), unless), [tuple(row.values()) for row in rows])


def insert_one(db: Database, table: str, row: Mapping[str, Any]) -> int:
    """Add a row to a table that numbers its rows; returns the number."""
    sql = f"{_insert(table, tuple(row), '')} RETURNING id"
    number: int = db.execute(sql, list(row.values())).fetchall()[0][0]
    return number


def update_row(
    db: Database, table: str, key: Mapping[str, Any], changed: Mapping[str, Any]
) -> None:
    """Change the row with this key."""
    db.execute(_update(table, tuple(key), tuple(changed)), [*changed.values(), *key.values()])


@cache
def _insert(table: str, columns: tuple[str, ...], unless: str) -> str:
    return (
        f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})"
        f"{f' ON CONFLICT ({unless}) DO NOTHING' if unless else ''}"
    )


@cache
def _update(table: str, key: tuple[str, ...], columns: tuple[str, ...]) -> str:
    changed, where = (
        sep.join(f"{column} = ?" for column in names)
        for sep, names in ((", ", columns), (" AND ", key))
    )
    return f"UPDATE {table} SET {changed} WHERE {where}"


@contextmanager
def reading(db: Database) -> Iterator[None]:
    """Read several things at one moment, waiting for a writer at most once.

    Keep it short: until its end nobody can commit to a file. One at a time in a process.
    """
    if not isinstance(db, File):
        with db.reading():
            yield
        return
    with READING:
        db.conn.execute("BEGIN")
        try:
            yield
        finally:
            db.rollback()


@contextmanager
def write(db: Database, game: str | None = None, *, shared: bool = False) -> Iterator[None]:
    """The only way to change rows: alone with everything from the first statement to the commit.

    On a server with `game` alone with this game: only where every row that changes is this
    game's, and what is read of others is only changed by who is alone with everything; `shared`:
    rows are claimed one by one. Waits up to ten seconds for the lock, then raises
    sqlite3.OperationalError with nothing changed. Inside another `write` it is a part of that
    one: an error takes back its own changes alone.
    """
    if not isinstance(db, File):
        with db.writing(game, shared=shared):
            yield
        return
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


def _begin(db: File) -> None:
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
    if not isinstance(db, File):
        yield
        return
    fast = {"synchronous": 0, "journal_mode": "memory"}
    for name, value in fast.items():
        db.conn.execute(f"PRAGMA {name}={value}").fetchone()
    try:
        yield
    finally:
        for name in fast:
            db.conn.execute(f"PRAGMA {name}={PRAGMAS[name]}").fetchone()


def claim(db: Database) -> str:
    """The end of a statement that finds a row to work on beside others who do the same."""
    return "" if isinstance(db, File) else " FOR UPDATE SKIP LOCKED"


def one_of(waiting: Sequence[Piece]) -> Piece:
    """The first piece of work; of many a random one."""
    return waiting[0] if len(waiting) < MANY else secrets.choice(waiting)


def select(db: Database, kind: type[Row], sql: str, *values: object) -> list[Row]:
    """Rows as values of a kind. Raises msgspec.ValidationError for a damaged row."""
    # left open by an error, it would keep others from writing
    execute = db.conn.execute if isinstance(db, File) else db.execute
    with closing(execute(sql, values)) as cursor:
        names = [column[0] for column in cursor.description]
        rows = [dict(zip(names, row, strict=True)) for row in cursor]
    values_of_kind: list[Row] = msgspec.convert(rows, list[kind])  # type: ignore[valid-type]
    return values_of_kind


def column(db: Database, sql: str, *values: object) -> list[Any]:
    """The first value of each row."""
    # left open by an error, it would keep others from writing
    execute = db.conn.execute if isinstance(db, File) else db.execute
    with closing(execute(sql, values)) as cursor:
        return [row[0] for row in cursor]


# An address is compared by `address || '' = ?` beside `lower(address) = lower(?)`, and robots by
# `+robot = 1`: the same to SQLite, but no index of that column is taken for the better one.


def as_list(values: Collection[object]) -> str:
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


def transfer(source: Database, target: Database) -> None:
    """Put all rows of one database, as they are at one moment, in the place of those of another
    with the same schema.
    """
    with reading(source), write(target):
        for table in reversed(TABLES):
            target.execute(f"DELETE FROM {table}")
        for table in TABLES:
            for columns, rows in _rows_in_thousands(source, table):
                insert(target, table, [dict(zip(columns, row, strict=True)) for row in rows])
        _go_on_after(target, _numbers(source))


def _rows_in_thousands(
    db: Database, table: str
) -> Iterator[tuple[list[str], list[tuple[Any, ...]]]]:
    if not isinstance(db, File):
        yield from db.rows(table)
        return
    cursor = db.conn.execute(f"SELECT * FROM {table}")
    while rows := cursor.fetchmany(1000):
        yield [column[0] for column in cursor.description], rows


def _numbers(db: Database) -> dict[str, int]:
    """The highest number that each table has given to a row, as far as that is remembered."""
    if not isinstance(db, File):
        return db.numbers()
    return dict(db.execute("SELECT name, seq FROM sqlite_sequence").fetchall())


def _go_on_after(db: Database, numbers: Mapping[str, int]) -> None:
    if not isinstance(db, File):
        db.go_on_after(numbers)
        return
    for table in [name for name in NUMBERED if name in numbers]:
        db.execute("DELETE FROM sqlite_sequence WHERE name = ?", [table])
        insert(db, "sqlite_sequence", [{"name": table, "seq": numbers[table]}])


def refuse_unfit(db: Database) -> None:
    """Raises NotOurs for a database on a server that cannot be ours, or not behave as a file."""
    if not isinstance(db, File):
        db.refuse_unfit()


def file_damage(db: Database) -> list[str]:
    """What SQLite finds wrong with the file, and rows whose foreign key points to none. A server
    looks after its own.
    """
    if not isinstance(db, File):
        return []
    lines = [line for (line,) in db.execute("PRAGMA integrity_check") if line != "ok"]
    return lines + [f"dangling row {row}" for row in db.execute("PRAGMA foreign_key_check")]


def strangers(db: Database) -> list[str]:
    """Kinds of things in the file that this program never makes: triggers and views."""
    if not isinstance(db, File):
        return []
    return [
        kind
        for (kind,) in db.execute(
            "SELECT type FROM sqlite_master WHERE type IN ('trigger', 'view')"
        )
    ]
