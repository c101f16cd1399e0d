"""What the service remembers of itself: a text for each key."""

from sqlite_utils import Database


def remembered(db: Database, key: str) -> str | None:
    """What is remembered under this key."""
    row = db.execute("SELECT value FROM meta WHERE key = ?", [key]).fetchone()
    return row[0] if row else None


def remember(db: Database, key: str, value: str) -> None:
    """Keep this under a key, in place of what was there."""
    db.execute("INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value", [key, value])


def forget(db: Database, *keys: str) -> None:
    """Remember nothing under these keys."""
    db.conn.executemany("DELETE FROM meta WHERE key = ?", [(key,) for key in keys])
