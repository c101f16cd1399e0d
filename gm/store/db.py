"""Rows of the database, one SQLite file or one on a PostgreSQL server: read, and changed in one way
only.
"""

import secrets
import sqlite3
from collections.abc import Collection, Mapping, Sequence
from contextlib import AbstractContextManager, closing
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, Union

import msgspec
from msgspec import Struct

from gm.store.schema import TABLES
from gm.store.sqlite import File

if TYPE_CHECKING:
    from gm.store.postgres import Postgres

Database = Union[File, "Postgres"]  # the server's is imported only where it is used
Place = Path | str
"""Where a database is: the path of its file, or the address of one on a server."""
Row = TypeVar("Row", bound=Struct)
Piece = TypeVar("Piece")

DAMAGE = (msgspec.ValidationError, sqlite3.DatabaseError)
"""What reading a damaged row raises: wrong values, undecodable text, a page of the file that is
gone.
"""
MANY = 64
"""If more pieces of work wait than this, it does not matter which is next."""


def insert(
    db: Database, table: str, rows: Sequence[Mapping[str, Any]], *, unless: str = ""
) -> None:
    """Add rows that all have the same columns; but none whose value in the column `unless` is there
    already.
    """
    db.executemany(_insert(table, tuple(rows[0]), unless), [tuple(row.values()) for row in rows])


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


def reading(db: Database) -> AbstractContextManager[None]:
    """Read several things at one moment, waiting for a writer at most once.

    Keep it short: until its end nobody can commit to a file. One at a time in a process.
    """
    return db.reading()


def write(
    db: Database, game: str | None = None, *, shared: bool = False
) -> AbstractContextManager[None]:
    """The only way to change rows: alone with everything from the first statement to the commit.

    On a server with `game` alone with this game: only where every row that changes is this
    game's, and what is read of others is only changed by who is alone with everything; `shared`:
    rows are claimed one by one. Waits up to ten seconds for the lock, then raises
    sqlite3.OperationalError with nothing changed. Inside another `write` it is a part of that
    one: an error takes back its own changes alone.
    """
    return db.writing(game, shared=shared)


def one_of(waiting: Sequence[Piece]) -> Piece:
    """The first piece of work; of many a random one."""
    return waiting[0] if len(waiting) < MANY else secrets.choice(waiting)


def select(db: Database, kind: type[Row], sql: str, *values: object) -> list[Row]:
    """Rows as values of a kind. Raises msgspec.ValidationError for a damaged row."""
    # left open by an error, it would keep others from writing
    with closing(db.execute(sql, values)) as cursor:
        names = [column[0] for column in cursor.description]
        rows = [dict(zip(names, row, strict=True)) for row in cursor]
    values_of_kind: list[Row] = msgspec.convert(rows, list[kind])  # type: ignore[valid-type]
    return values_of_kind


def column(db: Database, sql: str, *values: object) -> list[Any]:
    """The first value of each row."""
    # left open by an error, it would keep others from writing
    with closing(db.execute(sql, values)) as cursor:
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
            for columns, rows in source.rows(table):
                insert(target, table, [dict(zip(columns, row, strict=True)) for row in rows])
        target.go_on_after(source.numbers())
