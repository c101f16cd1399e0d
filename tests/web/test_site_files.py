"""What browsers and search engines ask for, and what they are told of public pages and of
private ones.
"""

import json
import re
import sqlite3
import struct
from html import unescape
from typing import Any

import pytest

from gm import store
from gm.config import Config
from gm.deadline.over import settle_one
from gm.games.orders import save_orders
from gm.installation import Installation
from gm.rendering.reports import headlines, report
from gm.rendering.sentences import environment
from gm.service import close_due, close_game
from gm.store.db import Database, write
from gm.store.games import OPENED, Game
from gm.web.guard import MAILED_PATHS
from rounds.engine.variant import names
from tests.dates import SUNDAY
from tests.steps import PLAYERS, garble, seat_game, start, words

PUBLIC = [
    "/",
    "/table",
    "/rules/postal",
    "/rules/postal/full",
    "/rules/postal/report",
    "/accessibility",
    "/verify",
    "/p/ackerwinde",
    "/p/ackerwinde/r1",
]


@pytest.mark.parametrize("path", PUBLIC)
@pytest.mark.parametrize("language", ["en", "de"])
def test_a_public_page_says_what_it_is_and_where_it_is_in_the_other_language(
    web: Any, ackerwinde: Game, db: Database, path: str, language: str
) -> None:
    close_due(db, Config(), SUNDAY)
    html = web.get(f"{path}?lang={language}").text
    (about,) = re.findall(r'<meta name="description" content="([^"]{40,170})">', html)
    assert about not in web.get(f"{path}?lang={'de' if language == 'en' else 'en'}").text
    base = f"http://localhost:8080{path}"
    assert f'<link rel="canonical" href="{base}?lang={language}">' in html
    for code, address in (
        ("en", f"{base}?lang=en"),
        ("de", f"{base}?lang=de"),
        ("x-default", base),
    ):
        assert f'<link rel="alternate" hreflang="{code}" href="{address}">' in html
    assert "noindex" not in html
    assert re.search(r"<title>[^<]{10,}</title>", html)


def test_a_private_game_is_found_by_nobody(
    web: Any, ackerwinde: Game, db: Database, installation: Any
) -> None:
    with write(db):
        db.execute("UPDATE game SET listed = 0")
    answer = web.get(
        installation.game_url(store.games.existing(db, "ackerwinde")).removeprefix(
            "http://localhost:8080"
        )
    )
    assert answer.status_code == 200
    assert answer.headers["X-Robots-Tag"] == "noindex"
    assert 'content="noindex"' in answer.text
    assert "canonical" not in answer.text


def test_crawlers_read_public_pages_and_may_read_the_noindex_of_personal_links(
    web: Any, link: dict[str, str]
) -> None:
    answer = web.get("/robots.txt")
    assert answer.mimetype == "text/plain"
    refused = re.findall("^Disallow: (.+)$", answer.text, re.M)
    assert refused == ["/desk", "/demo", "/api/"]
    assert not [path for path in (*PUBLIC, *MAILED_PATHS) if path.startswith(tuple(refused))]
    assert "Sitemap: http://localhost:8080/sitemap.xml" in answer.text
    for path in (
        link["Anna"],
        link["Anna"] + "/receipt",
        "/c/x.ics",
        "/u/x",
        "/m/x",
        "/j/1/x",
        "/desk/sign-in",
    ):
        assert web.get(path).headers["X-Robots-Tag"] == "noindex", path


def test_the_sitemap_leads_to_every_public_page(
    web: Any, installation: Installation, ackerwinde: Game, db: Database
) -> None:
    close_due(db, Config(), SUNDAY)
    seat_game(installation, "saubohne")
    answer = web.get("/sitemap.xml")
    places = re.findall("<loc>http://localhost:8080([^<]+)</loc>", answer.text)
    assert len(places) == len(set(places))
    for place in places:
        answer = web.get(place)
        assert answer.status_code == 200, place
        assert f'<link rel="canonical" href="http://localhost:8080{place}">' in answer.text
    for path in ("/p/ackerwinde", "/p/ackerwinde/r1", "/p/saubohne/join", "/rules/duel/report"):
        assert f"{path}?lang=de" in places


