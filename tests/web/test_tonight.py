"""Joining by name inside one's own network: what the address opens, to whom, and until when."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from gm import clock, store
from gm.cli import main
from gm.cli.home import Home
from gm.config import BadConfig, is_in_own_network, load
from gm.games import tonight
from gm.installation import Installation
from gm.store.db import Database
from gm.store.file import backup
from gm.store.games import Game
from gm.web import create_app
from gm.web import tonight as tonight_pages
from tests.steps import words

STRANGER = {"REMOTE_ADDR": "192.168.1.77"}


@pytest.fixture
def game(db: Database) -> Game:
    return tonight.opened(db, "classic", "en", "Europe/Berlin", clock.now())


@pytest.fixture
def phone(installation: Installation, game: Game) -> Any:
    """A phone in the network."""
    app = create_app(installation)
    app.register_blueprint(tonight_pages.pages)
    app.extensions["tonight"] = game.id
    return app.test_client()


@pytest.fixture
def address(installation: Installation, game: Game) -> str:
    return installation.tonight_url(game.id).removeprefix(installation.config.base_url)


def sit_down(phone: Any, address: str, name: str) -> Any:
    phone.delete_cookie(tonight_pages.COOKIE, path=address)
    fields = {"name": name, "whole": "yes"}
    return phone.post(address, data=fields, environ_overrides=STRANGER)


@pytest.mark.parametrize(
    ("host", "is_own"),
    [
        ("192.168.1.20", True),
        ("10.0.0.7", True),
        ("172.16.3.4", True),
        ("169.254.9.9", True),
        ("fe80::1", True),
        ("fd00::20", True),
        ("laptop.local", True),
        ("8.8.8.8", False),
        ("172.32.0.1", False),
        ("2001:4860:4860::8888", False),
        ("0.0.0.0", False),
        ("beans.example.org", False),
        ("local", False),
        ("laptop.local.example.org", False),
    ],
)
def test_only_a_network_of_ones_own_is_served_without_tls(
    installation: Installation, host: str, *, is_own: bool
) -> None:
    assert is_in_own_network(host) is is_own
    url = {"BOHNENPOST_BASE_URL": f"http://{f'[{host}]' if ':' in host else host}:8120"}
    file = installation.home / "bohnenpost.toml"
    with pytest.raises(BadConfig, match="unencrypted"):
        load(file, url)
    if is_own:
        assert load(file, url, is_lan=True).base_url == url["BOHNENPOST_BASE_URL"]
    else:
        with pytest.raises(BadConfig, match="unencrypted"):
            load(file, url, is_lan=True)


def test_pages_in_a_network_of_ones_own_say_who_could_read_along(
    installation: Installation, ackerwinde: Game
) -> None:
    for url, is_said in (
        ("http://192.168.1.20:8080", True),
        ("http://localhost:8080", False),
        ("https://beans.example.org", False),
    ):
        config = replace(installation.config, base_url=url)
        web = create_app(replace(installation, config=config)).test_client()
        page = web.get("/?lang=en", base_url=url)
        assert ("Whoever is in this network could read along." in words(page)) is is_said, url


@pytest.mark.parametrize("host", ["192.168.1.20", "laptop.local", "fd00::20"])
def test_without_the_switch_no_pages_are_served_without_tls(
    installation: Installation, host: str
) -> None:
    url = f"http://{f'[{host}]' if ':' in host else host}:8120"
    # nobody has that address: what should be refused does not serve for ever
    (installation.home / "bohnenpost.toml").write_text(f'base_url = "{url}"\nhost = "192.0.2.77"\n')
    command = ["--home", str(installation.home)]
    served = CliRunner().invoke(main, [*command, "serve"])
    assert served.exit_code == 3
    assert "serve --lan" in served.output
    assert CliRunner().invoke(main, [*command, "game", "list"]).exit_code == 0
    (installation.home / "bohnenpost.toml").write_text('base_url = "http://8.8.8.8:8120"\n')
    for act in (["serve", "--lan"], ["game", "list"]):
        refused = CliRunner().invoke(main, [*command, *act])
        assert refused.exit_code == 3
        assert "unencrypted" in refused.output


def test_nothing_of_a_service_for_a_club_is_served_or_mailed_by_it(
    installation: Installation, ackerwinde: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its games would be mailed links without TLS, and a proxy be believed that is not there."""
    (installation.home / "bohnenpost.toml").write_text(
        'proxies = 1\nsmtp_host = "mail.example.org"\n'
    )
    for name, value in (("PROXIES", "1"), ("SMTP_HOST", "mail.example.org"), ("DATABASE", "x")):
        monkeypatch.setenv(f"BOHNENPOST_{name}", value)
    own = Home(installation.home).open_in_own_network("http://192.168.1.20:8120")
    assert (own.config.proxies, own.config.smtp_host, own.config.database) == (0, "", "")
    with own.connection() as db:
        assert store.games.all_games(db) == []


