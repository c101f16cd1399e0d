"""The schema, step by step. A step that was released is never changed, nor is `schema.sql`, which
the first one creates; a new one is added at the end.
"""

import sqlite3
from collections.abc import Callable

from gm import clock
from gm.store.db import Database, insert

APPLIED = """CREATE TABLE IF NOT EXISTS _sqlite_migrations (migration_set TEXT, name TEXT,
             applied_at TEXT, PRIMARY KEY (migration_set, name))"""
SET = "bohnenpost"


class OtherSchema(Exception):
    """The database was written by a newer program, or by one from before the first release."""


def m1_first_release(db: Database) -> None:
    """Create all tables."""
    db.create_tables()


STEPS = (m1_first_release,)
KNOWN = frozenset(step.__name__ for step in STEPS)


def refuse_other(db: Database) -> None:
    """Raises OtherSchema if a step was applied that this program does not know."""
    if unknown := _applied(db) - KNOWN:
        raise OtherSchema(
            "the database was written by a newer program, or by one from before the first release: "
            f"this program does not know its step {max(unknown)}"
        )


def migrate(db: Database, before: Callable[[], None] | None = None) -> None:
    """Bring the schema up to date; one process does it, others wait and find nothing to do.
    Raises OtherSchema.

    All steps are one transaction: a crash at any statement leaves the old schema. `before` is
    called inside it, once, unless the schema is current or the database is new.
    """
    refuse_other(db)
    with db.changing_schema():
        db.execute(APPLIED)
        refuse_other(db)  # a newer program may have been first
        applied = _applied(db)
        if before and applied and applied != KNOWN:
            before()
        for step in STEPS:
            if step.__name__ not in applied:
                step(db)
                done = {"migration_set": SET, "name": step.__name__}
                insert(db, "_sqlite_migrations", [done | {"applied_at": str(clock.now())}])


def is_current(db: Database) -> bool:
    """True if every step was applied."""
    return _applied(db) == KNOWN


def _applied(db: Database) -> set[str]:
    sql = "SELECT name FROM _sqlite_migrations WHERE migration_set = ?"
    try:
        return {name for (name,) in db.execute(sql, [SET])}
    except sqlite3.DatabaseError as error:
        if "no such table" not in str(error) and "does not exist" not in str(error):
            raise
        return set()
