"""`mail`: what waits in the outbox or was refused, to send it, again or never."""

import json
import secrets
from collections.abc import Iterable
from datetime import UTC, datetime
from email.utils import format_datetime as mail_date
from pathlib import Path
from typing import Any

import click

from gm import clock, store
from gm.cli.home import Home
from gm.cli.output import harmless, say
from gm.cli.samples import samples
from gm.deadline.outage import last_tick
from gm.errors import Refusal
from gm.games.names import checked_address
from gm.mail import refused
from gm.mail.draft import whole_message_id, with_whole_id
from gm.mail.mime import serialise
from gm.mail.transports import PermanentFailure, SmtpTransport, TemporaryFailure, TransportDown
from gm.rendering.sentences import render
from gm.service import tick_mail
from gm.store.db import write
from gm.store.mails import Mail
from rounds.engine.variant import names as variant_names

TICKING_SECONDS = 60
"""A service whose last tick is no longer ago than this counts as running."""


@click.group("mail", invoke_without_command=True)
@click.pass_context
def group(ctx: click.Context) -> None:
    """Send what waits in the outbox; `mail list` shows it."""
    if ctx.invoked_subcommand is None:
        posted = tick_mail(ctx.obj.open(), clock.now())
        say("posted.txt", posted=posted)
        ctx.exit(1 if posted.trouble or posted.refused else 0)


@group.command("list")
@click.option("--json", "as_json", is_flag=True, help="One JSON object per line.")
@click.pass_obj
def list_(home: Home, *, as_json: bool) -> None:
    """Mails that wait, were refused or withdrawn, and why."""
    installation = home.open()
    with installation.connection() as db:
        mails = [with_whole_id(mail, installation.config) for mail in store.mails.all_not_sent(db)]
    if not as_json:
        say("mails.txt", mails=mails)
        return
    for mail in mails:
        click.echo(json.dumps(_about(mail), ensure_ascii=False))


def _about(mail: Mail) -> dict[str, Any]:
    """Mail metadata as JSON, without its body."""
    state = "withdrawn" if mail.withdrawn_at else "refused" if mail.failed_at else "waiting"
    columns = ("id", "game", "round", "seat", "kind", "address", "message_id", "tries", "error")
    about = {"state": state, **{key: getattr(mail, key) for key in columns}}
    return about | {
        "queued_at": clock.written(mail.queued_at),
        "next_try": clock.written(mail.next_try),
    }


@group.command()
@click.argument("number", metavar="ID", type=int)
@click.pass_obj
def show(home: Home, number: int) -> None:
    """What is known of the mail ID. Never what it says, which is for its reader."""
    installation = home.open()
    with installation.connection() as db:
        try:
            mail = with_whole_id(store.mails.by_id(db, number), installation.config)
        except (LookupError, OverflowError):  # no column holds such a number
            raise Refusal("no_mail", numbers=[number]) from None
        game = store.games.get(db, mail.game) if mail.game else None
    say("mail.txt", mail=mail, zone=game.schedule.zone if game else "UTC")


def say_where_links_go(home: Home, addresses: Iterable[str | None]) -> None:
    """Say what becomes of the mails with personal links that were just queued for these
    addresses, and when.

    Says nothing for seats without an address, nor in a dry run, whose end tells of all mails.
    """
    known = [address for address in addresses if address]
    if not known or home.copy is not None:
        return
    installation = home.open()
    with installation.connection() as db:
        is_served = clock.now() - last_tick(db) <= TICKING_SECONDS
    config, folder = installation.config, installation.mail_folder
    say(
        "links.txt", addresses=known, smtp_host=config.smtp_host, folder=folder, is_served=is_served
    )


MAILS = click.argument("mails", metavar="[ID]…", nargs=-1, type=int)
OF_GAME = click.option("--game", help="All of this game that were refused.")


@group.command()
@MAILS
@OF_GAME
@click.option(
    "--all",
    "everything",
    is_flag=True,
    help="All that were refused, and those that wait for another try.",
)
@click.pass_obj
def retry(home: Home, mails: tuple[int, ...], game: str | None, *, everything: bool) -> None:
    """Send refused mails again, once what was wrong is mended."""
    if bool(mails) + (game is not None) + everything != 1:
        raise click.UsageError("one of: numbers of mails, --game GAME, --all")
    with home.open().connection() as db, write(db):
        chosen = (
            [mail.id for mail in store.mails.waiting_or_refused(db)]
            if everything
            else _chosen(db, mails, game)
        )
        number = refused.retry(db, chosen, clock.now())
    say("again.txt", number=number)


@group.command()
@MAILS
@OF_GAME
@click.pass_obj
def forget(home: Home, mails: tuple[int, ...], game: str | None) -> None:
    """Never send these mails. They are withdrawn, and nobody is told of them any more."""
    if bool(mails) + (game is not None) != 1:
        raise click.UsageError("one of: numbers of mails, --game GAME")
    with home.open().connection() as db, write(db):
        number = refused.forget(db, _chosen(db, mails, game), clock.now())
    say("forgotten.txt", number=number)


def _chosen(db: Any, mails: tuple[int, ...], game: str | None) -> list[int]:
    """The mails that were named, or all refused ones of a game. Raises Refusal."""
    if game is None:
        return refused.named(db, mails)
    return [
        mail.id
        for mail in store.mails.waiting_or_refused(
            db, store.games.existing(db, game).id, refused=True
        )
    ]


@group.command("samples")
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
def samples_(folder: Path) -> None:
    """Write every kind of mail to FOLDER, to look at. Those of every installed game, in both
    languages, as .eml and its HTML.

    Files of the same names are replaced.
    """
    try:
        for variant in variant_names():
            here = folder / variant
            here.mkdir(parents=True, exist_ok=True)
            mails = list(samples(variant))
            for sample in mails:
                (here / f"{sample.name}.eml").write_bytes(sample.data)
                (here / f"{sample.name}.html").write_text(sample.html, encoding="utf-8")
            click.echo(f"{len(mails)} mails of {variant} lie in {here}")
    except OSError as error:
        raise click.ClickException(harmless(f"{error.filename}: {error.strerror}")) from None


@group.command("test")
@click.argument("address")
@click.pass_obj
def test_(home: Home, address: str) -> None:
    """Send one mail to ADDRESS and say every step. The server's words are shown; no game is
    needed.
    """
    installation = home.open(create=True)
    config = installation.config
    address = checked_address(address, config.mail_address)
    headers = {
        "From": f"{config.mail_name or 'Bohnenpost'} <{config.mail_address}>",
        "To": address,
        "Subject": render("en", "mail/test.subject.txt").strip(),
        "Date": mail_date(datetime.fromtimestamp(clock.now(), UTC)),
        "Message-ID": whole_message_id(f"test.{secrets.token_hex(8)}", config),
        "Auto-Submitted": "auto-generated",
    }
    if not config.smtp_host:
        raise click.ClickException(
            f"no mail server is set (smtp_host): mails become files in {installation.mail_folder}"
        )
    data = serialise(headers, render("en", "mail/test.txt", base=config.base_url))
    try:
        with SmtpTransport(
            config, lambda step, words: click.echo(harmless(f"{step:<12} {words}"))
        ) as server:
            server.try_out(address, data)
    except (PermanentFailure, TemporaryFailure, TransportDown) as error:
        raise click.ClickException(harmless(f"it stops here: {error}")) from None
    click.echo("the server has taken it; now look whether it arrives, and not among the spam")
