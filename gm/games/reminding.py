"""Reminders by hand: the game master reminds all seats without orders, a player the other one."""

from gm import store
from gm.clock import DAY, HOUR
from gm.errors import Refusal
from gm.mail import queue
from gm.store.db import Database, write
from gm.store.games import Game
from gm.store.seats import Seat


def remind_now(db: Database, game_id: str, now: int) -> list[str]:
    """Remind seats without orders because the game master says so, but none that was reminded
    within an hour; returns the names of those who are mailed. Players who want no reminders get
    none.

    Raises Refusal if no orders are awaited, or if there is no deadline.
    """
    with write(db):
        game = store.games.existing(db, game_id)
        missing = to_remind(db, game, now)
        by_hand = queue.Event(kind="reminder", deadline=game.deadline or 0, mark=now // HOUR)
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
        last = store.told.last_reminder(db, other.game, other.number)
        if not other.lead_times or (last is not None and now < last + DAY):
            return False
        by_hand = queue.Event(kind="reminder", deadline=game.deadline or 0, mark=now // HOUR)
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
