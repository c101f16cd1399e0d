"""One whole game through the doors a user would use:

HTTP forms, `bohnenpost run`, a real SMTP server, and at the end its record.
"""

import base64
import http.client
import json
import logging
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from email import policy
from email.message import EmailMessage
from email.parser import BytesParser
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

import pytest
from click.testing import CliRunner, Result
from waitress.server import create_server

from gm import clock, store
from gm.cli import main
from gm.installation import Installation, open_installation
from gm.people import accounts
from gm.rendering.own_words import bean_names
from gm.web import create_app
from gm.web.desk.frame import COOKIE
from tests.dates import SUNDAY
from tests.postbox import Postbox
from tests.steps import cards_of

WEEK = 7 * 86400
PLAYERS = {"Anna": "de", "Bert": "en", "Cem": "de"}


class Club:
    """An installation run from the shell, its pages served over HTTP, its mails delivered to a
    postbox.
    """

    def __init__(self, home: Path, base: str, box: Postbox, smtp_port: int) -> None:
        self.home, self.base, self.box = home, base, box
        self.outputs: list[str] = []
        self.env = {
            "BOHNENPOST_BASE_URL": base,
            "BOHNENPOST_SMTP_HOST": "127.0.0.1",
            "BOHNENPOST_SMTP_PORT": str(smtp_port),
            "BOHNENPOST_SMTP_TLS": "none",
        }

    def command(self, *args: str, status: int = 0) -> Result:
        result = CliRunner().invoke(main, ["--home", str(self.home), *args], env=self.env)
        assert result.exit_code == status, result.output
        self.outputs.append(result.output)
        return result

    def request(
        self, url: str, fields: list[tuple[str, str]] | None = None
    ) -> tuple[int, str, str]:
        """(status, text, location) of a GET, or of a POST of these fields."""
        where = urlsplit(url)
        connection = http.client.HTTPConnection("127.0.0.1", urlsplit(self.base).port, timeout=120)
        headers = {"Content-Type": "application/x-www-form-urlencoded", "Host": where.netloc}
        path = where.path + (f"?{where.query}" if where.query else "")
        if fields is None:
            connection.request("GET", path, headers={"Host": where.netloc})
        else:
            connection.request("POST", path, urlencode(fields), headers)
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        self.outputs.append(text)
        return answer.status, text, answer.getheader("Location") or ""

    def mails(self, to: str, kind: str) -> list[EmailMessage]:
        parser = BytesParser(EmailMessage, policy=policy.default)
        found = [
            parser.parsebytes(data)
            for address, data in self.box.mails
            if address.lower().startswith(f"{to.lower()}@")
        ]
        return [mail for mail in found if mail["Message-ID"].startswith(f"<{kind}.")]

    def installation(self) -> Installation:
        return open_installation(self.home, self.env)


@contextmanager
def club(tmp_path: Path, box: Postbox, smtp_port: int) -> Iterator[Club]:
    """The club, with its pages served until the end of the block."""
    home = tmp_path / "club"
    open_installation(home, {}, create=True)
    probe = create_server(lambda *_: [], host="127.0.0.1", port=0)
    port = probe.effective_port
    probe.close()
    found = Club(home, f"http://localhost:{port}", box, smtp_port)
    server = create_server(create_app(found.installation()), host="127.0.0.1", port=port)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    try:
        yield found
    finally:
        server.close()


def link_in(mail: EmailMessage) -> str:
    """The personal link, as a player finds it in the mail's text."""
    body = mail.get_body(("plain",))
    assert body is not None
    found = re.search(r"^http\S+/z/\S{43}$", body.get_content().replace("\r", ""), re.MULTILINE)
    assert found is not None
    return found[0]


def fields(page: str, **chosen: str) -> list[tuple[str, str]]:
    """What a browser would send: the hidden fields of the page, and what was chosen."""
    hidden = re.findall(r'<input type="hidden" name="(\w+)" value="(\w+)">', page)
    return [
        *[pair for pair in hidden if pair[0] != "whole"],
        *chosen.items(),
        ("action", "submit"),
        ("whole", "yes"),
    ]


def open_club(found: Club, game: str = "ackerwinde", *rules: str) -> None:
    found.command(
        "game",
        "new",
        game,
        "--gm",
        "Uli",
        "--gm-address",
        "uli@example.org",
        "--every",
        "1",
        *rules,
    )
    found.command("game", "open", game)
    for name, language in PLAYERS.items():
        found.command(
            "game",
            "seat",
            game,
            "--name",
            name,
            "--address",
            f"{name}@example.org",
            "--language",
            language,
        )
    found.command("game", "start", game)


