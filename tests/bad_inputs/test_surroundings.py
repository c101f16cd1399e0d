"""Whatever a setting, a proxy, a mail server or a mail program may bring: refused in one
sentence that names it, or it works.
"""

import json
import os
import shutil
import socket
import sqlite3
import subprocess
import sys
import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, Session

from gm import store
from gm.config import BadConfig, Config, load
from gm.games import create
from gm.installation import Installation
from gm.store.db import Database, write
from gm.store.games import Game
from gm.web import create_app
from gm.web.limits import machine
from tests.postbox import Postbox, running
from tests.steps import bohnenpost, form, free_port, process, seat_game, send, sign_in, start

PASSWORD = "Grüße-an-Uli"


def settings(installation: Installation, port: int, **more: object) -> None:
    """Settings that name a mail server on this machine."""
    lines = {"smtp_host": "127.0.0.1", "smtp_port": port, "smtp_tls": "none", **more}
    text = "".join(
        f"{key} = {value if isinstance(value, int) else repr(value)}\n"
        for key, value in lines.items()
    )
    (installation.home / "bohnenpost.toml").write_text(text, encoding="utf-8")


# --- F1: passwords and names that a mail server cannot be told


@pytest.mark.filterwarnings("ignore:Requiring AUTH while not requiring TLS")
@pytest.mark.filterwarnings("ignore:.*login_data is deprecated")
@pytest.mark.parametrize(
    ("user", "password"), [("beans", PASSWORD), ("Böhnchen", "plain"), ("beans", "パスワード")]
)
def test_a_password_may_have_any_letters(
    installation: Installation, ackerwinde: Game, user: str, password: str
) -> None:
    def authenticate(_: SMTP, __: Session, ___: Envelope, ____: str, data: Any) -> AuthResult:
        return AuthResult(
            success=(data.login, data.password) == (user.encode(), password.encode()), handled=False
        )

    with running(auth_required=True, auth_require_tls=False, authenticator=authenticate) as (
        box,
        port,
    ):
        settings(installation, port, smtp_user=user, smtp_password=password)
        assert (
            "signed in"
            in bohnenpost("mail", "test", "anna@example.org", home=installation.home).output
        )
        assert bohnenpost("doctor", home=installation.home).output == "all is well\n"
        assert "3 mails accepted" in bohnenpost("run", home=installation.home).output
        settings(installation, port, smtp_user=user, smtp_password=f"{password}!")
        assert "535" in bohnenpost("doctor", home=installation.home, status=1).output
    assert len(box.mails) == 4


@pytest.mark.filterwarnings("ignore:Requiring AUTH while not requiring TLS")
def test_a_server_that_cannot_be_told_a_password_is_named(
    installation: Installation, db: Database, ackerwinde: Game
) -> None:
    def authenticate(*_: object) -> AuthResult:
        return AuthResult(success=True)

    options: dict[str, Any] = {
        "auth_require_tls": False,
        "authenticator": authenticate,
        "auth_exclude_mechanism": ["PLAIN"],
    }
    with running(**options) as (_, port):
        settings(installation, port, smtp_user="beans", smtp_password=PASSWORD)
        out = bohnenpost("run", home=installation.home, status=1).output
        assert "mail waits" in out
        assert "smtp_password: letters beyond ASCII need AUTH PLAIN" in out
    # none is leased
    assert {mail.next_try for mail in store.mails.all_not_sent(db)} == {
        store.mails.all_not_sent(db)[0].queued_at
    }


@pytest.mark.parametrize(
    "host", ["a..b", f"{'x' * 70}.example.org", "mail.example.org\n", "ma il", "é" * 80]
)
def test_a_mail_server_that_cannot_be_looked_up_is_named(
    installation: Installation, ackerwinde: Game, host: str
) -> None:
    settings(
        installation, 25, smtp_tls="starttls", smtp_host=host.strip() if "\n" in host else host
    )
    out = bohnenpost("run", home=installation.home, status=1).output
    assert "mail waits" in out
    assert (
        "mail server cannot be reached"
        in bohnenpost("doctor", home=installation.home, status=1).output
    )
    assert (
        "it stops here"
        in bohnenpost("mail", "test", "anna@example.org", home=installation.home, status=1).output
    )


# --- F2: one address in several spellings


