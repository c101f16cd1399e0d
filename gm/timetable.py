"""A calendar of deadlines as people write it: weekdays, a time of day, a zone, days left out. For commands and pages alike."""

import re
from collections.abc import Sequence
from datetime import UTC, date, datetime, time
from zoneinfo import ZoneInfo

from gm.refusal import Refusal
from gm.schedule import Rule

WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


def read_rule(  # the parts of a calendar
    days: Sequence[str], at: str, zone: str, weeks: int, left_out: Sequence[str], shortest: int, now: int
) -> Rule:
    """The calendar; no days: rounds are closed by hand. Counted in weeks from the current one.

    Raises Refusal for a weekday, time, zone or date that is none.
    """
    there = read_zone(zone)
    today = datetime.fromtimestamp(now, UTC).astimezone(ZoneInfo(there)).date()
    return Rule(read_weekdays(days), read_time(at), there, weeks, today, tuple(map(read_date, left_out)), shortest)


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
    """The name of a time zone like Europe/Berlin. Raises Refusal for any other text."""
    try:
        ZoneInfo(text)
    except (ValueError, OSError, LookupError):
        raise Refusal("bad_zone", text=text) from None
    return text


def read_date(text: str) -> date:
    """A day like 2026-12-27. Raises Refusal for any other text."""
    try:
        if re.fullmatch(r"\d{4}-\d{2}-\d{2}", text):
            return date.fromisoformat(text)
    except ValueError:
        pass
    raise Refusal("bad_date", text=text)


def read_moment(text: str, zone: str) -> int:
    """An instant from `2026-12-02 20:00` on the wall clock of a zone, or with an offset, `2026-10-25 02:30+01:00`.

    Raises Refusal for any other text, and without an offset for a time that the change of the clocks skips or brings twice.
    """
    if not re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}[ T][0-9]{2}:[0-9]{2}([+-][0-9]{2}:[0-9]{2})?", text):
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