@pytest.mark.long
def test_ten_rounds_by_form_run_and_mail_end_as_their_record_says(
    tmp_path: Path, frozen_time: Any, postbox: tuple[Postbox, int]
) -> None:
    box, port = postbox
    with club(tmp_path, box, port) as found:
        open_club(found)
        found.command("run")
        links = {name: link_in(found.mails(name, "start")[0]) for name in PLAYERS}
        split = False
        for number in range(1, 11):
            deadline = SUNDAY + (number - 1) * WEEK
            frozen_time.move_to(deadline - 86400)
            anna = found.request(links["Anna"])[1]
            split |= _anna_orders(found, links["Anna"], anna, number)
            status, _, _ = found.request(
                links["Bert"], fields(found.request(links["Bert"])[1], **{"pass": "yes"})
            )
            assert status == 303
            frozen_time.move_to(deadline + 1)
            if number == 3:  # a late list is refused, and its text comes back
                status, text, _ = found.request(
                    links["Cem"],
                    fields(found.request(links["Anna"])[1] or anna, round="3", rev="0", to_8_1="A"),
                )
                assert status == 409
                assert "8" in text
                assert "ist vorbei" in text
            out = found.command("run", "--verbose").output
            assert "2 of 3" in out  # Cem is absent
        assert split
        _check_end(found)


def _anna_orders(found: Club, link: str, page: str, number: int) -> bool:
    """Anna plants what she can, changes her mind in round 2, and splits a stack where one lies
    there.

    Whether she did split one.
    """
    with found.installation().connection() as db:
        game = store.games.get(db, "ackerwinde")
        assert game is not None
        table = store.rounds.open_table(db, game)
    if number == 2:
        assert found.request(link, fields(page, **{"pass": "yes"}))[0] == 303
    choices: dict[str, str] = {}
    farm, took_part = table.farm("Anna"), False
    fieldless = [letter for letter in "AB" if farm.at(letter) is None]
    grown = {
        stack.variety: letter for letter, stack in zip("ABC", farm.fields, strict=True) if stack
    }
    for position, stack in enumerate(table.row, start=1):
        if stack.variety not in grown and fieldless:
            grown[stack.variety] = fieldless.pop(0)
        if stack.variety in grown:
            cards = stack.cards - 1 if stack.cards > 1 else 1
            took_part |= cards < stack.cards
            choices |= {
                f"to_{position}_{card}": grown[stack.variety] for card in range(1, cards + 1)
            }
    for letter, stack in zip("ABC", farm.fields, strict=True):
        if (
            stack
            and stack.variety not in [s.variety for s in table.row]
            and table.deck[stack.variety].talers(stack.cards)
        ):
            choices["pre_end"] = f"H{letter}"
    choices = choices or {"pass": "yes"}
    status, text, location = found.request(link, fields(page, press=f"Presse {number}", **choices))
    assert status == 303, text
    receipt = found.request(urlsplit(link)._replace(path=location, query="").geturl())[1]
    assert f"Fassung {2 if number == 2 else 1}" in receipt
    return took_part


def _check_end(found: Club) -> None:
    record = found.command("export", "ackerwinde").output
    file = found.home / "ackerwinde.json"
    file.write_text(record, encoding="utf-8")
    told = json.loads(found.command("replay", str(file), "--json").output)
    end = told["result"]
    assert len(told["rounds"]) == 10
    assert [told["rounds"][n]["farms"]["Cem"]["absent"] for n in range(10)] == [True] * 10
    assert [told["rounds"][n]["orders"]["Bert"] for n in range(10)] == ["pass"] * 10
    page = found.request(f"{found.base}/p/ackerwinde?lang=en")[1]
    for name in PLAYERS:
        (final,) = found.mails(name, "final")
        text = final.get_body(("plain",)).get_content()  # type: ignore[union-attr]
        for seat, talers in end["talers"].items():
            assert re.search(rf"{end['ranks'][seat]}\. {seat} .* {talers}\b", text)
            assert seat in page
        reports = found.mails(name, "report")
        assert len(reports) == 9
        assert len({mail["Message-ID"] for mail in reports}) == 9
        assert len({mail["References"].split()[0] for mail in [*reports, final]}) == 1
    assert (
        len(found.mails("Anna", "receipt")) == 1
    )  # of a list that was changed; reports tell of the others
    assert found.mails("Cem", "receipt") == []
    press = "".join(mail.as_string() for mail in found.mails("Bert", "report"))
    assert "Presse 3" in press
    assert found.command("run").output == ""
    assert "nothing due" in found.command("run", "--verbose").output


