"""What is wrong with the file and its rows, whoever reads them."""

from sqlite_utils import Database


def file_damage(db: Database) -> list[str]:
    """What SQLite finds wrong with the file, and the rows that point to none."""
    found = [line for (line,) in db.execute("PRAGMA integrity_check") if line != "ok"]
    return found + [f"dangling row {row}" for row in db.execute("PRAGMA foreign_key_check")]


def strangers(db: Database) -> list[str]:
    """The kinds of what no database of this program holds: triggers and views, which would do something by themselves."""
    return [kind for (kind,) in db.execute("SELECT type FROM sqlite_master WHERE type IN ('trigger', 'view')")]