def test_only_the_machine_itself_has_a_waiting_room(phone: Any, address: str, db: Database) -> None:
    assert sit_down(phone, address, "Anna").status_code == 303
    assert phone.get("/tonight", environ_overrides=STRANGER).status_code == 404
    assert phone.get("/tonight").status_code == 200
    for act, fields in (("begin", {}), ("away", {"seat": "Anna"})):
        form = {"whole": "yes", **fields}
        assert (
            phone.post(f"/tonight/{act}", data=form, environ_overrides=STRANGER).status_code == 404
        )
    assert [seat.name for seat in store.seats.of_game(db, "tonight-1")] == ["Anna"]


def test_a_name_is_taken_once_and_what_is_wrong_stays_typed(
    phone: Any, address: str, db: Database
) -> None:
    sit_down(phone, address, "Anna")
    for name in ("Anna", "ANNA", "", "x" * 41, "Bohnenpost"):
        answer = sit_down(phone, address, name)
        assert answer.status_code == 422, name
        assert f'value="{name}"' in answer.text
    assert len(store.seats.of_game(db, "tonight-1")) == 1


def test_whoever_sits_already_is_led_to_their_page_and_sits_once(
    phone: Any, address: str, db: Database
) -> None:
    link = sit_down(phone, address, "Anna").headers["Location"].partition("?")[0]
    assert phone.get(address).headers["Location"] == link
    assert phone.post(address, data={"name": "Bert", "whole": "yes"}).headers["Location"] == link
    assert len(store.seats.of_game(db, "tonight-1")) == 1


def test_a_seat_that_is_taken_away_is_free_and_its_link_dead(
    phone: Any, address: str, db: Database
) -> None:
    link = sit_down(phone, address, "Anna").headers["Location"]
    phone.post("/tonight/away", data={"seat": "Anna", "whole": "yes"})
    assert phone.get(link).status_code == 404
    assert phone.get(address).status_code == 200  # the phone may sit down again
    assert sit_down(phone, address, "Anna").status_code == 303


def test_it_begins_with_robots_and_the_address_is_dead_from_then_on(
    phone: Any, address: str, db: Database
) -> None:
    assert "Begin" not in words(phone.get("/tonight?lang=en"))
    assert phone.post("/tonight/begin", data={"whole": "yes"}).status_code == 409
    sit_down(phone, address, "Anna")
    assert "Begin, with 2 robots" in words(phone.get("/tonight?lang=en"))
    phone.post("/tonight/begin", data={"whole": "yes"})
    seats = store.seats.of_game(db, "tonight-1")
    assert [(seat.name, seat.robot) for seat in seats] == [("Anna", 0), ("Rosa", 1), ("Rudi", 1)]
    assert sit_down(phone, address, "Bert").status_code == 422
    phone.delete_cookie(tonight_pages.COOKIE, path=address)
    assert phone.get(address).status_code == 404
    form = {"seat": "Anna", "whole": "yes"}
    assert phone.post("/tonight/begin", data=form).status_code == 303  # pressed twice
    assert phone.post("/tonight/away", data=form).status_code == 409
    assert store.games.existing(db, "tonight-1").round == 1


def test_a_lost_phone_gets_a_new_link_at_the_machine_and_all_are_told(
    phone: Any, address: str, db: Database, installation: Installation
) -> None:
    old = sit_down(phone, address, "Anna").headers["Location"]
    phone.post("/tonight/begin", data={"whole": "yes"})
    form = {"seat": "Anna", "whole": "yes"}
    assert phone.post("/tonight/link", data=form, environ_overrides=STRANGER).status_code == 404
    page = phone.post("/tonight/link?lang=en", data=form)
    assert "The new link of Anna" in page.text
    assert "<svg" in page.text.partition("The new link")[2]
    assert phone.get(old).status_code == 404
    assert phone.get(installation.path("seat", "tonight-1", "Anna", 2)).status_code == 200
    assert [note.kind for note in store.notes.of_round(db, "tonight-1", 1)] == ["renewed"]
    for seat in ("Rosa", "Nobody"):  # a robot, and nobody
        assert phone.post("/tonight/link", data=form | {"seat": seat}).status_code == 409