def test_the_icon_is_there_by_its_old_name(web: Any) -> None:
    with web.get("/favicon.ico") as answer:
        assert answer.status_code == 200
        assert struct.unpack("<HHH", answer.data[:6]) == (0, 1, 1)
        assert answer.data[22:26] == b"\x89PNG"
    with web.get("/apple-touch-icon.png") as answer:
        assert answer.mimetype == "image/png"


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_manifest_makes_it_a_program_with_icons_of_the_size_they_say(
    web: Any, language: str
) -> None:
    answer = web.get(f"/manifest.webmanifest?lang={language}")
    told = json.loads(answer.text)
    assert answer.mimetype == "application/manifest+json"
    assert (told["lang"], told["display"], told["start_url"], told["scope"]) == (
        language,
        "standalone",
        "/my-games?app=1",
        "/",
    )
    assert {icon["sizes"] for icon in told["icons"]} == {"192x192", "512x512"}
    assert {icon["purpose"] for icon in told["icons"]} == {"any", "maskable"}
    for icon in told["icons"]:
        with web.get(icon["src"]) as answered:
            width, height = struct.unpack(">II", answered.data[16:24])
        assert f"{width}x{height}" == icon["sizes"]
    assert (
        f'<link rel="manifest" href="/manifest.webmanifest?lang={language}">'
        in web.get(f"/?lang={language}").text
    )
    assert "manifest-src 'self'" in answer.headers["Content-Security-Policy"]


@pytest.mark.parametrize("path", ["/", "/rules"])
def test_every_game_has_a_card_with_its_rules_and_a_report(web: Any, path: str) -> None:
    page = web.get(f"{path}?lang=en").text
    for name in names():
        assert f'<a class="btn" href="/rules/{name}?lang=en">Rules' in page
        assert f'<a class="btn" href="/rules/{name}/report?lang=en">See a report' in page
    text = words(web.get(f"{path}?lang=en"))
    for facts in (
        "any number of players · 10 rounds, in one sitting, or by mail in up to 4 months",
        "2 players · 27 turns",
        "3 to 7",
    ):
        assert facts in text


def test_a_running_game_says_where_it_stands_and_its_last_headline(
    web: Any, ackerwinde: Game, db: Database
) -> None:
    assert "Ackerwinde round 1 of 10" in words(web.get("/?lang=en"))
    for seat, orders in zip(store.seats.of_game(db, "ackerwinde"), ("1 2", "", ""), strict=True):
        if orders:
            save_orders(db, ackerwinde, seat, orders)
    close_due(db, Config(), SUNDAY)
    text = words(web.get("/?lang=en"))
    assert "Ackerwinde round 2 of 10" in text
    game = store.games.existing(db, "ackerwinde")
    (first, *_) = headlines(db, game, report(db, game, 1))
    assert environment("en").filters["headline"](first) in text


@pytest.mark.parametrize("variant", names())
def test_every_game_has_a_sample_report(web: Any, variant: str) -> None:
    english, german = (web.get(f"/rules/{variant}/report?lang={code}") for code in ("en", "de"))
    assert (english.status_code, german.status_code) == (200, 200)
    assert '<ul class="headlines">' in english.text
    assert english.text != german.text
    assert web.get("/rules/nothing/report").status_code == 404


def test_the_sample_of_the_postal_game_can_be_tried_again(web: Any) -> None:
    sample = web.get("/rules/postal/report?lang=en").text
    assert "Who took what" in sample
    assert '<a class="btn" href="/rules/postal/report/try?lang=en">Try round 7 again</a>' in sample
    page = words(web.get("/rules/postal/report/try?lang=en&seat=2"))
    assert "A sample report · round 7 of 10" in page
    assert "nothing is stored" in page
    tried = web.get("/rules/postal/report/try?lang=en&typed=9")
    assert (tried.status_code, "These orders do not work" in tried.text) == (422, True)
    for path in (
        "/rules/duel/report/try",
        "/rules/x/report/try",
        "/rules/postal/report/try?seat=9",
    ):
        assert web.get(path).status_code == 404


