"""What may be kept for when there is no network: the server marks it, and marks nothing that is
somebody else's business.
"""

from typing import Any

import pytest

from gm import store
from gm.installation import Installation
from gm.store.db import Database, write
from gm.store.games import Game
from gm.web import offline
from tests.steps import form, send

SEEN = [
    "/",
    "/?lang=de",
    "/table",
    "/rules/postal",
    "/accessibility",
    "/p/ackerwinde",
    "/offline?lang=de",
]
NEVER = [
    *(
        "/desk",
        "/desk/sign-in",
        "/nothing",
        "/z/dead",
        "/verify?game=ackerwinde",
        "/verify.html",
        "/healthz",
        "/robots.txt",
    ),
    *("/p/ackerwinde/record.json", "/static/app.css", "/zine?since=2026-01-01"),
]


@pytest.mark.parametrize("path", SEEN)
def test_what_everybody_may_see_may_be_kept(web: Any, ackerwinde: Game, path: str) -> None:
    assert web.get(path).headers["Offline"] == "all"


def test_of_a_players_pages_the_orders_and_their_receipt_may(
    web: Any, link: dict[str, str]
) -> None:
    assert web.get(link["Anna"]).headers["Offline"] == "own"
    send(web, link["Anna"], form(to_1_1="A"))
    assert web.get(f"{link['Anna']}/receipt?lang=en").headers["Offline"] == "own"


@pytest.mark.parametrize("page", ["/mail", "/data", "/programs", "?fill=nmr", "?lang=de&fill=1"])
def test_no_other_page_of_a_player_may(web: Any, link: dict[str, str], page: str) -> None:
    answer = web.get(link["Anna"] + page)
    assert answer.status_code == 200
    assert "Offline" not in answer.headers


@pytest.mark.parametrize("path", NEVER)
def test_neither_may_the_desk_errors_files_and_what_was_asked_for(
    web: Any, ackerwinde: Game, path: str
) -> None:
    with web.get(path) as answer:
        assert "Offline" not in answer.headers


def test_no_answer_to_a_form_may(web: Any, link: dict[str, str]) -> None:
    for answer in (
        send(web, link["Anna"], form()),
        send(web, link["Anna"], form(to_1_1="A", action="check")),
    ):
        assert "Offline" not in answer.headers


def test_a_private_game_may_not(
    web: Any, installation: Installation, ackerwinde: Game, db: Database
) -> None:
    with write(db):
        db.execute("UPDATE game SET listed = 0")
    for url in (
        installation.game_url(store.games.existing(db, "ackerwinde")),
        installation.url("invitation", "ackerwinde"),
    ):
        answer = web.get(url.removeprefix("http://localhost:8080"))
        assert (answer.status_code, answer.headers.get("Offline")) == (200, None), url


def test_the_worker_is_asked_for_at_every_visit_and_says_both_languages(web: Any) -> None:
    answer = web.get("/sw.js")
    assert (answer.mimetype, answer.headers["Cache-Control"]) == ("text/javascript", "no-cache")
    assert "Diese Seite ist, wie sie war: %s" in answer.text
    assert "This page is as it was on %s" in answer.text
    assert web.get("/sw.js", headers={"If-None-Match": answer.headers["ETag"]}).status_code == 304


def test_another_version_of_any_page_style_or_script_is_another_worker(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = offline._version()
    monkeypatch.setattr(offline, "TEMPLATES", tmp_path)
    one = offline._version()
    (tmp_path / "order.html").write_text("new")
    assert len({before, one, offline._version()}) == 3