@pytest.mark.parametrize("lang", ["de", "en"])
def test_no_page_of_a_seat_without_an_address_speaks_of_mail_to_nobody(
    phone: Any, address: str, lang: str
) -> None:
    link = sit_down(phone, address, "Anna").headers["Location"].partition("?")[0]
    for begun in (False, True):
        if begun:
            phone.post("/tonight/begin", data={"whole": "yes"})
        for rest in ("", "/notes", "/mail", "/data", "/programs", "/receipts.txt"):
            page = phone.get(f"{link}{rest}?lang={lang}")
            assert page.status_code == 200, rest
            assert "None" not in page.text, rest
            assert "mailto:?" not in page.text, rest


def test_the_last_seat_begins_it(phone: Any, address: str, db: Database) -> None:
    sit_down(phone, address, "Zoe")
    for number, name in enumerate(("Anna", "Bert", "Cem", "Dora", "Emil", "Fritz", "Gesa"), 1):
        assert store.games.existing(db, "tonight-1").status == "open"
        assert sit_down(phone, address, name).status_code == 303, number
        phone.post("/tonight/away", data={"seat": "Zoe", "whole": "yes"})
    assert store.games.existing(db, "tonight-1").status == "running"


ROUTES = {
    "GET /tonight": (200, 404),
    "POST /tonight/<any(begin, away, link):act>": (303, 404),
    "GET /t/<code>": (404, 404),
    "POST /t/<code>": (404, 404),
}
"""What each route answers to the machine itself, and to a stranger who does not know the code."""


def test_every_route_answers_the_machine_and_strangers_as_the_table_says(
    phone: Any, address: str, db: Database
) -> None:
    sit_down(phone, address, "Anna")
    rules = [rule for rule in phone.application.url_map.iter_rules() if "tonight" in rule.endpoint]
    found = {
        f"{method} {rule.rule}" for rule in rules for method in rule.methods - {"HEAD", "OPTIONS"}
    }
    assert found == set(ROUTES)
    for route, answers in ROUTES.items():
        method, _, path = route.replace("<any(begin, away, link):act>", "away").partition(" ")
        path = path.replace("<code>", "aaaaaa")
        for status, environ in zip(answers, ({}, STRANGER), strict=True):
            data = {"seat": "Zoe", "whole": "yes"} if method == "POST" else None
            answer = phone.open(path, method=method, data=data, environ_overrides=environ)
            assert answer.status_code == status, route
    assert [seat.name for seat in store.seats.of_game(db, "tonight-1")] == ["Anna"]


def test_an_old_waiting_room_takes_no_seat_away_from_whoever_sat_down_since(
    phone: Any, address: str, db: Database
) -> None:
    sit_down(phone, address, "Anna")
    form = {"seat": "Anna", "whole": "yes"}
    phone.post("/tonight/away", data=form)
    sit_down(phone, address, "Zoe")
    assert store.seats.of_game(db, "tonight-1")[0].number == 1
    phone.post("/tonight/away", data=form)
    assert [seat.name for seat in store.seats.of_game(db, "tonight-1")] == ["Zoe"]


def test_a_thousand_tries_find_no_address(phone: Any, address: str) -> None:
    tried = [phone.get(f"/t/a{n:05}", environ_overrides=STRANGER) for n in range(1000)]
    assert {answer.status_code for answer in tried} == {404, 429}


def test_the_command_goes_on_with_a_game_that_is_not_over(
    db: Database, installation: Installation, game: Game
) -> None:
    now = clock.now()
    assert tonight.opened(db, "duel", "de", "Europe/Berlin", now).id == game.id
    tonight.sit_down(db, installation.link_key, game.id, "Anna", "en", now)
    tonight.begin(db, installation.link_key, game.id, now)
    assert tonight.opened(db, "duel", "de", "Europe/Berlin", now).id == game.id
    with db.writing():
        store.games.update(db, game.id, {"status": "finished", "deadline": None})
    assert tonight.opened(db, "duel", "de", "Europe/Berlin", now).id == "tonight-2"


@pytest.mark.parametrize(
    ("variant", "options", "calls"),
    [
        ("classic", ["--tempo", "tonight"], 1),
        ("mutabohn", ["--tempo", "tonight"], 1),
        ("classic", ["--tempo", "tonight", "--rule", "calls=2"], 2),
        ("classic", ["--tempo", "daily"], 2),
    ],
)
def test_a_game_at_one_table_has_one_call_unless_somebody_wants_two(
    installation: Installation, db: Database, variant: str, options: list[str], calls: int
) -> None:
    command = ["--home", str(installation.home), "game", "new", "acker", "--variant", variant]
    who = ["--gm", "Uli", "--gm-address", "uli@example.org"]
    assert CliRunner().invoke(main, [*command, *who, *options]).exit_code == 0
    assert store.games.existing(db, "acker").rules.calls == calls


