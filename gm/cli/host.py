"""`serve`, `worker`, `run`, `demo`, `backup`, `restore`, `resume`, `doctor`: for whoever runs the
service.

Only these commands import what serves pages and ticks, so that the others start without it.
"""

import errno
import json
import os
import socket
import sys
from contextlib import suppress
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

import click
import msgspec

from gm import clock, config, seeds, store
from gm import restore as gm_restore
from gm.cli import logs
from gm.cli.home import Home
from gm.cli.output import say, show_code
from gm.clock import DAY
from gm.config import LOCAL, is_in_own_network
from gm.deadline.health import Finding, examine, out_of_reach, short_of_space
from gm.deadline.summaries import PassSummary
from gm.installation import FILE, key_of, not_writable, open_practice
from gm.mail import blame
from gm.rendering.dates import LANGUAGES
from gm.rendering.sentences import counted
from gm.service import tick
from gm.store.db import Database, write
from gm.store.file import backup
from gm.store.file.backup import name_for
from gm.store.file.doctor import held_games
from rounds.engine.variant import names as variant_names

TROUBLE_TOLD = "run_told_of_mail_trouble"
"""The key in `meta` for when `run` last told of trouble with the mail server."""


@click.command()
@click.option("--host", help="Where to listen, in place of the setting.")
@click.option("--port", type=click.IntRange(1, 65535), help="The port, in place of the setting.")
@click.option(
    "--no-scheduler", is_flag=True, help="Pages only; something else closes rounds and sends mail."
)
@click.option(
    "--lan",
    is_flag=True,
    help="Without TLS inside a network of one's own: base_url may be like http://192.168.1.20:8080.",
)
@click.pass_obj
def serve(home: Home, host: str | None, port: int | None, *, no_scheduler: bool, lan: bool) -> None:
    """Serve pages, close rounds and send mail, until stopped. Rounds are closed at their
    deadlines.
    """
    from gm.demo import forget_practice  # noqa: PLC0415  # see above
    from gm.ticks import Ticks  # noqa: PLC0415  # see above
    from gm.web import create_app  # noqa: PLC0415
    from gm.web.serve import serve as serve_pages  # noqa: PLC0415

    installation = home.open(create=True, is_lan=lan)
    config, ticks = installation.config, Ticks(installation, serves_pages=True)
    host, port = host or config.host, port or config.port
    if lan and host == "127.0.0.1":  # phones ask the other address
        host = f"{urlsplit(config.base_url).hostname} {host}"
    if not no_scheduler:
        config.login()

    def started() -> None:
        click.echo(f"serving {config.base_url} on {host}:{port}; stop with Ctrl-C")
        if port != config.port and not config.is_secure:
            click.echo(f"links in mails lead to {config.base_url}; the setting port moves them too")

    practice = open_practice(installation)
    if practice is not None:
        ticks.repeat(partial(forget_practice, practice))

    try:
        serve_pages(
            create_app(installation, practice),
            host,
            port,
            ticks.start_beats if no_scheduler else ticks.start,
            ticks.stop,
            started,
        )
    except OSError as error:
        failed = cannot_listen(f"{host}:{port}", error)
        if isinstance(error, socket.gaierror):  # no such machine
            failed.exit_code = 3  # type: ignore[misc]  # as in Trouble
        raise failed from None


@click.command()
@click.option("--variant", type=click.Choice(variant_names()), help="Another game.")
@click.option("--host", help="The address of this machine in its network, if it has several.")
@click.option("--port", type=click.IntRange(1, 65535), default=8120, show_default=True)
@click.option("--lang", type=click.Choice(LANGUAGES), default="de", show_default=True)
@click.pass_obj
def tonight(home: Home, variant: str | None, host: str | None, port: int, lang: str) -> None:
    """Play with friends in one room, without mail. Their phones read a code.

    Pages are served without TLS, to this network alone. Stopped and begun again it goes on with the
    same game.
    """
    from gm.games import tonight as game_of_tonight  # noqa: PLC0415  # see above
    from gm.ticks import Ticks  # noqa: PLC0415
    from gm.web import create_app  # noqa: PLC0415
    from gm.web import tonight as tonight_pages  # noqa: PLC0415
    from gm.web.serve import serve as serve_pages  # noqa: PLC0415

    host = host or own_address()
    if host not in LOCAL and not is_in_own_network(host):
        raise click.BadParameter(
            f"{host} is no address inside a network of one's own", param_hint="--host"
        )
    installation = home.open_in_own_network(f"http://{f'[{host}]' if ':' in host else host}:{port}")
    with installation.connection() as db:
        if backup.held(db) is not None:
            folder = installation.home
            raise click.ClickException(f"restored from a copy: bohnenpost --home {folder} resume")
        made = game_of_tonight.opened(
            db, variant or seeds.default_variant(), lang, "Europe/Berlin", clock.now()
        )
    if made.variant != (variant or made.variant):
        click.echo(f"{made.name} goes on: {made.variant}")
    app, ticks = create_app(installation), Ticks(installation, serves_pages=True)
    app.register_blueprint(tonight_pages.pages)
    app.extensions["tonight"] = made.id
    address = installation.tonight_url(made.id)

    def started() -> None:
        show_code(address)
        if host in LOCAL:
            click.echo("only this machine opens that: --host names its address in the network")
        click.echo(f"waiting room, on this machine: http://localhost:{port}/tonight")
        click.echo("stop with Ctrl-C")

    try:
        serve_pages(app, " ".join({host, "127.0.0.1"}), port, ticks.start, ticks.stop, started)
    except OSError as error:
        raise cannot_listen(f"{host}:{port}", error) from None


