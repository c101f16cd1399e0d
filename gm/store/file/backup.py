"""Copies of the database: made while it is used, and checked before they count."""

import contextlib
import logging
import os
import re
import secrets
import sqlite3
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import msgspec
from msgspec import Struct

from gm import store
from gm.config import Config
from gm.store import connections, db, sqlite
from gm.store.db import Database, write
from gm.store.file.migrations import OtherSchema, migrate, refuse_other
from gm.store.schema import NotOurs

log = logging.getLogger(__name__)

NAME = re.compile(r"bohnenpost-\d{8}T\d{6}Z-(before|after)(-\d+)?\.db", re.ASCII)
"""Names of the copies around batches."""
BY_COMMAND = re.compile(r"bohnenpost-\d{8}T\d{6}Z(-\d+)?\.db", re.ASCII)
"""Names of the copies that `backup` named itself; others are nobody's to delete."""


class BadCopy(Exception):
    """A file that is no sound copy, or a place where none can be put. The message says what and
    how to mend it.
    """


class Lost(Struct, frozen=True):
    """What a restore took back of a game: the chain values that the copy lacks, and the first
    round that has lost something.
    """

    chains: tuple[str, ...]
    since: int


class RestoreHold(Struct, frozen=True):
    """A restored service that waits to be let go on: since when, how old its copy is, and the
    games it stopped.

    `lost`: by game what was taken back; not for games of which that is not known, because a
    database could not be read. `former`: where the replaced database is, from the folder of the
    installation.
    """

    at: int
    copied_at: int
    games: tuple[str, ...]
    lost: dict[str, Lost] = {}
    former: str | None = None


def make(source: Database, target: Path, now: int) -> None:
    """Make a checked copy of the database as it is at one moment; others read and write
    meanwhile.

    Raises BadCopy if there is something at `target` already or the copy is not sound; then there
    is none.
    """
    if target.exists():
        raise BadCopy(f"{target}: there is something already; a copy never replaces another")
    target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    half = target.with_name(f".{target.name}.{secrets.token_hex(4)}.half")
    try:
        copy_to(half, source)
        with connections.opened(half) as copy, write(copy):
            store.meta.remember(copy, "copied_at", str(now))
        check(half)
        put(half, target)
    finally:
        half.unlink(missing_ok=True)


def check(file: Path) -> None:
    """Raises BadCopy unless the file is a sound database of this program or an older one."""
    if not file.is_file():
        raise BadCopy(f"{file}: no such file")
    try:
        with connections.opened(file) as copy:
            faults = copy.damage() + [f"there is a {kind} in it" for kind in copy.strangers()]
            refuse_other(copy)
    except (NotOurs, OtherSchema, sqlite3.DatabaseError) as error:
        raise BadCopy(f"{file}: {error}") from None
    if faults:
        raise BadCopy(f"{file}: damaged: {faults[0]}")


def held(database: Database) -> RestoreHold | None:
    """What a restored service waits with; None once it goes on."""
    stopped = store.meta.remembered(database, "held")
    return None if stopped is None else msgspec.json.decode(stopped, type=RestoreHold)


def around(database: Database, config: Config, when: str, batch: str, now: int) -> None:
    """Make a copy `before` or `after` a batch of rounds, if the settings name a folder, and
    delete the oldest beyond `backups_kept`.

    One each for a `batch`, however often it is tried. A failure is stored for the desk and
    `doctor`, and never keeps a round from closing.
    """
    if (
        not config.backup_folder
        or store.meta.remembered(database, "backup_of") == f"{when} {batch}"
    ):
        return
    folder = Path(config.backup_folder)
    try:
        target = name_for(folder, now, when)
        make(database, target, now)
        keep_newest(folder, NAME, config.backups_kept)
        trouble = ""
    except (OSError, sqlite3.Error, BadCopy, NotOurs) as error:
        log.exception("no copy was made %s the batch", when)
        trouble = str(error)
    with write(database):
        store.meta.remember(database, "backup", f"{now} {trouble}")
        store.meta.remember(database, "backup_of", f"{when} {batch}")


def keep_newest(folder: Path, names: re.Pattern[str], most: int) -> None:
    """Delete all copies with such a name in a folder but `most`: the newest half stays, and of the
    others first the last of each day, so that a busy evening pushes out no older days.
    """
    copies = [file for file in folder.iterdir() if names.fullmatch(file.name) and file.is_file()]
    copies.sort(key=lambda file: file.stat().st_mtime_ns, reverse=True)
    newest, older = copies[: (most + 1) // 2], copies[(most + 1) // 2 :]
    days = {_day(file) for file in newest}
    of_days, others = list[Path](), list[Path]()
    for file in older:
        (others if _day(file) in days else of_days).append(file)
        days.add(_day(file))
    for old in [*of_days, *others][most - len(newest) :]:
        old.unlink(missing_ok=True)


def _day(copy: Path) -> str:
    """The day in the name of a copy."""
    return copy.name.removeprefix("bohnenpost-")[:8]


def copy_to(target: Path, source: Database) -> None:
    """Copy the database as it is at one moment, unchecked; what is at `target` is replaced."""
    target.unlink(missing_ok=True)
    if isinstance(source, sqlite.File):
        os.close(os.open(target, os.O_CREAT | os.O_WRONLY | os.O_EXCL, 0o600))
    else:
        sqlite.create(target)
        with connections.opened(target) as empty:
            migrate(empty)
    overwrite(target, source)


@contextlib.contextmanager
def as_file(database: Database) -> Iterator[sqlite.File]:
    """A database that is a file; of one on a server a copy that is thrown away."""
    if isinstance(database, sqlite.File):
        yield database
        return
    with tempfile.TemporaryDirectory(prefix="bohnenpost-") as folder:
        copy = Path(folder) / "copy.db"
        copy_to(copy, database)
        with connections.opened(copy) as opened:
            assert isinstance(opened, sqlite.File)
            yield opened


def overwrite(target: db.Place, source: Database) -> None:
    """Replace one database by another, in one transaction: a crash leaves the former one."""
    if isinstance(target, Path) and isinstance(source, sqlite.File):
        with writable(target) as into:
            source.conn.backup(into)
    else:
        with connections.opened(target) as of:
            db.transfer(source, of)


def before_upgrade(place: db.Place, folder: Path, now: int) -> None:
    """Copy the database before its schema changes, for going back to the former program.

    The copy is not checked: what is damaged is to be copied too. Call it inside the transaction
    of the change, before its first statement. It reads with a connection of its own, because
    none is copied that holds the write lock.
    """
    folder.mkdir(exist_ok=True, mode=0o700)
    target = name_for(folder, now, "before-upgrade")
    half = target.with_name(f".{target.name}.half")
    try:
        with connections.opened(place) as source:
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
    """A free name with the moment in it."""
    stem = f"bohnenpost-{datetime.fromtimestamp(now, UTC):%Y%m%dT%H%M%SZ}" + (
        f"-{when}" if when else ""
    )
    names = [folder / f"{stem}.db", *(folder / f"{stem}-{number}.db" for number in range(2, 100))]
    return next(name for name in names if not name.exists())


@contextlib.contextmanager
def writable(file: Path) -> Iterator[sqlite3.Connection]:
    """A bare connection to a file that is copied into."""
    connection = sqlite3.connect(file, timeout=sqlite.WAIT_SECONDS, isolation_level=None)
    try:
        connection.execute("PRAGMA synchronous=3").fetchone()
        yield connection
    finally:
        connection.close()
