"""`setup`: the settings, asked one by one and tried out."""

import getpass
import json
import os
import re
import smtplib
import sys
import warnings
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

import click

from gm import config
from gm.cli import mail, seats
from gm.cli.home import Home
from gm.cli.output import say
from gm.config import LOCAL, BadConfig, Config
from gm.games.names import checked_address
from gm.rendering.dates import LANGUAGES
from gm.store import connections

NONE = "-"
"""What is typed for none."""
PASSWORD = "smtp_password_file"  # noqa: S105  # the setting
QUESTIONS = {
    "base_url": "Address of the pages",
    "smtp_host": f"Mail server ({NONE}: none, mails become files)",
    "smtp_tls": "Its encryption: starttls, tls, or none (only on this machine)",
    "smtp_port": "Its port",
    "smtp_user": f"Account at the mail server ({NONE}: none)",
    PASSWORD: "Its password, which is not shown",
    "mail_from": "Sender of mails",
    "database": f"Database, like postgresql://user@host/name ({NONE}: a file)",
}
SYSTEMD = Path("/run/systemd/system")
"""There if systemd runs this machine."""

Values = dict[str, str | int]


@click.command()
@click.option("--base-url", help="The address of the pages, like https://beans.example.org.")
@click.option("--smtp-host", help="The mail server; - for none: mails become files.")
@click.option("--smtp-port", help="Its port.")
@click.option("--smtp-tls", help="starttls, tls, or none (only on this machine).")
@click.option("--smtp-user", help="The account at the mail server; - for none.")
@click.option("--smtp-password-file", help="A file that holds the password of the account.")
@click.option("--mail-from", help="The sender of mails.")
@click.option("--database", help="postgresql://user@host/name; - for a file.")
@click.option("--gm", help="The address of the first game master; - for nobody.")
@click.option("--language", type=click.Choice(LANGUAGES), help="Of the game master; at first de.")
@click.option("--yes", is_flag=True, help="Ask nothing: what no option names stays as it is.")
@click.pass_context
def setup(
    ctx: click.Context,
    /,
    *,
    gm: str | None,
    language: str | None,
    yes: bool,
    **options: str | None,
) -> None:
    """Write the settings, add a game master, send a test mail.

    Asks for what no option names; Enter keeps what stands. Then it says what starts the service on
    this machine. Run again it changes only what is answered anew.
    """
    home: Home = ctx.obj
    file = home.folder / "bohnenpost.toml"
    stands = config.stored(file)
    if not yes:
        say("setup.txt", folder=home.folder)
    values = _answers(stands, options, home.folder, asks=not yes)
    if gm is None and not yes:
        gm = click.prompt(f"First game master's mail address ({NONE}: nobody)", default=NONE)
    gm = None if gm == NONE else gm
    if gm and language is None and not yes:
        language = click.prompt("Their language", type=click.Choice(LANGUAGES), default="de")
    _try_out(config.checked(values, is_lan=True), gm, home.folder)
    if values != stands:
        _write(file, stands, values)
        click.echo(f"settings written to {file}")
    elif not yes:
        click.echo(f"{file}: nothing changed")
    installation = home.open(create=True)
    is_mailed = bool(installation.config.smtp_host)
    say(
        "unit.txt",
        has_systemd=SYSTEMD.exists(),
        user=getpass.getuser(),
        folder=home.folder.resolve(),
        program=Path(sys.executable).with_name("bohnenpost"),
        mails="" if is_mailed else installation.mail_folder,
        is_lan=installation.config.is_lan,
    )
    if gm:
        click.echo("\nonce the pages are served, the game master opens this and sets a password:")
        ctx.invoke(seats.add, address=gm, name=None, language=language, host=None)
    if gm and is_mailed:
        click.echo(f"\na test mail to {gm} (again: bohnenpost mail test {gm})")
        ctx.invoke(mail.test_, address=gm)


def _answers(
    stands: Values, options: Mapping[str, str | None], folder: Path, *, asks: bool
) -> Values:
    """The settings with what options name and what is answered. Raises BadConfig."""
    values = dict(stands)
    for key, question in QUESTIONS.items():
        needs, option = "smtp_user" if key == PASSWORD else "smtp_host", options[key]
        if key.startswith("smtp_") and key != needs and not values.get(needs):
            if option not in (None, NONE):
                raise BadConfig(f"{key}: it is of no use without {needs}")
            values.pop(key, None)
        elif option is not None:
            values = _with(values, key, option)
        elif asks and key == PASSWORD:
            values = _with(values, key, _password_file(folder, str(values.get(key, ""))))
        elif asks:
            values = click.prompt(
                question,
                default=str(values.get(key) or _proposed(values, key) or NONE),
                value_proc=partial(_answered, values, key),
            )
    if not values.get("smtp_user"):
        values.pop("smtp_password", None)
    return values


