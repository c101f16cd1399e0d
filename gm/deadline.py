"""Close one due round, exactly once, however many processes try.

The round is worked out without a lock and stored in one short transaction, which checks that nothing has changed meanwhile.
There is no
state in between, so whatever crashes, the next call goes on from the database.
"""

import logging

import msgspec
from msgspec import Struct
from sqlite_utils import Database

from gm import outbox, store
from gm.db import write
from gm.schedule import next_deadline
from gm.store import Game, Revision
from rounds.events import AnyEvent

log = logging.getLogger(__name__)

MAX_FAILURES = 3
RETRY_SECONDS = 60


class Closing(Struct, frozen=True):
    """A round worked out and not stored yet: the lists it used and what came of them."""

    game: Game
    used: dict[int, Revision]
    lists: dict[str, str | None]
    events: tuple[AnyEvent, ...]
    state: bytes
    next_round: int
    over: bool


def next_due(db: Database, now: int) -> Game | None:
    """The game that has waited longest for its round to be closed."""
    sql = """SELECT * FROM game WHERE status = 'running' AND deadline <= ? AND (retry_at IS NULL OR retry_at <= ?)
             ORDER BY deadline LIMIT 1"""
    return store.select_one(db, Game, sql, now, now)


def close_one(db: Database, now: int, mail_domain: str, done: list[Closing] | None = None) -> bool:
    """Close the round of one due game: result, next deadline and a queued mail for each seat, in one transaction. False if none
    is due.

    What this very call stored is added to `done`. A game that fails is tried again a minute later and held after three times;
    the others go on.
    """
    game = next_due(db, now)
    if game is None:
        return False
    try:
        closing = work_out(db, game)
    except Exception as error:  # one bad game must never stop the others
        log.exception("round %s of %s could not be worked out", game.round, game.id)
        _note_failure(db, game, f"{type(error).__name__}: {error}", now)
        return True
    if store_closing(db, closing, mail_domain, now) and done is not None:
        done.append(closing)
    return True


def work_out(db: Database, game: Game) -> Closing:
    """What comes of the lists as they are stored now. Changes nothing."""
    variant, table = game.rules, store.open_table(db, game)
    used = store.newest_revisions(db, game.id, game.round)
    seats = {seat.name: seat.number for seat in store.seats(db, game.id)}
    lists = {name: used[seats[name]].orders if seats[name] in used else None for name in variant.awaited(table)}
    orders = {name: None if text is None else variant.read_orders(table, name, text) for name, text in lists.items()}
    after, events = variant.adjudicate(table, orders)
    return Closing(game, used, lists, events, variant.pack(after), variant.round_of(after), over=not variant.awaited(after))


def store_closing(db: Database, closing: Closing, mail_domain: str, now: int) -> bool:
    """Store a closing if the game still stands where it was worked out: same round, same deadline, same lists. False if not."""
    game = closing.game
    with write(db):
        current = store.game(db, game.id)
        same = current is not None and (current.status, current.round, current.deadline) == (
            "running",
            game.round,
            game.deadline,
        )
        if not same or store.newest_revisions(db, game.id, game.round) != closing.used:
            return False
        db.table("round").insert(
            {
                "game": game.id,
                "number": game.round,
                "deadline": game.deadline,
                "closed_at": now,
                "orders": msgspec.json.encode(closing.lists).decode(),
                "events": msgspec.json.encode(closing.events).decode(),
                "state": closing.state.decode(),
            }
        )
        following: dict[str, object] = {"status": "finished", "deadline": None}
        if not closing.over:
            following = {"deadline": next_deadline(game.schedule, max(now, game.deadline or now))}
        changed = {"round": closing.next_round, "failures": 0, "retry_at": None, "error": None, **following}
        db.table("game").update(game.id, changed)
        kind = "final" if closing.over else "report"
        outbox.queue(db, game.id, game.round, kind, store.seats(db, game.id), mail_domain, now)
    return True


def _note_failure(db: Database, game: Game, error: str, now: int) -> None:
    with write(db):
        failures = game.failures + 1
        held = {"status": "held"} if failures >= MAX_FAILURES else {}
        changed = {"failures": failures, "retry_at": now + RETRY_SECONDS, "error": error[:500], **held}
        db.table("game").update(game.id, changed)
