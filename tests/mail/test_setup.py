"""`bohnenpost setup`: by answers and by options, again and again, with a real mail server."""

import re
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from gm.cli import main
from gm.config import load
from gm.installation import open_installation
from tests.postbox import Postbox
from tests.postgres import SERVER
from tests.steps import bohnenpost

NAMES = ("base_url", "smtp_host", "smtp_tls", "smtp_port", "smtp_user", "mail_from", "database")
ENTER = ""


def answered(home: Path, *answers: str) -> Result:
    """`setup`, with a line for each question."""
    return CliRunner().invoke(main, ["--home", str(home), "setup"], input="\n".join(answers) + "\n")


def by_options(home: Path, /, options: Mapping[str, str], *, status: int = 0) -> Result:
    named = [f"--{name.replace('_', '-')}={value}" for name, value in options.items()]
    return bohnenpost("setup", "--yes", *named, home=home, status=status)


@pytest.fixture
def wanted(postbox: tuple[Postbox, int]) -> dict[str, str]:
    """What is answered, or named by options; with `make postgres` the database is on a server."""
    return {
        "base_url": "beans.example.org/",
        "smtp_host": "127.0.0.1",
        "smtp_tls": "none",
        "smtp_port": str(postbox[1]),
        "smtp_user": "-",
        "mail_from": "beans@example.org",
        "database": SERVER.create("of_setup") if SERVER else "-",
        "gm": "uli@example.org",
        "language": "en",
    }


def test_answers_and_options_write_the_same_and_one_mail_goes_out(
    tmp_path: Path, wanted: Mapping[str, str], postbox: tuple[Postbox, int]
) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    told = answered(one, *wanted.values())
    assert told.exit_code == 0, told.output
    assert [address for address, _ in postbox[0].mails] == ["uli@example.org"]
    assert "https://beans.example.org/desk/password/" in told.output
    (one / "link.key").rename(tmp_path / "link.key")
    other.mkdir()
    (tmp_path / "link.key").rename(other / "link.key")  # a database on a server has one key
    by_options(other, wanted)
    written = (one / "bohnenpost.toml").read_text()
    assert (other / "bohnenpost.toml").read_text() == written
    assert stat.S_IMODE((one / "bohnenpost.toml").stat().st_mode) == 0o600
    config = load(one / "bohnenpost.toml", {})
    assert (config.base_url, config.proxies) == ("https://beans.example.org", 1)
    assert bool(config.database) == bool(SERVER)
    assert open_installation(other, {}).config == config


def test_again_it_changes_only_what_is_answered_anew(tmp_path: Path) -> None:
    file = tmp_path / "bohnenpost.toml"
    file.write_text('# of the club\noutage_hours = 6  # not 12\nbase_url = "https://a.example"\n')
    with file.open("a") as more:
        more.write("proxies = 2\n")
    before = file.read_text()
    told = answered(tmp_path, *(ENTER,) * 5)
    assert (told.exit_code, file.read_text()) == (0, before), told.output
    assert "nothing changed" in told.output
    assert f"mails become files in {tmp_path / 'mail'}" in told.output
    by_options(tmp_path, {"base_url": "b.example"})
    assert file.read_text() == before.replace("a.example", "b.example")
    by_options(tmp_path, {"base_url": "localhost:8080", "smtp_host": "mail.example.org"})
    assert load(file, {}).base_url == "http://localhost:8080"
    by_options(tmp_path, {"smtp_host": "-"})
    assert "smtp" not in file.read_text()


def test_a_password_lies_in_a_file_of_its_own(tmp_path: Path) -> None:
    answers = (ENTER, "mail.example.org", ENTER, ENTER, "beans", "secret", ENTER, ENTER, ENTER)
    told = answered(tmp_path, *answers)
    assert told.exit_code == 0, told.output
    assert "secret" not in told.output + (tmp_path / "bohnenpost.toml").read_text()
    assert load(tmp_path / "bohnenpost.toml", {}).login() == ("beans", "secret")
    assert stat.S_IMODE((tmp_path / "smtp.password").stat().st_mode) == 0o600
    assert answered(tmp_path, *(ENTER,) * 9).exit_code == 0
    assert load(tmp_path / "bohnenpost.toml", {}).login() == ("beans", "secret")


def test_a_password_in_the_settings_gives_way_to_a_file_and_goes_with_its_account(
    tmp_path: Path,
) -> None:
    file = tmp_path / "bohnenpost.toml"
    settings = 'smtp_host = "mail.example.org"\r\nsmtp_user = "beans"\r\nsmtp_password = "old"\r\n'
    file.write_bytes(b"\xef\xbb\xbf" + settings.encode())
    told = answered(tmp_path, *(ENTER,) * 5, "new", *(ENTER,) * 3)
    assert told.exit_code == 0, told.output
    assert "old" not in file.read_text()
    assert load(file, {}).login() == ("beans", "new")
    by_options(tmp_path, {"smtp_user": "-"})
    assert file.read_text() == 'smtp_host = "mail.example.org"\n'


