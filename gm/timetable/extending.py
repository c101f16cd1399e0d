"""Moving the deadline of the open round by hand: how far it goes, and what the next round is
promised then.
"""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from msgspec.structs import replace

from gm.calendar import FARTHEST_DAYS, next_deadline, read_date, read_moment
from gm.clock import DAY
from gm.errors import Refusal
from gm.store.games import Game
from gm.timetable import promises
from gm.timetable.standing import Standing

LONGEST_EXTENSION = timedelta(28)
"""The most that a deadline moves, counted from the one the calendar gave the round."""


def wished(game: Game, *, days: int | None = None, to: str = "") -> int:
    """The deadline that somebody asks for, on the game's own clock: some days of the calendar
    after the regular one, so that the same button pressed twice moves it once; a day, at the
    deadline's time of day; or a moment, as `read_moment` reads it.

    Raises Refusal for what cannot be read, a time that the clock change skips or brings twice,
    and a game without the deadline that is counted from.
    """
    if days is None and len(to) > len("2026-11-27"):
        return read_moment(to, game.schedule.zone)
    base = game.deadline if days is None else game.scheduled_deadline
    if base is None:
        raise Refusal("no_regular", game=game.id)
    if days == 0:
        return base
    wall = _wall(game, base)
    day = read_date(to) if days is None else (wall + timedelta(days)).date()
    return read_moment(f"{day} {wall:%H:%M}", game.schedule.zone) + wall.second


def _wall(game: Game, instant: int) -> datetime:
    """What the game's own clock shows."""
    return datetime.fromtimestamp(instant, ZoneInfo(game.schedule.zone)).replace(tzinfo=None)


def check(stands: Standing, deadline: int, now: int) -> None:
    """Raises Refusal if the open deadline cannot be moved here."""
    game = stands.game
    if game.deadline is not None and now < deadline < game.deadline:
        first = stands.earliest(now)
        if first is None:
            raise Refusal("not_later")
        if deadline < first:
            raise Refusal("not_sooner", first=first, zone=game.schedule.zone)
    base = game.scheduled_deadline
    if (
        deadline <= now
        or deadline - now > FARTHEST_DAYS * DAY
        or (base and _wall(game, deadline) - _wall(game, base) > LONGEST_EXTENSION)
    ):
        raise Refusal("too_far", days=LONGEST_EXTENSION.days)


def promised_to_next(
    stands: Standing, deadline: int, wish: int | None = None, *, longer: bool = False
) -> int | None:
    """What the next round is promised if the open one ends at this deadline; None: what the
    calendar gives.

    `longer`: if that round would be short, the calendar's deadline after it. A wish brings a
    promise forward only to undo. If the open deadline is brought forward, what had come with it
    is undone. Raises Refusal for a wish that cannot be.
    """
    game = stands.game
    before: list[int | None] = [
        note.changes["next_deadline"][0]
        for note in stands.of_this_play
        if "next_deadline" in note.changes
    ]
    regular = promises.after_close(replace(game, next_deadline=None), deadline)
    after = promises.following(game, deadline)
    if wish is not None and promises.is_last(game):
        raise Refusal("no_next", round=game.round)
    if wish is not None:
        first = min([game.next_deadline or regular or 0, *(old or regular or 0 for old in before)])
        ahead = promises.shortest(game.schedule)
        chosen = promises.wished_or_first(
            game.schedule, wish, game.next_deadline or regular, deadline, ahead, first
        )
        return None if chosen == regular and None in before else chosen
    if longer and after is not None and after.short:
        return next_deadline(game.schedule, after.deadline)
    if before and game.deadline is not None and deadline < game.deadline:
        return before[0]
    return game.next_deadline
