"""Reminders: only to seats without orders, at each player's own lead times, once per deadline and
lead time; in a short round once, when a quarter of it is left.
"""

from gm import store
from gm.clock import DAY, HOUR
from gm.deadline.retry import guarded
from gm.errors import Refusal
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
    for game_id in store.rounds.games_to_remind(db, now):
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
            reminder = queue.Reminder(lead=lead, deadline=game.deadline or 0)
            queue.put(db, game.id, game.round, reminder, [seat], now)
    return len(due)


def remind_now(db: Database, game_id: str, now: int) -> list[str]:
    """Remind seats without orders because the game master says so, but none that was reminded
    within an hour; returns the names of those who are mailed. Players who want no reminders get
    none.

    Raises Refusal if no orders are awaited, or if there is no deadline.
    """
    with write(db):
        game = store.games.existing(db, game_id)
        missing = to_remind(db, game, now)
        by_hand = queue.Reminder(lead=None, deadline=game.deadline or 0, mark=now // HOUR)
        queue.put(db, game_id, game.round, by_hand, missing, now)
    return [seat.called for seat in missing]


def to_remind(db: Database, game: Game, now: int) -> list[Seat]:
    """The seats that `remind_now` mails. Raises Refusal as it does."""
    if game.status != "running":
        raise Refusal("not_running", game=game.id, status=game.status)
    if game.deadline is None:
        raise Refusal("no_deadline", round=game.round)
    if now >= game.deadline:
        raise Refusal("passed", round=game.round)
    have = store.lists.newest(db, game.id, game.round)
    return [
        seat
        for seat in store.seats.of_game(db, game.id)
        if seat.address
        and seat.lead_times
        and game.awaits(seat.name)
        and seat.number not in have
        and not queue.was_sent_lately(db, seat, now - HOUR, "reminder")
    ]


def other_player(db: Database, game: Game, seat: Seat, now: int) -> Seat | None:
    """Whom this seat may have reminded: in a game for two the other player, if orders of theirs
    alone are awaited before a deadline. Whether they want reminders is not told.
    """
    seats = store.seats.of_game(db, game.id)
    if len(seats) != 2 or not game.is_open or game.deadline is None or game.deadline <= now:
        return None
    (other,) = (found for found in seats if found.number != seat.number)
    return other if other.address is not None and game.awaited_names == (other.name,) else None


def remind_other(db: Database, game_id: str, seat: Seat, now: int) -> bool:
    """Remind the other player because this one asks. At most one mail a day, whoever asked for
    the last, and none to a player who wants no reminders. False if no mail was queued.
    """
    with write(db):
        game = store.games.existing(db, game_id)
        other = other_player(db, game, seat, now)
        if other is None or now < may_remind_from(db, other):
            return False
        store.meta.remember(db, _asked_key(other), str(now))
        last = store.rounds.last_reminder(db, other.game, other.number)
        if not other.lead_times or (last is not None and now < last + DAY):
            return False
        by_hand = queue.Reminder(lead=None, deadline=game.deadline or 0, mark=now // HOUR)
        queue.put(db, game_id, game.round, by_hand, [other], now)
    return True


def may_remind_from(db: Database, other: Seat) -> int:
    """From when on a player may be reminded by the other one, a day after the last time; 0 if at
    once. What was mailed besides does not count: it would tell of their settings.
    """
    asked_at = store.meta.remembered(db, _asked_key(other))
    return 0 if asked_at is None else int(asked_at) + DAY


def _asked_key(other: Seat) -> str:
    return f"reminder asked {other.game} {other.number}"


def _due(db: Database, game: Game, now: int) -> list[tuple[Seat, int]]:
    """The seats of a game to be reminded now, each with its lead time."""
    waiting = []
    deadline, began = game.deadline or 0, game.round_at or 0
    for seat in store.seats.of_game(db, game.id):
        leads = seat.lead_times
        if leads and deadline - began < store.rounds.SHORT:
            leads = ((deadline - began) // 4,)
        come = [lead for lead in leads if began < deadline - lead <= now]
        if come and seat.address and game.awaits(seat.name):
            waiting.append((seat, min(come)))
    have = store.lists.newest(db, game.id, game.round) if waiting else {}
    return [
        (seat, lead)
        for seat, lead in waiting
        if seat.number not in have
        and not store.rounds.was_reminded(db, game, seat.number, lead)
        # one by hand within the hour before is as good
        and (store.rounds.last_reminder(db, game.id, seat.number) or 0) <= deadline - lead - HOUR
    ]