WRONG = {
    "base_url": ("http://beans.example.org", "must not travel unencrypted"),
    "smtp_port": ("many", "must be a whole number"),
    "smtp_tls": ("perhaps", "must be starttls, tls or none"),
    "mail_from": ("nobody", "must be one plain address"),
    "database": ("mysql://there", "must be like postgresql://"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_cannot_be_is_asked_again_and_refused_as_an_option(name: str, tmp_path: Path) -> None:
    wrong, words = WRONG[name]
    right = dict.fromkeys(NAMES, ENTER) | {"smtp_host": "mail.example.org"}
    answers = [
        answer for asked in NAMES for answer in ([wrong] if asked == name else []) + [right[asked]]
    ]
    told = answered(tmp_path / "one", *answers, ENTER)
    assert (told.exit_code, words in told.output) == (0, True), told.output
    assert (tmp_path / "one" / "bohnenpost.toml").read_text() == 'smtp_host = "mail.example.org"\n'
    more = {"smtp_host": "mail.example.org"} | {name: wrong}
    assert words in by_options(tmp_path / "other", more, status=3).output
    assert not (tmp_path / "other").exists()


ODDLY_WRITTEN = (
    '"mail_from" = "a@example.org"\n',
    'mail_from = """\\\n  a@example.org"""\n',
    'backup_folder = """\nmail_from = 1"""\n',
)


@pytest.mark.parametrize("text", ODDLY_WRITTEN)
def test_a_file_that_it_cannot_change_stays_as_it_is(text: str, tmp_path: Path) -> None:
    file = tmp_path / "bohnenpost.toml"
    file.write_text(text)
    told = by_options(tmp_path, {"mail_from": "y@example.org"}, status=3)
    assert (
        f"{file}: it stays as it is, for it is oddly written; set by hand: mail_from" in told.output
    )
    assert [found.read_text() for found in tmp_path.iterdir()] == [text]


HOST = {"smtp_host": "mail.example.org"}
OF_NO_USE = [
    (HOST | {"smtp_user": "beans"}, "smtp_user and smtp_password: set both or neither", 3),
    (HOST | {"smtp_user": "beans", "smtp_password_file": "/nothing"}, "No such file", 3),
    ({"smtp_host": "mail.example.org:465"}, "smtp_host: the name of a machine alone", 3),
    ({"smtp_host": "smtps://mail.example.org"}, "smtp_host: the name of a machine alone", 3),
    ({"smtp_port": "25"}, "smtp_port: it is of no use without smtp_host", 3),
    ({"base_url": "be ans"}, "base_url: must be like https://beans.example.org", 3),
    ({"base_url": "https://me:secret@beans.example.org"}, "base_url: must be like", 3),
    ({"gm": "nobody"}, "nobody", 2),
    ({"gm": "uli@example.org", "language": "fr"}, "'fr' is not one of", 2),
]


@pytest.mark.parametrize(("options", "words", "status"), OF_NO_USE)
def test_what_could_not_be_used_is_refused_before_anything_is_written(
    options: Mapping[str, str], words: str, status: int, tmp_path: Path
) -> None:
    assert words in by_options(tmp_path / "home", options, status=status).output
    assert not (tmp_path / "home").exists()


def test_an_address_is_taken_as_it_is_typed(tmp_path: Path) -> None:
    by_options(tmp_path, {"base_url": "HTTPS://Beans.Example.org/"})
    assert load(tmp_path / "bohnenpost.toml", {}).base_url == "https://beans.example.org"
    told = by_options(tmp_path, {"base_url": "http://192.168.1.20:8080"}).output
    assert re.search(r"start it by hand: .* serve --lan\n", told)


@pytest.mark.parametrize(("has_systemd", "line"), [(True, "ExecStart="), (False, "@reboot ")])
def test_it_says_what_starts_the_service(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str, *, has_systemd: bool
) -> None:
    monkeypatch.setattr("gm.cli.setup.SYSTEMD", tmp_path if has_systemd else tmp_path / "none")
    assert line in by_options(tmp_path / "home", {}).output


def test_without_answers_it_ends(tmp_path: Path) -> None:
    told: Any = CliRunner().invoke(main, ["--home", str(tmp_path / "home"), "setup"], input="")
    assert told.exit_code == 1
    assert not (tmp_path / "home").exists()
