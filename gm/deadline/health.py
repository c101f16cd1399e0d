"""Is everything well? Findings for `/healthz`, which counts what is late, and for `doctor`, which
also looks for damage.
"""

import shutil
import sqlite3
from collections.abc import Callable

import msgspec
from msgspec import Struct

from gm import store
from gm.clock import DAY
from gm.config import Config
from gm.deadline import outage
from gm.mail import blame
from gm.mail.transports import SmtpTransport, TransportDown
from gm.proof.fairness import changed_verdicts, differences
from gm.rendering.sentences import counted, environment
from gm.store.db import Database, Place
from gm.store.file import backup, doctor
from gm.store.file.backup import as_file

OVERDUE_SECONDS = 300
STUCK_SECONDS = 900
NO_TICK_SECONDS = 300
CALL_SECONDS = 10
MEGABYTE = 10**6
LEAST_FREE = 50 * MEGABYTE
LONG_PAUSE = 30 * DAY
"""A game that is paused for longer was forgotten."""


class Finding(Struct, frozen=True):
    """Something that is not well: its kind, what was found, and the game it is about, if any."""

    kind: str
    what: str
    game: str | None = None


def late(db: Database, now: int) -> list[Finding]:
    """What should have happened by now: rounds overdue by five minutes, mail stuck for fifteen, no
    tick for five.

    And what keeps it from happening: a restored service that waits, a doubtful clock, a copy that
    could not be made, a mail server that refuses us.
    """
    if backup.held(db):
        return [
            Finding(
                "restored", "restored from a copy and held; look it over, then: bohnenpost resume"
            )
        ]
    tick, doubt = outage.last_tick(db), outage.clock_doubt(db, now)
    nobody = (
        f"no process has looked after deadlines and mail {_since(tick, now)}"
        if 0 < tick < now - NO_TICK_SECONDS
        else None
    )
    wait = {waiting.game: waiting for waiting in outage.waiting(db, now)}
    findings = [Finding("clock", doubt)] if doubt else []
    for game, number, deadline in store.games.overdue_rounds(db, now - OVERDUE_SECONDS):
        due = f"it was to be closed {_since(deadline, now, 'on')}"
        waits = _why_it_waits(wait.get(game))
        why = doubt or nobody or "look into the log"
        what = f"round {number} {waits}; {due}" if waits else f"round {number}: {due}; {why}"
        findings.append(Finding("overdue", what, game))
    stuck, oldest = store.mails.never_tried(db, now - STUCK_SECONDS)
    if stuck:
        why = nobody or (
            "the mail server cannot be reached, or, where none is set, mail/ cannot be written; "
            "or nothing runs that sends mail (serve, worker or run)"
        )
        findings.append(
            Finding(
                "mail",
                (
                    f"{'at least ' if stuck == store.mails.MOST_COUNTED else ''}"
                    f"{counted(stuck, 'mail')} not tried once, the oldest waits "
                    f"{_since(oldest, now)}: {why}"
                ),
            )
        )
    if words := blame.server_fault(db):
        findings.append(Finding("server", f"the mail server refuses us, and mail waits: {words}"))
    if nobody:
        findings.append(
            Finding("tick", f"{nobody}; start bohnenpost serve, or let cron start bohnenpost run")
        )
    if trouble := (store.meta.remembered(db, "backup") or "").partition(" ")[2]:
        findings.append(Finding("backup", f"the last copy of the database failed: {trouble}"))
    return findings


def _since(instant: int, now: int, word: str = "since") -> str:
    """An instant and how long ago it is."""
    write = environment("en").filters
    return f"{word} {write['when'](instant, 'UTC')} ({write['span'](now - instant)} ago)"


def _why_it_waits(wait: outage.Waiting | None) -> str | None:
    """Why a due round waits, or None."""
    when = environment("en").filters["when"]
    if wait is not None and wait.error:
        return (
            f"waits: its last try failed ({wait.error}), the next is at {when(wait.until, 'UTC')}"
        )
    if wait is not None and wait.since is not None:
        until, since = when(wait.until, "UTC"), when(wait.since, "UTC")
        return (
            f"waits by the outage rule until {until} at the latest: no page has been served "
            f"since {since}"
        )
    return None


def examine(db: Database, now: int) -> list[Finding]:
    """What is late, and what is damaged, held or refused."""
    findings: list[Finding] = []
    looks: list[Callable[[Database], list[Finding]]] = [
        _file,
        lambda of: late(of, now),
        _rows,
        _differences,
        _held,
        lambda of: _paused(of, now),
        _refused_mails,
    ]
    for look in looks:
        try:
            findings += look(db)
        except (msgspec.MsgspecError, sqlite3.DatabaseError, ValueError) as error:
            findings.append(Finding("damage", str(error)))
    return findings


def out_of_reach(config: Config) -> list[Finding]:
    """Why the mail server can't be reached or refuses our login. Sends nothing."""
    try:
        with SmtpTransport(config, timeout=CALL_SECONDS) as server:
            if config.smtp_host:
                server.reach()
    except TransportDown as error:
        return [
            Finding(
                "server",
                (
                    f"the mail server cannot be reached: {error}; bohnenpost mail test ADDRESS "
                    "says every step"
                ),
            )
        ]
    return []


def short_of_space(database: Place) -> list[Finding]:
    """Whether the disk lacks room for a copy of the database and some days of play. A server's is
    looked after there.
    """
    if isinstance(database, str):
        return []
    free = shutil.disk_usage(database.parent).free
    needed = 3 * database.stat().st_size + LEAST_FREE
    if free >= needed:
        return []
    return [
        Finding(
            "space",
            (
                f"{free // MEGABYTE} MB are free on the disk of {database.parent}; keep "
                f"{needed // MEGABYTE} MB free"
            ),
        )
    ]


def _file(db: Database) -> list[Finding]:
    return [Finding("damage", line) for line in db.damage()]


def _differences(db: Database) -> list[Finding]:
    why = "played again from its record, the game gives something else than what is stored"
    differing = differences(db)
    return [
        *(Finding("differs", f"{place}: {why}", game) for game, place in differing.items()),
        *(
            Finding("verdict", f"its mails say: {stored}; this version says: {found}", game)
            for game, stored, found in changed_verdicts(db, differing)
        ),
    ]


def _paused(db: Database, now: int) -> list[Finding]:
    how = "bohnenpost game resume or game abort ends that"
    return [
        Finding("paused", f"paused {_since(game.paused_at, now)}; {how}", game.id)
        for game in store.games.all_games(db)
        if game.paused_at is not None and game.paused_at < now - LONG_PAUSE
    ]


def _held(db: Database) -> list[Finding]:
    return [Finding("held", error or "", game) for game, error in doctor.held_games(db)]


def _refused_mails(db: Database) -> list[Finding]:
    when = environment("en").filters["when"]
    findings = [
        Finding("refused", f"{kind} of round {number} to {to}, on {when(at, 'UTC')}: {why}", game)
        for kind, number, to, why, game, at in doctor.refusals(db)
    ]
    if words := blame.server_fault(db, for_one=True):
        findings.append(
            Finding(
                "mail",
                f"a mail waits, for the mail server takes none to its address from us: {words}",
            )
        )
    return findings


def _rows(db: Database) -> list[Finding]:
    """Every row that cannot be read, named with table and key."""
    with as_file(db) as file:
        return [
            Finding("damage", f"{of.place}: {of.why}", of.game)
            for of in doctor.damaged_columns(file)
        ]
