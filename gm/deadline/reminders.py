"""Reminders: only to seats without orders, at each player's own lead times, once per deadline and
lead time; in a short round once, when a quarter of it is left.
"""

from gm import store
from gm.clock import HOUR
from gm.deadline.retry import guarded
from gm.mail import queue
from gm.store.db import Database, write
from gm.store.games import Game
from gm.store.seats import Seat

LEADS = (168 * HOUR, 72 * HOUR, 48 * HOUR, 24 * HOUR, 6 * HOUR, 2 * HOUR)
"""The lead times that a player can choose from."""


def remind(db: Database, now: int) -> int:
    """Queue all reminders that are due; returns how many.

    Due is the shortest lead time that has come, unless the round began after that instant; longer
    ones that were missed are not made up for. Another deadline reminds once more, a restart does
    not.
    """
    queued = 0
    for game_id in store.due.games_to_remind(db, now):
        with guarded(db, game_id, now):
            queued += _remind(db, store.games.existing(db, game_id), now)
    return queued


def _remind(db: Database, game: Game, now: int) -> int:
    """Queue what is due in one game. Looks without a lock first, because most of the time nothing
    is.
    """
    if not _due(db, game, now):
        return 0
    with write(db, game.id):
        due = _due(db, game, now) if store.games.get(db, game.id) == game else []
        for seat, lead in due:
            reminder = queue.Event(kind="reminder", lead=lead, deadline=game.deadline or 0)
            queue.put(db, game.id, game.round, reminder, [seat], now)
    return len(due)


def _due(db: Database, game: Game, now: int) -> list[tuple[Seat, int]]:
    """The seats of a game to be reminded now, each with its lead time."""
    waiting = []
    deadline, began = game.deadline or 0, game.round_at or 0
    for seat in store.seats.of_game(db, game.id):
        leads = seat.lead_times
        if leads and deadline - began < store.due.SHORT:
            leads = ((deadline - began) // 4,)
        come = [lead for lead in leads if began < deadline - lead <= now]
        if come and seat.address and game.awaits(seat.name):
            waiting.append((seat, min(come)))
    have = store.lists.newest(db, game.id, game.round) if waiting else {}
    return [
        (seat, lead)
        for seat, lead in waiting
        if seat.number not in have
        and not store.told.was_reminded(db, game, seat.number, lead)
        # one by hand within the hour before is as good
        and (store.told.last_reminder(db, game.id, seat.number) or 0) <= deadline - lead - HOUR
    ]
