"""When the next deadline is: a rule in local wall time, worked out as an instant."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from itertools import islice
from typing import Annotated
from zoneinfo import ZoneInfo

from msgspec import Meta, Struct

FARTHEST_DAYS = 400
"""No deadline lies further ahead."""


class Rule(Struct, frozen=True, forbid_unknown_fields=True):
    """Deadlines on these weekdays (0 = Monday) at this time of day in this zone, every n weeks counted from the week of `since`.

    None on the days `left_out`. A round lasts `shortest` hours at least. Without weekdays rounds are closed by hand.
    """

    weekdays: tuple[Annotated[int, Meta(ge=0, le=6)], ...]
    at: time
    zone: str
    weeks: Annotated[int, Meta(ge=1, le=52)]
    since: date
    left_out: tuple[date, ...] = ()
    shortest: Annotated[int, Meta(ge=0, le=24 * FARTHEST_DAYS)] = 0


def next_deadline(rule: Rule, after: int) -> int | None:
    """The first deadline later than `after`, both in UTC seconds; None if rounds are closed by hand or none lies within 400 days.

    A time that the change of the clocks skips is moved on, one that comes twice is taken the first time, and each day has one
    at most.
    """
    zone, first = ZoneInfo(rule.zone), rule.since - timedelta(rule.since.weekday())
    instant = datetime.fromtimestamp(after, UTC)
    today = instant.astimezone(zone).date()
    for ahead in range(-1, FARTHEST_DAYS):  # a gap can push yesterday's time past midnight
        day = today + timedelta(ahead)
        if day < first or day.weekday() not in rule.weekdays or day in rule.left_out or (day - first).days // 7 % rule.weeks:
            continue
        due = datetime.combine(day, rule.at, zone).astimezone(UTC)
        if due > instant:
            return int(due.timestamp())
    return None


def deadline_of_round(rule: Rule, begins: int, not_before: int = 0) -> int | None:
    """The deadline of a round that begins now: by the calendar, after `not_before`, and never sooner than the shortest length."""
    return next_deadline(rule, max(begins + rule.shortest * 3600 - 1, begins, not_before))


def coming(rule: Rule, after: int, number: int = 10) -> list[int]:
    """The next deadlines, for a look at them before they are set."""

    def walk() -> Iterator[int]:
        moment: int | None = deadline_of_round(rule, after)
        while moment is not None:
            yield moment
            moment = deadline_of_round(rule, moment)

    return list(islice(walk(), number))
