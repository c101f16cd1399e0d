"""`bohnenpost game …` that changes a game, moves a deadline or lets a game go on. Each says what
follows; a dry run also says what else could.
"""

from typing import Any

import click
from msgspec import UNSET

from gm import clock, store
from gm.calendar import read_date, read_moment, read_time, read_weekdays, read_zone
from gm.cli.game import AFTER_EARLY, DRY_RUN, REASON, group, say_done, show_game
from gm.cli.home import Home
from gm.cli.output import say
from gm.cli.several import GAMES, do_to_several
from gm.deadline import rollback as deadline_rollback
from gm.games import changes, lead
from gm.games.changes import Wish
from gm.games.several import Asked
from gm.open_round import standing
from gm.service import tick
from gm.store.db import Database
from gm.store.games import Game
from gm.timetable import extending, promises
from gm.timetable.offers import Offer, offers

OPTIONS = (
    click.option("--on", "days", help="Weekdays of the deadline, like sun or wed,sat."),
    click.option(
        "--hours",
        type=click.IntRange(1, 9600),
        help="No calendar any more: each round ends this many hours after it began.",
    ),
    click.option(
        "--by-hand", is_flag=True, help="No calendar any more: rounds are closed with `game run`."
    ),
    click.option("--at", help="Time of day of the deadline."),
    click.option("--zone", help="Time zone of the deadline."),
    click.option(
        "--every", type=click.IntRange(1, 52), help="Weeks from one deadline to the next."
    ),
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
        "--shortest", type=click.IntRange(0, 9600), help="The fewest hours that a round lasts."
    ),
    click.option(
        "--early-after",
        type=click.IntRange(0, 168),
        help="Close early, this many hours after the last list is in.",
    ),
    click.option("--not-early", is_flag=True, help="Close no round early any more."),
    click.option("--after-early", type=click.Choice(promises.AFTER_EARLY), help=AFTER_EARLY),
    click.option(
        "--silence-guard/--no-silence-guard",
        default=None,
        help="Ask the GM first if many more are silent.",
    ),
    click.option(
        "--asks-again/--no-asks-again",
        default=None,
        help="At the end ask the players whether they play once more; so in private games.",
    ),
    click.option(
        "--seats",
        type=click.IntRange(0, 1000),
        help="The most seats; 0: any number. Before the start.",
    ),
    click.option("--name", help="Another name of the game."),
    click.option("--gm", "gm_name", help="Another name of the game master."),
    click.option("--description", help="Words about the game, on its page."),
)


@group.command()
@GAMES
@REASON
@DRY_RUN
@click.pass_obj
def change(home: Home, /, ids: tuple[str, ...], reason: str, **options: Any) -> None:
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
            "asks_again",
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


TO = click.option(
    "--to", help="Another deadline, on the game's own clock, like '2026-12-02 20:00'."
)


NEXT = click.option(
    "--next", "following", help="Another deadline for the next round, like '2026-12-02 20:00'."
)


ROUND = click.argument("round_number", metavar="ROUND", type=click.IntRange(0, 9999))


@group.command()
@GAMES
@click.option("--to", help="The new deadline on the game's own clock, like '2026-12-02 20:00'.")
@click.option(
    "--days",
    type=click.IntRange(0, 28),
    help="Or: days after the regular deadline of this round.",
)
@NEXT
@REASON
@DRY_RUN
@click.pass_obj
def extend(
    home: Home,
    ids: tuple[str, ...],
    to: str | None,
    days: int | None,
    following: str | None,
    reason: str,
) -> None:
    """Move the deadline of one or several games, and tell everybody. It is that of the open round.
    The same again changes nothing.

    Forward only to undo an extension, a pause or a rollback, or once every list is in; never to
    less than a day from now. Of several games each is moved by itself, but none that is held, and
    who is in some of them gets one mail.
    """
    if (to is None) == (days is None):
        raise click.UsageError("one of --to and --days")
    if len(ids) > 1:
        if following is not None:
            raise click.UsageError("--next is for one game")
        do_to_several(home, ids, Asked("later", days=days, to=to or "", words=reason))
        return
    (game,) = ids
    installation = home.open()
    with installation.connection() as db:
        stored = store.games.existing(db, game)
        deadline = _moment(stored, to) or extending.wished(stored, days=days)
        wish = _moment(stored, following)
        say_done(lead.extend(db, game, deadline, reason, clock.now(), next_deadline=wish))
        _print_deadline(home, store.games.existing(db, game), None, "--to")
    show_game(installation, game)