def test_no_page_without_a_game_speaks_of_one_game_alone(web: Any) -> None:
    of_one = re.compile(r"\b(rows?|eight cards|ten rounds|Reihen?|acht Karten|zehn Runden)\b")
    paths = ("/", "/rules", "/my-games", "/opens", "/table", "/zine", "/accessibility", "/offline")
    for path in (*paths, "/desk/sign-in", "/manifest.webmanifest", "/api/v1"):
        for code in ("en", "de"):
            page = web.get(f"{path}?lang={code}").text
            page = re.sub(r'<ul class="gcards".*?</ul>', "", page, flags=re.DOTALL)
            page = re.sub(r"<(script|style|svg).*?</\1>|<[^>]+>", " ", page, flags=re.DOTALL)
            assert of_one.findall(page) == [], path


@pytest.mark.parametrize("path", ["/p/saubohne", "/p/saubohne/join"])
def test_a_link_to_a_game_is_shown_with_its_name_and_picture(
    web: Any, installation: Installation, path: str
) -> None:
    seat_game(installation, "saubohne", variant="classic")
    page = unescape(web.get(f"{path}?lang=en").text)
    tags = dict(re.findall(r'<meta property="og:(\w+)" content="([^"]*)">', page))
    assert tags["title"] == "Saubohne"
    assert tags["description"].startswith("Classic Bohnanza: about 5 to 14 turns, at most ")
    address = tags["image"].removeprefix("http://localhost:8080")
    with web.get(address) as picture:
        assert struct.unpack(">II", picture.data[16:24]) == (1200, 630)


def test_a_damaged_game_keeps_nobody_from_the_landing_page(
    web: Any, installation: Installation, ackerwinde: Game, db: Database
) -> None:
    seat_game(installation, "saubohne")
    garble(db, "game", "house_rules", "'{'", "id = 'ackerwinde'")
    answer = web.get("/?lang=en")
    assert (answer.status_code, "Saubohne" in answer.text) == (200, True)