def cannot_listen(where: str, error: OSError) -> click.ClickException:
    """What is said when pages cannot be served there, and how to mend it."""
    cures = {
        errno.EADDRINUSE: "another program listens there: end it, or name another port with --port",
        errno.EACCES: "this user may not listen there: name a port above 1023 with --port",
        errno.EADDRNOTAVAIL: "this machine has no such address: --host names another one",
    }
    cure = cures.get(error.errno or 0)
    return click.ClickException(f"{where}: {error.strerror}" + (f"; {cure}" if cure else ""))


def own_address() -> str:
    """The address of this machine in its network; without one, the one that only itself knows."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, suppress(OSError):
        probe.connect(("192.0.2.1", 9))  # nothing is sent: the system says which way it would go
        return str(probe.getsockname()[0])
    return "127.0.0.1"


@click.command()
@click.option("--dry-run", is_flag=True, help="Say what is due and change nothing.")
@click.option(
    "--clock-is-right", is_flag=True, help="After a jump of the clock: go on closing rounds."
)
@click.option("--json", "as_json", is_flag=True)
@click.option("-v", "--verbose", is_flag=True, help="Also say what waits, or that nothing was due.")
@click.pass_obj
def run(home: Home, *, dry_run: bool, clock_is_right: bool, as_json: bool, verbose: bool) -> None:
    """Do all that is due now, once: close rounds, write and send mail. Safe to run at any time,
    from any number of processes.

    For cron: it says something only if a round was closed, a mail was sent, refused or put off
    for the first time, or the mail server has been in trouble since now or for another day.
    Status 1 if the server is in trouble, a mail was refused, a round waits or a game is held.
    """
    now, verbose = clock.now(), verbose or home.verbose
    with logs.only_errors(unless=verbose):
        installation = home.open()
    if dry_run:
        with installation.connection() as db:
            due = [
                game.id
                for game in store.games.all_games(db)
                if game.is_open and game.deadline is not None and game.deadline <= now
            ]
            say("due.txt", games=due, mails=store.mails.waiting(db))
        return
    with logs.only_errors(unless=verbose):
        done = tick(installation, now, clock_is_right=clock_is_right)
    with installation.connection() as db:
        left, held = (
            store.mails.waiting(db),
            [game for game, _ in held_games(db)],
        )
        is_news, refuses = _is_news(db, done, now), blame.server_fault(db) is not None
    if as_json:
        click.echo(json.dumps(msgspec.to_builtins(done) | {"waiting": left, "held": held}))
    elif is_news or verbose:
        say("run.txt", done=done, waiting=left, held=held)
    if held or done.waits or done.rounds_wait or done.mail_trouble or refuses or done.refused:
        raise SystemExit(1)


def _is_news(db: Database, done: PassSummary, now: int) -> bool:
    """True if people are to hear of a pass. Trouble with the mail server is told once a day
    until a mail is accepted again.
    """
    told_at = store.meta.remembered(db, TROUBLE_TOLD)
    is_trouble_news = done.mail_trouble is not None and (
        told_at is None or now - int(told_at) >= DAY
    )
    if is_trouble_news or (told_at and done.sent and not done.mail_trouble):
        with write(db):
            if is_trouble_news:
                store.meta.remember(db, TROUBLE_TOLD, str(now))
            else:
                store.meta.forget(db, TROUBLE_TOLD)
    return is_trouble_news or bool(done.closed or done.sent or done.refused or done.newly_put_off)


@click.command()
@click.pass_obj
def worker(home: Home) -> None:
    """Close rounds and send mail, without pages, until stopped."""
    from gm.ticks import Ticks, tick_until_stopped  # noqa: PLC0415  # see above

    installation = home.open()
    installation.config.login()
    ticks = Ticks(installation, serves_pages=False)
    tick_until_stopped(ticks, lambda: click.echo("working; stop with Ctrl-C"))


@click.command()
@click.option(
    "--variant",
    type=click.Choice(variant_names()),
    help="Which game; the default one if left out.",
)
@click.option(
    "--strength",
    default="",
    help="How strong the robots play, where a game has several: weak, medium, strong.",
)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8765,
    show_default=True,
    help="0: any free one.",
)
@click.option(
    "--lang",
    type=click.Choice(LANGUAGES),
    help="Language of your pages and mails; the system's if left out.",
)
@click.option(
    "--every",
    type=click.IntRange(5, 3600),
    metavar="SECONDS",
    help="How often to close the round without the button.",
)
@click.option(
    "--for",
    "seconds",
    type=click.IntRange(1),
    metavar="SECONDS",
    help="End by itself after this time.",
)
def demo(
    variant: str | None,
    strength: str,
    port: int,
    lang: str | None,
    every: int | None,
    seconds: int | None,
) -> None:
    """Play against robots in the browser, on a throw-away database."""
    from gm.cli.demo import run_demo  # noqa: PLC0415  # see above

    try:
        run_demo(
            variant or seeds.default_variant(), port, lang, every, click.echo, strength, seconds
        )
    except OSError as error:
        raise cannot_listen(f"port {port}", error) from None


@click.command("backup")
@click.argument("file", required=False)
@click.option("--json", "as_json", is_flag=True)
@click.pass_obj
def backup_(home: Home, file: str | None, *, as_json: bool) -> None:
    """Make a checked copy of the database, while everything runs. It goes to FILE, into the folder
    FILE, or into the folder `backups` of the installation. Of the copies in a folder that have
    no name of their own the newest `backups_kept` stay.

    Keep link.key once, somewhere else: it never changes, and without it a copy opens no seat.
    """
    installation, now = home.open(), clock.now()
    folder = installation.home / "backups" if file is None else Path(file)
    is_file = file is not None and not folder.is_dir()
    if file == "" or (is_file and str(file).endswith("/")):
        raise click.UsageError(
            f"{file!r}: name a file, or a folder that is there (is its disk mounted?)"
        )
    target = folder if is_file else name_for(folder, now)
    with installation.connection() as db:
        backup.make(db, target, now)
    if target.parent == folder:
        backup.keep_newest(folder, backup.BY_COMMAND, installation.config.backups_kept)
    click.echo(json.dumps({"file": str(target)}) if as_json else f"copied to {target}, and checked")


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.pass_obj
def restore(home: Home, file: Path, *, yes: bool) -> None:
    """Put the copy FILE in the place of the database. Nothing happens and no mail goes out until
    `resume`.

    Sessions end, one-time links are void, and every personal link is a new one: mails after
    `resume` bring them.
    """
    backup.check(file)
    if not yes:
        _confirm("Everything since that copy will be gone from the pages. Go on?")
    live = (
        config.load(home.folder / "bohnenpost.toml", os.environ, is_lan=True).database
        or home.folder / FILE
    )
    key = key_of(home.folder)
    done = gm_restore.restore(live, key, file, clock.now(), home.folder)
    installation = home.open()
    with installation.connection() as db:
        held = backup.held(db)
        by_hand = [
            seat
            for game in store.games.all_games(db)
            for seat in store.seats.people(store.seats.of_game(db, game.id))
            if game.status != "finished" and not seat.address
        ]
    assert held is not None
    smtp_host = installation.config.smtp_host
    say("restored.txt", done=done, held=held, smtp_host=smtp_host, by_hand=by_hand)


@click.command()
@click.pass_obj
def resume(home: Home) -> None:
    """After a restore: let games go on, tell everybody, send mail."""
    installation = home.open()
    with installation.connection() as db:
        if backup.held(db) is None:
            click.echo("nothing to change: it goes on already")
            return
        games = gm_restore.go_on(db, clock.now())
    click.echo(f"done; {counted(len(games), 'game')} going on, and everybody is told")


@click.command()
@click.option("--json", "as_json", is_flag=True)
@click.pass_obj
def doctor(home: Home, *, as_json: bool) -> None:
    """Look for damage and for what waits, and call the mail server. What waits: overdue rounds,
    held games, mail that waits or was refused.

    Status 1 if there is anything.
    """
    installation = home.open()
    with installation.connection() as db:
        findings = (
            examine(db, clock.now())
            + out_of_reach(installation.config)
            + short_of_space(installation.database)
            + [Finding("files", what) for what in not_writable(installation)]
        )
    if as_json:
        click.echo(json.dumps(msgspec.to_builtins(findings), ensure_ascii=False))
    else:
        say("doctor.txt", findings=findings)
    raise SystemExit(1 if findings else 0)


def _confirm(question: str) -> None:
    """Ask on the terminal, and stop unless the answer is yes. Without a terminal --yes says it
    beforehand.
    """
    if not sys.stdin.isatty():
        raise click.UsageError(
            "this asks first, and there is no terminal to ask on; --yes says so beforehand"
        )
    click.confirm(question, abort=True)
