"""Practice: a game against robots without an address, in a database of its own, for a day."""

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from typing import Any

import pytest
from flask.testing import FlaskClient

from gm import clock, demo, store
from gm.clock import DAY
from gm.config import Config
from gm.errors import Refusal
from gm.installation import Installation, open_practice
from gm.links import ENDS, ENDS_OF_PRACTICE, is_practice, new_practice_id
from gm.seeds import has_demo
from gm.service import submit
from gm.store.db import Database
from gm.store.games import Game
from gm.store.schema import OF_GAMES
from gm.web import create_app
from gm.web.limits import Limit
from rounds.engine.variant import names
from tests.steps import seat_game

VARIANTS = [name for name in names() if has_demo(name)]
WHOLE = {"whole": "yes"}
MOST_ROUNDS = 200


@pytest.fixture
def practice(installation: Installation) -> Installation:
    """Where the practice games of the installation are."""
    opened = open_practice(installation)
    assert opened is not None
    return opened


@pytest.fixture
def web(installation: Installation, practice: Installation) -> FlaskClient:
    """A browser; the pages allow practice."""
    return create_app(installation, practice).test_client()


@pytest.fixture
def practised(practice: Installation) -> Iterator[Database]:
    """The database of the practice games."""
    with practice.connection() as db:
        yield db


def begun(web: FlaskClient, variant: str = "postal", **more: Any) -> str:
    """The path of the order page of a game that was begun."""
    answer = web.post(f"/practice/{variant}?lang=en", data=WHOLE, **more)
    assert answer.status_code == 303
    return str(answer.headers["Location"]).partition("?")[0]


def close(web: FlaskClient, link: str, number: object) -> Any:
    return web.post(f"{link}/close?lang=en&round={number}", data=WHOLE)


def only_game(db: Database) -> Game:
    (game,) = store.games.all_games(db)
    return game


def rows(db: Database) -> int:
    """How much is stored of games."""
    return sum(store.db.count(db, f"SELECT count(*) FROM {table}") for table in ("game", *OF_GAMES))


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_game_is_begun_by_one_form_and_played_to_its_end(
    variant: str, web: FlaskClient, practice: Installation, practised: Database, db: Database
) -> None:
    before = rows(db)
    link = begun(web, variant)
    for _ in range(MOST_ROUNDS):
        game = only_game(practised)
        if game.status == "finished":
            break
        you = store.seats.numbered(practised, game.id, 1)
        if game.takes(you.name):
            view = game.engine.view(store.rounds.open_table(practised, game), you.name)
            submit(practised, game, you, game.round, game.engine.robot(view), by="seat")
        said = web.get(link, follow_redirects=True)
        assert said.status_code == 200
        assert "is thinking" not in said.text
        assert close(web, link, game.round).status_code == 303
    shown = web.get(link).text
    assert "And now with people" in shown
    closed = store.rounds.closed(practised, only_game(practised).id)[1:]
    assert [text for part in closed for text in part.lists.values() if text is None] == []
    assert practised.execute("SELECT count(*) FROM mail").fetchone()[0] == 0
    assert rows(db) == before