def test_lists_of_games_go_on_where_a_page_ends(
    web: Any, installation: Installation, db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gm.web.lobby.PAGE", 2)
    names_of = ("erbse", "linse", "saubohne", "wicke", "kicher")
    for name in names_of:
        seat_game(installation, name, ())
    seen, path = list[str](), "/?lang=en"
    while path:
        page = web.get(path).text
        seen += re.findall(r'<a href="/p/([a-z]+)\?lang=en"><b>', page)
        further = re.search(r'href="(/games/open\?[^"]*)"', page)
        path = unescape(further[1]) if further else ""
    assert sorted(seen) == sorted(names_of)
    assert web.get("/games/nothing").status_code == 404
    begins = web.get("/games/open?lang=en").text
    assert web.get("/games/open?after=none&lang=en").text.count("/p/wicke?") == begins.count(
        "/p/wicke?"
    )
    seat_game(installation, "zucker", ())  # six games: three full pages, and none after them
    last = web.get("/games/open?after=linse&lang=en").text
    assert ("/p/erbse?" in last, "/games/open?after" in last) == (True, False)


def test_the_zine_goes_on_where_a_page_ends(
    web: Any, installation: Installation, db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gm.web.lobby.PAGE", 2)
    for name in ("wicke", "linse", "saubohne"):
        seat_game(installation, name)
        start(installation, name)
    while close_due(db, Config(), SUNDAY):
        pass
    first = "?since=2026-11-01&lang=en"
    page, text = web.get(f"/zine{first}").text, web.get(f"/zine.txt{first}").text
    assert re.findall(r"<h2>(\w+),", page) == ["Linse", "Saubohne"]
    assert re.findall(r"(\w+) - Bohnenpost", text) == ["Linse", "Saubohne"]
    further = unescape(re.findall(r'href="(/zine\?[^"]*)">More games', page)[0])
    assert text.endswith(
        f"\nMore games:\nhttp://localhost:8080/zine.txt{first[:17]}&from=2&lang=en\n"
    )
    page, text = web.get(further).text, web.get(further.replace("zine", "zine.txt")).text
    assert re.findall(r"<h2>(\w+),", page) == ["Wicke"]
    assert re.findall(r"(\w+) - Bohnenpost", text) == ["Wicke"]
    assert "More games" not in page + text


def test_what_is_public_is_said_alike_by_a_game_and_by_the_database(
    installation: Installation, db: Database, ackerwinde: Game
) -> None:
    seat_game(installation, "saubohne")
    for changes in (
        {},
        {"listed": 0},
        {"aborted": 1, "archived_at": 1},
        {"archived_at": 1},
        {"aborted": 1, "round": 0},
    ):
        with write(db):
            store.games.update(db, "ackerwinde", {"listed": 1, "archived_at": None, **changes})
        games = store.games.all_games(db)
        public = {game.id for game in games if game.is_public}
        assert {game.id for game in store.games.public(db, OPENED, 99)} == public


def test_pages_of_a_large_game_tell_of_the_first_and_lead_to_all(
    web: Any, installation: Installation, db: Database
) -> None:
    names_of = [f"Seat{number}" for number in range(30)]
    with pytest.MonkeyPatch.context() as patch:
        for name in names_of:
            patch.setitem(PLAYERS, name, "en")
        seat_game(installation, "saubohne", names_of)
    start(installation, "saubohne")
    game = store.games.existing(db, "saubohne")
    for seat in store.seats.of_game(db, "saubohne")[:-1]:
        save_orders(db, game, seat, "pass")
    close_due(db, Config(), SUNDAY)
    told = report(db, game, 1)
    own = told.ranking[20]
    main = told.main_seats(own)
    assert {*told.ranking[:10], *told.ranking[19:22], "Seat29"} == {*main}
    assert told.main_seats(every=True) == told.ranking
    link = installation.path("seat", "saubohne", own, 1)
    for path, number in (
        ("/p/saubohne/r1", 11),
        (f"{link}/r1", 14),
        ("/p/saubohne", 11),
        ("/p/saubohne/r1?all=1", 30),
        ("/p/saubohne?all=1", 30),
    ):
        page = words(web.get(f"{path}{'&' if '?' in path else '?'}lang=en"))
        assert len({name for name in names_of if re.search(rf"\b{name}\b", page)}) >= number
        assert (f"{30 - number} seats more" in page) == (number < 30), path


def test_a_list_goes_on_beyond_damaged_games_and_tells_nothing_of_private_ones(
    web: Any, installation: Installation, db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gm.web.lobby.PAGE", 2)
    for name in ("erbse", "linse", "saubohne", "wicke"):
        seat_game(installation, name, ())
    with write(db):
        store.games.update(db, "wicke", {"variant": "nothing"})
        store.games.update(db, "saubohne", {"listed": 0})
    page = web.get("/games/open?lang=en").text
    assert re.findall(r'<a href="/p/([a-z]+)\?', page) == ["linse", "erbse"]
    assert "More games" not in page
    begins = web.get("/api/v1/games").json
    for unknown in ("saubohne", "nothing"):  # gone or private in between: from the beginning
        assert web.get(f"/api/v1/games?after={unknown}").json == begins


def test_a_damaged_seat_or_standing_keeps_no_other_game_from_the_table(
    web: Any, installation: Installation, ackerwinde: Game, db: Database
) -> None:
    seat_game(installation, "saubohne")
    start(installation, "saubohne")
    for game in ("ackerwinde", "saubohne"):
        while (found := store.games.existing(db, game)).status != "finished":
            close_game(db, Config(), game, found.deadline or 0)
        settle_one(db, game)
    garble(db, "game", "standing", "'[1]'", "id = 'saubohne'")
    assert "Saubohne" in web.get("/table").text
    garble(db, "seat", "player", "CAST(x'ff22' AS TEXT)", "game = 'ackerwinde' AND number = 1")
    answer = web.get("/table?lang=en")
    assert (answer.status_code, "Saubohne" in answer.text) == (200, True)
    assert "There are no more games." in words(web.get("/table?from=50&lang=en"))


def test_a_connection_that_failed_in_a_page_is_not_kept(
    web: Any, installation: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    with installation.connection() as kept:
        pass
    with monkeypatch.context() as patch:
        patch.setattr("gm.store.games.public", _refuse)
        assert web.get("/").status_code == 503
    with installation.connection() as fresh:
        assert fresh is not kept
    assert web.get("/").status_code == 200


def _refuse(*_: object) -> None:
    raise sqlite3.OperationalError("attempt to write a readonly database")
