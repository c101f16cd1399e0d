"""What an open page asks for: whether its game has moved on, in words."""

from typing import Any
from urllib.parse import urlencode

import pytest

from gm import clock, store
from gm.clock import HOUR
from gm.config import Config
from gm.games import lead
from gm.installation import Installation
from gm.people import seating
from gm.service import close_due
from gm.store.db import Database
from gm.store.games import Game
from gm.web.limits import Limit
from rounds.engine.variant import find, names
from tests.dates import SUNDAY
from tests.steps import order, seat_game, start

KNOWN = {"round": "1", "status": "running", "deadline": str(SUNDAY), "rev": "0", "turn": "yes"}


def ask(web: Any, path: str, etag: str = "", **known: str) -> Any:
    query = urlencode({"lang": "en", **KNOWN, **known})
    return web.get(f"{path}/state?{query}", headers={"If-None-Match": etag} if etag else {})


def test_a_page_that_is_up_to_date_has_no_news_and_is_answered_304_until_something_changes(
    web: Any, db: Database, link: dict[str, str]
) -> None:
    answer = ask(web, link["Anna"])
    assert answer.json == {
        "round": 1,
        "status": "running",
        "deadline": SUNDAY,
        "due": "Sun 22 November 2026, 20:00 CET",
        "changed": 0,
        "ordered": 0,
        "of": 3,
        "own": 0,
        "count": "0 of 3 orders in",
        "clock": "",
        "news": "",
    }
    assert answer.headers["Cache-Control"] == "no-store"
    assert "Date" in answer.headers
    again = ask(web, link["Anna"], answer.headers["ETag"])
    assert (again.status_code, again.data) == (304, b"")
    order(db, "Bert")
    changed = ask(web, link["Anna"], answer.headers["ETag"])
    assert (changed.status_code, changed.json["count"]) == (200, "1 of 3 orders in")
    assert changed.json["news"] == ""


def test_news_are_that_the_round_is_closed_the_deadline_moved_or_orders_came_from_elsewhere(
    web: Any, db: Database, link: dict[str, str]
) -> None:
    order(db, "Anna")
    assert "Version 1 was submitted elsewhere." in ask(web, link["Anna"]).json["news"]
    assert ask(web, link["Anna"], rev="1").json["news"] == ""
    lead.extend(db, "ackerwinde", SUNDAY + HOUR, "", clock.now())
    news = ask(web, link["Anna"], rev="1").json["news"]
    assert "New deadline: Sun 22 November 2026, 21:00 CET" in news
    close_due(db, Config(), SUNDAY + HOUR)
    news = ask(web, link["Anna"], rev="1").json["news"]
    assert "The round has been closed." in news
    assert f'href="{link["Anna"]}/r1?lang=en"' in news
    assert "To your orders" in news
    assert "it stays on this page" in news
    assert "Show the open round" in ask(web, "/p/ackerwinde", turn="").json["news"]


def test_news_are_that_the_game_is_paused_goes_on_or_is_over(
    web: Any, db: Database, link: dict[str, str]
) -> None:
    lead.pause(db, "ackerwinde", "", clock.now())
    paused = ask(web, link["Anna"]).json
    assert "The game is paused." in paused["news"]
    assert paused["clock"] == "paused"
    assert ask(web, link["Anna"], round="0").json["clock"] == "closed"
    assert ask(web, link["Anna"], status="paused").json["news"] == ""
    lead.resume(db, "ackerwinde", "", clock.now())
    assert "The game goes on." in ask(web, link["Anna"], status="paused").json["news"]
    lead.abort(db, "ackerwinde", "", clock.now())
    assert "The game is over." in ask(web, link["Anna"]).json["news"]
    assert f'href="{link["Anna"]}?lang=en"' in ask(web, link["Anna"]).json["news"]


def test_who_waits_is_told_that_it_is_their_turn(
    web: Any, installation: Installation, db: Database
) -> None:
    seat_game(installation, "rainy", ("Anna", "Bert"), "duel")
    start(installation, "rainy")
    second = "Bert" if game_of(db, "rainy").takes("Anna") else "Anna"
    known = {"turn": "", "deadline": str(game_of(db, "rainy").deadline or "")}
    path = installation.path("seat", "rainy", second, 1)
    assert ask(web, path, **known).json["news"] == ""
    while not game_of(db, "rainy").takes(second):
        close_due(db, Config(), game_of(db, "rainy").deadline or 0)
    news = ask(web, path, **known).json["news"]
    assert "It is your turn." in news
    assert "The round has been closed." in news


@pytest.mark.parametrize("variant", names())
def test_every_game_tells_that_its_round_is_closed(
    web: Any, installation: Installation, db: Database, variant: str
) -> None:
    players = ("Anna", "Bert", "Cem")[: min(3, find(variant).seats[-1])]
    seat_game(installation, "rainy", players, variant)
    start(installation, "rainy")
    deadline = game_of(db, "rainy").deadline
    assert deadline is not None
    known = {"turn": "", "deadline": str(deadline)}
    close_due(db, Config(), deadline)
    assert "The round has been closed." in ask(web, "/p/rainy", **known).json["news"]


def game_of(db: Database, name: str) -> Game:
    return store.games.existing(db, name)


@pytest.mark.parametrize("turn", ["yes", "said", ""])
def test_a_round_that_was_taken_back_is_said_to_be_open_again(
    web: Any, db: Database, ackerwinde: Game, link: dict[str, str], turn: str
) -> None:
    for known in ("2", "9"):
        news = ask(web, link["Anna"], round=known, turn=turn).json["news"]
        assert "The round was taken back and is open again." in news
        assert "See what happened" not in news


def test_a_link_that_was_renewed_is_gone_and_a_game_that_is_not_there_not_found(
    web: Any, installation: Installation, db: Database, link: dict[str, str]
) -> None:
    seating.renew_link(db, installation.link_key, "ackerwinde", "Anna", clock.now())
    assert ask(web, link["Anna"]).status_code == 404
    assert ask(web, "/p/nothing").status_code == 404


def test_nobody_but_the_desk_is_told_who_has_ordered(
    web: Any, db: Database, link: dict[str, str], ackerwinde: Game
) -> None:
    order(db, "Bert")
    for path in (link["Anna"], "/p/ackerwinde"):
        assert "Bert" not in ask(web, path).get_data(as_text=True)
        assert "Anna" not in ask(web, path).get_data(as_text=True)


def test_thirty_pages_behind_one_router_use_up_no_limit(web: Any, ackerwinde: Game) -> None:
    limits = web.application.extensions["limits"]
    limits["page"] = Limit(1, 600, lambda: 0.0)
    answers = [
        web.get(
            "/p/ackerwinde/state?lang=en", environ_overrides={"REMOTE_ADDR": "203.0.113.7"}
        ).status_code
        for _ in range(3)
    ]
    assert answers == [200, 200, 200]
