"""`bohnenpost game …`: what a game master does with one game."""

import json
import sys
from collections.abc import Sequence
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import click
import msgspec
from click.core import ParameterSource

from gm import clock, errors, seeds, store
from gm.calendar import Rule
from gm.cli.home import Home
from gm.cli.mail import say_where_links_go
from gm.cli.output import say, show_code
from gm.cli.sections import InSections
from gm.cli.several import GAMES, do_to_several
from gm.cli.timetable import deadlines, rule_options
from gm.games import create, house_rules, inbox, lead, seat_lines
from gm.games.awaited import Awaited, lists_in
from gm.games.several import Asked
from gm.installation import Installation
from gm.open_round import moment
from gm.rendering.dates import LANGUAGES
from gm.store.games import Game
from gm.store.mails import Mail
from gm.timetable import promises
from gm.timetable.tempo import house_rules as tempo_rules
from gm.timetable.tempo import preset
from rounds.engine.variant import find
from rounds.engine.variant import names as variant_names


@click.group(
    "game",
    cls=InSections,
    no_args_is_help=True,
    sections={
        "Before the start": ("new", "deadlines", "open", "invite", "seat", "ask", "start"),
        "While it runs": (
            *("list", "show", "read", "remind", "announce", "comment", "orders"),
            *("extend", "pause", "resume", "run", "change"),
        ),
        "Seats": ("replace", "remove", "address", "link", "links", "master"),
        "Repair": ("release", "rollback"),
        "End": ("abort", "again", "archive"),
    },
)
@click.option(
    "--dry-run",
    is_flag=True,
    help="Do it on a copy that is thrown away, and say which mails would go out.",
)
@click.pass_context
def group(ctx: click.Context, *, dry_run: bool) -> None:
    """Open a game, start it, look at it, move its deadlines, repair it."""
    if dry_run:
        ctx.obj.dry_run(ctx)


group.add_command(deadlines)

AFTER_EARLY = (
    "After a round was closed early the next one ends at the same deadline, or at the calendar's "
    "next after it."
)
MOST_TYPED = 4000
"""Most characters of a text; the desk takes as many."""
CALENDAR = ("days", "at", "every", "hours", "by_hand", "shortest", "left_out")
"""The options that say when rounds end."""
REASON = click.option("--reason", default="", help="Why; everybody reads it.")
DRY_RUN = click.option(
    "--dry-run",
    is_flag=True,
    expose_value=False,
    is_eager=True,
    help="As `game --dry-run`.",
    callback=lambda ctx, _, wanted: (
        ctx.obj.dry_run(ctx) if wanted and ctx.obj.copy is None else None
    ),
)


