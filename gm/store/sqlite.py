"""The database in a file: a connection of SQLite, opened safely."""

import os
import sqlite3
import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import sqlite_utils

from gm.store.schema import NUMBERED, SCHEMA, NotOurs

READING: dict[Path, Any] = {}
"""Locks by path, each held by a `reading` of that file. POSIX locks belong to a process: while one
of its readers holds the file's lock, another gets it although a writer of another process waits, so
that readers which overlap would keep it out for ever.
"""
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


class File(sqlite_utils.Database):
    """A connection to a database in a file, which is of one machine."""

    claim = ""
    is_of_one_machine = True

    def __init__(self, path: Path) -> None:
        """Open a file. Raises NotOurs if it is missing or not a database of this program."""
        self._reading = READING.setdefault(path.resolve(), threading.RLock())
        try:
            connection = sqlite3.connect(
                f"{path.resolve().as_uri()}?mode=rw",
                uri=True,
                timeout=WAIT_SECONDS,
                isolation_level=None,
            )
            super().__init__(connection, execute_plugins=False)
        except sqlite3.OperationalError as error:
            raise NotOurs(f"{path}: {error}") from None
        try:
            self._check(path)
        except sqlite3.OperationalError:
            self.close()
            raise
        except sqlite3.DatabaseError as error:
            self.close()
            raise NotOurs(f"{path}: {error}") from None
        except BaseException:
            self.close()
            raise

    def _check(self, path: Path) -> None:
        if self.conn.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
            raise NotOurs(f"{path}: not a database of Bohnenpost")
        for name, wanted in PRAGMAS.items():
            # not fetched, an I/O error would be swallowed
            self.conn.execute(f"PRAGMA {name}={wanted}").fetchone()
            got = self.conn.execute(f"PRAGMA {name}").fetchone()[0]
            if got != wanted:
                raise NotOurs(f"{path}: {name} is {got}, must be {wanted}")

    @property
    def place(self) -> Path:
        """Where it is."""
        return Path(self.conn.execute("PRAGMA database_list").fetchone()[2])

    @property
    def version(self) -> int:
        """Another number once anybody else has changed anything."""
        number: int = self.conn.execute("PRAGMA data_version").fetchone()[0]
        return number

    def executemany(self, sql: str, rows: Iterable[Sequence[object]]) -> None:
        """Run a statement once for each row."""
        self.conn.executemany(sql, rows)

    def rows(self, table: str) -> Iterator[tuple[list[str], list[tuple[Any, ...]]]]:
        """All rows of a table in thousands, each time with the names of its columns."""
        cursor = self.conn.execute(f"SELECT * FROM {table}")
        while rows := cursor.fetchmany(1000):
            yield [column[0] for column in cursor.description], rows

    def numbers(self) -> dict[str, int]:
        """The highest number that each table has given to a row."""
        return dict(self.conn.execute("SELECT name, seq FROM sqlite_sequence").fetchall())

    def go_on_after(self, numbers: Mapping[str, int]) -> None:
        """Let each table give only higher numbers than these. Inside `writing`."""
        for table in [name for name in NUMBERED if name in numbers]:
            self.conn.execute("DELETE FROM sqlite_sequence WHERE name = ?", [table])
            sql = "INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)"
            self.conn.execute(sql, [table, numbers[table]])

    @contextmanager
    def reading(self) -> Iterator[None]:
        """See the database as it is at one moment; until the end nobody can commit."""
        with self._reading:
            self.conn.execute("BEGIN")
            try:
                yield
            finally:
                self.rollback()

    @contextmanager
    def writing(
        self, game: str | None = None, *, shared: bool = False
    ) -> Iterator[None]:  # there is one lock
        """Change rows, alone with everything. See `db.write`."""
        if self.conn.in_transaction and not self.conn.execute("PRAGMA query_only").fetchone()[0]:
            with self._part():
                yield
            return
        self.conn.execute("PRAGMA query_only=0")
        try:
            self._begin()
            yield
            self.conn.execute("COMMIT")  # inside the try: a refused COMMIT would keep the lock
        except BaseException:
            self.rollback()  # no error if SQLite has rolled back by itself (disk full)
            raise
        finally:
            self.conn.execute("PRAGMA query_only=1")

    @contextmanager
    def _part(self) -> Iterator[None]:
        self.conn.execute("SAVEPOINT part")
        try:
            yield
        except BaseException:
            if self.conn.in_transaction:  # a full disk has ended all of it
                self.conn.execute("ROLLBACK TO part")
            raise
        finally:
            if self.conn.in_transaction:
                self.conn.execute("RELEASE part")

    def _begin(self) -> None:
        """Take the write lock, asking every few milliseconds. SQLite's own waiting sleeps longer
        each time, so a waiting form would be overtaken by others for tenths of a second.
        """
        patience = self.conn.execute("PRAGMA busy_timeout").fetchone()[0]
        until = time.monotonic() + patience / 1000
        self.conn.execute("PRAGMA busy_timeout=0")
        try:
            while True:
                try:
                    self.conn.execute("BEGIN IMMEDIATE")
                except sqlite3.OperationalError as error:
                    # also its extended kinds
                    is_busy = error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY
                    if not is_busy or time.monotonic() > until:
                        raise
                    time.sleep(ASK_SECONDS)
                else:
                    return
        finally:
            self.conn.execute(f"PRAGMA busy_timeout={patience}")

    def damage(self) -> list[str]:
        """What SQLite finds wrong with the file, and rows whose foreign key points to none."""
        lines = [line for (line,) in self.conn.execute("PRAGMA integrity_check") if line != "ok"]
        dangling = self.conn.execute("PRAGMA foreign_key_check")
        return lines + [f"dangling row {row}" for row in dangling]

    def refuse_unfit(self) -> None:
        """Does nothing: a file that can be opened is fit."""

    def strangers(self) -> list[str]:
        """Kinds of things in the file that this program never makes: triggers and views."""
        sql = "SELECT type FROM sqlite_master WHERE type IN ('trigger', 'view')"
        return [kind for (kind,) in self.conn.execute(sql)]

    @contextmanager
    def changing_schema(self) -> Iterator[None]:
        """`writing` in which foreign keys are looked at in the end alone. Raises RuntimeError for
        rows that point to none.
        """
        self.conn.execute("PRAGMA foreign_keys=OFF")  # ignored once a transaction is open
        try:
            with self.writing():
                yield
                if rows := self.conn.execute("PRAGMA foreign_key_check").fetchall():
                    raise RuntimeError(f"a migration left dangling rows: {rows}")
        finally:
            self.conn.execute("PRAGMA foreign_keys=ON")

    def create_tables(self) -> None:
        """Create the tables of the schema. Inside `writing`."""
        # one by one: SQLite's own way to run several commits first
        for statement in SCHEMA.read_text(encoding="utf-8").split(";\n"):
            self.conn.execute(statement)
