"""`bohnenpost game …` about seats and people, and `bohnenpost gm`, `bohnenpost standby`."""

import json

import click

from gm import clock, service, store
from gm.cli.game import DRY_RUN, REASON, group, show_game
from gm.cli.home import Home
from gm.cli.mail import say_where_links_go
from gm.cli.output import harmless, in_words, say, show_code
from gm.cli.several import GAMES, do_to_several
from gm.errors import Refusal
from gm.games import create, inbox, reminding
from gm.games.orders import Late
from gm.games.several import Asked
from gm.people import accounts, joining, masters, seating
from gm.rendering.dates import LANGUAGES
from gm.rendering.sentences import counted
from gm.service import close_at_once
from gm.store.db import write
from rounds.engine.notation import Refused

SPOKEN = {"de": "German", "en": "English"}
LANGUAGE = click.option("--language", type=click.Choice(LANGUAGES), default="de", show_default=True)


@group.command()
@click.argument("game")
@click.argument("addresses", nargs=-1, required=True)
@LANGUAGE
@click.pass_obj
def invite(home: Home, game: str, addresses: tuple[str, ...], language: str) -> None:
    """Mail an invitation to GAME to each of ADDRESSES. Nobody is invited twice."""
    installation = home.open()
    with installation.connection() as db:
        number = joining.invite(db, game, addresses, language, clock.now())
    click.echo(f"{counted(number, 'invitation')} on the way, in {SPOKEN[language]}")


@group.command()
@click.argument("game")
@click.pass_obj
def ask(home: Home, game: str) -> None:
    """Before the start: ask the seats of GAME whether they are there. Those that have said so are
    not asked.
    """
    installation = home.open()
    with installation.connection() as db:
        asked = joining.ask_who_is_there(db, game, clock.now())
    click.echo(
        "asked: "
        + (", ".join(asked) or "nobody; all have answered, or were asked within half a day")
    )


@group.command()
@GAMES
@DRY_RUN
@click.pass_obj
def remind(home: Home, ids: tuple[str, ...]) -> None:
    """Remind the seats of one or several games that have no list. Once an hour at most; who wants
    no reminders gets none.
    """
    if len(ids) > 1:
        do_to_several(home, ids, Asked("reminded"))
        return
    with home.open().connection() as db:
        names = reminding.remind_now(db, ids[0], clock.now())
    click.echo(
        "reminded: "
        + (
            ", ".join(names)
            or "nobody; no list is missing of anybody who wants one, or they had one within an hour"
        )
    )


@group.command()
@click.argument("finished")
@click.argument("game")
@click.option("--name", help="Name for people; the id with a capital letter if left out.")
@click.pass_obj
def again(home: Home, finished: str, game: str, name: str | None) -> None:
    """Play FINISHED once more as GAME, with the same people. It is open for `game
    start`; where one seat begins, now the other.

    Everybody is mailed that they have a seat, and may leave it.
    """
    installation = home.open()
    with installation.connection() as db:
        create.play_again(
            db, installation.link_key, finished, game, name or game.capitalize(), clock.now()
        )
    show_game(installation, game)


@group.command()
@click.argument("game")
@click.argument("seat")
@click.option("--player", required=True, help="Who plays from now on.")
@click.option("--address", required=True, help="Where the mails go.")
@LANGUAGE
@click.option(
    "--keep-orders/--drop-orders",
    required=True,
    help="Whether the stored list of the open round still counts.",
)
@REASON
@click.pass_obj
def replace(
    home: Home,
    game: str,
    seat: str,
    player: str,
    address: str,
    language: str,
    reason: str,
    *,
    keep_orders: bool,
) -> None:
    """Somebody else plays SEAT of GAME from now on. The old link dies at once."""
    installation = home.open()
    with installation.connection() as db:
        changed = seating.replace_player(
            db,
            installation.link_key,
            game,
            seat,
            player=player,
            address=address,
            language=language,
            keep_orders=keep_orders,
            reason=reason,
            now=clock.now(),
        )
    click.echo(f"{player} plays for {seat}" if changed else "nothing to change: it is so already")
    if changed:
        say_where_links_go(home, [address])


@group.command()
@click.argument("game")
@click.argument("seat")
@REASON
@click.pass_obj
def remove(home: Home, game: str, seat: str, reason: str) -> None:
    """Nobody plays SEAT of GAME any more; the stand-in goes on. Before the start the seat is
    given up.
    """
    installation = home.open()
    with installation.connection() as db:
        changed = seating.remove_seat(db, game, seat, reason, clock.now())
    click.echo("done" if changed else "nothing to change: it is so already")