class WithHouseRules(click.Command):
    """A command whose help ends with the house rules of every variant."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """KEY=VALUE, and what counts where nothing is said."""
        for variant in variant_names():
            with formatter.section(f"House rules ({variant})"):
                known = house_rules.known(variant)
                formatter.write_dl(
                    [(f"{rule.key}={rule.choices}", f"default: {rule.default}") for rule in known]
                )


@group.command(cls=WithHouseRules)
@click.argument("game")
@click.option("--name", help="Name for people; the id with a capital letter if left out.")
@click.option(
    "--variant",
    type=click.Choice(variant_names()),
    help="Which game; the default one if left out.",
)
@click.option("--description", default="", help="Words about the game, on its page.")
@click.option("--gm", "gm_name", required=True, help="The game master's name.")
@click.option("--gm-address", required=True, help="Where players' answers go.")
@click.option(
    "--tempo",
    help="Instead of a calendar: tonight (an hour a round at most, closed as soon as all are in), "
    "daily, or club (every other Sunday). A game by turns is daily if nothing is said.",
)
@rule_options
@click.option(
    "--early-after",
    type=click.IntRange(0, 168),
    help="Close early, this many hours after the last list is in.",
)
@click.option(
    "--after-early",
    type=click.Choice(promises.AFTER_EARLY),
    default="same",
    show_default=True,
    help=AFTER_EARLY,
)
@click.option(
    "--silence-guard",
    is_flag=True,
    help="Ask the GM first if far more players than last time are silent.",
)
@click.option(
    "--seats", type=click.IntRange(1, 1000), help="The most seats; any number if left out."
)
@click.option(
    "--private",
    is_flag=True,
    help="Not in the list of open games: joined by its invitation link only.",
)
@click.option("--gm-language", type=click.Choice(LANGUAGES), default="de", show_default=True)
@click.option(
    "--seat",
    "people",
    multiple=True,
    metavar="LINE",
    help="Open it and give a seat: 'Anna <anna@example.org> en', or 'Rosa (robot strong)'. "
    "Repeatable; all are given, or none.",
)
@click.option("--start", is_flag=True, help="Start it at once with these seats.")
@click.option(
    "--rule",
    "rules",
    multiple=True,
    metavar="KEY=VALUE",
    help="A house rule, see below. Repeatable.",
)
@click.pass_obj
def new(  # noqa: PLR0913, PLR0917  # one parameter per option
    home: Home,
    game: str,
    name: str | None,
    variant: str | None,
    gm_name: str,
    gm_address: str,
    gm_language: str,
    early_after: int | None,
    after_early: str,
    seats: int | None,
    rules: tuple[str, ...],
    people: tuple[str, ...],
    description: str,
    *,
    tempo: str | None,
    rule: Rule,
    silence_guard: bool,
    private: bool,
    start: bool,
) -> None:
    """Make the game with the id GAME (a-z, 0-9, -). Nobody can join before `game open`, unless
    seats are given here.
    """
    installation, given = home.open(create=True), seat_lines.read("\n".join(people))
    variant, early = variant or seeds.default_variant(), early_after and early_after * 3600
    if tempo is None and find(variant).closes_at_once and not _chosen(CALENDAR):
        tempo = find(variant).tempi[-1]
    if tempo is not None:
        rule, early = _of_tempo(tempo, variant, rule.zone)
    with installation.connection() as db:
        made = create.new_game(
            db,
            game=game,
            name=name or game.capitalize(),
            variant=variant,
            house_rules=tempo_rules(tempo, variant) | house_rules.read(rules),
            gm=(gm_name, gm_address),
            gm_language=gm_language,
            rule=rule,
            now=clock.now(),
            people=given,
            key=installation.link_key,
            start=start,
            silence_guard=silence_guard,
            description=description,
            seats=seats,
            listed=not private,
            early_after=early,
            after_early=after_early,
        )
        show_game(installation, made.id)
    if given:
        say_where_links_go(home, [line.address for line in given])


def _of_tempo(tempo: str, variant: str, zone: str) -> tuple[Rule, int | None]:
    known = find(variant).tempi
    if tempo not in known:
        raise click.BadParameter(f"{tempo} is none of {', '.join(known)}", param_hint="--tempo")
    if _chosen((*CALENDAR, "early_after")):
        raise click.UsageError("--tempo or a calendar of your own, not both")
    return preset(tempo, variant, zone, clock.now())


def _chosen(options: Sequence[str]) -> bool:
    """Whether one of these options was given."""
    source = click.get_current_context().get_parameter_source
    return any(source(name) is ParameterSource.COMMANDLINE for name in options)


@group.command("open")
@click.argument("game")
@click.pass_obj
def open_(home: Home, game: str) -> None:
    """Let people take seats in GAME. Its secret is drawn, and its commitment published."""
    installation = home.open()
    with installation.connection() as db:
        create.open_game(db, game)
        show_game(installation, game)


@group.command()
@click.argument("game")
@click.option("--name", required=True, help="The player's name in the game.")
@click.option("--address", help="Where the mails go.")
@click.option("--language", type=click.Choice(LANGUAGES), default="de", show_default=True)
@click.option("--no-mail", is_flag=True, help="No address: the link is printed, to be handed over.")
@click.option("--robot", is_flag=True, help="A robot plays; it needs no address.")
@click.option(
    "--strength",
    default="",
    help="How strong the robot plays, where a game has several: weak, medium, strong.",
)
@click.pass_obj
def seat(
    home: Home,
    game: str,
    name: str,
    address: str | None,
    language: str,
    strength: str,
    *,
    robot: bool,
    no_mail: bool,
) -> None:
    """Give a seat in GAME to somebody. A mail with the commitment and the personal link goes
    out.
    """
    installation = home.open()
    if not robot and not no_mail and not address:
        raise click.UsageError("--address is missing (without one: --no-mail, or --robot)")
    if no_mail and (robot or address):
        raise click.UsageError("--no-mail is for a person without an address")
    if strength and not robot:
        raise click.UsageError("--strength is for a robot: add --robot")
    with installation.connection() as db:
        given = create.add_seat(
            db,
            installation.link_key,
            game=game,
            name=name,
            address=address,
            language=language,
            robot=robot,
            strength=strength,
            welcome=True,
            by_hand=no_mail,
        )
        show_game(installation, game)
    if no_mail:
        show_code(installation.url("seat", game, given.name, given.link_number))
    say_where_links_go(home, [address])


@group.command()
@click.argument("game")
@DRY_RUN
@click.pass_obj
def start(home: Home, game: str) -> None:
    """Deal the first row of GAME and mail it to everybody. Seats and deck are fixed from here
    on.
    """
    installation = home.open()
    with installation.connection() as db:
        create.start_game(db, game, clock.now())
        addresses = [seat.address for seat in store.seats.of_game(db, game)]
    show_game(installation, game)
    say_where_links_go(home, addresses)


def read_text(typed: str) -> str:
    """A text from the command line, or with `-` from standard input, as long as the desk takes
    it.
    """
    text = sys.stdin.read() if typed == "-" else typed
    if len(text) > MOST_TYPED:
        raise click.UsageError(f"the text has {len(text)} characters; at most {MOST_TYPED} fit")
    return text


@group.command()
@click.argument("game")
@click.argument("text")
@click.pass_obj
def comment(home: Home, game: str, text: str) -> None:
    """Print TEXT, the GM's own words, in the next report of GAME. `-`: the text is read from
    standard input.
    """
    with home.open().connection() as db:
        is_new = create.comment(db, game, read_text(text), clock.now())
    click.echo("noted for the next report" if is_new else "nothing to change: it is so already")


@group.command()
@GAMES
@click.argument("text")
@DRY_RUN
@click.pass_obj
def announce(home: Home, ids: tuple[str, ...], text: str) -> None:
    """Mail TEXT to everybody in one or several games. It also stands on their pages and in the
    next reports. `-`: the text is read from standard input.
    """
    words = read_text(text)
    with home.open().connection() as db:
        if store.games.get(db, text) is not None:
            raise click.UsageError(f"no text: {text} is a game")
    if len(ids) > 1:
        do_to_several(home, ids, Asked("announced", words=words))
        return
    with home.open().connection() as db:
        say_done(lead.announce(db, ids[0], words, clock.now()))


@group.command()
@click.argument("game")
@click.option("--reason", required=True, help="Why; everybody reads it.")
@click.pass_obj
def abort(home: Home, game: str, reason: str) -> None:
    """End GAME before its last round. The standing counts as it is, the fields are not harvested.

    A game that takes players is called off: all who are in it, or were invited or asked for a
    seat, are mailed why.
    """
    installation = home.open()
    with installation.connection() as db:
        say_done(lead.abort(db, game, reason, clock.now()))


@group.command()
@click.argument("game")
@click.pass_obj
def archive(home: Home, game: str) -> None:
    """Take GAME, which is over or was never opened, from the lists. Its page and its record
    stay.
    """
    with home.open().connection() as db:
        click.echo(
            "done" if lead.archive(db, game, clock.now()) else "nothing to change: it is so already"
        )


@group.command("list")
@click.option("--json", "as_json", is_flag=True, help="One JSON object per line.")
@click.pass_obj
def list_(home: Home, *, as_json: bool) -> None:
    """All games: status, round, deadline, how many lists are in."""
    with home.open().connection() as db:
        rows = [_facts(db, game) for game in store.games.all_games(db)]
    if as_json:
        for row in rows:
            click.echo(json.dumps(row, ensure_ascii=False))
    else:
        say("games.txt", games=rows)


@group.command()
@click.argument("game")
@click.option("--json", "as_json", is_flag=True)
@click.pass_obj
def show(home: Home, game: str, *, as_json: bool) -> None:
    """One game: who sits there and who has ordered, never what."""
    installation = home.open()
    if as_json:
        with installation.connection() as db:
            stored = store.games.existing(db, game)
            words = [
                {"round": w.round, "seat": w.seat, "at": clock.written(w.at), "text": w.text}
                for w in inbox.unread(db, stored)
            ]
            click.echo(json.dumps(_facts(db, stored) | {"words": words}, ensure_ascii=False))
    else:
        show_game(installation, game)


@group.command("read")
@click.argument("game")
@click.pass_obj
def read_(home: Home, game: str) -> None:
    """Print players' words to the GM of GAME that nobody has read. From then on they are read."""
    with home.open().connection() as db:
        words = inbox.unread(db, store.games.existing(db, game))
        say("words.txt", words=words)
        if words:
            inbox.read(db, game, words[0].at, clock.now())


