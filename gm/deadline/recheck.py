"""The second opinion: a running game is played again from its record, by itself, and compared with what is stored.

A damaged row or a changed program shows before the next round is built on it: the game is held and its master asked.
"""

import logging

import msgspec
from sqlite_utils import Database

from gm import errors, seeds, store
from gm.clock import DAY
from gm.deadline.retry import attempt
from gm.errors import OutOfBounds
from gm.mail import queue
from gm.proof.fairness import PROGRAM, record_to_replay, reviewed, verdict
from gm.proof.hindsight import look_back
from gm.store import Game
from gm.store.db import write
from gm.watchdog import bounded
from rounds.record import replay
from rounds.variant import Table

log = logging.getLogger(__name__)

AGAIN_SECONDS = DAY
"""A game is looked at after each close, by each new program, and this long after the last look."""
DIFFERS = "differs: "


def recheck_one(db: Database, now: int) -> bool:
    """Look at one running game that is due for it; False if none is. A difference holds the game and tells its master."""
    due = store.game_to_recheck(db, PROGRAM, now - AGAIN_SECONDS, now)
    if due is not None:
        attempt(db, due, now, lambda game: _recheck(db, game, now))
    return due is not None


def _recheck(db: Database, game: Game, now: int) -> None:
    found = difference(db, game)
    with write(db):
        current = store.game(db, game.id)
        if current is None or (current.status, current.round, current.deadline) != (game.status, game.round, game.deadline):
            return
        changed: dict[str, object] = {"reviewed": reviewed(game), "reviewed_at": now}
        if found:
            log.error("%s: the second opinion differs: %s", game.id, found)
            changed |= {"status": "held", "error": f"{DIFFERS}{found}"[:500]}
            queue.put_alarm(db, game.id, game.round, now)
        store.update_game(db, game.id, changed)


def difference(db: Database, game: Game) -> str | None:
    """The first place where the stored game is not what its record gives; None if there is none."""
    try:
        closed = store.closed_rounds(db, game.id)
        played = replay(record_to_replay(db, game), game.engine, seeds.deck(game.variant), store.chance(db, game))
        tables: list[Table] = [played.start, *(again.after for again in played.rounds)]
        happened = [played.dealt, *(again.events for again in played.rounds)]
        for stored, table, events in zip(closed, tables, happened, strict=True):
            if game.engine.read_events(stored.events) != tuple(events):
                return f"round {stored.number}, what happened"
            if store.table_of(db, game, stored.state) != table:
                return f"round {stored.number}, the table after it"
    except Exception as error:  # whatever cannot be played again differs
        if errors.is_environment(error) or isinstance(error, OutOfBounds):
            raise
        return f"{type(error).__name__}: {error}"
    return None


def settle_one(db: Database) -> bool:
    """Look back at one game that is over and was not looked back at; False if none is. What fails is kept as its verdict."""
    over = store.game_to_settle(db)
    if over is None:
        return False
    try:
        with bounded():
            game = store.game(db, over)
            assert game is not None
            found = verdict(db, game)
            hindsight = look_back(db, game)
    except Exception as error:  # one bad game must never stop the others
        if errors.is_environment(error):
            raise
        found, hindsight = errors.in_words(error, errors.noted(error, f"looking back at {over}")), None
    kept = msgspec.json.encode(hindsight).decode() if hindsight else None
    with write(db):
        store.update_game(db, over, {"verdict": found, "hindsight": kept})
    return True
