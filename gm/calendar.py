"""When the rounds of a game end: a rule, mostly in local wall time, and the instants that follow
from it.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from importlib.resources import files
from itertools import islice
from typing import Annotated
from zoneinfo import ZoneInfo

from babel.dates import get_month_names
from msgspec import UNSET, Meta, Struct, UnsetType

from gm.errors import Refusal

WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
FARTHEST_DAYS = 400
"""No deadline lies further ahead."""


class Rule(Struct, frozen=True, forbid_unknown_fields=True):
    """Deadlines on these weekdays (0 = Monday) at this time of day in this zone, every n weeks
    counted from the week of `since`.

    None on the days `left_out`. A round lasts `shortest` hours at least. With `hours` there is
    no calendar: a round ends so many hours after it began. With neither weekdays nor hours
    rounds are closed by hand.
    """

    weekdays: tuple[Annotated[int, Meta(ge=0, le=6)], ...]
    at: time
    zone: str
    weeks: Annotated[int, Meta(ge=1, le=52)]
    since: date
    left_out: tuple[date, ...] = ()
    shortest: Annotated[int, Meta(ge=0, le=24 * FARTHEST_DAYS)] = 0
    hours: Annotated[int, Meta(ge=1, le=24 * FARTHEST_DAYS)] | UnsetType = UNSET

    @property
    def length(self) -> int:
        """The seconds that each round has; 0: no fixed number."""
        return 0 if self.hours is UNSET else self.hours * 3600

    @property
    def by_hand(self) -> bool:
        """Whether rounds have no deadline by themselves."""
        return not self.weekdays and not self.length


def next_deadline(rule: Rule, after: int) -> int | None:
    """The first deadline later than `after`, both in UTC seconds; None if rounds are closed by
    hand or none lies within 400 days.

    A time that the change of the clocks skips is moved on, one that comes twice is taken the
    first time, and each day has one at most. Where rounds have a fixed number of hours it is so
    many after `after`.
    """
    if rule.length:
        return after + rule.length
    zone, first = ZoneInfo(rule.zone), rule.since - timedelta(rule.since.weekday())
    instant = datetime.fromtimestamp(after, UTC)
    today = instant.astimezone(zone).date()
    for ahead in range(-1, FARTHEST_DAYS):  # a gap can push yesterday's time past midnight
        day = today + timedelta(ahead)
        if (
            day < first
            or day.weekday() not in rule.weekdays
            or day in rule.left_out
            or (day - first).days // 7 % rule.weeks
        ):
            continue
        due = datetime.combine(day, rule.at, zone).astimezone(UTC)
        if due > instant:
            return int(due.timestamp())
    return None


def deadline_of_round(rule: Rule, begins: int, not_before: int = 0) -> int | None:
    """The deadline of a round that begins now: by the calendar, after `not_before`, and never
    sooner than the shortest length.

    Where rounds have a fixed number of hours: when they are over, also after `not_before`.
    """
    if rule.length:
        return max(begins + rule.length, not_before + 1)
    return next_deadline(rule, max(begins + rule.shortest * 3600 - 1, begins, not_before))


def coming(rule: Rule, after: int, number: int = 10) -> list[int]:
    """The next deadlines, for a look at them before they are set."""

    def walk() -> Iterator[int]:
        moment: int | None = deadline_of_round(rule, after)
        while moment is not None:
            yield moment
            moment = deadline_of_round(rule, moment)

    return list(islice(walk(), number))


def read_rule(  # the parts of a calendar
    days: Sequence[str],
    at: str,
    zone: str,
    weeks: int,
    left_out: Sequence[str],
    shortest: int,
    now: int,
    *,
    hours: int | None = None,
) -> Rule:
    """The calendar; no days: rounds are closed by hand. Counted in weeks from the current one.
    With `hours` there is none.

    Raises Refusal for a weekday, time, zone or date that is none.
    """
    there = read_zone(zone)
    today = datetime.fromtimestamp(now, UTC).astimezone(ZoneInfo(there)).date()
    if hours is not None:
        return Rule((), read_time(at), there, weeks, today, hours=hours)
    return Rule(
        read_weekdays(days),
        read_time(at),
        there,
        weeks,
        today,
        tuple(map(read_date, left_out)),
        shortest,
    )


def read_weekdays(days: Sequence[str]) -> tuple[int, ...]:
    """0 = Monday. Raises Refusal for a word that begins like no weekday."""
    known = [day.strip().lower()[:3] for day in days]
    for day, word in zip(known, days, strict=True):
        if day not in WEEKDAYS:
            raise Refusal("bad_weekday", word=word, weekdays=WEEKDAYS)
    return tuple(sorted({WEEKDAYS.index(day) for day in known}))


def read_time(text: str) -> time:
    """A time of day like 20:00. Raises Refusal for any other text."""
    if not re.fullmatch(r"([01][0-9]|2[0-3]):[0-5][0-9]", text):
        raise Refusal("bad_time", text=text)
    return time.fromisoformat(text)


def read_zone(text: str) -> str:
    """The name of a time zone like Europe/Berlin. Raises Refusal for any other text, also what
    zone data hold besides: files with leap seconds (`right/…`), the machine's own time, a zone
    for machines without one.
    """
    if text not in _zones():
        raise Refusal("bad_zone", text=text)
    return text


@cache
def _zones() -> frozenset[str]:
    """The names of all time zones."""
    return frozenset(files("tzdata").joinpath("zones").read_text(encoding="utf-8").split()) - {
        "Factory"
    }


def read_date(text: str) -> date:
    """A day like 2026-12-27. Raises Refusal for any other text."""
    try:
        if re.fullmatch(r"\d{4}-\d{2}-\d{2}", text):
            return date.fromisoformat(text)
    except ValueError:
        pass
    raise Refusal("bad_date", text=text)


def read_day(text: str, not_before: date) -> date:
    """A day as people write it: 2026-12-24, 24.12.2026, 24.12., 24 Dec, 24. Dezember 2026,
    December 24, 2026.

    Without a year the first such day that is not before another. Raises Refusal for any other
    text, also 3/4/2026, which is two days.
    """
    text = text.strip()
    word = r"([0-9]{1,2}|[^\W\d_]{3,9})"
    found = re.fullmatch(rf"{word}(?:\. ?| ){word}[., ]*([0-9]{{4}})?", text)
    if found is None:
        return read_date(text)
    day, month = (
        sorted(found.groups()[:2], key=str.isalpha) if text[0].isalpha() else found.groups()[:2]
    )
    years = [int(found[3])] if found[3] else range(not_before.year, not_before.year + 9)
    for year in years:
        with suppress(ValueError):  # two words, or the 29th of February in most years
            candidate = date(year, int(month) if month.isdigit() else _month(month), int(day))
            if found[3] or candidate >= not_before:
                return candidate
    raise Refusal("bad_date", text=text)


def _month(word: str) -> int:
    """A month by its name in English or German, at least three letters of it; 0 for anything
    else.
    """
    names = [
        name.lower()
        for locale in ("en", "de")
        for name in get_month_names("wide", locale=locale).values()
    ]
    return next((at % 12 + 1 for at, name in enumerate(names) if name.startswith(word.lower())), 0)


def read_absence(first: str, last: str, zone: str, now: int) -> tuple[str, str]:
    """The first and the last day of an absence as people write them, as ISO dates; both empty
    for none.

    Without a year one may have begun within the last month. Raises Refusal.
    """
    if not first and not last:
        return "", ""
    today = datetime.fromtimestamp(now, ZoneInfo(zone)).date()
    try:
        begins = read_day(first, today - timedelta(31))
        ends = read_day(last, begins)
    except Refusal:
        raise Refusal("bad_absence") from None
    return begins.isoformat(), ends.isoformat()


def read_moment(text: str, zone: str) -> int:
    """An instant from `2026-12-02 20:00` on the wall clock of a zone, or with an offset,
    `2026-10-25 02:30+01:00`.

    Raises Refusal for any other text, and without an offset for a time that the change of the
    clocks skips or brings twice.
    """
    if not re.fullmatch(
        r"[0-9]{4}-[0-9]{2}-[0-9]{2}[ T][0-9]{2}:[0-9]{2}([+-][0-9]{2}:[0-9]{2})?", text
    ):
        raise Refusal("bad_moment", text=text)
    try:
        wall = datetime.fromisoformat(text)
    except ValueError:
        raise Refusal("bad_moment", text=text) from None
    if wall.tzinfo is not None:
        return int(wall.timestamp())
    both = {int(wall.replace(tzinfo=ZoneInfo(zone), fold=fold).timestamp()) for fold in (0, 1)}
    if len(both) > 1:
        neighbours = [datetime.fromtimestamp(at, ZoneInfo(zone)).isoformat() for at in sorted(both)]
        raise Refusal("doubtful", text=text, zone=zone, neighbours=neighbours)
    return both.pop()
