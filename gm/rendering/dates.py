"""Instants, spans and zones as people of a language write them. Instants are UTC seconds, zones
those of the tz database.
"""

import re
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

from babel.dates import format_datetime, format_timedelta
from babel.units import format_unit

LOCALES = {"de": "de", "en": "en_GB"}
LANGUAGES = tuple(LOCALES)
MOST_REMEMBERED = 1000
"""Number of written dates, events and sums that are cached: all mails of a round say the same
ones.
"""
LONG = {"de": "EEE, d. MMMM y, HH:mm 'Uhr' ", "en": "EEE d MMMM y, HH:mm "}
"""The zone follows."""
SHORT = {"de": "EEE d.M., HH:mm", "en": "EEE d MMM, HH:mm"}
DAY = {"de": "EEE, d. MMMM y", "en": "EEE d MMMM y"}
OFFSETS = "Etc/"
"""How the names of zones begin that are an offset."""


@lru_cache(MOST_REMEMBERED)
def when(language: str, instant: int, zone: str) -> str:
    """Day, time and zone."""
    at, there = datetime.fromtimestamp(instant, UTC), ZoneInfo(zone)
    written = format_datetime(at, LONG[language], tzinfo=there, locale=LOCALES[language])
    return written + _zone_at(language, at, there)


@lru_cache(MOST_REMEMBERED)
def when_short(language: str, instant: int, zone: str) -> str:
    """Day and time."""
    return _written(language, SHORT[language], instant, zone)


@lru_cache(MOST_REMEMBERED)
def day(language: str, instant: int, zone: str) -> str:
    """The day alone."""
    return _written(language, DAY[language], instant, zone)


def _written(language: str, pattern: str, instant: int, zone: str) -> str:
    at = datetime.fromtimestamp(instant, UTC)
    return format_datetime(at, pattern, tzinfo=ZoneInfo(zone), locale=LOCALES[language])


def _zone_at(language: str, at: datetime, there: ZoneInfo) -> str:
    """A zone as people call it: by its letters if it has some that mean this offset, else by its
    city; by an offset only where the zone is nothing else.
    """
    local = at.astimezone(there)
    offset, summer = local.utcoffset() or timedelta(), local.dst() or timedelta()
    if there.key.startswith(OFFSETS):
        return zone_name(there.key)
    letters: str = format_datetime(at, "z", tzinfo=there, locale=LOCALES[language])
    is_right = not offset if letters in ("GMT", "UTC") else summer >= timedelta()
    if re.fullmatch("[A-Z]{3,4}", letters) and is_right:
        return letters
    return f"({format_datetime(at, 'VVV', tzinfo=there, locale=LOCALES[language])})"


def zone_name(key: str) -> str:
    """The name of a zone; one that is an offset as that: Etc/GMT+5 lies five hours behind."""
    if not key.startswith(OFFSETS):
        return key
    offset = datetime.fromtimestamp(0, ZoneInfo(key)).utcoffset() or timedelta()
    hours = offset // timedelta(hours=1)
    return f"UTC{hours:+}".replace("-", "\u2212") if hours else "UTC"


@lru_cache(MOST_REMEMBERED)
def span(language: str, seconds: int) -> str:
    """The two largest units, rounded down as in static/state.js: "1 day 6 hours"."""
    days, hours, minutes = seconds // 86400, seconds // 3600 % 24, seconds // 60 % 60
    parts = {"day": days, "hour": hours} if days else {"hour": hours, "minute": minutes}
    if seconds < 60:
        parts = {"second": seconds}
    return " ".join(
        format_unit(number, f"duration-{unit}", locale=LOCALES[language])
        for unit, number in parts.items()
        if number or unit == "second"
    )


def roughly(language: str, seconds: int) -> str:
    """The largest unit, rounded: "5 months"."""
    time, locale = timedelta(seconds=seconds), LOCALES[language]
    return format_timedelta(time, granularity="hour", threshold=1.5, locale=locale)


def typed_moment(instant: int, zone: str) -> str:
    """An instant as `read_moment` reads it, with its offset if the clocks show that time twice."""
    wall = datetime.fromtimestamp(instant, ZoneInfo(zone))
    is_plain = wall.replace(fold=0).utcoffset() == wall.replace(fold=1).utcoffset()
    return wall.isoformat(" ", "minutes") if not is_plain else wall.strftime("%Y-%m-%d %H:%M")
