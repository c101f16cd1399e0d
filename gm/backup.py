"""Copies of the database: made while it is used, checked before they count, brought back held and without sending a mail."""

import logging
import re
import sqlite3
from pathlib import Path

import msgspec
from msgspec import Struct
from sqlite_utils import Database

from gm import course, db, faults, links, promises, revoke, store
from gm.config import Config
from gm.copies import copy_to, name_for, put, writable
from gm.db import NotOurs, write
from gm.migrations import NewerSchema, migrate, refuse_newer

log = logging.getLogger(__name__)

NAME = re.compile(r"bohnenpost-\d{8}T\d{6}Z-(before|after)(-\d+)?\.db", re.ASCII)
"""The copies around batches; those made by hand are nobody's to delete."""
KEEP_SECONDS = 24 * 3600
"""A deadline that still lies so far ahead when a restored service goes on stays as it was."""


class BadCopy(Exception):
    """A file that is no sound copy, or a place where none can be put. The message says what and how to mend it."""


class Held(Struct, frozen=True):
    """A restored service that waits to be let go on: since when, how old its copy is, and the games it stopped."""

    at: int
    copied_at: int
    games: tuple[str, ...]


def make(source: Database, target: Path, now: int) -> None:
    """A checked copy of the database as it is at one moment, for its owner alone; others read and write meanwhile.

    Raises BadCopy if there is something at `target` already or the copy is not sound; then there is none.
    """
    if target.exists():
        raise BadCopy(f"{target}: there is something already; a copy never replaces another")
    target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    half = target.with_name(f".{target.name}.half")
    try:
        copy_to(half, source)
        with db.opened(half) as copy, write(copy):
            copy.table("meta").upsert({"key": "copied_at", "value": str(now)}, pk="key")
        check(half)
        put(half, target)
    finally:
        half.unlink(missing_ok=True)


def check(file: Path) -> None:
    """Raises BadCopy unless the file is a sound database of this program or an older one."""
    if not file.is_file():
        raise BadCopy(f"{file}: no such file")
    try:
        with db.opened(file) as copy:
            found = [line for (line,) in copy.execute("PRAGMA integrity_check") if line != "ok"]
            found += [f"dangling row {row}" for row in copy.execute("PRAGMA foreign_key_check")]
            found += [f"there is a {kind} in it" for (kind,) in copy.execute(db.STRANGE)]
            refuse_newer(copy)
    except (NotOurs, NewerSchema, sqlite3.DatabaseError) as error:
        raise BadCopy(f"{file}: {error}") from None
    if found:
        raise BadCopy(f"{file}: damaged: {found[0]}")


class Restored(Struct, frozen=True):
    """What a restore did: where the former database was put, if there was one; how many personal links are others than in the
    copy; whether it is known which were renewed since.
    """

    former: Path | None
    renewed: int
    is_known: bool


def restore(live: Path, key: bytes, file: Path, now: int, *, all_links: bool = False) -> Restored:
    """Put a copy in the place of the database: whole or not at all, held until `go_on`.

    No session, one-time link or renewed personal link comes back; with `all_links` every personal link is renewed.
    Raises BadCopy for a damaged or foreign copy, or one that the link key does not belong to; then nothing has changed.
    """
    check(file)
    half = live.with_name(".restore.half")
    try:
        with db.opened(file) as copy:
            copy_to(half, copy)
        with db.opened(half) as prepared:
            migrate(prepared)
            _check_key(prepared, key, file)
            _hold(prepared, file, now)
            known = revoke.known_keys(live)
            renewed = revoke.revoke(prepared, key, known, now, all_links=all_links)
            former = name_for(live.parent / "backups", now, "replaced")
            if live.exists() and _keep(live, former, now):
                with writable(live) as into:
                    prepared.conn.backup(into)  # in one transaction of SQLite's own: a crash leaves the former one
                return Restored(former, renewed, known is not None)
        return Restored(_put_in_place(half, live, former), renewed, known is not None)
    finally:
        half.unlink(missing_ok=True)


def held(of: Database) -> Held | None:
    """What a restored service waits for; None once it goes on."""
    row = of.execute("SELECT value FROM meta WHERE key = 'held'").fetchone()
    return msgspec.json.decode(row[0], type=Held) if row else None


