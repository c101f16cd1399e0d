"""La Isla Bohnita in Chromium: a game by touch, by keyboard and without a script."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from gm import store
from gm.cli.demo import Demo
from rounds.isla import variant
from tests.browser.hands import (
    DESKTOP,
    PHONE,
    fill_plainly,
    play_to_the_end,
    press_until,
    submit,
    table_of,
)
from tests.served import served_demo

pytestmark = pytest.mark.browser

BY_HAND = 5
"""So many turns are played by hand."""


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[Demo, str]]:
    """Anna against three robots."""
    with served_demo(tmp_path / "demo", "en", variant="isla") as found:
        yield found


def undecided(page: Page) -> list[str]:
    """The cards that must be planted and have no field yet."""
    rows = page.locator(".pickrow:not(:has(:checked))")
    found: list[str] = rows.evaluate_all("all => all.map((one) => one.dataset.name)")
    return found


def plan_by_touch(page: Page) -> None:
    """Plant as the stand-in would, and send the ship where it may go."""
    page.locator("#nmr > summary").tap()
    page.locator("#like-nmr").tap()
    if page.locator("#island").count():
        page.locator("#island > summary").tap()
        page.locator("#sail_S .cp:not(.no)").last.tap()


def plan_by_keyboard(page: Page) -> None:
    """Plant with keys alone, then hold."""
    for name in undecided(page):
        choice = page.locator(f".pickrow[data-name={name}]")
        press_until(page, "Tab", f"[name={name}]")
        page.keyboard.press("Space")
        for _ in range(3):
            if choice.locator(".pk:not(.no) :checked").count():
                break
            page.keyboard.press("ArrowRight")
    if page.locator("#island").count():
        press_until(page, "Tab", "#island > summary")
        page.keyboard.press("Enter")
        press_until(page, "Tab", "[name=hold]")
        page.keyboard.press("Space")


def test_a_game_by_touch_by_keyboard_and_without_a_script(
    served: tuple[Demo, str], page_of: Callable[..., Page]
) -> None:
    """What the page writes in short notation is what the server takes."""
    played, link = served
    pages = [page_of(**PHONE), page_of(**DESKTOP), page_of(java_script_enabled=False)]
    sent = list[str]()
    while (table := table_of(played)).turn <= BY_HAND:
        way = (table.turn - 1) % 3
        page = pages[way]
        if table.phase != "call" or table.turn == 1:
            page.goto(link)
            notation = ""
            if way == 2:
                fill_plainly(page, variant, table, "Anna")
            else:
                (plan_by_touch if way == 0 else plan_by_keyboard)(page)
                notation = page.locator("#notation").text_content() or ""
            submit(page, ("touch", "keyboard", "mouse")[way])
            with played.home.connection() as db:
                number = store.games.existing(db, played.game).round
                (own, *_) = store.lists.revisions(db, played.game, number, 1)
            read = variant.read_orders(table, "Anna", notation or own.orders)
            assert variant.write_orders(table, read) == own.orders
            sent.append(own.orders)
        played.close()
    assert any("hold" in one for one in sent)
    assert any(re.search(r"S>(bay|aco):", one) for one in sent)
    play_to_the_end(played)
    page = pages[0]
    page.goto(link.split("/z/")[0] + f"/p/{played.game}?lang=en")
    expect(page.locator("main")).to_contain_text(re.compile(" wins? "))
    expect(page.locator("main")).to_contain_text("House version")


def test_the_page_is_short_and_says_what_a_list_does(
    served: tuple[Demo, str], page_of: Callable[..., Page], axe: Callable[..., list[Any]]
) -> None:
    """Fields, ships and planting stand above the island, which is a line until a ship is sent."""
    played, link = served
    played.close()  # the stand-in has planted
    played.close()
    page = page_of(**PHONE)
    page.goto(link)
    top = page.locator("#planth").bounding_box()
    assert top is not None
    assert top["y"] < 1000
    island = page.locator("#island").bounding_box()
    assert island is not None
    assert island["height"] < 120
    expect(page.locator("#raid")).to_be_hidden()  # nobody has a pirate ship yet
    page.locator("#island > summary").tap()
    goal = page.locator("#sail_S .cp:not([data-v=''])").first
    goal.tap()
    words = (goal.text_content() or "").strip()
    expect(page.locator("#oplist")).to_contain_text(f"S sails → {words}")
    expect(page.locator("#else_S")).to_be_visible()
    page.locator("#before > summary").tap()
    page.locator("#field_A .cp:has([value=S])").tap()
    expect(page.locator("#wrong")).to_contain_text("S carries ")  # other beans than it is to fetch
    page.locator("#sail_S .cp[data-v='']").tap()
    expect(page.locator("#wrong")).to_be_hidden()
    expect(page.locator("#oplist")).to_contain_text("Load A on S: 2 ")
    assert "A>S" in (page.locator("#notation").text_content() or "")
    page.locator("[name=hold]").check()
    expect(page.locator("#oplist")).to_contain_text("A ship that earns something is not sold")
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    assert axe(of=page) == []
    page.set_viewport_size({"width": 320, "height": 700})
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