@group.command()
@GAMES
@REASON
@DRY_RUN
@click.pass_obj
def pause(home: Home, ids: tuple[str, ...], reason: str) -> None:
    """Stop the clock of one or several games until `game resume`. Says until when going on keeps
    the deadline.
    """
    if len(ids) > 1:
        do_to_several(home, ids, Asked("paused", words=reason))
        return
    (game,) = ids
    installation = home.open()
    with installation.connection() as db:
        stored, until = _look(db, game)
        say_done(lead.pause(db, game, reason, clock.now()))
        say("pause.txt", game=stored, until=until.keeps_until)


@group.command()
@GAMES
@TO
@REASON
@DRY_RUN
@click.pass_obj
def resume(home: Home, ids: tuple[str, ...], to: str | None, reason: str) -> None:
    """Let one or several games go on. They keep the deadline they had if enough time is left, else
    they get the calendar's next.
    """
    if len(ids) > 1:
        if to is not None:
            raise click.UsageError("--to is for one game")
        do_to_several(home, ids, Asked("resumed", words=reason))
        return
    (game,) = ids
    installation = home.open()
    with installation.connection() as db:
        stored, before = _look(db, game)
        wish = _moment(stored, to)
        say_done(lead.resume(db, game, reason, clock.now(), deadline=wish))
        _print_deadline(home, store.games.existing(db, game), before.resuming, "--to")
    show_game(installation, game)


@group.command()
@click.argument("game")
@ROUND
@TO
@click.option("--reason", required=True, help="Why; everybody reads it.")
@DRY_RUN
@click.pass_obj
def rollback(home: Home, game: str, round_number: int, to: str | None, reason: str) -> None:
    """Take back the last closed ROUND of GAME. It is open again with the lists it had. The round
    is named as a guard.

    It lasts a day or more; the round after it keeps its deadline if it still can.
    """
    installation = home.open()
    with installation.connection() as db:
        stored, before = _look(db, game)
        wish = _moment(stored, to)
        say_done(
            deadline_rollback.rollback(db, game, round_number, reason, clock.now(), deadline=wish)
        )
        _print_deadline(home, store.games.existing(db, game), before.taking_back, "--to")
    show_game(installation, game)


@group.command("run")
@click.argument("game")
@ROUND
@NEXT
@REASON
@DRY_RUN
@click.pass_obj
def run_(home: Home, game: str, round_number: int, following: str | None, reason: str) -> None:
    """Close the open ROUND of GAME now, also if it is held. The round is named as a guard."""
    installation = home.open()
    with installation.connection() as db:
        stored, before = _look(db, game)
        lead.run_now(
            db, game, round_number, reason, clock.now(), next_deadline=_moment(stored, following)
        )
    tick(installation)
    with installation.connection() as db:
        _print_deadline(home, store.games.existing(db, game), before.closing, "--next")
    show_game(installation, game)


@group.command()
@click.argument("game")
@REASON
@click.pass_obj
def release(home: Home, game: str, reason: str) -> None:
    """Let a held GAME go on, after its cause is mended."""
    with home.open().connection() as db:
        click.echo(
            "done"
            if lead.release(db, game, reason, clock.now())
            else "nothing to change: it is not held"
        )


def _look(db: Database, game: str) -> tuple[Game, Any]:
    stored = store.games.existing(db, game)
    return stored, offers(standing(db, stored), clock.now())


def _moment(game: Game, text: str | None) -> int | None:
    return None if text is None else read_moment(text, game.schedule.zone)


def _print_deadline(home: Home, game: Game, offer: Offer | None, option: str) -> None:
    """Which deadline followed; in a dry run also which others there are. Of the next round if it
    is promised one, or short.
    """
    following = promises.following(game, game.deadline)
    others = promises.choices(game.schedule, None, game.deadline or 0)
    say(
        "deadline.txt",
        game=game,
        offer=offer,
        option=option,
        dry=home.copy is not None,
        following=following,
        others=others,
    )