def go_on(of: Database, mail_domain: str, now: int) -> list[str]:
    """Let a restored service go on: its games run, everybody is told, mail goes out. The ids of the games that run again.

    A deadline a day ahead or more stays; any other is the calendar's first that leaves a shortest round.
    """
    with write(of):
        stopped = held(of)
        if stopped is None:
            return []
        for game in [game for game in store.games(of) if game.status in ("running", "paused", "held")]:
            deadline, regular = game.deadline, game.regular
            if game.id in stopped.games and game.status == "paused":
                if deadline is not None and deadline - now < KEEP_SECONDS:
                    deadline = regular = promises.moved_on(game, now)
                going = {"status": "running", "paused_at": None, "deadline": deadline, "regular": regular}
                of.table("game").update(game.id, going | {"sequence": game.sequence + 1})
            course.tell(of, game, "restored", "", mail_domain, now, old=stopped.copied_at, new=deadline)
        of.execute("DELETE FROM meta WHERE key IN ('held', 'copied_at')")
    return list(stopped.games)


def around(of: Database, config: Config, when: str, batch: str, now: int) -> None:
    """A copy `before` or `after` a batch of rounds, if the settings name a folder; the oldest beyond so many go.

    One each for a `batch`, however often it is tried. What fails here is remembered for the desk and `doctor`, and never keeps a
    round from closing.
    """
    last = of.execute("SELECT value FROM meta WHERE key = 'backup_of'").fetchone()
    if not config.backup_folder or last == (f"{when} {batch}",):
        return
    folder = Path(config.backup_folder)
    try:
        target = name_for(folder, now, when)
        make(of, target, now)
        copies = [file for file in folder.iterdir() if NAME.fullmatch(file.name)]
        copies.sort(key=lambda file: file.stat().st_mtime_ns)
        for old in copies[: -config.backups_kept]:
            old.unlink()
        trouble = ""
    except (OSError, sqlite3.Error, BadCopy) as error:
        log.exception("no copy was made %s the batch", when)
        trouble = str(error)
    with write(of):
        of.table("meta").upsert({"key": "backup", "value": f"{now} {trouble}"}, pk="key")
        of.table("meta").upsert({"key": "backup_of", "value": f"{when} {batch}"}, pk="key")


def _hold(prepared: Database, file: Path, now: int) -> None:
    """Nothing of a restored database happens by itself: its games are paused as they stood, its mail waits."""
    row = prepared.execute("SELECT value FROM meta WHERE key = 'copied_at'").fetchone()
    copied_at = int(row[0]) if row else int(file.stat().st_mtime)
    running = tuple(game for (game,) in prepared.execute("SELECT id FROM game WHERE status = 'running' ORDER BY id"))
    stopped = Held(now, copied_at, running)
    if (earlier := held(prepared)) is not None:  # a copy of a service that waited already
        stopped = Held(now, earlier.copied_at, (*earlier.games, *running))
    with write(prepared):
        prepared.execute("UPDATE game SET status = 'paused', paused_at = ? WHERE status = 'running'", [copied_at])
        for key in ("clock", "clock_waits", "boot_id"):  # how time passed meanwhile says nothing of the clock
            prepared.execute("DELETE FROM meta WHERE key = ?", [key])
        prepared.table("meta").upsert({"key": "held", "value": msgspec.json.encode(stopped).decode()}, pk="key")


def _check_key(prepared: Database, key: bytes, file: Path) -> None:
    known = prepared.execute("SELECT value FROM meta WHERE key = 'link_key_check'").fetchone()
    has_links = prepared.execute("SELECT count(*) FROM game").fetchone()[0]
    if (known is None and has_links) or (known is not None and known[0] != links.key_check(key)):
        raise BadCopy(f"{file}: link.key does not belong to it; put the key of that time back first")


def _keep(live: Path, former: Path, now: int) -> bool:
    """Copy the database that is about to be replaced: nothing is lost. False if it is ruined; a busy or full disk is raised."""
    try:
        with db.opened(live) as current:
            make(current, former, now)
    except (NotOurs, BadCopy, sqlite3.DatabaseError) as error:
        if faults.is_environment(error):
            raise
        return False
    return True


def _put_in_place(half: Path, live: Path, former: Path) -> Path | None:
    """Put a prepared file where no sound database is; what is there, with its journal, is moved aside as it is."""
    kept = None
    if live.exists():
        former.parent.mkdir(exist_ok=True, mode=0o700)
        kept = former
        journal = live.with_name(f"{live.name}-journal")
        if journal.exists():  # it would be played back into the new file
            journal.rename(former.with_name(f"{former.name}-journal"))
        live.rename(former)
    half.replace(live)
    return kept
