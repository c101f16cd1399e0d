"""The options that make up a calendar of deadlines, and a look at the next ten before anything
is saved.
"""

import functools
import json
from collections.abc import Callable
from typing import Any

import click

from gm import clock
from gm.calendar import Rule, coming, read_rule, read_zone
from gm.cli.output import say
from gm.rendering.dates import LANGUAGES

OPTIONS = (
    click.option(
        "--on",
        "days",
        default="sun",
        show_default=True,
        help="Weekdays of the deadline, like sun or wed,sat.",
    ),
    click.option("--at", default="20:00", show_default=True, help="Time of day of the deadline."),
    click.option(
        "--zone", default="Europe/Berlin", show_default=True, help="Time zone of the deadline."
    ),
    click.option(
        "--every",
        type=click.IntRange(1, 52),
        default=2,
        show_default=True,
        help="Weeks from one deadline to the next.",
    ),
    click.option(
        "--left-out",
        multiple=True,
        metavar="DATE",
        help="A day without a deadline, like 2026-12-27. Repeatable.",
    ),
    click.option(
        "--shortest",
        type=click.IntRange(0, 9600),
        default=24,
        show_default=True,
        help="The fewest hours that a round lasts.",
    ),
    click.option(
        "--hours",
        type=click.IntRange(1, 9600),
        help="No calendar: each round ends this many hours after it began.",
    ),
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
        hours: int | None,
        by_hand: bool,
        **more: Any,
    ) -> Any:
        if by_hand and hours is not None:
            raise click.UsageError("--hours or --by-hand, not both")
        weekdays = [] if by_hand else days.split(",")
        rule = read_rule(weekdays, at, zone, every, left_out, shortest, clock.now(), hours=hours)
        return command(*args, rule=rule, **more)

    return functools.reduce(lambda wrapped, option: option(wrapped), reversed(OPTIONS), with_rule)


@click.command()
@rule_options
@click.option("--show-in", metavar="ZONE", help="Another zone to see them in, say a player's.")
@click.option("--lang", type=click.Choice(LANGUAGES), default="en", show_default=True)
@click.option("--json", "as_json", is_flag=True)
def deadlines(rule: Rule, show_in: str | None, lang: str, *, as_json: bool) -> None:
    """The next ten deadlines of a calendar, before a game has it."""
    zones = [rule.zone, *([read_zone(show_in)] if show_in else [])]
    found = coming(rule, clock.now())
    if as_json:
        click.echo(json.dumps([clock.written(at) for at in found]))
    else:
        say("deadlines.txt", language=lang, deadlines=found, zones=zones, rule=rule)
