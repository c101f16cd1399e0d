"""The demo of every installed game in Chromium: its first turns by touch, the others as lists, and
its last page.
"""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, Response, expect

from gm import store
from gm.cli.demo import Demo
from gm.paths import SEEDS
from tests.browser.hands import PHONE, follow, order_like_the_stand_in, play_to_the_end
from tests.served import served_demo

pytestmark = pytest.mark.browser

WITH_A_DEMO = sorted(file.parent.name for file in SEEDS.glob("*/demo.toml"))
BY_TOUCH = 3


def is_awaited(played: Demo) -> bool:
    """Whether the round waits for you."""
    with played.home.connection() as db:
        (you,) = [seat.name for seat in store.seats.of_game(db, played.game) if not seat.robot]
        return store.games.existing(db, played.game).awaits(you)


@pytest.mark.parametrize("variant", WITH_A_DEMO)
def test_the_demo_is_played_to_its_last_page(
    variant: str, tmp_path: Path, page_of: Callable[..., Page]
) -> None:
    answers: list[tuple[int, str]] = []

    def note(response: Response) -> None:
        answers.append((response.status, response.url))

    with served_demo(tmp_path / "demo", "en", variant=variant) as (played, link):
        page = page_of(**PHONE)
        page.on("response", note)
        bar, button = page.locator(".demo"), page.get_by_role("button", name="Close the round")
        for _ in range(BY_TOUCH):
            page.goto(link)
            if is_awaited(played):  # in some rounds you may order and need not
                expect(bar).to_contain_text("Your turn.")
            expect(bar).not_to_contain_text("thinking")
            expect(bar.locator("[aria-current=step]")).to_have_count(1)
            order_like_the_stand_in(page)
            if button.count():
                expect(bar.locator("[aria-current=step]")).to_have_text("Close the round")
                follow(button)
        play_to_the_end(played)
        page.goto(link)
        expect(bar).to_contain_text("The game is over.")
        with played.home.connection() as db:
            assert store.games.existing(db, played.game).status == "finished"
            rounds = store.rounds.closed(db, played.game)[1:]
        assert [
            (closed.number, name)
            for closed in rounds
            for name, text in closed.lists.items()
            if text is None
        ] == []
        assert [answer for answer in answers if answer[0] >= 500] == []