@pytest.mark.parametrize(
    ("typed", "plain"),
    [
        ("https://Beans.Example.org", "https://beans.example.org"),
        ("https://beans.example.org:443", "https://beans.example.org"),
        ("HTTPS://BEANS.example.org:8443", "https://beans.example.org:8443"),
        ("http://localhost:80", "http://localhost"),
        ("http://[::1]:8080", "http://[::1]:8080"),
    ],
)
def test_an_address_has_one_spelling_and_a_form_from_it_is_taken(
    tmp_path: Path, typed: str, plain: str
) -> None:
    config = load(tmp_path / "none.toml", {"BOHNENPOST_BASE_URL": typed, "BOHNENPOST_PROXIES": "1"})
    assert config.base_url == plain


@pytest.mark.parametrize(
    ("base", "origin", "taken"),
    [
        ("https://beans.example.org", "https://beans.example.org", True),
        ("https://beans.example.org", "https://BEANS.example.org:443", True),
        ("https://beans.example.org:8443", "https://beans.example.org:8443", True),
        ("https://beans.example.org", "https://beans.example.org.evil.org", False),
        ("https://beans.example.org", "https://beans.example.org:8443", False),
        ("https://beans.example.org", "null", False),
        ("https://beans.example.org", "http://[", False),
    ],
)
def test_a_browser_that_sends_origin_only(
    installation: Installation, ackerwinde: Game, base: str, origin: str, taken: bool
) -> None:
    served = Installation(
        installation.home, Config(base_url=base, proxies=1), installation.link_key
    )
    web = create_app(served).test_client()
    path = served.url("seat", "ackerwinde", "Anna", 1).removeprefix(base)
    answer = send(web, path, form(1, to_1_1="A"), base_url=base, headers={"Origin": origin})
    assert answer.status_code == (303 if taken else 403)


@pytest.mark.parametrize("url", ["https://beans.example.org:99999", "https://beans.example.org:x"])
def test_an_address_with_an_odd_port_is_refused_by_name(tmp_path: Path, url: str) -> None:
    with pytest.raises(BadConfig, match="base_url"):
        load(tmp_path / "none.toml", {"BOHNENPOST_BASE_URL": url, "BOHNENPOST_PROXIES": "1"})


# --- F3: what proxies write


@pytest.mark.parametrize(
    "said",
    ["203.0.113.8:{}", "[2001:db8::1]:{}", "not an address {}", "unknown-{}", "::ffff:203.0.113.8"],
)
def test_guesses_from_one_machine_have_a_limit_however_a_proxy_writes_it(
    installation: Installation, ackerwinde: Game, said: str
) -> None:
    web = create_app(
        Installation(
            installation.home,
            Config(base_url=installation.config.base_url, proxies=1),
            installation.link_key,
        )
    ).test_client()
    answers = [
        web.get(
            f"/z/{number:043}", headers={"X-Forwarded-For": said.format(40000 + number)}
        ).status_code
        for number in range(110)
    ]
    assert answers.count(404) == 100
    assert answers[-1] == 429


def test_two_machines_are_two() -> None:
    names = [
        "203.0.113.8:1",
        "203.0.113.8",
        "[203.0.113.8]",
        "203.0.113.9:1",
        "[2001:db8::1]:5",
        "2001:db8::2",
        "2001:db9::1",
    ]
    assert [machine(name) for name in names] == [
        "203.0.113.8",
        "203.0.113.8",
        "203.0.113.8",
        "203.0.113.9",
        "2001:db8::/64",
        "2001:db8::/64",
        "2001:db9::/64",
    ]
    assert {
        machine(name) for name in ("", "unknown", "_hidden", "1.2.3", "[x]:1", "203.0.113.8:x")
    } == {""}


# --- F4: a server that ends the connection


