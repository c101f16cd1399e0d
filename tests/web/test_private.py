"""A private game: nothing of it opens by its id, all of it by the spectators' link, and no list
names it.
"""

import re
from email import message_from_bytes, policy
from typing import Any

import pytest

from gm import store
from gm.config import Config
from gm.deadline.rollback import rollback
from gm.installation import Installation
from gm.service import close_due, tick
from gm.store.db import Database, write
from gm.store.games import Game
from gm.web import create_app
from tests.dates import SUNDAY
from tests.steps import seat_game, sign_in, words

KEYED = {
    "GET /p/<place>": 200,
    "GET /p/<place>/state": 200,
    "GET /p/<place>/r<number>": 200,
    "GET /p/<place>/t/<int:turn>": 200,
    "GET /p/<place>/r<int:number>/try": 200,
    "GET /p/<place>/r<int:number>/versions": 200,
    "GET /p/<place>/record.json": 200,
    "GET /api/v1/games/<place>": 200,
    "GET /api/v1/games/<place>/rounds/<number>": 200,
    # the spectators' key shows; it opens no door
    "GET /p/<place>/follow": 404,
    "POST /p/<place>/follow": 404,
    "GET /p/<game_id>/join": 404,
    "POST /p/<game_id>/join": 404,
    "GET /p/<game_id>/join/<token>": 404,
    "POST /p/<game_id>/join/<token>": 404,
    "GET /api/v1/games/<game_id>/seat": 401,
    "GET /api/v1/games/<game_id>/seat/receipts": 401,
    "POST /api/v1/games/<game_id>/seat/check": 401,
    "POST /api/v1/games/<game_id>/seat/orders": 401,
}
"""What every public address of a private game answers with the spectators' key; without it, as
if there were no such game.
"""


@pytest.fixture
def private(installation: Installation, ackerwinde: Game, db: Database, frozen_time: Any) -> Game:
    """`ackerwinde`, private, in its second round; the first was played twice."""
    frozen_time.move_to(SUNDAY)
    with write(db):
        db.execute("UPDATE game SET listed = 0")
    close_due(db, Config(), SUNDAY)
    rollback(db, "ackerwinde", 1, "A mistake", SUNDAY)
    again = games_deadline(db)
    frozen_time.move_to(again)
    close_due(db, Config(), again)
    game = store.games.get(db, "ackerwinde")
    assert game is not None
    assert game.round == 2
    return game


def games_deadline(db: Database) -> int:
    found = store.games.get(db, "ackerwinde")
    assert found is not None
    assert found.deadline is not None
    return found.deadline


def public_routes(installation: Installation) -> list[str]:
    """All that lies beneath a game's address, but for the desk."""
    rules = [
        r for r in create_app(installation).url_map.iter_rules() if not r.rule.startswith("/desk")
    ]
    of_games = [
        r
        for r in rules
        if r.rule.startswith(("/p/", "/api/v1/games/")) or {"place", "game_id"} & set(r.arguments)
    ]
    return [
        f"{method} {r.rule}"
        for r in of_games
        for method in sorted(set(r.methods or ()) - {"HEAD", "OPTIONS"})
    ]


def asked(web: Any, route: str, place: str, token: str) -> Any:
    method, _, rule = route.partition(" ")
    values = {
        "<place>": place,
        "<game_id>": place,
        "<number>": "1",
        "<int:number>": "1",
        "<int:turn>": "1",
        "<token>": token,
    }
    return web.open(re.sub(r"<[^>]+>", lambda name: values[name[0]], rule), method=method)


def test_no_address_shows_a_private_game_without_its_key_and_all_do_with_it(
    private: Game, installation: Installation, web: Any
) -> None:
    assert set(public_routes(installation)) == set(KEYED), (
        "a new route of a game needs its line, and visible_game before it answers"
    )
    other = installation.token("spectators", "anothergam")
    for route, status in KEYED.items():
        nobodys = asked(web, route, "nobodygame", other)
        for place in ("ackerwinde", f"ackerwinde.{other}", "ackerwinde.", f"ackerwinde.{'A' * 43}"):
            answer = asked(web, route, place, other)
            assert (answer.status_code, answer.data) == (nobodys.status_code, nobodys.data), (
                route,
                place,
            )
            assert answer.status_code in (401, 404), (route, place)
        answer = asked(web, route, installation.place(private), other)
        assert answer.status_code == status, route
        assert (answer.headers["Cache-Control"], answer.headers["X-Robots-Tag"]) == (
            "no-store",
            "noindex",
        ), route


