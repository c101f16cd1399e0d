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
WHOLE = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
FARTHEST_DAYS = 400
"""No deadline lies further ahead than this."""


class Rule(Struct, frozen=True, forbid_unknown_fields=True):
    """Deadlines fall on these weekdays (0 = Monday) at this time of day in this zone, every `weeks`
    weeks, counted from the week of `since`. None falls on a day in `left_out`, and no round lasts
    less than `shortest` hours.

    If `hours` is set, there is no calendar: a round ends that many hours after it began, plus a
    day for each day left out in that time. With neither weekdays nor hours rounds are closed by
    hand.
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
        """Length of every round in seconds; 0 if it is not fixed."""
        return 0 if self.hours is UNSET else self.hours * 3600

    @property
    def by_hand(self) -> bool:
        """True if rounds have no deadline by themselves."""
        return not self.weekdays and not self.length


def next_deadline(rule: Rule, after: int) -> int | None:
    """The first deadline later than `after`, both in UTC seconds; None if rounds are closed by hand
    or no deadline lies within 400 days.

    A time that the clock change skips is moved on, one that comes twice is taken the first time,
    and a day has at most one deadline. Rounds of a fixed length end that long after `after`, and a
    day later for each day left out in between.
    """
    if rule.length:
        return past_days(after, after + rule.length, rule.left_out, rule.zone)
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


def past_days(begins: int, ends: int, days: Sequence[date], zone: str) -> int:
    """A deadline `ends` moved on by a day of the calendar for each of these days that lies between
    `begins` and it.
    """
    there = ZoneInfo(zone)
    first = datetime.fromtimestamp(begins, there).date()
    was = wall = datetime.fromtimestamp(ends, there)
    for day in sorted(days):
        if first <= day <= wall.date():
            wall += timedelta(1)
    return ends if wall == was else int(wall.replace(fold=0).timestamp())


def deadline_of_round(rule: Rule, begins: int, not_before: int = 0) -> int | None:
    """The deadline of a round that begins at `begins`: later than `not_before`, and not sooner than
    the shortest length of a round.
    """
    if rule.length:
        return max(next_deadline(rule, begins) or 0, not_before + 1)
    return next_deadline(rule, max(begins + rule.shortest * 3600 - 1, begins, not_before))


def coming(rule: Rule, after: int, number: int = 10) -> list[int]:
    """The next deadlines, for a look at them before a game is made."""

    def walk() -> Iterator[int]:
        moment: int | None = deadline_of_round(rule, after)
        while moment is not None:
            yield moment
            moment = deadline_of_round(rule, moment)

    return list(islice(walk(), number))


def read_rule(
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
    """A calendar from what was typed; without days, rounds are closed by hand, and with `hours`
    there is no calendar. Weeks are counted from the current one.

    Raises Refusal for an unknown weekday, time, zone or date.
    """
    there = read_zone(zone)
    today = datetime.fromtimestamp(now, UTC).astimezone(ZoneInfo(there)).date()
    if hours is not None:
        days, shortest = [], 0
    return Rule(
        read_weekdays(days),
        read_time(at),
        there,
        weeks,
        today,
        tuple(map(read_date, left_out)),
        shortest,
        UNSET if hours is None else hours,
    )


def read_weekdays(days: Sequence[str]) -> tuple[int, ...]:
    """Weekdays as numbers, 0 = Monday. A word may be shortened to its first three letters. Raises
    Refusal for a word that is no weekday.
    """
    numbers = set()
    for word in days:
        spelled = word.strip().lower()
        found = [at for at, day in enumerate(WHOLE) if day.startswith(spelled)]
        if len(spelled) < len(WEEKDAYS[0]) or not found:
            raise Refusal("bad_weekday", word=word, weekdays=WEEKDAYS)
        numbers |= {*found}
    return tuple(sorted(numbers))


def read_time(text: str) -> time:
    """A time of day like 20:00. Raises Refusal for any other text."""
    if not re.fullmatch(r"([01][0-9]|2[0-3]):[0-5][0-9]", text):
        raise Refusal("bad_time", text=text)
    return time.fromisoformat(text)


def read_zone(text: str) -> str:
    """The name of a time zone like Europe/Berlin. Raises Refusal for any other text, also for what
    zone data hold besides: files with leap seconds (`right/…`) and the machine's own time.
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
    """A day as people write it: 2026-12-24, 24.12.2026, 24.12., 24 Dec, 24. Dezember 2026, December
    24, 2026.

    Without a year it is the first such day on or after a given day. Raises Refusal for any other
    text, also for 3/4/2026, which may mean two days.
    """
    text = text.strip()
    word = r"([0-9]{1,2}|[^\W\d_]{3,9})"
    match = re.fullmatch(rf"{word}(?:\. ?| ){word}[., ]*([0-9]{{4}})?", text)
    if match is None:
        return read_date(text)
    day, month = (
        sorted(match.groups()[:2], key=str.isalpha) if text[0].isalpha() else match.groups()[:2]
    )
    years = [int(match[3])] if match[3] else range(not_before.year, not_before.year + 9)
    for year in years:
        with suppress(ValueError):  # two words, or the 29th of February in most years
            candidate = date(year, int(month) if month.isdigit() else _month(month), int(day))
            if match[3] or candidate >= not_before:
                return candidate
    raise Refusal("bad_date", text=text)


def _month(word: str) -> int:
    """The number of a month named in English or German by at least three letters; 0 for anything
    else.
    """
    names = [
        name.lower()
        for locale in ("en", "de")
        for name in get_month_names("wide", locale=locale).values()
    ]
    return next((at % 12 + 1 for at, name in enumerate(names) if name.startswith(word.lower())), 0)


def read_absence(first: str, last: str, zone: str, now: int) -> tuple[str, str]:
    """First and last day of an absence, typed as people write days, as ISO dates; both empty for
    none.

    Without a year the absence may have begun within the last month. Raises Refusal.
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

    Raises Refusal for any other text, and for a time without offset that the clock change skips or
    brings twice.
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