class Leaving(Postbox):
    """Ends the connection at each second recipient, with 421."""

    asked = 0

    async def handle_RCPT(  # noqa: N802  # the name aiosmtpd looks for
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        self.asked += 1
        if self.asked > 1:
            return "421 4.7.0 Too many, come back later"
        envelope.rcpt_tos.append(address)
        return "250 OK"


def test_a_server_that_ends_the_connection_twice_takes_no_mail(
    installation: Installation, db: Database, ackerwinde: Game
) -> None:
    box = Leaving()
    with running(box) as (_, port):
        settings(installation, port)
        out = bohnenpost("run", home=installation.home, status=1).output
    assert "mail waits: the mail server ends the connection: 421" in out
    assert (box.asked, box.connections) == (3, 2)
    waiting = store.mails.all_not_sent(db)
    assert [mail.tries for mail in waiting] == [1, 0]


# --- F6: what a cluster sets


def test_what_a_cluster_sets_beside_a_service_is_ignored(installation: Installation) -> None:
    cluster = {
        "BOHNENPOST_SERVICE_HOST": "10.0.0.7",
        "BOHNENPOST_SERVICE_PORT": "8080",
        "BOHNENPOST_SERVICE_PORT_HTTP": "8080",
        "BOHNENPOST_PORT": "tcp://10.0.0.7:8080",
        "BOHNENPOST_PORT_8080_TCP": "tcp://10.0.0.7:8080",
        "BOHNENPOST_PORT_8080_TCP_PROTO": "tcp",
        "BOHNENPOST_PORT_8080_TCP_PORT": "8080",
        "BOHNENPOST_PORT_8080_TCP_ADDR": "10.0.0.7",
    }
    assert load(installation.home / "none.toml", cluster) == Config()
    bohnenpost("game", "list", home=installation.home, **cluster)  # type: ignore[arg-type]
    assert (
        "there is no such setting"
        in bohnenpost(
            "game", "list", home=installation.home, status=3, BOHNENPOST_SERVICES="x"
        ).output
    )
    assert (
        "BOHNENPOST_PORT"
        in bohnenpost(
            "game", "list", home=installation.home, status=3, BOHNENPOST_PORT="eighty"
        ).output
    )


# --- F10: what mail programs add to a link


@pytest.mark.parametrize(
    "added", [".", ",", ")", ">", "/", "%20", ").", "%3E", "%C2%A0", "%E2%80%9D", "!", "'"]
)
def test_what_a_mail_program_adds_to_a_link_is_taken_off(
    installation: Installation, web: Any, ackerwinde: Game, link: dict[str, str], added: str
) -> None:
    assert web.get(f"{link['Anna']}{added}").status_code == 200
    assert web.get(f"{link['Anna']}/mail{added}").status_code == 200
    assert web.get(f"/p/ackerwinde{added}").status_code == 200
    assert send(web, f"{link['Anna']}{added}", form(1, to_1_1="A")).status_code == 303
    stop = installation.path("unsubscribe", "ackerwinde", "Anna", 1)
    assert web.get(f"{stop}{added}").status_code == 200


def test_a_link_that_was_cut_opens_nothing(web: Any, link: dict[str, str]) -> None:
    for path in (link["Anna"][:-1], "/z/", "/z/.", "/z/...", f"{link['Anna']}x"):
        assert web.get(path).status_code == 404


# --- F7: copies and room for them


def test_the_copies_of_each_night_do_not_fill_the_disk(
    installation: Installation, ackerwinde: Game, frozen_time: Any, tmp_path: Path
) -> None:
    (installation.home / "bohnenpost.toml").write_text("backups_kept = 3\n", encoding="utf-8")
    named = installation.home / "backups" / "before the holidays.db"
    bohnenpost("backup", named, home=installation.home)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    for _ in range(5):
        bohnenpost("backup", home=installation.home)
        assert (
            f"copied to {elsewhere}/bohnenpost-2026"
            in bohnenpost("backup", elsewhere, home=installation.home).output
        )
        frozen_time.shift(86400)
    for folder, number in ((installation.home / "backups", 4), (elsewhere, 3)):
        assert len(list(folder.glob("*.db"))) == number
    assert named.exists()
    assert (elsewhere / "bohnenpost-20261124T120000Z.db").exists()


def test_doctor_says_when_the_disk_is_nearly_full(
    installation: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    used = shutil.disk_usage(installation.home)
    monkeypatch.setattr(
        "gm.deadline.health.shutil.disk_usage", lambda _: used._replace(free=10 * 10**6)
    )
    assert "10 MB are free" in bohnenpost("doctor", home=installation.home, status=1).output


# --- F9: a browser that keeps no cookie


def test_a_browser_without_cookies_is_told(
    installation: Installation, db: Database, web: Any
) -> None:
    uli = sign_in(installation, db)
    fields = {"address": "uli@example.org", "password": "correct horse battery", "whole": "yes"}
    blind = uli.application.test_client(use_cookies=False)
    entered = blind.post("/desk/sign-in?lang=en", data=fields)
    assert (entered.status_code, entered.headers["Location"]) == (303, "/desk?lang=en")
    shown = blind.get(
        "/desk?lang=en",
        headers={"Referer": f"{installation.config.base_url}/desk/sign-in?lang=en"},
        follow_redirects=True,
    )
    assert "this browser did not keep the cookie" in shown.text
    assert (
        "this browser did not keep the cookie"
        not in blind.get("/desk?lang=en", follow_redirects=True).text
    )
    for path in ("/desk/sign-in?lang=en", "/desk?lang=en"):
        page = uli.get(path).text
        assert "No cookies" not in page
        assert "cookies only to sign in" in page


# --- F11: names and addresses in another spelling of Unicode


def decomposed(text: str) -> str:
    return unicodedata.normalize("NFD", text)


def test_a_name_typed_in_another_spelling_is_the_same(
    installation: Installation, db: Database, frozen_time: Any, web: Any
) -> None:
    seat_game(installation, players=("Anna", "Bert"))
    name, mail = "Thế Zoë", "zoe@bücher.example"
    new = ("--name", decomposed(name), "--address", decomposed(mail))
    bohnenpost("game", "seat", "ackerwinde", *new, home=installation.home)
    assert store.seats.of_game(db, "ackerwinde")[-1].name == name
    assert store.seats.of_game(db, "ackerwinde")[-1].address == "zoe@xn--bcher-kva.example"
    for again in (name, decomposed(name)):
        refused = bohnenpost(
            "game",
            "seat",
            "ackerwinde",
            "--name",
            again,
            "--address",
            "z@x.org",
            home=installation.home,
            status=2,
        )
        assert "sits at this table already" in refused.output
        assert (
            "personal link"
            in bohnenpost(
                "game", "link", "ackerwinde", again, "--renew", home=installation.home
            ).output
        )
    start(installation)
    for line in (
        ("game", "orders", "ackerwinde", decomposed(name), "pass"),
        ("game", "remove", "ackerwinde", decomposed(name)),
    ):
        bohnenpost(*line, home=installation.home)
    uli = sign_in(installation, db)
    bohnenpost("game", "master", "ackerwinde", "uli@example.org", home=installation.home)
    fields = {
        "seat": decomposed(name),
        "player": "Emil",
        "address": decomposed("emil@bücher.example"),
        "language": "de",
        "orders": "drop",
        "whole": "yes",
    }
    assert uli.post("/desk/game/ackerwinde/replace", data=fields).status_code == 303
    assert store.seats.of_game(db, "ackerwinde")[-1].address == "emil@xn--bcher-kva.example"
    link = installation.path(
        "seat", "ackerwinde", name, store.seats.of_game(db, "ackerwinde")[-1].link_number
    )
    assert (
        send(web, f"{link}/data", [("confirm", decomposed(name)), ("whole", "yes")]).status_code
        < 400
    )


# --- F12: a newer program changes the schema under a running one


def test_a_service_that_meets_a_newer_schema_says_so_and_ends(
    installation: Installation, db: Database, ackerwinde: Game
) -> None:
    with write(db):
        db.execute("UPDATE game SET deadline = 1700000000")
    with process(
        "--home", str(installation.home), "serve", BOHNENPOST_PORT=str(free_port())
    ) as running_service:
        assert running_service.stdout is not None
        assert "serving" in running_service.stdout.readline()
        with write(db):
            db.execute("UPDATE game SET deadline = 1700000000")
            db.execute(
                "INSERT INTO _sqlite_migrations (migration_set, name, applied_at) VALUES ('bohnenpost', 'm9999_later', 'x')"
            )
        out, _ = running_service.communicate(timeout=60)
    assert running_service.returncode == 0
    assert "this program does not know its step m9999_later; this process ends" in out
    with write(db):
        db.execute("DELETE FROM _sqlite_migrations WHERE name = 'm9999_later'")
    game = store.games.existing(db, "ackerwinde")
    assert (game.status, game.failures, game.error) == ("running", 0, None)


def test_pages_and_health_answer_503_until_then(
    installation: Installation, db: Database, link: dict[str, str], web: Any
) -> None:
    with write(db):
        db.execute(
            "INSERT INTO _sqlite_migrations (migration_set, name, applied_at) VALUES ('bohnenpost', 'm9999_later', 'x')"
        )
    for path in ("/", "/healthz", link["Anna"], "/api/v1/games"):
        answer = web.get(path)
        assert (answer.status_code, answer.headers["Retry-After"]) == (503, "30")
    assert send(web, link["Anna"], form(1, to_1_1="A")).status_code == 503
    out = bohnenpost("run", home=installation.home, status=3).output
    assert "the database was written by a newer program" in out


# --- D5: terminals that know few letters


def shown(installation: Installation, *args: str, encoding: str) -> bytes:
    """What a command prints on a terminal of this encoding."""
    command = [sys.executable, "-m", "gm", "--home", str(installation.home), *args]
    env = {**os.environ, "PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"}
    done = subprocess.run(command, env=env, capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, b""), (args, done.stderr)
    return done.stdout


@pytest.mark.parametrize("encoding", ["iso8859-15", "ascii"])
def test_a_terminal_that_knows_few_letters_is_shown_what_it_can_and_told_what_was_done(
    installation: Installation, db: Database, encoding: str
) -> None:
    seat_game(installation, players=("Anna", "Bert"))
    for name in ("Gül", "Ειρήνη"):
        create.add_seat(
            db,
            installation.link_key,
            game="ackerwinde",
            name=name,
            address=None,
            language="en",
            robot=True,
        )
    start(installation)
    with write(db):
        # the command has the clock of this machine
        store.games.update(db, "ackerwinde", {"deadline": 4_000_000_000})
    for command in (["rules"], ["game", "show", "ackerwinde"], ["game", "list"]):
        assert shown(installation, *command, encoding=encoding)
    assert b"1>A" in shown(
        installation, "game", "orders", "ackerwinde", "Anna", "1>A", encoding=encoding
    )
    assert [one.orders for one in store.lists.revisions(db, "ackerwinde", 1, 1)] == ["1>A"]
    record = shown(installation, "export", "ackerwinde", encoding=encoding)
    assert json.loads(record)["seats"] == ["Anna", "Bert", "Gül", "Ειρήνη"]


# --- bad set-ups: what, where, how to mend it


@contextmanager
def taken_port(_: Path) -> Iterator[Sequence[str]]:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        yield "serve", "--port", str(other.getsockname()[1])


@contextmanager
def another_machines_address(_: Path) -> Iterator[Sequence[str]]:
    yield "serve", "--host", "192.0.2.7"


@contextmanager
def locked_database(home: Path) -> Iterator[Sequence[str]]:
    other = sqlite3.connect(home / "bohnenpost.db", isolation_level=None)
    with closing(other), patch("gm.store.sqlite.WAIT_SECONDS", 0.1):
        other.execute("BEGIN EXCLUSIVE")
        yield "gm", "add", "uli@example.org"


@contextmanager
def no_server(home: Path) -> Iterator[Sequence[str]]:
    database = "postgresql://beans@127.0.0.1:1/beans"
    (home / "bohnenpost.toml").write_text(f'smtp_host = "localhost"\ndatabase = "{database}"\n')
    yield "game", "list"


@contextmanager
def refused_login(home: Path) -> Iterator[Sequence[str]]:
    def authenticate(*_: object) -> AuthResult:
        return AuthResult(success=False, handled=False)

    with running(auth_required=True, auth_require_tls=False, authenticator=authenticate) as both:
        lines = f'smtp_host = "127.0.0.1"\nsmtp_port = {both[1]}\nsmtp_tls = "none"\n'
        lines += 'smtp_user = "beans"\nsmtp_password = "other"\n'
        (home / "bohnenpost.toml").write_text(lines)
        yield "mail", "test", "anna@example.org"


@contextmanager
def folder_that_nobody_may_make(_: Path) -> Iterator[Sequence[str]]:
    yield "--home", "/sys/bohnenpost", "gm", "add", "uli@example.org"


@contextmanager
def strange_setting(home: Path) -> Iterator[Sequence[str]]:
    (home / "bohnenpost.toml").write_text("smtp_prot = 587\n")
    yield "game", "list"


BAD_SET_UPS = {
    taken_port: ("Address already in use; another program listens there: end it, or name", 1),
    another_machines_address: ("this machine has no such address: --host names another one", 1),
    locked_database: ("database is locked: another process has held it for too long", 75),
    no_server: ("is that server up, and does the setting database name it?", 3),
    refused_login: ("does not let beans in: 535 5.7.8", 1),
    folder_that_nobody_may_make: ("; run the command as the user it belongs to, or name", 3),
    strange_setting: ("there is no such setting; did you mean smtp_port?", 3),
}


@pytest.mark.file  # it names its database itself
@pytest.mark.filterwarnings("ignore:Requiring AUTH while not requiring TLS")
@pytest.mark.parametrize("bad", BAD_SET_UPS)
def test_a_bad_set_up_gets_one_sentence_with_its_cure(bad: Any, installation: Installation) -> None:
    sentence, status = BAD_SET_UPS[bad]
    home = installation.home
    with bad(home) as command:
        if command[0] == "serve":
            with process("--home", str(home), *command) as serving:
                said, _ = serving.communicate(timeout=60)
                assert serving.returncode == status
        else:
            said = bohnenpost(*command, home=home, status=status).output
    (line,) = [line for line in said.splitlines() if line.startswith("Error: ")]
    assert sentence in line
    assert "Traceback" not in said