def _try_out(new: Config, gm: str | None, folder: Path) -> None:
    """Raises BadConfig, Refusal or sqlite3.Error for settings that could not be used."""
    if new.smtp_host:
        new.login()
    for name in ("imprint", "privacy"):
        new.text_of_host(name, folder)
    if gm:
        checked_address(gm, new.mail_address)
    if new.database:
        with connections.opened(new.database):
            pass


def _proposed(values: Values, key: str) -> str | int:
    """What stands in brackets where nothing was set: the default, or what goes with the answers."""
    host = urlsplit(str(values.get("base_url", ""))).hostname
    if key == "mail_from" and host and values.get("smtp_host"):
        return f"bohnenpost@{host}"
    if key == "smtp_port" and values.get("smtp_tls") == "tls":
        return smtplib.SMTP_SSL_PORT
    proposed: str | int = getattr(Config, key)
    return proposed


def _with(values: Values, key: str, typed: str) -> Values:
    """The settings with one that was typed. Raises BadConfig."""
    text = "" if typed == NONE else typed.strip()
    if key == "base_url":
        text = text.rstrip("/")
        if "://" not in text:
            host = urlsplit(f"//{text}").hostname
            text = f"{'http' if host in LOCAL else 'https'}://{text}"
    if key == "smtp_host" and re.search(r"[\s/]|:\d+$", text):
        raise BadConfig(f"smtp_host: the name of a machine alone, not {text!r}")
    if key == PASSWORD and text:
        text = str(Path(text).resolve())
    more: Values = {key: config.typed(key, text)}
    if text.lower().startswith("https://") and not values.get("proxies"):
        more["proxies"] = 1
    changed = values | more
    if key == PASSWORD:
        changed.pop("smtp_password", None)  # one of them is set
    if changed[key] == getattr(Config, key):
        changed.pop(key)
    config.checked(changed, is_lan=True)
    return changed


def _answered(values: Values, key: str, typed: str) -> Values:
    """The same; what is refused is asked again."""
    try:
        return _with(values, key, typed) if typed.strip() else values
    except BadConfig as error:
        raise click.UsageError(str(error)) from None


def _password_file(folder: Path, file: str) -> str:
    """The file with the password that is asked for; without an answer the one that is there."""
    kept = " (Enter keeps it)" if file else ""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", getpass.GetPassWarning)  # a pipe shows it anyway
        password = click.prompt(
            f"{QUESTIONS[PASSWORD]}{kept}", hide_input=True, default="", show_default=False
        )
    if not password:
        return file
    path = folder.resolve() / "smtp.password"
    _write_private(path, password)
    return str(path)


def _write(file: Path, stood: Values, values: Values) -> None:
    """Put the settings that are new into the file; its other lines stay. Raises BadConfig if they
    stand there in a way that this cannot change.
    """
    lines = file.read_text(encoding="utf-8-sig").splitlines() if file.exists() else []
    for key in (
        key for key in (*QUESTIONS, "proxies", "smtp_password") if values.get(key) != stood.get(key)
    ):
        there = [line for line in lines if re.match(rf"\s*{key}\s*=", line)]
        at = lines.index(there[0]) if there else len(lines)
        new = [f"{key} = {json.dumps(values[key], ensure_ascii=False)}"] if key in values else []
        lines[at : at + len(there)] = new
    try:
        is_right = config.read("\n".join(lines)) == values
    except BadConfig:
        is_right = False
    if not is_right:
        names = ", ".join(key for key in values if values[key] != stood.get(key))
        raise BadConfig(f"{file}: it stays as it is, for it is oddly written; set by hand: {names}")
    _write_private(file, "\n".join(lines) + "\n")


def _write_private(file: Path, text: str) -> None:
    file = file.resolve()
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    half = file.with_name(f"{file.name}.new")
    try:
        half.touch(mode=0o600)
        half.write_text(text, encoding="utf-8")
        owner = file.parent.stat()
        with suppress(
            AttributeError, PermissionError
        ):  # root writes for whom the folder belongs to
            os.chown(half, owner.st_uid, owner.st_gid)
        half.replace(file)
    except OSError:
        half.unlink(missing_ok=True)
        raise
