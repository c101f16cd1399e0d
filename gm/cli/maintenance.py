"""`backup`, `restore`, `resume`, `doctor`: looking after what is stored."""

import json
import sys
from pathlib import Path
from typing import Any

import click
import msgspec

from gm import clock
from gm import restore as gm_restore
from gm.cli.output import say
from gm.deadline.health import examine, out_of_reach, short_of_space
from gm.installation import key_of
from gm.rendering.sentences import counted
from gm.store.file import backup
from gm.store.file.backup import name_for


@click.command("backup")
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.pass_obj
def backup_(home: Any, file: Path | None) -> None:
    """A checked copy of the database, at FILE, in the folder FILE or in the folder `backups` of
    the installation; while everything runs. Of the copies in a folder that have no name of their
    own the newest `backups_kept` stay.

    Keep link.key once, somewhere else: it never changes, and without it a copy opens no seat.
    """
    installation, now = home.open(), clock.now()
    folder = installation.home / "backups" if file is None else file
    target = folder if file is not None and not file.is_dir() else name_for(folder, now)
    with installation.connection() as db:
        backup.make(db, target, now)
    if target.parent == folder:
        backup.keep_newest(folder, backup.BY_COMMAND, installation.config.backups_kept)
    click.echo(f"copied to {target}, and checked")


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.pass_obj
def restore(home: Any, file: Path, *, yes: bool) -> None:
    """Put the copy FILE in the place of the database. Nothing happens and no mail goes out until
    `resume`.

    Sessions end, one-time links are void, and every personal link is a new one: mails after
    `resume` bring them.
    """
    backup.check(file)
    if not yes:
        _confirm("Everything since that copy will be gone from the pages. Go on?")
    done = gm_restore.restore(home.folder / "bohnenpost.db", key_of(home.folder), file, clock.now())
    installation = home.open()
    with installation.connection() as db:
        held = backup.held(db)
    assert held is not None
    say("restored.txt", done=done, held=held, smtp_host=installation.config.smtp_host)


@click.command()
@click.pass_obj
def resume(home: Any) -> None:
    """After a restore: let the games go on, tell everybody, send mail again."""
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
def doctor(home: Any, *, as_json: bool) -> None:
    """Look for damage, overdue rounds, held games and mail that waits or was refused, and call
    the mail server.

    Status 1 if there is anything.
    """
    installation = home.open()
    with installation.connection() as db:
        findings = (
            examine(db, clock.now())
            + out_of_reach(installation.config)
            + short_of_space(installation.database)
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
