"""Whole games of ten rounds in Chromium: by touch, by keyboard alone, without JavaScript. The
record equals what was tapped.
"""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from rounds.postal import variant as postal
from rounds.postal.form import fill_form
from tests.browser import hands
from tests.browser.hands import record

pytestmark = pytest.mark.browser

NEXT = {"de": "Runde", "en": "round"}


@pytest.fixture
def page_of(browser: Browser) -> Iterator[Any]:
    """A page of one's own with these settings."""
    contexts = []

    def make(**settings: Any) -> Page:
        contexts.append(browser.new_context(**settings))
        return contexts[-1].new_page()

    yield make
    for context in contexts:
        context.close()


MOST_TAPS = 11
"""In a round: one for each of eight cards, two harvests, one to submit."""


@pytest.mark.parametrize(
    ("how", "language"),
    [("touch", "de"), pytest.param("keyboard", "en", marks=pytest.mark.everything)],
)
def test_a_game_is_played_with_the_planner(
    page_of: Any, demo_in: Any, how: str, language: str
) -> None:
    played, link = demo_in(language)
    small = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
    page = page_of(**(small if how == "touch" else {"viewport": {"width": 1280, "height": 900}}))
    tapped = []
    for number in range(1, 11):
        page.goto(link)
        assert f"{NEXT[language]} {number}" in page.inner_text("h1")
        if how == "touch":
            assert hands.plan_by_touch(page) + len(["submit"]) <= MOST_TAPS
        else:
            hands.plan_by_keyboard(page)
        tapped.append(hands.canonical(played, hands.shown(page)))
        hands.submit(page, how)
        played.close()
    assert record(played) == tapped
    page.goto(link)
    assert page.locator(".bars li").count() == 5


@pytest.mark.everything
def test_a_game_is_played_without_javascript(page_of: Any, demo_in: Any) -> None:
    played, link = demo_in("en")
    page = page_of(viewport={"width": 390, "height": 800}, java_script_enabled=False)
    ticked = []
    for _ in range(10):
        page.goto(link)
        table = hands.table_of(played)
        orders = postal.read_orders(table, "Anna", postal.robot(postal.view(table, "Anna")))
        controls = fill_form(table, "Anna", orders)
        if not orders:
            page.check("input[name=pass]")
        for name, field in controls.chosen.items():
            page.check(f"input[name={name}][value={field}]")
        for name, clearings in controls.ticked.items():
            if not page.is_visible(f"input[name={name}] >> nth=0"):
                page.click(f"details.pre:has(input[name={name}]) > summary")
            for clearing in clearings:
                page.check(f"input[name={name}][value={clearing}]")
        ticked.append(postal.write_orders(table, orders))
        hands.submit(page, "mouse")
        played.close()
    assert record(played) == ticked
