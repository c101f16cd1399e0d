"""Practice in Chromium: from the first page to the orders of a game by one tap, and to its end."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, Response, expect

from gm import clock, demo, store
from gm.cli.demo import Demo
from gm.installation import open_practice
from gm.seeds import has_demo
from gm.service import submit
from rounds.engine.variant import names
from tests.browser.hands import PHONE, follow, order_like_the_stand_in
from tests.served import served_demo

pytestmark = pytest.mark.browser

VARIANTS = [name for name in names() if has_demo(name)]
MOST_ROUNDS, MOST_FORMS = 200, 14


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_visitor_plays_by_one_tap_until_people_are_named_and_then_to_the_end(
    variant: str, tmp_path: Path, page_of: Callable[..., Page]
) -> None:
    wrong: list[str] = []

    def note(answer: Response) -> None:
        if answer.status >= 400:
            wrong.append(answer.url)

    with served_demo(tmp_path / "demo", "en") as (played, _):
        page = page_of(**PHONE)
        page.on("response", note)
        page.goto(f"{played.home.config.base_url}/?lang=en")
        follow(page.locator(f".gcard form[action^='/practice/{variant}'] button"))
        expect(page.locator("#orders")).to_be_visible()
        link = page.url
        bar, people = page.locator(".demo"), page.get_by_text("Now with people")
        for _ in range(MOST_FORMS):
            if people.count():
                break
            expect(bar).not_to_contain_text("thinking")
            if page.locator("#orders").count():
                order_like_the_stand_in(page)
            button = page.get_by_role("button", name="Close the round")
            if button.count():
                expect(bar.locator("[aria-current=step]")).to_have_text("Close the round")
                follow(button)
                expect(page.locator(".yourline")).to_be_visible()
            assert page.locator("input[type=email]").count() == 0
            page.goto(link)
        expect(people).to_be_visible()
        play_on(played)
        page.goto(link)
        expect(bar).to_contain_text("The game is over.")
        expect(page.get_by_role("heading", name="And now with people")).to_be_visible()
        follow(page.get_by_role("button", name="Practice once more"))
        expect(page.locator("#orders")).to_be_visible()
        assert page.url != link
    assert wrong == []


def play_on(played: Demo) -> None:
    """The practice game to its end, without the browser."""
    home = open_practice(played.home)
    assert home is not None
    with home.connection() as db:
        (game,) = store.games.all_games(db)
        you = store.seats.numbered(db, game.id, 1)
        for _ in range(MOST_ROUNDS):
            game = store.games.existing(db, game.id)
            if game.status == "finished":
                return
            if game.takes(you.name):
                view = game.engine.view(store.rounds.open_table(db, game), you.name)
                submit(db, game, you, game.round, game.engine.robot(view), by="seat")
            if not game.closes_at_once:
                demo.make_due(db, game.id, game.round, clock.now())
            demo.go_on(db, home.config, game.id)
