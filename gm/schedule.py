"""When the next deadline is: a rule in local wall time, worked out as an instant."""

from datetime import UTC, date, datetime, time, timedelta
from typing import Annotated
from zoneinfo import ZoneInfo

from msgspec import Meta, Struct


class Rule(Struct, frozen=True, forbid_unknown_fields=True):
    """Deadlines on these weekdays (0 = Monday) at this time of day in this zone, every n weeks counted from the week of
    `since`.
    """

    weekdays: Annotated[tuple[Annotated[int, Meta(ge=0, le=6)], ...], Meta(min_length=1)]
    at: time
    zone: str
    weeks: Annotated[int, Meta(ge=1, le=52)]
    since: date


def next_deadline(rule: Rule, after: int) -> int:
    """The first deadline later than `after`, both in UTC seconds.

    A time that the change of the clocks skips is moved on, one that comes twice is taken the first time, and each day has one
    at most.
    """
    zone, first = ZoneInfo(rule.zone), rule.since - timedelta(rule.since.weekday())
    instant = datetime.fromtimestamp(after, UTC)
    day = instant.astimezone(zone).date() - timedelta(1)  # a gap can push yesterday's time past midnight
    while True:
        if day >= first and day.weekday() in rule.weekdays and (day - first).days // 7 % rule.weeks == 0:
            due = datetime.combine(day, rule.at, zone).astimezone(UTC)
            if due > instant:
                return int(due.timestamp())
        day += timedelta(1)
