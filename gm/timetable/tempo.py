"""How fast a game is played: a calendar and when a round is closed early, by one word."""

from datetime import UTC, datetime, time
from typing import Any
from zoneinfo import ZoneInfo

from gm.calendar import Rule
from rounds.engine.variant import find

EVERY_DAY, SUNDAY = (0, 1, 2, 3, 4, 5, 6), (6,)


def house_rules(tempo: str | None, variant: str) -> dict[str, Any]:
    """The house rules that a tempo suggests."""
    return dict(find(variant).tonight_rules) if tempo == "tonight" else {}


def preset(tempo: str, variant: str, zone: str, now: int) -> tuple[Rule, int | None]:
    """The calendar of a tempo, and after how many seconds a round is closed early (None: never).

    `tonight`: an hour a round at most, closed as soon as all orders are in; `daily`: every day at
    20:00, or where a round is over with the last list a day for each; `club`: every other Sunday
    at 20:00.
    """
    at, today = time(20), datetime.fromtimestamp(now, UTC).astimezone(ZoneInfo(zone)).date()
    if tempo == "tonight":
        return Rule((), at, zone, 1, today, hours=1), 0
    if tempo == "daily" and find(variant).closes_at_once:
        return Rule((), at, zone, 1, today, hours=24), None
    if tempo == "daily":
        return Rule(EVERY_DAY, at, zone, 1, today, shortest=12), None
    if tempo == "club":
        return Rule(SUNDAY, at, zone, 2, today, shortest=24), None
    raise ValueError(tempo)
