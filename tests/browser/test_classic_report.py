"""The page of a round of the classic game: sound, narrow enough for a small phone, read aloud in
sentences.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from gm import store
from gm.service import submit
from rounds.classic import variant as classic
from tests.browser.hands import table_of
from tests.served import served_demo

pytestmark = pytest.mark.browser

READ_ALOUD = "all => all.map((one) => [...one.children].filter((part) => !part.ariaHidden).map((part) => part.innerText).join())"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_of_a_round_is_accessible_and_fits_a_small_phone(
    tmp_path: Path, page: Page, axe: Callable[[], list[Any]], faults: list[str], scheme: Any
) -> None:
    page.set_viewport_size({"width": 320, "height": 700})
    page.emulate_media(color_scheme=scheme)
    with served_demo(tmp_path / "demo", "en", variant="classic") as (played, link):
        trades = 0
        for number in range(1, 4):
            with played.home.connection() as db:
                game, anna = (
                    store.games.existing(db, played.game),
                    store.seats.of_game(db, played.game)[0],
                )
                text = classic.robot(classic.view(table_of(played), "Anna"))
                submit(db, game, anna, game.round, text, by="seat")
            played.close()
            page.goto(f"{link}/r{number}?lang=de")
            assert page.evaluate("document.documentElement.scrollWidth") == 320
            assert axe() == []
            said = page.locator(".trades li").evaluate_all(READ_ALOUD)
            assert all(" gibt " in sentence for sentence in said)
            trades += len(said)
        assert trades
    assert faults == []