def test_nobody_waits_for_a_robot_though_seconds_pass_while_it_orders(
    web: FlaskClient, practised: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    link, seconds = begun(web, "duel"), count(clock.now())
    monkeypatch.setattr("gm.clock.now", lambda: next(seconds))
    for _ in range(6):
        game = only_game(practised)
        you = store.seats.numbered(practised, game.id, 1)
        assert game.awaits(you.name)
        view = game.engine.view(store.rounds.open_table(practised, game), you.name)
        submit(practised, game, you, game.round, game.engine.robot(view), by="seat")
        close(web, link, game.round)


def test_its_page_is_for_one_person_and_for_a_day(web: FlaskClient) -> None:
    link = begun(web)
    shown = web.get(link)
    assert shown.headers["Cache-Control"] == "no-store"
    assert shown.headers["X-Robots-Tag"] == "noindex"
    assert "Offline" not in shown.headers
    assert "forgotten on Sat 21 November 2026, 13:00 CET" in shown.text
    assert "/my-games" not in shown.text
    assert "gm@example.org" not in shown.text
    assert {*re.findall(r"/[a-z]/[\w-]{43}", shown.text)} == {link}


def test_after_three_turns_it_says_how_it_goes_on(web: FlaskClient, ackerwinde: Game) -> None:
    link = begun(web)
    for number in (1, 2):
        assert "And now with people" not in close_and_read(web, link, number)
    assert "And now with people" in close_and_read(web, link, 3)
    assert "Now with people</a>" in web.get(link).text
    assert "And now with people" not in web.get(f"{link}/r2").text


def close_and_read(web: FlaskClient, link: str, number: int) -> str:
    answer = close(web, link, number)
    assert answer.headers["Location"].startswith(f"{link}/r{number}?")
    return web.get(answer.headers["Location"]).text


def test_games_that_take_people_are_offered(web: FlaskClient, installation: Installation) -> None:
    seat_game(installation)
    link = begun(web)
    told = [close_and_read(web, link, number) for number in (1, 2, 3)]
    assert "/p/ackerwinde/join" in told[-1]


def test_nothing_tells_of_it_elsewhere(
    web: FlaskClient, installation: Installation, practised: Database, db: Database
) -> None:
    pages = [
        *("/", "/table", "/zine.txt?since=2026-11-01", "/sitemap.xml", "/robots.txt"),
        *("/games/running", "/games/finished", "/api/v1/games", "/healthz"),
    ]
    before = {path: web.get(path).data for path in pages}
    link = begun(web)
    for number in range(1, 11):
        close(web, link, number)
    assert close(web, link, 11).headers["Location"].startswith(f"{link}?")
    assert only_game(practised).status == "finished"
    assert {path: web.get(path).data for path in pages} == before
    assert not [*installation.home.glob("mail/*")]


def test_a_press_for_another_round_closes_nothing(web: FlaskClient, practised: Database) -> None:
    link = begun(web)
    for number in (0, 2, -1, "x", ""):
        assert close(web, link, number).headers["Location"].startswith(f"{link}?")
        assert only_game(practised).round == 1
    for _ in range(2):
        assert close(web, link, 1).headers["Location"].startswith(f"{link}/r1")
    assert only_game(practised).round == 2


def test_two_processes_serve_one_game(
    web: FlaskClient, installation: Installation, practice: Installation, practised: Database
) -> None:
    other = create_app(installation, open_practice(installation)).test_client()
    link = begun(web)
    close(other, link, 1)
    assert "round 2" in web.get(link).text
    close(web, link, 2)
    assert "Round 2 of 10" in other.get(f"{link}/r2").text
    assert only_game(practised).round == 3


def test_processes_that_start_at_once_have_one_key(installation: Installation) -> None:
    with ThreadPoolExecutor(8) as starting:
        opened = [*starting.map(open_practice, [installation] * 8)]
    assert len({home.link_key for home in opened if home}) == 1
    assert None not in opened
    assert [*installation.home.glob("tmp*")] == []


OTHERS = [
    *(f"GET {{link}}/{page}" for page in ("mail", "data", "programs", "notes")),
    *(f"POST {{link}}/{act}" for act in ("mail", "data", "address", "renew", "notes")),
    *(f"{method} /p/{{place}}/{page}" for method in ("GET", "POST") for page in ("follow", "join")),
    *("GET /c/{token}.ics", "GET /u/{token}", "GET /m/{token}", "GET /j/1/{token}"),
    *("GET /api/v1/games/{place}", "GET /desk/game/{id}"),
]
"""Pages about mail, seats and people, and those that know no practice."""


@pytest.mark.parametrize("route", OTHERS)
def test_it_has_no_page_about_mail_seats_or_people(
    route: str, web: FlaskClient, practice: Installation, practised: Database
) -> None:
    link = begun(web)
    game = only_game(practised)
    stored = rows(practised)
    method, _, path = route.partition(" ")
    place, token = practice.place(game), link.rpartition("/")[2]
    path = path.format(link=link, place=place, token=token, id=game.id)
    answer = web.open(path, method=method, data=WHOLE if method == "POST" else None)
    assert answer.status_code in (303, 404)
    assert answer.status_code == 404 or answer.headers["Location"].startswith("/desk/sign-in")
    assert game.id not in answer.text
    assert rows(practised) == stored


def test_practice_opens_no_seat_of_people_and_no_seat_of_people_practice(
    web: FlaskClient, link: dict[str, str], practice: Installation, practised: Database
) -> None:
    own, anna = begun(web), link["Anna"]
    game = only_game(practised)
    assert (is_practice(own[3:]), is_practice(anna[3:])) == (True, False)
    marked = anna[:-1] + ENDS_OF_PRACTICE[ENDS.index(anna[-1])]
    plain = own[:-1] + ENDS[ENDS_OF_PRACTICE.index(own[-1])]
    for path in (marked, plain):
        for page in ("", "/receipt", "/state", "/t/1", "/r1"):
            assert web.get(path + page).status_code == 404
        assert web.post(path, data=WHOLE | {"round": "1", "rev": "0"}).status_code == 404
        assert close(web, path, 1).status_code == 404
    assert close(web, anna, 1).status_code == 404
    assert (web.get(own).status_code, web.get(anna).status_code) == (200, 200)
    place = practice.place(game)
    assert web.get(f"/p/{place}").status_code == 200
    assert web.get(f"/p/{game.id}").status_code == 404
    assert web.get(f"/p/{place.replace(game.id, 'ackerwinde')}").status_code == 404


def test_a_game_of_people_cannot_be_named_like_one_of_practice(
    installation: Installation, db: Database
) -> None:
    with pytest.raises(Refusal, match="bad_id"):
        seat_game(installation, game=new_practice_id())
    assert store.games.all_games(db) == []


def test_it_is_forgotten_after_a_day(
    web: FlaskClient, practice: Installation, practised: Database, frozen_time: Any
) -> None:
    link = begun(web)
    close(web, link, 1)
    frozen_time.shift(DAY)
    demo.forget_practice(practice)
    assert web.get(link).status_code == 200
    frozen_time.shift(1)
    demo.forget_practice(practice)
    assert rows(practised) == 0
    gone = web.get(link)
    assert gone.status_code == 404
    assert "This practice game is gone" in gone.text
    assert "mail" not in re.sub("(?s).*<main", "", gone.text).partition("</main>")[0]


def test_a_new_game_makes_room_of_those_that_are_over(
    installation: Installation, practised: Database, frozen_time: Any
) -> None:
    few = Installation(installation.home, Config(practice_games=2), installation.link_key)
    web = create_app(few, open_practice(few)).test_client()
    for _ in range(2):
        begun(web)
    full = web.post("/practice/postal?lang=en", data=WHOLE)
    assert (full.status_code, "Too many practise just now" in full.text) == (503, True)
    frozen_time.shift(DAY + 1)
    begun(web)
    assert len(store.games.all_games(practised)) == 1


def from_machine(number: int) -> Any:
    return {"environ_base": {"REMOTE_ADDR": f"192.0.2.{number}"}}


def test_one_machine_begins_thirty_within_an_hour(web: FlaskClient) -> None:
    web.application.extensions["limits"]["practice_in_all"] = Limit(31, 60)
    for _ in range(30):
        begun(web, **from_machine(1))
    answer = web.post("/practice/postal?lang=en", data=WHOLE, **from_machine(1))
    assert (answer.status_code, answer.headers["Retry-After"]) == (429, "3600")
    begun(web, **from_machine(2))


def test_all_machines_together_begin_twenty_within_a_minute(web: FlaskClient) -> None:
    for number in range(20):
        begun(web, **from_machine(number))
    full = web.post("/practice/postal?lang=en", data=WHOLE, **from_machine(21))
    assert (full.status_code, "Too many practise just now" in full.text) == (503, True)


def test_the_host_may_switch_it_off(installation: Installation) -> None:
    off = Installation(installation.home, Config(practice_games=0), installation.link_key)
    assert open_practice(off) is None
    web = create_app(off).test_client()
    assert "/practice/" not in web.get("/").text + web.get("/rules/postal").text
    assert web.post("/practice/postal", data=WHOLE).status_code == 404
    assert not (installation.home / "practice").exists()


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_game_has_its_button(variant: str, web: FlaskClient) -> None:
    for path in ("/", f"/rules/{variant}"):
        assert f'action="/practice/{variant}?lang=' in web.get(path).text


def test_a_damaged_database_of_practice_games_stops_nobody(
    installation: Installation, practice: Installation
) -> None:
    (practice.home / "bohnenpost.toml").write_text("odd = 1")
    assert open_practice(installation) is None
    (practice.home / "bohnenpost.toml").unlink()
    (practice.home / "bohnenpost.db").write_bytes(b"odd" * 5000)
    assert open_practice(installation) is None


def test_a_form_that_is_not_ours_begins_nothing(web: FlaskClient, practised: Database) -> None:
    assert web.get("/practice/postal").status_code == 405
    assert web.post("/practice/postal").status_code in (400, 415)
    assert web.post("/practice/nothing", data=WHOLE).status_code == 404
    foreign = web.post("/practice/postal", data=WHOLE, headers={"Origin": "https://other.example"})
    assert foreign.status_code == 403
    assert rows(practised) == 0
