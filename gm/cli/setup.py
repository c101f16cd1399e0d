"""`setup`: the settings, asked one by one and tried out."""

import getpass
import json
import re
import sys
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

import click

from gm import config
from gm.cli import mail, seats
from gm.cli.home import Home
from gm.cli.output import say
from gm.config import LOCAL, BadConfig, Config

NONE = "-"
"""What is typed for none."""
QUESTIONS = {
    "base_url": "Address of the pages",
    "smtp_host": f"Mail server ({NONE}: none, mails become files)",
    "smtp_port": "Its port",
    "smtp_tls": "Its encryption: starttls, tls, or none (only on this machine)",
    "smtp_user": f"Account at the mail server ({NONE}: none)",
    "smtp_password_file": "",
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
@click.option("--yes", is_flag=True, help="Ask nothing: what no option names stays as it is.")
@click.pass_context
def setup(ctx: click.Context, /, *, gm: str | None, yes: bool, **options: str | None) -> None:
    """Write the settings, add a game master, send a test mail.

    Asks for what no option names; Enter keeps what stands. Then it says what starts the service on
    this machine. Run again it changes only what is answered anew.
    """
    home: Home = ctx.obj
    file = home.folder / "bohnenpost.toml"
    stands = config.stored(file)
    if not yes:
        say("setup.txt", folder=home.folder)
    values = dict(stands)
    for key, question in QUESTIONS.items():
        needs = "smtp_user" if key == "smtp_password_file" else "smtp_host"
        if key.startswith("smtp_") and key != needs and not values.get(needs):
            values.pop(key, None)
            if needs == "smtp_user":
                values.pop("smtp_password", None)
        elif options[key] is not None:
            values = _with(values, key, options[key] or "")
        elif question and not yes:
            values = click.prompt(
                question,
                default=str(values.get(key) or getattr(Config, key) or NONE),
                value_proc=partial(_answered, values, key),
            )
        elif key == "smtp_password_file" and values.get("smtp_user") and not yes:
            values = _with(values, key, _password_file(home.folder, str(values.get(key, ""))))
    if gm is None and not yes:
        gm = click.prompt(f"First game master's mail address ({NONE}: nobody)", default=NONE)
    if values != stands:
        _write(file, stands, values)
        click.echo(f"settings written to {file}")
    elif not yes:
        click.echo(f"{file}: nothing changed")
    installation = home.open(create=True)
    if gm not in (None, NONE):
        ctx.invoke(seats.add, address=gm, name=None, language=None, host=None)
    say(
        "unit.txt",
        has_systemd=SYSTEMD.exists(),
        user=getpass.getuser(),
        folder=home.folder.resolve(),
        program=Path(sys.executable).with_name("bohnenpost"),
        mails="" if installation.config.smtp_host else installation.mail_folder,
    )
    if gm not in (None, NONE) and installation.config.smtp_host:
        ctx.invoke(mail.test_, address=gm)


def _with(values: Values, key: str, typed: str) -> Values:
    """The settings with one that was typed. Raises BadConfig."""
    text = "" if typed == NONE else typed.strip()
    if key == "base_url":
        text = text.rstrip("/")
        if "://" not in text:
            host = urlsplit(f"//{text}").hostname
            text = f"{'http' if host in LOCAL else 'https'}://{text}"
    more: Values = {key: config.typed(key, text)}
    if text.startswith("https://") and not values.get("proxies"):
        more["proxies"] = 1
    changed = values | more
    if key == "smtp_password_file":
        changed.pop("smtp_password", None)  # one of them is set
    if changed[key] == getattr(Config, key):
        changed.pop(key)
    config.checked(changed, is_lan=True)
    return changed


def _answered(values: Values, key: str, typed: str) -> Values:
    """The same; what is refused is asked again."""
    try:
        return _with(values, key, typed)
    except BadConfig as error:
        raise click.UsageError(str(error)) from None


def _password_file(folder: Path, file: str) -> str:
    """The file with the password that is asked for; without an answer the one that is there."""
    kept = " (Enter keeps it)" if file else ""
    password = click.prompt(
        f"Its password, which is not shown{kept}", hide_input=True, default="", show_default=False
    )
    if not password:
        return file
    path = folder.resolve() / "smtp.password"
    _write_private(path, password)
    return str(path)


def _write(file: Path, stood: Values, values: Values) -> None:
    """Put the settings that are new into the file; its other lines stay."""
    lines = file.read_text(encoding="utf-8-sig").splitlines() if file.exists() else []
    for key in (
        key for key in (*QUESTIONS, "proxies", "smtp_password") if values.get(key) != stood.get(key)
    ):
        there = [line for line in lines if re.match(rf"\s*{key}\s*=", line)]
        at = lines.index(there[0]) if there else len(lines)
        new = [f"{key} = {json.dumps(values[key], ensure_ascii=False)}"] if key in values else []
        lines[at : at + len(there)] = new
    _write_private(file, "\n".join(lines) + "\n")


def _write_private(file: Path, text: str) -> None:
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    half = file.with_name(f"{file.name}.new")
    half.touch(mode=0o600)
    half.write_text(text, encoding="utf-8")
    half.replace(file)
