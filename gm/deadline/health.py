"""Is everything well? The same findings for `/healthz`, which counts what is late, and for `doctor`, which also looks for
damage.
"""

import sqlite3
from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from msgspec import Struct
from sqlite_utils import Database

from gm import errors, store
from gm.config import Config
from gm.deadline import outage
from gm.mail import blame
from gm.mail.transports import SmtpTransport, TransportDown
from gm.schedule import Rule
from gm.store import backup
from rounds.events import AnyEvent
from rounds.record import Receipt
from rounds.variant import find

OVERDUE_SECONDS = 300
STUCK_SECONDS = 900
TICK_SECONDS = 300
OVERDUE = "round {} should have been closed {} seconds ago"
OUTAGE = "round {} waits by the outage rule, a day at most: no page is served here"
CALL_SECONDS = 10


class Finding(Struct, frozen=True):
    """Something that is not well: a kind, the game it is about if it is about one, and what was found."""

    kind: str
    what: str
    game: str | None = None


def late(db: Database, now: int) -> list[Finding]:
    """What should have happened by now: rounds overdue by five minutes, mail stuck for fifteen, no tick for five.

    And what keeps it from happening: a restored service that waits, a copy that could not be made, a mail
    server that refuses us.
    """
    if backup.held(db):
        return [Finding("restored", "restored from a copy and held; look it over, then: bohnenpost resume")]
    wait = {waiting.game: waiting for waiting in outage.waiting(db, now) if waiting.error is None}
    sql = "SELECT id, round, ? - deadline FROM game WHERE status = 'running' AND deadline < ?"
    found = [
        Finding("overdue", OUTAGE.format(number) if game in wait else OVERDUE.format(number, seconds), game)
        for game, number, seconds in db.execute(sql, [now, now - OVERDUE_SECONDS])
    ]
    sql = """SELECT count(*) FROM mail WHERE sent_at IS NULL AND failed_at IS NULL AND withdrawn_at IS NULL
             AND tries = 0 AND first_try IS NULL AND queued_at < ?"""
    stuck = db.execute(sql, [now - STUCK_SECONDS]).fetchone()[0]
    if stuck:
        found.append(Finding("mail", f"{stuck} mails wait since more than fifteen minutes and were not tried once"))
    if words := blame.server_fault(db):
        found.append(Finding("server", f"the mail server refuses us, and mail waits: {words}"))
    memory = dict(db.execute("SELECT key, value FROM meta WHERE key IN ('clock', 'backup')").fetchall())
    if "clock" in memory and now - int(memory["clock"].split()[0]) > TICK_SECONDS:
        found.append(Finding("tick", "no process looks after deadlines"))
    if trouble := memory.get("backup", "").partition(" ")[2]:
        found.append(Finding("backup", f"the last copy of the database failed: {trouble}"))
    return found


def examine(db: Database, now: int) -> list[Finding]:
    """What is late, and what is damaged, held or refused."""
    found: list[Finding] = []
    for look in (_file, lambda of: late(of, now), _rows, _held, _refused_mails):
        try:
            found += look(db)
        except (msgspec.MsgspecError, sqlite3.DatabaseError, ValueError) as error:
            found.append(Finding("damage", str(error)))
    return found


def out_of_reach(config: Config) -> list[Finding]:
    """Whether the mail server, if one is set, can be reached and takes our login. Sends nothing."""
    try:
        with SmtpTransport(config, timeout=CALL_SECONDS) as server:
            if config.smtp_host:
                server.reach()
    except TransportDown as error:
        return [Finding("server", f"the mail server cannot be reached: {error}; bohnenpost mail test ADDRESS says every step")]
    return []


def _file(db: Database) -> list[Finding]:
    return [Finding("damage", line) for line in store.file_damage(db)]


def _held(db: Database) -> list[Finding]:
    return [Finding("held", error or "", game) for game, error in db.execute("SELECT id, error FROM game WHERE status = 'held'")]


