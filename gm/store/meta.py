"""What the service remembers of itself: a text for each key, and heartbeats of the pages."""

import secrets
import sys
from collections.abc import Sequence

from gm import clock
from gm.store.db import Database, as_list


def remembered(db: Database, key: str) -> str | None:
    """The text under this key; None if there is none."""
    row = db.execute("SELECT value FROM meta WHERE key = ?", [key]).fetchone()
    return row[0] if row else None


def all_of(db: Database, keys: Sequence[str]) -> dict[str, str]:
    """The texts under those of these keys that have one."""
    sql = "SELECT key, value FROM meta WHERE key IN (SELECT value FROM json_each(?))"
    return dict(db.execute(sql, [as_list(keys)]).fetchall())


def remember(db: Database, key: str, value: str) -> None:
    """Store a text under a key, in place of what was there."""
    db.execute(
        """INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE
           SET value = excluded.value""",
        [key, value],
    )


def forget(db: Database, *keys: str) -> None:
    """Delete these keys."""
    db.execute("DELETE FROM meta WHERE key IN (SELECT value FROM json_each(?))", [as_list(keys)])


def here(db: Database, key: str) -> str:
    """The key of what each machine remembers for itself: a file is of one machine, a database on a
    server of several.
    """
    return key if db.is_of_one_machine else f"{key} of {clock.machine()}"


def clocks(db: Database) -> list[str]:
    """What each machine remembers of its clocks."""
    sql = """SELECT value FROM meta WHERE key = 'clock'
             OR key BETWEEN 'clock of ' AND 'clock of ~'"""
    return [value for (value,) in db.execute(sql)]


def forget_clocks(db: Database) -> None:
    """Delete what machines remember of their clocks."""
    db.execute("""DELETE FROM meta WHERE key IN ('clock', 'clock_waits', 'boot_id') OR key LIKE
               'clock of %' OR key LIKE 'clock_waits of %' OR key LIKE 'boot_id of %'""")


def add_beat(db: Database, at: int) -> None:
    """Store a heartbeat."""
    db.execute("INSERT INTO beat (at) VALUES (?) ON CONFLICT DO NOTHING", [at])


def forget_beats(db: Database, before: int) -> None:
    """Delete the heartbeats before an instant."""
    db.execute("DELETE FROM beat WHERE at < ?", [before])


def beats(db: Database, after: int, before: int) -> list[int]:
    """The heartbeats between two instants."""
    return [
        at
        for (at,) in db.execute(
            "SELECT at FROM beat WHERE at > ? AND at < ? ORDER BY at", [after, before]
        )
    ]


def first_beat(db: Database, since: int = 0) -> int | None:
    """The first heartbeat, or the first after an instant."""
    at: int | None = db.execute("SELECT min(at) FROM beat WHERE at >= ?", [since]).fetchone()[0]
    return at


def last_beat(db: Database, until: int = sys.maxsize) -> int | None:
    """The last heartbeat, or the last until an instant."""
    at: int | None = db.execute("SELECT max(at) FROM beat WHERE at <= ?", [until]).fetchone()[0]
    return at


def always_write(db: Database) -> None:
    """Write something in any case, so that the commit always waits for the disk: the time of an
    answer must not tell whether an address is known.
    """
    remember(db, "asked", secrets.token_hex(8))  # the same again would not be written