@pytest.mark.long
def test_no_page_mail_command_or_log_shows_a_secret_before_its_time(
    tmp_path: Path,
    frozen_time: Any,
    postbox: tuple[Postbox, int],
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    """Markers in everything produced in a game: the deck's order, the secret, and lists and
    press of the open round.
    """
    caplog.set_level("DEBUG")
    # the test's own mail server, which sees every mail
    logging.getLogger("mail.log").setLevel("ERROR")
    box, port = postbox
    with club(tmp_path, box, port) as found:
        open_club(found, "ackerwinde", "--rule", "rounds=4")
        installation = found.installation()
        with installation.connection() as db:
            game = store.games.get(db, "ackerwinde")
            assert game is not None
            cards = cards_of(db, game)
            secret = db.execute("SELECT secret FROM secret").fetchone()[0]
        found.command("run")
        links = {name: link_in(found.mails(name, "start")[0]) for name in PLAYERS}
        for number in range(1, 5):
            frozen_time.move_to(SUNDAY + (number - 1) * WEEK - 60)
            marker = f"Geheimpresse{number}"
            anna = found.request(links["Anna"])[1]
            mine = len(found.outputs)
            choices = {"to_1_1": "C"} if number == 1 else {"pass": "yes"}
            assert (
                found.request(
                    links["Anna"], fields(anna, press=marker, note=f"Zettel{number}", **choices)
                )[0]
                == 303
            )
            del found.outputs[mine - 1 :]  # what Anna sees of her own list is no secret to her
            others = _everything(found, links, box, without="Anna")
            assert f"Zettel{number}" not in others
            desk = _desk(found) + _shown(found)
            assert f"Zettel{number}" in desk  # it was written for the GM
            others += desk
            assert marker not in others
            assert "&gt;C" not in others
            assert ">C 1" not in others
            if number == 1:
                assert "1&gt;C" not in others
                assert '"1>C"' not in others
            assert links["Anna"].rpartition("/")[2] not in others
            for encoded in (
                secret.hex(),
                secret.hex().upper(),
                repr(secret)[2:-1],
                base64.b64encode(secret).decode(),
            ):
                assert encoded not in others + caplog.text
            with installation.connection() as db:
                salts = [
                    row[0].hex() for row in db.execute("SELECT salt FROM revision WHERE seat = 1")
                ]
            assert not any(salt in others for salt in salts)
            dealt = 8 * number
            _no_order_of(cards[dealt:], others)
            frozen_time.move_to(SUNDAY + (number - 1) * WEEK)
            found.command("run")
        everything = _everything(found, links, box) + caplog.text + "".join(capfd.readouterr())
        assert "Geheimpresse1" in everything
        assert secret.hex() in everything  # now it is published
        assert all(salt in found.command("export", "ackerwinde").output for salt in salts)
        _no_order_of(
            cards[32:], everything.replace(found.command("export", "ackerwinde").output, "")
        )
        assert installation.link_key.hex() not in everything


def _everything(found: Club, links: dict[str, str], box: Postbox, without: str = "") -> str:
    """All that others than `without` can see: pages, exports, commands, mails as they were sent
    and as they read.
    """
    for name, link in links.items():
        if name != without:
            for page in (link, f"{link}/receipt", f"{link}?lang=en", f"{link}?fill=nmr"):
                found.request(page)
    for page in ("/", "/p/ackerwinde", "/p/ackerwinde?lang=de"):
        found.request(found.base + page)
    found.command("game", "list")
    if "finished" not in _shown(found):
        found.command("export", "ackerwinde")
    parser = BytesParser(EmailMessage, policy=policy.default)
    mails = [
        data
        for address, data in box.mails
        if not without or not address.lower().startswith(without.lower())
    ]
    parts: list[Any] = [
        part for data in mails for part in parser.parsebytes(data).walk() if not part.is_multipart()
    ]
    read = [part.get_payload(decode=True).decode(errors="replace") for part in parts]
    return "\n".join([*found.outputs, *read])


def _shown(found: Club) -> str:
    """What the commands show the game master of the game, players' words to them included."""
    shown = [
        found.command("game", "show", "ackerwinde", *more).output for more in ((), ("--json",))
    ]
    del found.outputs[-2:]
    return "\n".join(shown)


def _desk(found: Club) -> str:
    """All pages of the desk, as the game master sees them, and the zine and the table."""
    home = found.installation()
    with home.connection() as db:
        made = accounts.add_gm(db, "uli@example.org", "Uli", "en", clock.now())
        token = accounts.set_password(db, made, "a long password", clock.now())
    web = create_app(home).test_client()
    web.set_cookie(COOKIE, token, path="/desk")
    paths = (
        "/desk",
        "/desk/new",
        "/desk/game/ackerwinde",
        "/desk/game/ackerwinde/run",
        "/zine?since=2020-01-01",
        "/table",
    )
    pages = []
    for path in (*paths, "/zine.txt?since=2020-01-01"):
        answer = web.get(path)
        assert answer.status_code == 200, path
        pages.append(answer.get_data(as_text=True))
    return "\n".join(pages)


def _no_order_of(cards: tuple[str, ...], text: str) -> None:
    """Eight cards of the draw pile one after the other, a row, would show its order, whatever
    stands between them.
    """
    spelled = re.sub(r"[^a-z]+", " ", text.lower())
    german = [bean_names("de")[card]["short"].lower() for card in cards]
    for names in (cards, german):
        for start in range(len(names) - 7):
            assert " ".join(names[start : start + 8]) not in spelled


def test_the_marker_for_the_order_of_the_pile_can_fail() -> None:
    with pytest.raises(AssertionError):
        _no_order_of(
            ("bush", "snap", "mung", "snake") * 3,
            '["mung", "snake","bush", "snap", "mung", "snake", "bush", "snap"]',
        )


def test_the_dates_of_this_file_are_what_they_say() -> None:
    assert datetime.fromtimestamp(SUNDAY, UTC).isoformat() == "2026-11-22T19:00:00+00:00"