def test_every_link_of_a_private_games_pages_leads_on(
    private: Game, installation: Installation, db: Database, web: Any, link: dict[str, str]
) -> None:
    place, base = installation.place(private), installation.config.base_url
    paths = [f"/p/{place}", f"/p/{place}/r1", f"/p/{place}/r1/versions", f"/p/{place}/r1/try"]
    for path in (*paths, *(link["Anna"] + more for more in ("", "/mail", "/programs", "/data"))):
        text = web.get(path).text
        found = re.findall(r'(?:href|src)="(/(?:p|verify)[^"#]*)"', text)
        assert any(href.startswith(f"/p/{place}") for href in found), path
        assert [
            href for href in found if web.get(href.replace("&amp;", "&")).status_code != 200
        ] == [], path
        assert '<meta name="robots" content="noindex">' in text, path
    calendar = web.get(
        installation.url("calendar", "ackerwinde", "Anna", 1).removeprefix(base)
    ).text
    assert f"URL:{base}/p/{place}" in calendar.replace("\r\n ", "")
    assert f'value="{place}"' in web.get(f"/verify?game={place}").text
    assert f"{base}/p/{place}" in web.get(f"/p/{place}/r1.txt").text
    with write(db):
        db.execute("UPDATE game SET status = 'finished', deadline = NULL")
    end = web.get(link["Anna"]).text
    assert f'href="/p/{place}' in end
    assert '<meta name="robots" content="noindex">' in end
    assert "og:" not in end


def test_every_link_of_a_private_games_mails_leads_to_it(
    private: Game, installation: Installation, db: Database
) -> None:
    tick(installation)
    sent = [
        message_from_bytes(file.read_bytes(), policy=policy.default)
        for file in installation.mail_folder.glob("*.eml")
    ]
    texts = [
        str(part.get_content())
        for mail in sent
        for part in mail.walk()
        if part.get_content_maintype() == "text"
    ]
    found = [
        place
        for text in texts
        for place in re.findall(r"/p/([a-z0-9.A-Z_-]+)", text.replace("\r\n ", ""))
    ]
    assert len(sent) > 3
    assert set(found) == {installation.place(private)}


def test_the_link_for_spectators_stands_on_the_page_and_at_the_desk(
    private: Game, installation: Installation, db: Database, web: Any
) -> None:
    url = installation.game_url(private)
    assert url in words(web.get(f"/p/{installation.place(private)}"))
    master = sign_in(installation, db)
    desk = master.get("/desk/game/ackerwinde")
    assert url in words(desk)
    assert web.get(re.findall(r'href="(/p/[^"]*)"', desk.text)[0]).status_code == 200


def test_a_listed_game_has_no_key_in_its_address(
    installation: Installation, ackerwinde: Game, web: Any
) -> None:
    assert installation.game_url(ackerwinde) == "http://localhost:8080/p/ackerwinde"
    page = web.get("/p/ackerwinde")
    assert installation.token("spectators", "ackerwinde") not in page.text
    assert "noindex" not in page.text
    assert "X-Robots-Tag" not in page.headers


def test_the_token_of_a_seat_shows_its_own_private_game_to_programs(
    private: Game, installation: Installation, db: Database, web: Any
) -> None:
    seat_game(installation, "beinwell")
    seats = {game: store.seats.of_game(db, game)[0] for game in ("ackerwinde", "beinwell")}
    for game, status in (("ackerwinde", 200), ("beinwell", 404)):
        headers = {"Authorization": f"Bearer {installation.api_token(seats[game])}"}
        for path in ("", "/rounds/1"):
            assert web.get(f"/api/v1/games/ackerwinde{path}", headers=headers).status_code == status
    told = web.get(
        "/api/v1/games/ackerwinde",
        headers={"Authorization": f"Bearer {installation.api_token(seats['ackerwinde'])}"},
    ).json
    assert web.get(told["record"].removeprefix(installation.config.base_url)).status_code == 200


def test_no_public_list_names_a_private_game(private: Game, web: Any, db: Database) -> None:
    lists = ("/", "/zine?since=2026-11-01", "/zine.txt?since=2026-11-01", "/api/v1/games", "/table")
    assert [path for path in lists if "ackerwinde" in web.get(path).text.casefold()] == []
    with write(db):
        db.execute("UPDATE game SET listed = 1")
    assert [path for path in lists if "ackerwinde" in web.get(path).text.casefold()] == list(
        lists[:-1]
    )
    with write(db):
        db.execute("UPDATE game SET listed = 0, status = 'finished', deadline = NULL")
    assert [path for path in lists if "ackerwinde" in web.get(path).text.casefold()] == []


def test_who_is_invited_finds_the_page_and_nobody_keeps_the_invitation(
    installation: Installation, db: Database, web: Any
) -> None:
    seat_game(installation)
    for listed in (0, 1):
        with write(db):
            db.execute("UPDATE game SET listed = ?", [listed])
        answer = web.get(installation.path("invitation", "ackerwinde"))
        assert (answer.headers["Cache-Control"], answer.headers["X-Robots-Tag"]) == (
            "no-store",
            "noindex",
        )
        assert web.get(re.findall(r'href="(/p/[^"]*)"', answer.text)[0]).status_code == 200


def test_the_three_keys_of_a_game_open_nothing_of_each_other(
    private: Game, installation: Installation, web: Any
) -> None:
    invitation = installation.token("invite", "ackerwinde")
    assert web.get(f"/p/ackerwinde.{invitation}").status_code == 404
    assert (
        web.get(f"/p/ackerwinde/join/{installation.token('spectators', 'ackerwinde')}").status_code
        == 404
    )
    assert web.get(f"/z/{installation.token('spectators', 'ackerwinde')}").status_code == 404
