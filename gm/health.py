"""Is everything well? The same findings for `/healthz`, which counts what is late, and for `doctor`, which also looks for
damage.
"""

import sqlite3

import msgspec
from msgspec import Struct
from sqlite_utils import Database

from gm import store

OVERDUE_SECONDS = 300
STUCK_SECONDS = 900
TICK_SECONDS = 300


class Finding(Struct, frozen=True):
    """Something that is not well: a kind, the game it is about if it is about one, and what was found."""

    kind: str
    what: str
    game: str | None = None


def late(db: Database, now: int) -> list[Finding]:
    """What should have happened by now: rounds overdue by five minutes, mail stuck for fifteen, no tick for five."""
    found = [
        Finding("overdue", f"round {game.round} should have been closed {now - (game.deadline or now)} seconds ago", game.id)
        for game in store.games(db)
        if game.is_open and game.deadline is not None and now - game.deadline > OVERDUE_SECONDS
    ]
    sql = """SELECT count(*) FROM mail WHERE sent_at IS NULL AND failed_at IS NULL AND withdrawn_at IS NULL
             AND tries = 0 AND queued_at < ?"""
    stuck = db.execute(sql, [now - STUCK_SECONDS]).fetchone()[0]
    if stuck:
        found.append(Finding("mail", f"{stuck} mails wait since more than fifteen minutes and were not tried once"))
    tick = db.execute("SELECT value FROM meta WHERE key = 'clock'").fetchone()
    if tick is not None and now - int(tick[0].split()[0]) > TICK_SECONDS:
        found.append(Finding("tick", "no process looks after deadlines"))
    return found


def examine(db: Database, now: int) -> list[Finding]:
    """What is late, and what is damaged, held or refused."""
    found: list[Finding] = []
    try:
        found += [Finding("damage", line) for (line,) in db.execute("PRAGMA integrity_check") if line != "ok"]
        found += [Finding("damage", f"dangling row {row}") for row in db.execute("PRAGMA foreign_key_check")]
        found += late(db, now)
        for game in store.games(db):
            if game.status == "held":
                found.append(Finding("held", game.error or "", game.id))
            found += _damaged_rows(db, game)
        found += _refused_mails(db)
    except (msgspec.MsgspecError, sqlite3.DatabaseError) as error:
        found.append(Finding("damage", str(error)))
    return found


def _refused_mails(db: Database) -> list[Finding]:
    mails = store.select(db, store.Mail, "SELECT * FROM mail WHERE failed_at IS NOT NULL ORDER BY id")
    return [Finding("refused", f"{m.kind} of round {m.round} to {m.address}: {m.error}", m.game) for m in mails]


def _damaged_rows(db: Database, game: store.Game) -> list[Finding]:
    """Rounds of a game whose stored table or events cannot be read."""
    found = []
    for closed in store.closed_rounds(db, game.id):
        for column in ("state", "events", "orders"):
            try:
                if column == "state":
                    store.table_after(db, game, closed.number)
                else:
                    getattr(closed, "happened" if column == "events" else "lists")
            except (msgspec.MsgspecError, LookupError, ValueError) as error:
                found.append(Finding("damage", f"table round, row {closed.number}, column {column}: {error}", game.id))
    return found