def show_game(installation: Installation, game: str) -> None:
    """Print one game."""
    with installation.connection() as db:
        stored = store.games.existing(db, game)
        facts, words = _facts(db, stored), inbox.unread(db, stored)
        stands = moment(db, stored)
    public, invitation = installation.game_url(stored), installation.url("invitation", game)
    say(
        "game.txt",
        game=facts,
        moment=stands,
        calendar=stored.schedule,
        awaits=stored.awaits,
        words=words,
        public=public,
        invitation=invitation,
    )


def _facts(db: Any, game: Game) -> dict[str, Any]:
    """What the GM may know of a game: nothing of its deck, and of orders only whether they are
    there.
    """
    newest, seats = (
        store.lists.newest(db, game.id, game.round) if game.round else {},
        store.seats.of_game(db, game.id),
    )
    lists = _lists(db, game)
    deadline = (
        game.deadline
        and datetime.fromtimestamp(game.deadline, ZoneInfo(game.schedule.zone)).isoformat()
    )
    return {
        "game": game.id,
        "name": game.name,
        "variant": game.variant,
        "gm": game.gm_name,
        "status": game.status,
        "round": game.round,
        "aborted": bool(game.aborted),
        "archived": game.archived_at is not None,
        "calendar": msgspec.to_builtins(game.schedule),
        "deadline": deadline,
        "commitment": game.commitment,
        "house_rules": json.loads(game.house_rules),
        "error": game.error,
        "max_seats": game.seats,
        "listed": bool(game.listed),
        "previous": game.previous,
        "lists_in": lists.number,
        "lists_awaited": len(lists.awaited),
        "seats": [
            {
                "name": s.name,
                "player": s.called,
                "address": s.address,
                "language": s.language,
                "robot": bool(s.robot),
                "strength": s.strength,
                "removed": s.removed_at is not None,
                "ordered": s.number in newest,
            }
            for s in seats
        ],
        "refused": [
            {"mail": m.id, "kind": m.kind, "address": m.address, "error": m.error}
            for m in _refused(db, game)
        ],
        **_first_deadline(game),
    }


def _lists(db: Any, game: Game) -> Awaited:
    with errors.passed_over(f"{game.id}, its lists"):  # a damaged game is shown too
        return lists_in(db, game)
    return Awaited((), ())


def _refused(db: Any, game: Game) -> list[Mail]:
    return store.mails.waiting_or_refused(db, game.id, refused=True)


def _first_deadline(game: Game) -> dict[str, Any]:
    """Before the start: when round 1 would end if the game started now."""
    if game.status not in ("draft", "open"):
        return {}
    first = promises.at_start(game, clock.now())
    return {
        "first_deadline": first
        and datetime.fromtimestamp(first, ZoneInfo(game.schedule.zone)).isoformat()
    }


def say_done(changed: object) -> None:
    """Print whether an act changed anything."""
    click.echo("done; everybody is told" if changed else "nothing to change: it is so already")