@group.command()
@click.argument("game")
@click.argument("seat")
@click.option("--renew", is_flag=True, help="A new link; the old one is dead.")
@click.pass_obj
def link(home: Home, game: str, seat: str, *, renew: bool) -> None:
    """Mail SEAT of GAME its personal link again, or a new one."""
    installation = home.open()
    with installation.connection() as db:
        is_queued = True
        if renew:
            seating.renew_link(db, installation.link_key, game, seat, clock.now())
        else:
            is_queued = seating.resend_link(db, game, seat, clock.now())
        address = seating.with_address(db, game, seat).address
    if is_queued:
        say_where_links_go(home, [address])
    else:
        click.echo(f"nothing to change: it was mailed to {address} within the last hour")


@group.command()
@click.argument("game")
@click.argument("seats", metavar="[SEAT]…", nargs=-1)
@click.pass_obj
def links(home: Home, game: str, seats: tuple[str, ...]) -> None:
    """Print new links for players of GAME without an address. Each is a code for a phone: for
    these SEATs, or before the start for all. The old links are dead, and a note says so.
    """
    installation = home.open()
    with installation.connection() as db, write(db):
        if not seats and store.games.existing(db, game).round:
            raise click.UsageError("name the seats: their old links die")
        everybody = store.seats.people(store.seats.of_game(db, game))
        seats = seats or tuple(seat.name for seat in everybody if not seat.address)
        given = [  # twice named, the first would be dead
            seating.renew_link_by_hand(db, installation.link_key, game, name, clock.now())
            for name in dict.fromkeys(seating.seat_named(db, game, one).name for one in seats)
        ]
    for seat in given:
        click.echo(f"{seat.name}:")
        show_code(installation.url("seat", game, seat.name, seat.link_number))


@group.command()
@click.argument("game")
@click.argument("seat")
@click.argument("address")
@click.pass_obj
def address(home: Home, game: str, seat: str, address: str) -> None:
    """Mail to SEAT of GAME goes to ADDRESS from now on. The old link dies, both addresses are
    told, a note says so.
    """
    installation = home.open()
    with installation.connection() as db:
        changed = seating.change_address(
            db, installation.link_key, game, seat, address, clock.now()
        )
    click.echo("done" if changed else "nothing to change: it is so already")


@group.command()
@click.argument("game")
@click.argument("seat")
@click.argument("orders")
@click.option("--round", "number", type=int, default=None, help="Refuse unless this round is open.")
@click.pass_obj
def orders(home: Home, game: str, seat: str, orders: str, number: int | None) -> None:
    """Type in ORDERS of SEAT of GAME that came by letter or phone. They are like '1>A 2>A HA' or
    'pass'. SEAT is a name, or a number from 1 in the order of the table.

    Where the seat's hand is hidden this says no more than whether they were taken, three times a
    round at most.
    """
    if home.copy is not None:
        raise click.UsageError(
            "--dry-run does not take orders: its answers would tell a hidden hand"
        )
    installation = home.open()
    try:
        with installation.connection() as db:
            found = seating.seat_named_or_counted(db, game, seat)
            name = found.name
            asked = "" if number is None else str(number)
            receipt = service.enter_orders(db, game, name, orders, asked)
            stored = store.games.existing(db, game)
    except Refused as error:
        raise click.ClickException(
            "the orders are refused\n" + in_words("problems.txt", problems=error.problems).rstrip()
        ) from None
    except Late as error:
        raise Refusal("passed", round=error.game.round) from None
    close_at_once(installation, stored, clock.now())
    taken = "taken" if stored.engine.sees_more else receipt.revision.orders
    told = f"{name} is told" if found.address else f"{name} sees it on their page"
    message = told if receipt.is_new else "nothing to change: it is so already"
    click.echo(f"version {receipt.revision.number}: {taken}; {message}")


@group.command()
@click.argument("game")
@click.argument("address")
@click.option(
    "--remove", "gone", is_flag=True, help="This address does not lead the game any more."
)
@click.pass_obj
def master(home: Home, game: str, address: str, *, gone: bool) -> None:
    """Let the game master with ADDRESS lead GAME too."""
    with home.open().connection() as db:
        changed = (
            masters.remove_master(db, game, address)
            if gone
            else masters.add_master(db, game, address)
        )
        left = store.games.masters(db, game)
    click.echo(
        ("" if changed else "nothing to change: it is so already; ") + "led by " + ", ".join(left)
    )


@click.group("gm", no_args_is_help=True)
def gm_group() -> None:
    """Game masters who sign in on the web."""


