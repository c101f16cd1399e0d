"""`bohnenpost game …`: what a game master does with one game."""

import json
import re
from datetime import UTC, date, datetime, time
from typing import Any
from zoneinfo import ZoneInfo

import click

from gm import clock, games, store
from gm.installation import Installation
from gm.render import render
from gm.schedule import Rule
from rounds.variant import names as variant_names

WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


@click.group("game", no_args_is_help=True)
def group() -> None:
    """Open a game, give seats, start it, look at it."""


@group.command()
@click.argument("game")
@click.option("--name", help="Name for people; the id with a capital letter if left out.")
@click.option("--variant", type=click.Choice(variant_names()), help="Needed only if there are several.")
@click.option("--gm", "gm_name", required=True, help="The game master's name.")
@click.option("--gm-address", required=True, help="Where players' answers go.")
@click.option("--on", "days", default="sun", show_default=True, help="Weekdays of the deadline, like sun or wed,sat.")
@click.option("--at", default="20:00", show_default=True, help="Time of day of the deadline.")
@click.option("--zone", default="Europe/Berlin", show_default=True, help="Time zone of the deadline.")
@click.option("--every", type=click.IntRange(1, 52), default=2, show_default=True, help="A deadline every so many weeks.")
@click.option("--rule", "rules", multiple=True, metavar="KEY=VALUE", help="A house rule, like nmr_empty=true. Repeatable.")
@click.pass_obj
def new(  # noqa: PLR0913, PLR0917  # one parameter per option
    home: Any, game: str, name: str | None, variant: str | None, gm_name: str, gm_address: str, days: str, at: str,
    zone: str, every: int, rules: tuple[str, ...],
) -> None:  # fmt: skip
    """Make the game with the id GAME (a-z, 0-9, -). Nobody can join before `game open`."""
    if variant is None and len(variant_names()) > 1:
        raise click.UsageError(f"which variant? --variant {' or '.join(variant_names())}")
    rule = Rule(_weekdays(days), _time(at), _zone(zone), every, _today(zone))
    installation = home.open(create=True)
    with installation.connection() as db:
        made = games.new_game(
            db, game=game, name=name or game.capitalize(), variant=variant or variant_names()[0], house_rules=_rules(rules),
            gm=(gm_name, gm_address), rule=rule, now=clock.now(),
        )  # fmt: skip
        _show(installation, made.id)


@group.command("open")
@click.argument("game")
@click.pass_obj
def open_(home: Any, game: str) -> None:
    """Draw the secret of GAME, publish its commitment, and take seats."""
    installation = home.open()
    with installation.connection() as db:
        games.open_game(db, game)
        _show(installation, game)


@group.command()
@click.argument("game")
@click.option("--name", required=True, help="The player's name in the game.")
@click.option("--address", help="Where the mails go.")
@click.option("--language", type=click.Choice(games.LANGUAGES), default="de", show_default=True)
@click.option("--robot", is_flag=True, help="A robot plays; it needs no address.")
@click.pass_obj
def seat(home: Any, game: str, name: str, address: str | None, language: str, *, robot: bool) -> None:
    """Give a seat in GAME to somebody. The personal link goes out by mail when the game starts."""
    installation = home.open()
    if not robot and not address:
        raise click.UsageError("--address is missing (only a robot needs none)")
    with installation.connection() as db:
        games.add_seat(db, installation.link_key, game=game, name=name, address=address, language=language, robot=robot)
        _show(installation, game)


@group.command()
@click.argument("game")
@click.pass_obj
def start(home: Any, game: str) -> None:
    """Deal the first row of GAME and mail it to everybody. Seats and deck are fixed from here on."""
    installation = home.open()
    with installation.connection() as db:
        games.start_game(db, game, installation.config.mail_domain, clock.now())
        _show(installation, game)


