"""The schema, step by step. A step that was released is never changed; a new one is added at the
end.
"""

import sqlite3
from collections.abc import Callable

from sqlite_utils.migrations import Migrations

from gm import clock
from gm.store.db import Database, File, insert, write
from gm.store.schema import SCHEMA

ON_SERVER = """CREATE TABLE IF NOT EXISTS _sqlite_migrations (migration_set TEXT, name TEXT,
               applied_at TEXT, PRIMARY KEY (migration_set, name))"""
"""What was applied; in a file the library remembers it under the same name."""


class OtherSchema(Exception):
    """The database was written by a newer program, or by one from before the first release."""


def m1_mails_about(db: Database) -> None:
    """Create all tables. The statements run one by one, because SQLite's own way to run several
    commits first.
    """
    if not isinstance(db, File):
        db.create_tables()
        return
    for statement in SCHEMA.read_text(encoding="utf-8").split(";\n"):
        db.execute(statement)


STEPS = (m1_mails_about,)
KNOWN = frozenset(step.__name__ for step in STEPS)
schema = Migrations("bohnenpost")
for step in STEPS:
    schema()(step)


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
    if not isinstance(db, File):
        _migrate_on_server(db, before)
        return
    db.conn.execute("PRAGMA foreign_keys=OFF")  # ignored once a transaction is open, so before it
    try:
        with write(db):
            refuse_other(db)  # a newer program may have been first
            if before and _applied(db) and not is_current(db):
                before()
            schema.apply(db)
            if rows := db.conn.execute("PRAGMA foreign_key_check").fetchall():
                raise RuntimeError(f"a migration left dangling rows: {rows}")
    finally:
        db.conn.execute("PRAGMA foreign_keys=ON")


def _migrate_on_server(db: Database, before: Callable[[], None] | None) -> None:
    """What the library does in a file."""
    with write(db):
        db.execute(ON_SERVER)
        refuse_other(db)
        applied = _applied(db)
        if before and applied and applied != KNOWN:
            before()
        for step in STEPS:
            if step.__name__ not in applied:
                step(db)
                done = {"migration_set": schema.name, "name": step.__name__}
                insert(db, "_sqlite_migrations", [done | {"applied_at": str(clock.now())}])


def is_current(db: Database) -> bool:
    """True if every step was applied."""
    return _applied(db) == KNOWN


def _applied(db: Database) -> set[str]:
    # one statement for each request, where the library asks five
    sql = "SELECT name FROM _sqlite_migrations WHERE migration_set = ?"
    try:
        return {name for (name,) in db.execute(sql, [schema.name])}
    except sqlite3.DatabaseError as error:
        if "no such table" not in str(error) and "does not exist" not in str(error):
            raise
        return set()
