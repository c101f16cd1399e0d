"""Heartbeats, the outage rule, and detection of clock jumps."""

from itertools import pairwise

from msgspec import Struct

from gm import store
from gm.clock import DAY, HOUR
from gm.config import Config
from gm.store.db import Database, reading, write
from gm.store.games import Game

BEAT_SECONDS = 60
KEEP_SECONDS = 15 * DAY
STILL_SECONDS = 3 * BEAT_SECONDS
"""After this long without a heartbeat pages count as standing still."""
BEHIND = (
    "the clock is behind the last thing written; if it is right: bohnenpost run --clock-is-right"
)
JUMP_SECONDS, LEAP_SECONDS, WAIT_SECONDS = 300, DAY, 600
UNTIL_TRUSTED = -1
SHORTEST_MOVE, LONGEST_MOVE = HOUR, DAY
LAPSED_SECONDS = 2 * DAY
"""After two days without a heartbeat the web server is assumed to be off on purpose."""


def beat(db: Database, now: int) -> None:
    """Store a heartbeat, at most once a minute. Only web processes call this."""
    newest = store.meta.last_beat(db)
    if newest is None or not newest <= now < newest + BEAT_SECONDS:
        with write(db):
            store.meta.add_beat(db, now)
            if clock_doubt(db, now) is None:
                store.meta.forget_beats(db, now - KEEP_SECONDS)


def standstill(db: Database, since: int, until: int) -> int:
    """How many seconds between two instants no page was served.

    Time before the very first heartbeat does not count; without heartbeats the rule is off.
    """
    first = store.meta.first_beat(db)
    if first is None or (since := max(since, first)) >= until:
        return 0
    before = store.meta.last_beat(db, since) or first
    beats = [before, *store.meta.beats(db, since, until), until]
    gaps = [
        (earlier, later) for earlier, later in pairwise(beats) if later - earlier > STILL_SECONDS
    ]
    return sum(later - max(earlier, since) for earlier, later in gaps)


def put_off_until(db: Database, config: Config, game: Game, now: int) -> int | None:
    """The outage rule for a due game: the deadline it moves to, `now` itself to go on waiting, or
    None to close the round.

    If no page was served for more than `outage_minutes` of the last `outage_hours` hours before the
    deadline (since the round began, if rounds have a fixed length), the deadline moves once: to the
    time of recovery plus the time lost, at least one and at most 24 hours. While pages still stand
    still the round waits, at most a day, and not if they have stood still for two days. A round
    that was closed early is closed.
    """
    deadline = game.deadline or now
    began = game.round_at or 0 if game.schedule.length else 0
    lost = standstill(db, max(deadline - config.outage_hours * 3600, began), deadline)
    if lost <= config.outage_minutes * 60:
        return None
    if any(
        note.kind in ("outage", *store.notes.CLOSED_EARLY)
        for note in store.notes.of_this_play(db, game.id, game.round)
    ):
        return None
    recovered, newest = store.meta.first_beat(db, deadline), store.meta.last_beat(db)
    if recovered is None and newest is not None and now - newest > STILL_SECONDS:
        return now if now < _waits_until(deadline, newest) else None
    move_to: int = max(recovered or deadline, deadline) + min(
        max(lost, SHORTEST_MOVE), LONGEST_MOVE
    )
    return move_to if move_to > now else None


class Waiting(Struct, frozen=True):
    """A due round that is not closed yet. Either its last try failed (`error`), or no page has been
    served since `since`; it is tried again at `until`.
    """

    game: str
    round: int
    error: str | None
    since: int | None
    until: int | None


def waiting(db: Database, now: int) -> list[Waiting]:
    """The due rounds that wait, each with the reason."""
    newest = store.meta.last_beat(db)
    return [
        Waiting(
            game,
            number,
            error,
            newest,
            retry_at if error or newest is None else _waits_until(deadline, newest),
        )
        for game, number, deadline, error, retry_at in store.due.waiting_rounds(db, now)
    ]


def _waits_until(deadline: int, newest: int) -> int:
    return min(deadline + LONGEST_MOVE, newest + LAPSED_SECONDS)


def clock_doubt(db: Database, now: int) -> str | None:
    """Why rounds wait because the clock has jumped, and what ends that; None if they do not.

    Meanwhile nothing is given up or forgotten because of its age; mail goes out.
    """
    waits = int(store.meta.remembered(db, store.meta.here(db, "clock_waits")) or 0)
    if now < last_tick(db) - JUMP_SECONDS:
        return BEHIND
    if waits == UNTIL_TRUSTED:
        return (
            "the clock jumped by more than a day; if it is right now: bohnenpost run "
            "--clock-is-right"
        )
    return "the clock jumped; rounds wait for ten minutes" if now < waits else None


def last_tick(db: Database) -> int:
    """When a process last looked after deadlines; 0 if never."""
    return max((int(clocks.split()[0]) for clocks in store.meta.clocks(db)), default=0)


def check_clock(
    db: Database, now: int, boot: int, boot_id: str = "", *, trusted: bool = False
) -> str | None:
    """Why no round may be closed now because of the clock; None if it is right. Stores both clocks
    for the next time.

    If wall clock and boot clock differ by more than five minutes from before, nothing is closed for
    ten minutes; by more than a day, until somebody says that the clock is right. After a reboot
    only the wall clock is compared: if it is behind the last thing written, nothing is closed.
    """
    with reading(db):
        clocks, waited, last_boot_id = (
            store.meta.remembered(db, store.meta.here(db, key))
            for key in ("clock", "clock_waits", "boot_id")
        )
    last_wall, last_boot = map(
        int, (clocks or f"{now - BEAT_SECONDS} {boot - BEAT_SECONDS}").split()
    )
    waits = int(waited or 0)
    rebooted = boot < last_boot or last_boot_id not in (None, boot_id)
    step = 0 if rebooted else abs((now - last_wall) - (boot - last_boot))
    if trusted:
        waits = 0
    elif rebooted and now < last_wall:
        return BEHIND
    elif step > LEAP_SECONDS:
        waits = UNTIL_TRUSTED
    elif step > JUMP_SECONDS and waits != UNTIL_TRUSTED:
        waits = now + WAIT_SECONDS
    if trusted or rebooted or step > JUMP_SECONDS or now - last_wall >= BEAT_SECONDS:
        with write(db):
            if trusted:
                store.meta.forget_clocks(db)  # another machine's may have been wrong
            for key, value in (
                ("clock", f"{now} {boot}"),
                ("clock_waits", str(waits)),
                ("boot_id", boot_id),
            ):
                store.meta.remember(db, store.meta.here(db, key), value)
    return clock_doubt(db, now)
