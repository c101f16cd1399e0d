"""The options that make up a calendar of deadlines, and a look at the next ten before anything is saved."""

import functools
import re
from collections.abc import Callable
from datetime import UTC, date, datetime, time
from typing import Any
from zoneinfo import ZoneInfo

import click

from gm import clock
from gm.render import LANGUAGES, render
from gm.schedule import Rule, coming

WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")

OPTIONS = (
    click.option("--on", "days", default="sun", show_default=True, help="Weekdays of the deadline, like sun or wed,sat."),
    click.option("--at", default="20:00", show_default=True, help="Time of day of the deadline."),
    click.option("--zone", default="Europe/Berlin", show_default=True, help="Time zone of the deadline."),
    click.option("--every", type=click.IntRange(1, 52), default=2, show_default=True, help="A deadline every so many weeks."),
    click.option("--left-out", multiple=True, metavar="DATE", help="A day without a deadline, like 2026-12-27. Repeatable."),
    click.option("--shortest", type=click.IntRange(0, 9600), default=0, help="A round lasts so many hours at least."),
    click.option("--by-hand", is_flag=True, help="No calendar: rounds are closed with `game run`."),
)


def rule_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options of a calendar on a command, which gets them as one `rule`."""

    @functools.wraps(command)
    def with_rule(
        *args: Any,
        days: str,
        at: str,
        zone: str,
        every: int,
        left_out: tuple[str, ...],
        shortest: int,
        by_hand: bool,
        **more: Any,
    ) -> Any:
        there = read_zone(zone)
        today = datetime.fromtimestamp(clock.now(), UTC).astimezone(ZoneInfo(there)).date()
        on = () if by_hand else _weekdays(days)
        rule = Rule(on, _time(at), there, every, today, tuple(map(_date, left_out)), shortest)
        return command(*args, rule=rule, **more)

    return functools.reduce(lambda wrapped, option: option(wrapped), reversed(OPTIONS), with_rule)


@click.command()
@rule_options
@click.option("--show-in", metavar="ZONE", help="Another zone to see them in, say a player's.")
@click.option("--lang", type=click.Choice(LANGUAGES), default="en", show_default=True)
def deadlines(rule: Rule, show_in: str | None, lang: str) -> None:
    """The next ten deadlines of a calendar, before a game is made with it."""
    zones = [rule.zone, *([read_zone(show_in)] if show_in else [])]
    click.echo(render(lang, "cli/deadlines.txt", deadlines=coming(rule, clock.now()), zones=zones), nl=False)


def read_zone(text: str) -> str:
    """The name of a time zone. Raises click.BadParameter for any other text."""
    try:
        ZoneInfo(text)
    except (ValueError, OSError, LookupError):
        raise click.BadParameter(f"{text!r}: a zone is written like Europe/Berlin", param_hint="--zone") from None
    return text


def read_moment(text: str, zone: str) -> int:
    """An instant from `2026-12-02 20:00` on the wall clock of a zone.

    Raises click.BadParameter for a time that is not or comes twice.
    """
    try:
        wall = datetime.strptime(text, "%Y-%m-%d %H:%M")  # noqa: DTZ007  # the zone comes two lines below
    except ValueError:
        raise click.BadParameter(f"{text!r}: a moment is written like '2026-12-02 20:00'", param_hint="--to") from None
    both = {int(wall.replace(tzinfo=ZoneInfo(zone), fold=fold).timestamp()) for fold in (0, 1)}
    if len(both) > 1:
        neighbours = " and ".join(datetime.fromtimestamp(at, ZoneInfo(zone)).isoformat() for at in sorted(both))
        raise click.BadParameter(f"{text!r} is doubtful in {zone}, where the clocks change: {neighbours}", param_hint="--to")
    return both.pop()


def _weekdays(text: str) -> tuple[int, ...]:
    days = [day.strip().lower()[:3] for day in text.split(",")]
    if not set(days) <= set(WEEKDAYS):
        raise click.BadParameter(f"{text!r}: weekdays are {', '.join(WEEKDAYS)}", param_hint="--on")
    return tuple(sorted({WEEKDAYS.index(day) for day in days}))


def _time(text: str) -> time:
    if not re.fullmatch(r"([01][0-9]|2[0-3]):[0-5][0-9]", text):
        raise click.BadParameter(f"{text!r}: a time of day is written like 20:00", param_hint="--at")
    return time.fromisoformat(text)


def _date(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise click.BadParameter(f"{text!r}: a day is written like 2026-12-27", param_hint="--left-out") from None