def _refused_mails(db: Database) -> list[Finding]:
    sql = "SELECT kind, round, address, error, game FROM mail WHERE failed_at IS NOT NULL AND withdrawn_at IS NULL ORDER BY id"
    return [Finding("refused", f"{kind} of round {n} to {to}: {why}", game) for kind, n, to, why, game in db.execute(sql)]


def _json_of(kind: Any) -> Callable[[str], object]:
    return lambda text: msgspec.json.decode(text, type=kind)


KINDS: dict[str, type[Struct]] = {
    "game": store.Game,
    "seat": store.Seat,
    "revision": store.Revision,
    "press": store.Press,
    "note": store.Note,
    "round": store.ClosedRound,
    "withdrawn": store.ClosedRound,
    "joining": store.Joining,
    "given_up": store.GivenUp,
    "dead_link": store.DeadLink,
    "gm": store.Master,
    "mail": store.Mail,
}
LISTS, PROOFS = dict[str, str | None], dict[str, Receipt | None]
MEANINGS: dict[str, dict[str, Callable[[str], object]]] = {
    "game": {"variant": find, "rule": _json_of(Rule), "house_rules": _json_of(dict), "setup": _json_of(dict)},
    "seat": {"reminder_leads": _json_of(tuple[int, ...])},
    "gm": {"mails": _json_of(tuple[str, ...])},
    "round": {"orders": _json_of(LISTS), "events": _json_of(tuple[AnyEvent, ...]), "receipts": _json_of(PROOFS)},
    "withdrawn": {"orders": _json_of(LISTS), "events": _json_of(tuple[AnyEvent, ...]), "receipts": _json_of(PROOFS)},
}
"""What the text of a column must be readable as."""


def _rows(db: Database) -> list[Finding]:
    """Every row of every table, read as the service reads it; each that cannot be is named with table, row and column."""
    found: list[Finding] = []
    for table, kind in KINDS.items():
        rows = db.execute(f"SELECT rowid FROM {table}").fetchall()  # noqa: S608  # names of our own
        for (row,) in rows:
            for column, why in _damage(db, table, kind, row).items():
                key = _key_of(db, table, row)
                what = f"table {table}, row {' '.join(map(str, key.values()))}, column {column}: {why}"
                found.append(Finding("damage", what, key.get("game", key.get("id")) if table != "gm" else None))
    return found + [one for game in store.games(db) for one in _tables(db, game)]


def _damage(db: Database, table: str, kind: type[Struct], row: int) -> Mapping[str, str]:
    """The columns of a row that cannot be read, each with why."""
    hints = {field.name: field.type for field in msgspec.structs.fields(kind)}
    found = {}
    for column, hint in hints.items():
        try:
            value = db.execute(f"SELECT {column} FROM {table} WHERE rowid = ?", [row]).fetchone()[0]  # noqa: S608  # likewise
            msgspec.convert(value, hint)
            read = MEANINGS.get(table, {}).get(column)
            if read is not None and value is not None:
                read(value)
        except (msgspec.MsgspecError, LookupError, ValueError, sqlite3.DatabaseError) as error:
            if errors.is_environment(error):
                raise
            found[column] = str(error)
    return found


def _key_of(db: Database, table: str, row: int) -> dict[str, Any]:
    """What a row is known by: its game and the columns of its key, as far as they can be read."""
    columns = dict.fromkeys(["game", *db.table(table).pks]) if table not in ("game", "gm") else db.table(table).pks
    found: dict[str, Any] = {}
    for column in columns:
        try:
            found[column] = db.execute(f"SELECT {column} FROM {table} WHERE rowid = ?", [row]).fetchone()[0]  # noqa: S608
        except sqlite3.OperationalError:
            found[column] = f"(rowid {row})"
    return found


def _tables(db: Database, game: store.Game) -> list[Finding]:
    """The rounds of a game whose stored table the rules cannot read."""
    found = []
    for (number,) in db.execute("SELECT number FROM round WHERE game = ? ORDER BY number", [game.id]).fetchall():
        try:
            store.table_after(db, game, number)
        except Exception as error:
            if errors.is_environment(error):
                raise
            found.append(Finding("damage", f"table round, row {game.id} {number}, column state: {error}", game.id))
    return found