@gm_group.command()
@click.argument("address")
@click.option("--name", help="The name on the desk; at first what stands before the @.")
@click.option("--language", type=click.Choice(LANGUAGES), help="At first de.")
@click.option(
    "--host/--no-host",
    default=None,
    help="Whether they may let game masters go, at the desk; at first not.",
)
@click.pass_obj
def add(
    home: Home, address: str, name: str | None, language: str | None, *, host: bool | None
) -> None:
    """Print a link with which the game master with ADDRESS signs in. It works once and sets a
    password. Again: a fresh link.
    """
    installation = home.open(create=True)
    with installation.connection() as db:
        made = accounts.add_gm(db, address, name, language, clock.now(), host=host)
    click.echo(installation.url("password", who=made.address, number=made.link_number))
    click.echo("The link works once, for seven days.")
    click.echo(f"Desk and mails are in {SPOKEN[made.language]} (--language).")


@gm_group.command()
@click.argument("address")
@click.option("--words/--no-words", default=None, help="Players' words to the GM, at once.")
@click.option("--joined/--no-joined", default=None, help="Who takes a seat.")
@click.option("--reports/--no-reports", default=None, help="Each report.")
@click.pass_obj
def mails(
    home: Home, address: str, *, words: bool | None, joined: bool | None, reports: bool | None
) -> None:
    """Choose which mails the game master with ADDRESS has. They come beside those that always
    come. Without an option: say it.
    """
    wanted = {"words": words, "joined": joined, "gm_report": reports}
    with home.open().connection() as db:
        master = store.accounts.get(db, address)
        if master is None:
            raise Refusal("no_master", address=address)
        chosen = tuple(
            kind
            for kind, wish in wanted.items()
            if (kind in master.chosen if wish is None else wish)
        )
        if chosen != master.chosen:
            inbox.choose(db, address, chosen)
    names = {"words": "words", "joined": "joined", "gm_report": "reports"}
    click.echo(", ".join(names[kind] for kind in chosen) or "none of words, joined, reports")


@gm_group.command("list")
@click.option("--json", "as_json", is_flag=True, help="One JSON object per line.")
@click.pass_obj
def gm_list(home: Home, *, as_json: bool) -> None:
    """Everybody who may sign in or leads a game, and these games. Games that are over are left
    out.
    """
    with home.open().connection() as db:
        leaders = masters.leaders(db)
    for leader in leaders:
        master = leader.master
        facts = {
            "address": leader.address,
            "name": master and master.name,
            "language": master and master.language,
            "host": bool(master and master.host),
            "signs_in": bool(master and master.password),
            "games": list(leader.games),
        }
        if as_json:
            click.echo(json.dumps(facts, ensure_ascii=False))
        else:
            say("gm.txt", gm=facts)


@gm_group.command("remove")
@click.argument("address")
@click.option(
    "--heir",
    default="",
    metavar="ADDRESS",
    help="Who leads the games from now on that would have nobody left.",
)
@click.pass_obj
def gm_remove(home: Home, address: str, heir: str) -> None:
    """Let the game master with ADDRESS go. Sessions end, links die, no game is led by them any
    more.
    """
    with home.open().connection() as db:
        taken = masters.remove_gm(db, address, heir)
    click.echo(f"{address} is gone" + (f"; {heir} leads {', '.join(taken)}" if taken else ""))


@click.group("standby", no_args_is_help=True)
def standby_group() -> None:
    """People who would take over a seat."""


@standby_group.command("list")
@click.option("--json", "as_json", is_flag=True, help="One JSON object per line.")
@click.pass_obj
def standby_list(home: Home, *, as_json: bool) -> None:
    """Everybody on the list, longest first."""
    with home.open().connection() as db:
        rows = store.accounts.standby_list(db)
    for row in rows:
        line = f"{row['name']:<24} {row['language']}  {row['address']}" + (
            f"  of {row['gm']}" if row["gm"] else ""
        )
        entry = json.dumps(row | {"at": clock.written(row["at"])}, ensure_ascii=False)
        click.echo(entry if as_json else harmless(line))


@standby_group.command("add")
@click.argument("address")
@click.option("--name", required=True)
@LANGUAGE
@click.option(
    "--gm",
    default="",
    metavar="ADDRESS",
    help="The game master who alone sees it; all do if left out.",
)
@click.pass_obj
def standby_add(home: Home, address: str, name: str, language: str, gm: str) -> None:
    """Put somebody on the list."""
    with home.open().connection() as db:
        if gm and store.accounts.get(db, gm) is None:
            raise Refusal("no_master", address=gm)
        joining.stand_by(db, address, name, language, clock.now(), gm.lower())
    click.echo("done")


@standby_group.command("remove")
@click.argument("address")
@click.pass_obj
def standby_remove(home: Home, address: str) -> None:
    """Take somebody off the list."""
    with home.open().connection() as db:
        click.echo(
            "done" if joining.stand_down(db, address) else "nothing to change: it is so already"
        )
