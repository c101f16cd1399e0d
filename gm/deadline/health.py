"""Is everything well? The same findings for `/healthz`, which counts what is late, and for `doctor`, which also looks for
damage.
"""

import sqlite3

import msgspec
from msgspec import Struct
from sqlite_utils import Database

from gm import store
from gm.config import Config
from gm.deadline import outage
from gm.mail import blame
from gm.mail.transports import SmtpTransport, TransportDown
from gm.store.file import backup, doctor

OVERDUE_SECONDS = 300
STUCK_SECONDS = 900
NO_TICK_SECONDS = 300
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
    found = [
        Finding("overdue", OUTAGE.format(number) if game in wait else OVERDUE.format(number, seconds), game)
        for game, number, seconds in doctor.overdue_rounds(db, now, OVERDUE_SECONDS)
    ]
    if stuck := doctor.never_tried(db, now - STUCK_SECONDS):
        found.append(Finding("mail", f"{stuck} mails wait since more than fifteen minutes and were not tried once"))
    if words := blame.server_fault(db):
        found.append(Finding("server", f"the mail server refuses us, and mail waits: {words}"))
    if 0 < last_tick(db) < now - NO_TICK_SECONDS:
        found.append(Finding("tick", "no process looks after deadlines"))
    if trouble := (store.remembered(db, "backup") or "").partition(" ")[2]:
        found.append(Finding("backup", f"the last copy of the database failed: {trouble}"))
    return found


def last_tick(db: Database) -> int:
    """When a process last looked after deadlines; 0: never."""
    clocks = store.remembered(db, "clock")
    return int(clocks.split()[0]) if clocks else 0


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
    return [Finding("held", error or "", game) for game, error in doctor.held_games(db)]


def _refused_mails(db: Database) -> list[Finding]:
    return [Finding("refused", f"{kind} of round {n} to {to}: {why}", game) for kind, n, to, why, game in doctor.refusals(db)]


def _rows(db: Database) -> list[Finding]:
    """Every column of every row that cannot be read, named with table and row."""
    return [Finding("damage", f"{of.place}: {of.why}", of.game) for of in doctor.damaged_columns(db)]
