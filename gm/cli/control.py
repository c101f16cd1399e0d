"""`bohnenpost game …` that moves a deadline or lets a game go on. Each says what follows, a dry
run also what else could.
"""

from typing import Any

import click
from sqlite_utils import Database

from gm import clock, store
from gm.calendar import read_moment
from gm.cli.game import DRY_RUN, REASON, group, say_done, show_game
from gm.cli.output import say
from gm.clock import DAY
from gm.deadline import rollback as deadline_rollback
from gm.deadline.offers import Offer, offers
from gm.errors import Refusal
from gm.games import lead, promises
from gm.service import tick
from gm.store.games import Game

TO = click.option(
    "--to", help="Another deadline, on the game's own clock, like '2026-12-02 20:00'."
)
NEXT = click.option(
    "--next", "following", help="Another deadline for the next round, like '2026-12-02 20:00'."
)
ROUND = click.argument("round_number", metavar="ROUND", type=click.IntRange(0, 9999))


@group.command()
@click.argument("game")
@click.option("--to", help="The new deadline on the game's own clock, like '2026-12-02 20:00'.")
@click.option(
    "--days",
    type=click.IntRange(0, 28),
    help="Or: so many days after the regular deadline of this round.",
)
@NEXT
@REASON
@DRY_RUN
@click.pass_obj
def extend(
    home: Any, game: str, to: str | None, days: int | None, following: str | None, reason: str
) -> None:
    """Move the deadline of the open round of GAME, and tell everybody. The same again changes
    nothing.

    Forward only to undo an extension, a pause or a rollback, or once every list is in; never to
    less than a day from now.
    """
    if (to is None) == (days is None):
        raise click.UsageError("one of --to and --days")
    installation = home.open()
    with installation.connection() as db:
        stored = store.games.existing(db, game)
        deadline = _moment(stored, to)
        if deadline is None and stored.scheduled_deadline is None:
            raise Refusal("no_regular", game=game)
        deadline = deadline or (stored.scheduled_deadline or 0) + (days or 0) * DAY
        wish = _moment(stored, following)
        say_done(lead.extend(db, game, deadline, reason, clock.now(), next_deadline=wish))
        _tell(home, store.games.existing(db, game), None, "--to")
    show_game(installation, game)


@group.command()
@click.argument("game")
@REASON
@DRY_RUN
@click.pass_obj
def pause(home: Any, game: str, reason: str) -> None:
    """Stop the clock of GAME until `game resume`. Says until when going on keeps the deadline."""
    installation = home.open()
    with installation.connection() as db:
        stored, until = _look(db, game)
        say_done(lead.pause(db, game, reason, clock.now()))
        say("pause.txt", game=stored, until=until.keeps_until)


@group.command()
@click.argument("game")
@TO
@REASON
@DRY_RUN
@click.pass_obj
def resume(home: Any, game: str, to: str | None, reason: str) -> None:
    """Let GAME go on: with the deadline it had if enough time is left, else with the calendar's
    next.
    """
    installation = home.open()
    with installation.connection() as db:
        stored, before = _look(db, game)
        wish = _moment(stored, to)
        say_done(lead.resume(db, game, reason, clock.now(), deadline=wish))
        _tell(home, store.games.existing(db, game), before.resuming, "--to")
    show_game(installation, game)


@group.command()
@click.argument("game")
@ROUND
@TO
@click.option("--reason", required=True, help="Why; everybody reads it.")
@DRY_RUN
@click.pass_obj
def rollback(home: Any, game: str, round_number: int, to: str | None, reason: str) -> None:
    """Take back the last closed ROUND of GAME; it is open again with the lists it had. The round
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
        _tell(home, store.games.existing(db, game), before.taking_back, "--to")
    show_game(installation, game)


@group.command("run")
@click.argument("game")
@ROUND
@NEXT
@REASON
@DRY_RUN
@click.pass_obj
def run_(home: Any, game: str, round_number: int, following: str | None, reason: str) -> None:
    """Close the open ROUND of GAME now, also if it is held. The round is named as a guard."""
    installation = home.open()
    with installation.connection() as db:
        stored, before = _look(db, game)
        lead.run_now(
            db, game, round_number, reason, clock.now(), next_deadline=_moment(stored, following)
        )
    tick(installation)
    with installation.connection() as db:
        _tell(home, store.games.existing(db, game), before.closing, "--next")
    show_game(installation, game)


@group.command()
@click.argument("game")
@REASON
@click.pass_obj
def release(home: Any, game: str, reason: str) -> None:
    """Let a held GAME go on, after its cause is mended."""
    with home.open().connection() as db:
        click.echo(
            "done"
            if lead.release(db, game, reason, clock.now())
            else "nothing to change: it is not held"
        )


def _look(db: Database, game: str) -> tuple[Game, Any]:
    stored = store.games.existing(db, game)
    return stored, offers(db, stored, clock.now())


def _moment(game: Game, text: str | None) -> int | None:
    return None if text is None else read_moment(text, game.schedule.zone)


def _tell(home: Any, game: Game, offer: Offer | None, option: str) -> None:
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
