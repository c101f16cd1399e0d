"""Every page of every installed game, on a phone, in English: no violation axe knows, no fault in
HTML or policy, nothing scrolls sideways. What a page can be besides is in `test_every_state.py`.
"""

from collections.abc import Callable, Iterator
from typing import Any

import html5lib
import pytest
from playwright.sync_api import Page

from gm import clock, store
from gm.cli.demo import Demo
from gm.games import create, lead
from gm.people import accounts
from gm.service import close_game, submit
from gm.store.db import Database
from rounds.engine.variant import find, names
from tests.browser.states import open_game, press

pytestmark = pytest.mark.browser

OF_POSTAL = ("/try",)
"""What only the postal game has: rounds played again with other lists."""
SEATS = ("Bert", "Cem", "Dora")
NO_PAGES = {
    "/healthz": "for machines",
    "/apple-touch-icon.png": "a picture",
    "/favicon.ico": "a picture",
    "/manifest.webmanifest": "for machines",
    "/robots.txt": "for machines",
    "/sitemap.xml": "for machines",
    "/sw.js": "a script",
    "/zine.txt": "a text",
    "/verify.html": "a file to save: `test_verify_page.py` opens it",
    "/static/<path:filename>": "files",
    "/static/openapi.json": "for machines",
    "/p/<place>/state": "for the script of its page",
    "/p/<place>/record.json": "a file",
    "/c/<token>.ics": "a calendar",
    "/api/v1": "for programs",
    "/api/v1/openapi.json": "for programs",
    "/api/v1/games": "for programs",
    "/api/v1/games/<place>": "for programs",
    "/api/v1/games/<place>/rounds/<number>": "for programs",
    "/api/v1/games/<game_id>/seat": "for programs",
    "/api/v1/games/<game_id>/seat/receipts": "for programs",
    "/z/<token>/receipts.txt": "a file",
    "/z/<token>/state": "for the script of its page",
    "/desk/game/<game_id>/state": "for the script of its page",
}
"""Routes that answer with something else than a page."""
OF_A_GAME = {
    "/rules/<variant>",
    "/rules/<variant>/full",
    "/rules/<variant>/report",
    "/rules/<variant>/report/try",
    "/p/<place>",
    "/p/<place>/r<number>",
    "/p/<place>/t/<int:turn>",
    "/p/<place>/r<int:number>/try",
    "/z/<token>",
    "/z/<token>/r<int:number>",
    "/z/<token>/t/<int:turn>",
    "/z/<token>/notes",
    "/z/<token>/mail",
    "/z/<token>/data",
    "/z/<token>/programs",
    "/desk/game/<game_id>",
    "/desk/game/<game_id>/run",
    "/desk/game/<game_id>/change",
}
"""Routes that the test here leads to, for each installed game; to all others `states.py` does."""


def begun(played: Demo, db: Database, variant: str) -> tuple[str, str]:
    """A game in its second round; its id, and the link of Anna."""
    game, now = f"probe-{variant}", clock.now()
    link = open_game(played, db, game, language="en", seats=None, variant=variant)
    most = max(seats for seats in range(1, len(SEATS) + 2) if seats in find(variant).seats)
    for name in SEATS[: most - 1]:
        address = f"{name.lower()}@example.org"
        create.add_seat(
            db, played.home.link_key, game=game, name=name, address=address, language="en"
        )
    create.start_game(db, game, now)
    order(db, game, by_all=True)
    if store.games.existing(db, game).round == 1:
        lead.run_now(db, game, 1, "", clock.now())
        close_game(db, played.home.config, game, clock.now())
    assert store.games.existing(db, game).round > 1
    return game, link


def order(db: Database, game: str, *, by_all: bool) -> None:
    """Lists of all who are awaited, or of all but Anna."""
    found = store.games.existing(db, game)
    for seat in store.seats.of_game(db, game):
        if found.awaits(seat.name) and (by_all or seat.name != "Anna"):
            table = store.rounds.open_table(db, found)
            text = found.engine.robot(found.engine.view(table, seat.name))
            submit(db, found, seat, found.round, text, by="seat")


def pages_of(base: str, variant: str, game: str, link: str) -> Iterator[str]:
    for rest in ("", "/full", "/report"):
        yield f"{base}/rules/{variant}{rest}"
    for rest in ("", "/r1", "/r1/try"):
        yield f"{base}/p/{game}{rest}"
    for rest in ("", "/r1", "/notes", "/mail", "/data", "/programs"):
        yield f"{link}{rest}"
    for rest in ("", "/run", "/change"):
        yield f"{base}/desk/game/{game}{rest}"


@pytest.mark.usefixtures("faults")
@pytest.mark.parametrize("variant", names())
def test_every_page_of_a_game_is_sound(
    page: Page,
    demo: tuple[Demo, str],
    axe: Callable[..., list[Any]],
    served: list[str],
    variant: str,
) -> None:
    played, _ = demo
    base = played.home.config.base_url
    page.set_viewport_size({"width": 390, "height": 800})
    page.emulate_media(reduced_motion="reduce")
    with played.home.connection() as db:
        game, link = begun(played, db, variant)
        made = accounts.add_gm(db, "uli@example.org", "Uli", "en", clock.now())
    page.goto(played.home.url("password", who=made.address, number=made.link_number) + "?lang=en")
    page.fill("#password", "correct horse battery")
    press(page, "form:has(#password) .primary")
    for address in pages_of(base, variant, game, link):
        served.clear()
        answer = page.goto(f"{address}?lang=en")
        assert answer is not None
        if address.endswith(OF_POSTAL) and variant != "postal":
            assert answer.status == 404, address
            continue
        assert answer.status == 200, address
        for html in served:
            html5lib.HTMLParser(strict=True).parse(html)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, address
        assert axe() == [], address