def test_the_command_of_tonight_has_one_call(db: Database, game: Game) -> None:
    assert game.rules.calls == 1


def test_commands_in_the_folder_of_tonight_print_links_that_phones_can_open(
    installation: Installation,
) -> None:
    own = Home(installation.home).open_in_own_network("http://192.168.1.20:8120")
    with own.connection() as db:
        made = tonight.opened(db, "duel", "en", "Europe/Berlin", clock.now())
        tonight.sit_down(db, own.link_key, made.id, "Anna", "en", clock.now())
    command = ["--home", str(own.home), "game", "links", made.id]
    assert "http://192.168.1.20:8120/z/" in CliRunner().invoke(main, [*command, "Anna"]).output
    Home(installation.home).open_in_own_network("http://10.0.0.7:8120")
    twice = CliRunner().invoke(main, [*command, "Anna", "anna"]).output
    assert twice.count("http://10.0.0.7:8120/z/") == 1


def began(installation: Installation, *options: str) -> str:
    """What the command says before it serves, at an address that nobody has: so it ends."""
    command = [sys.executable, "-m", "gm", "--home", str(installation.home), "tonight"]
    done = subprocess.run(
        [*command, "--host", "192.0.2.77", *options],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    return done.stdout + done.stderr


@pytest.mark.file
def test_a_restored_game_of_tonight_waits_until_it_is_let_go_on(
    installation: Installation, tmp_path: Path
) -> None:
    own = Home(installation.home).open_in_own_network("http://192.168.1.20:8120")
    with own.connection() as db:
        tonight.opened(db, "duel", "en", "Europe/Berlin", clock.now())
        backup.make(db, tmp_path / "copy.db", clock.now())
    folder = ["--home", str(own.home)]
    copy = str(tmp_path / "copy.db")
    assert CliRunner().invoke(main, [*folder, "restore", copy, "--yes"]).exit_code == 0
    assert f"--home {own.home} resume" in began(installation)
    assert CliRunner().invoke(main, [*folder, "resume"]).exit_code == 0
    assert "resume" not in began(installation)


def test_a_command_for_another_game_says_which_one_goes_on(installation: Installation) -> None:
    own = Home(installation.home).open_in_own_network("http://192.168.1.20:8120")
    with own.connection() as db:
        tonight.opened(db, "duel", "en", "Europe/Berlin", clock.now())
    assert "Tonight goes on: duel" in began(installation, "--variant", "classic")
    assert "goes on" not in began(installation, "--variant", "duel")


def test_nobody_plays_alone_where_one_could(db: Database, installation: Installation) -> None:
    now = clock.now()
    made = tonight.opened(db, "postal", "en", "Europe/Berlin", now)
    tonight.sit_down(db, installation.link_key, made.id, "Anna", "en", now)
    tonight.begin(db, installation.link_key, made.id, now)
    assert [seat.robot for seat in store.seats.of_game(db, made.id)] == [0, 1]


def test_a_game_that_is_opened_ends_the_question_of_the_one_before(
    db: Database, installation: Installation, game: Game
) -> None:
    now = clock.now()
    tonight.sit_down(db, installation.link_key, game.id, "Anna", "en", now)
    tonight.begin(db, installation.link_key, game.id, now)
    with db.writing():
        store.games.update(db, game.id, {"status": "finished", "deadline": None, "asks_again": 1})
    assert tonight.opened(db, "duel", "de", "Europe/Berlin", now).id == "tonight-2"
    assert store.games.existing(db, game.id).asks_again == 0


def test_a_phone_whose_seat_was_taken_away_is_led_back(phone: Any, address: str) -> None:
    link = sit_down(phone, address, "Anna").headers["Location"]
    phone.post("/tonight/away", data={"seat": "Anna", "whole": "yes"})
    page = phone.get(link)
    assert f"{address}?lang=" in page.text
    assert "mailbox" not in words(page)


@pytest.mark.parametrize("host", ["8.8.8.8", "beans.example.org"])
def test_the_command_refuses_a_public_address_by_its_name(
    installation: Installation, host: str
) -> None:
    command = ["--home", str(installation.home), "tonight", "--host", host]
    refused = CliRunner().invoke(main, command)
    assert refused.exit_code == 2
    assert "--host" in refused.output
    assert not (installation.home / "tonight").exists()