@group.command()
@click.argument("game")
@click.argument("text")
@click.pass_obj
def comment(home: Any, game: str, text: str) -> None:
    """Print TEXT, the GM's own words, in the next report of GAME."""
    with home.open().connection() as db:
        games.comment(db, game, text, clock.now())
    click.echo("noted for the next report")


@group.command("list")
@click.option("--json", "as_json", is_flag=True, help="One JSON object per line.")
@click.pass_obj
def list_(home: Any, *, as_json: bool) -> None:
    """All games: status, round, deadline, how many lists are in."""
    with home.open().connection() as db:
        rows = [_facts(db, game) for game in store.games(db)]
    if as_json:
        for row in rows:
            click.echo(json.dumps(row, ensure_ascii=False))
    else:
        click.echo(render("en", "cli/games.txt", games=rows), nl=False)


@group.command()
@click.argument("game")
@click.option("--json", "as_json", is_flag=True)
@click.pass_obj
def show(home: Any, game: str, *, as_json: bool) -> None:
    """One game: who sits there and who has ordered, never what."""
    installation = home.open()
    with installation.connection() as db:
        facts = _facts(db, games.existing(db, game))
    if as_json:
        click.echo(json.dumps(facts, ensure_ascii=False))
    else:
        _show(installation, game)


def _show(installation: Installation, game: str) -> None:
    with installation.connection() as db:
        facts = _facts(db, games.existing(db, game))
    click.echo(render("en", "cli/game.txt", game=facts, public=installation.game_url(game)), nl=False)


def _facts(db: Any, game: store.Game) -> dict[str, Any]:
    """What the GM may know of a game: nothing of its deck, and of orders only whether they are there."""
    newest = store.newest_revisions(db, game.id, game.round) if game.round else {}
    deadline = game.deadline and datetime.fromtimestamp(game.deadline, ZoneInfo(game.schedule.zone)).isoformat()
    return {
        "game": game.id,
        "name": game.name,
        "variant": game.variant,
        "gm": game.gm_name,
        "status": game.status,
        "round": game.round,
        "deadline": deadline,
        "commitment": game.commitment,
        "house_rules": json.loads(game.house_rules),
        "error": game.error,
        "seats": [
            {"name": s.name, "address": s.address, "language": s.language, "robot": bool(s.robot), "ordered": s.number in newest}
            for s in store.seats(db, game.id)
        ],
    }


def _weekdays(text: str) -> tuple[int, ...]:
    days = [day.strip().lower()[:3] for day in text.split(",")]
    if not set(days) <= set(WEEKDAYS):
        raise click.BadParameter(f"{text!r}: weekdays are {', '.join(WEEKDAYS)}", param_hint="--on")
    return tuple(sorted({WEEKDAYS.index(day) for day in days}))


def _time(text: str) -> time:
    if not re.fullmatch(r"([01][0-9]|2[0-3]):[0-5][0-9]", text):
        raise click.BadParameter(f"{text!r}: a time of day is written like 20:00", param_hint="--at")
    return time.fromisoformat(text)


def _zone(text: str) -> str:
    try:
        ZoneInfo(text)
    except (ValueError, OSError, LookupError):
        raise click.BadParameter(f"{text!r}: a zone is written like Europe/Berlin", param_hint="--zone") from None
    return text


def _today(zone: str) -> date:
    return datetime.fromtimestamp(clock.now(), UTC).astimezone(ZoneInfo(zone)).date()


def _rules(pairs: tuple[str, ...]) -> dict[str, Any]:
    """House rules from KEY=VALUE: numbers and true/false as such, anything else as text; the variant judges them."""
    rules: dict[str, Any] = {}
    for pair in pairs:
        key, equals, text = pair.partition("=")
        if not equals:
            raise click.BadParameter(f"{pair!r}: write KEY=VALUE", param_hint="--rule")
        value: Any = {"true": True, "false": False}.get(text, text)
        rules[key] = int(text) if re.fullmatch(r"[0-9]{1,6}", text) else value
    return rules
