"""Which deadline follows a pause, a correction or an early closing: a promised one stays if it
still can.
"""

from datetime import date

from msgspec import Struct
from msgspec.structs import replace

from gm.calendar import FARTHEST_DAYS, Rule, deadline_of_round, next_deadline, past_days
from gm.clock import DAY
from gm.errors import Refusal
from gm.store.games import Game

EVERY_DAY = (0, 1, 2, 3, 4, 5, 6)
CHOICES = 2
REOPENED = DAY
"""How long a round stays open that was taken back, unless everybody orders anew."""
AFTER_EARLY = ("same", "next")
"""Which deadline follows an early closing: the one that was not waited for, or the one after it."""


def at_start(game: Game, now: int) -> int | None:
    """The deadline of the first round if the game starts now."""
    return deadline_of_round(game.schedule, now)


def enough(rule: Rule, left: int) -> int:
    """How many seconds must lie ahead for a promised deadline to stay: a shortest round, or half
    of what was left if less.
    """
    return min(shortest(rule), (left + 1) // 2)


def keeps_until(game: Game, now: int) -> int | None:
    """If a game is paused now: until when resuming keeps its deadline. None without a deadline."""
    return (
        None
        if game.deadline is None
        else game.deadline - enough(game.schedule, game.deadline - now)
    )


def after_pause(game: Game, now: int) -> int | None:
    """The deadline of a paused game that goes on now: the promised one, or the one that
    `moved_on` finds.
    """
    left = (game.deadline or 0) - (game.paused_at or now)
    if game.deadline is not None and game.deadline - now >= enough(game.schedule, left):
        return game.deadline
    return moved_on(game, now)


def moved_on(game: Game, now: int) -> int | None:
    """The deadline if a promise cannot be kept: the calendar's first that leaves a shortest
    round.

    Without a calendar: as much time as was left, and `least` at least.
    """
    if not game.schedule.weekdays and game.deadline is not None:
        ends = now + max(game.deadline - (game.paused_at or now), least(game.schedule))
        return past_days(now, ends, game.schedule.left_out, game.schedule.zone)
    return deadline_of_round(game.schedule, now, not_before=now + shortest(game.schedule) - 1)


def after_close(game: Game, now: int) -> int | None:
    """The deadline of the next round if the open one is closed now: the promised one, or the
    calendar's first that leaves a shortest round.

    After an early closing that may be the one that was not waited for, or must be a later one,
    as the game is set. A fixed number of hours is counted from now.
    """
    promised = game.next_deadline
    if promised is not None and promised - now >= enough(
        game.schedule, promised - (game.round_at or now)
    ):
        return promised
    is_later = game.after_early == "next" and game.schedule.weekdays
    return deadline_of_round(
        game.schedule, now, not_before=(game.scheduled_deadline or now) if is_later else now
    )


class Following(Struct, frozen=True):
    """The round after the open one: its deadline and length, whether the deadline was promised,
    and whether the round is shorter than half of what the calendar gives it.
    """

    deadline: int
    seconds: int
    promised: bool
    short: bool


def is_last(game: Game) -> bool:
    """True if no round follows the open one, as far as the house rules say."""
    return game.engine.length(game.rules) == game.round


def following(game: Game, deadline: int | None) -> Following | None:
    """The round after the open one if that ends at this deadline. None after the last, and if
    rounds are closed by hand.
    """
    ends = None if deadline is None or is_last(game) else after_close(game, deadline)
    if deadline is None or ends is None:
        return None
    begins = game.scheduled_deadline or deadline
    while (
        game.schedule.weekdays
        and (later := next_deadline(game.schedule, begins)) is not None
        and later < ends
    ):
        begins = later
    short = bool(game.schedule.weekdays) and (ends - deadline) * 2 < ends - begins
    return Following(ends, ends - deadline, ends == game.next_deadline, short)


def of_reopened(rule: Rule, promised: int | None, now: int) -> int | None:
    """The deadline of a round that is taken back: its own if that is still a day ahead; else the
    calendar's time of day, a day from now at least; or all hours of a round of fixed length, a
    day at least. None if rounds are closed by hand.
    """
    if promised is not None and promised - now >= REOPENED:
        return promised
    if not rule.weekdays:
        return now + max(rule.length, REOPENED) if rule.length else None
    return next_deadline(
        replace(rule, weekdays=EVERY_DAY, weeks=1, since=date.min), now + REOPENED - 1
    )


def after_replay(game: Game) -> int | None:
    """The promise that stays for the round after one that is taken back. A round of fixed length
    has none: it is counted from when it begins anew.
    """
    return None if game.schedule.length else game.deadline


def choices(rule: Rule, first: int | None, now: int, ahead: int = 0) -> list[int]:
    """The deadlines to choose from, in order: `first`, and two others by the calendar, each at
    least `ahead` seconds from now.
    """
    deadlines = [] if first is None else [first]
    other = deadline_of_round(rule, now, not_before=now + max(shortest(rule), ahead) - 1)
    while other is not None and len(deadlines) < CHOICES + (first is not None):
        deadlines += [other] if other != first else []
        other = next_deadline(rule, other)
    return sorted(deadlines)


def wished_or_first(
    rule: Rule, wish: int | None, first: int | None, now: int, ahead: int, promised: int = 0
) -> int | None:
    """The deadline `wish`, or `first` if nothing or the same is wished.

    Raises Refusal if it lies too near, too far ahead, or before one that was promised.
    """
    if wish is None or wish == first:
        return first
    if not now + ahead <= wish <= now + FARTHEST_DAYS * DAY:
        raise Refusal("out_of_reach", hours=ahead // 3600, days=FARTHEST_DAYS)
    if wish < promised:
        raise Refusal("not_sooner", first=promised, zone=rule.zone)
    return wish


def shortest(rule: Rule) -> int:
    """The shortest length of a round in seconds; `least` if none is set."""
    return rule.shortest * 3600 or least(rule)


def least(rule: Rule) -> int:
    """How far ahead a deadline must lie that somebody moves, in seconds: a day, or the length of
    a round if that is less.
    """
    return min(rule.length or DAY, DAY)
