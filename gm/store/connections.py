"""Connections to a database: opened for one piece of work, or kept by a thread or a process."""

import atexit
import os
import sqlite3
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from gm.store.db import Database, Place
from gm.store.schema import NotOurs
from gm.store.sqlite import WAIT_SECONDS, File

if TYPE_CHECKING:
    from gm.store.postgres import Postgres


def connect(place: Place) -> Database:
    """Open a connection for one request, one tick or one command: close it after, never hand it
    to another thread.

    Everything outside `write` is read-only. Raises NotOurs if the file is missing or not a
    database of this program.
    """
    return _connect_to_server(place) if isinstance(place, str) else File(place)


def _connect_to_server(address: str) -> "Postgres":
    try:
        from gm.store.postgres import Postgres  # noqa: PLC0415  # an extra that few install
    except ImportError:
        raise NotOurs(
            "database: one on a server needs psycopg: pip install --require-hashes -r "
            "requirements-postgres.lock, or with pipx: pipx inject bohnenpost 'psycopg[binary]'"
        ) from None
    return Postgres(address)


@contextmanager
def opened(place: Place) -> Iterator[Database]:
    """Open a connection and close it at the end of the block."""
    db = connect(place)
    try:
        yield db
    finally:
        db.close()


MOST_FILES = 2
"""Files to which a thread keeps a connection: that of its installation, and that of practice."""


class _Kept(threading.local):
    """The connections that a thread keeps to files, by their places, the one used last at the end,
    each with process, path, device and inode; and the places in use.
    """

    def __init__(self) -> None:
        self.files: dict[Path, tuple[File, tuple[object, ...]]] = {}
        self.used: set[Place] = set()


_kept = _Kept()


@contextmanager
def kept(place: Place) -> Iterator[Database]:
    """The connection that this thread keeps to a file, opened anew if the file was replaced, or
    one of the few that this process keeps to a server; another one while it is used already.
    Raises NotOurs as `connect` does.
    """
    if place in _kept.used:
        with opened(place) as db:
            yield db
        return
    db = _server_connection(place) if isinstance(place, str) else _kept_connection(place)
    _kept.used.add(place)
    try:
        yield db
    except BaseException:
        forget_kept(db)  # whatever state it was left in
        raise
    finally:
        _kept.used.remove(place)
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
    db, opened_to = _kept.files.get(place, (None, None))
    if db is None or opened_to != to:
        forget_kept(db)
        db = File(place)
    _kept.files.pop(place, None)
    _kept.files[place] = db, to
    for oldest in [*_kept.files][:-MOST_FILES]:
        if oldest not in _kept.used:
            forget_kept(_kept.files[oldest][0])
    return db


def forget_kept(db: Database | None) -> None:
    """Close this connection and keep it no longer, after an error of the database for instance;
    does nothing to a file's if it is not one that this thread keeps.
    """
    if db is not None and not isinstance(db, File):
        db.close()
    for place, (file, to) in [*_kept.files.items()]:
        if file is db:
            del _kept.files[place]
            if to[0] == os.getpid():  # a fork leaves its parent's alone
                file.close()


@atexit.register
def _forget_all() -> None:
    for file, _ in [*_kept.files.values()]:
        forget_kept(file)
