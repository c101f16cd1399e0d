"""`bohnenpost game change`: another calendar, name or setting for games that may already run."""

from typing import Any

import click
from msgspec import UNSET

from gm import clock, store
from gm.calendar import read_date, read_time, read_weekdays, read_zone
from gm.cli.game import AFTER_EARLY, DRY_RUN, REASON, group
from gm.cli.output import say
from gm.games import changes, promises
from gm.games.changes import Wish

OPTIONS = (
    click.option("--on", "days", help="Weekdays of the deadline, like sun or wed,sat."),
    click.option(
        "--hours",
        type=click.IntRange(1, 9600),
        help="No calendar any more: each round ends so many hours after it began.",
    ),
    click.option(
        "--by-hand", is_flag=True, help="No calendar any more: rounds are closed with `game run`."
    ),
    click.option("--at", help="Time of day of the deadline."),
    click.option("--zone", help="Time zone of the deadline."),
    click.option("--every", type=click.IntRange(1, 52), help="A deadline every so many weeks."),
    click.option(
        "--left-out",
        multiple=True,
        metavar="DATE",
        help="One more day without a deadline. Repeatable.",
    ),
    click.option(
        "--put-back",
        multiple=True,
        metavar="DATE",
        help="A day that is not left out any more. Repeatable.",
    ),
    click.option(
        "--shortest", type=click.IntRange(0, 9600), help="A round lasts so many hours at least."
    ),
    click.option(
        "--early-after",
        type=click.IntRange(0, 168),
        help="Close early, so many hours after the last list is in.",
    ),
    click.option("--not-early", is_flag=True, help="Close no round early any more."),
    click.option("--after-early", type=click.Choice(promises.AFTER_EARLY), help=AFTER_EARLY),
    click.option(
        "--silence-guard/--no-silence-guard",
        default=None,
        help="Ask the GM first if many more are silent.",
    ),
    click.option(
        "--seats",
        type=click.IntRange(0, 1000),
        help="At most so many seats; 0: any number. Before the start.",
    ),
    click.option("--name", help="Another name of the game."),
    click.option("--gm", "gm_name", help="Another name of the game master."),
    click.option("--description", help="Words about the game, on its page."),
)


@group.command()
@click.argument("ids", metavar="GAME…", nargs=-1, required=True)
@REASON
@DRY_RUN
@click.pass_obj
def change(home: Any, /, ids: tuple[str, ...], reason: str, **options: Any) -> None:
    """Change one or several games, all or none. What is not named stays.

    So does the open deadline, unless its very day is left out now, or a day is put back that had
    moved it. Each change is a note of the game's log; players are told by mail where it moves
    something for them.
    """
    wish = _wish(**options)
    if wish == Wish():
        raise click.UsageError(
            "nothing to change: name what is to be another way (--help lists it)"
        )
    installation = home.open()
    with installation.connection() as db:
        now = clock.now()
        before = [store.games.existing(db, game) for game in dict.fromkeys(ids)]
        tables = {
            game.id: changes.side_by_side(game, changes.changed(db, game, wish, now), now)
            for game in before
        }
        done = changes.change(db, ids, wish, reason, now)
    say("changed.txt", games=before, done=done, tables=tables)


for option in OPTIONS:
    change = option(change)


def _wish(days: str | None, *, by_hand: bool, not_early: bool, **given: Any) -> Wish:
    """The options as a wish. Raises Refusal for what cannot be read."""
    if by_hand + (days is not None) + (given["hours"] is not None) > 1:
        raise click.UsageError("--on, --hours or --by-hand, only one of them")
    if not_early and given["early_after"] is not None:
        raise click.UsageError("--early-after or --not-early, not both")
    plain = {
        name: given[name]
        for name in (
            "name",
            "gm_name",
            "description",
            "after_early",
            "silence_guard",
            "shortest",
            "hours",
        )
    }
    parts: dict[str, Any] = plain | {"weeks": given["every"]}
    parts["weekdays"] = () if by_hand else None if days is None else read_weekdays(days.split(","))
    parts["at"] = None if given["at"] is None else read_time(given["at"])
    parts["zone"] = None if given["zone"] is None else read_zone(given["zone"])
    known = {name: UNSET if value is None else value for name, value in parts.items()}
    return Wish(
        **known,
        seats=UNSET if given["seats"] is None else given["seats"] or None,
        early_after=None
        if not_early
        else UNSET
        if given["early_after"] is None
        else given["early_after"] * 3600,
        more_left_out=tuple(map(read_date, given["left_out"])),
        put_back=tuple(map(read_date, given["put_back"])),
    )
