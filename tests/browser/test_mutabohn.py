"""Mutabohn in Chromium: a game by touch, by keyboard and without a script, and what the
order page says on the way.
"""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from gm import store
from gm.cli.demo import Demo
from rounds.mutabohn import variant
from rounds.mutabohn.orders import read_orders, write_orders
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

BY_HAND = 6
"""So many turns are played by hand."""


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[Demo, str]]:
    """Anna against three robots."""
    with served_demo(tmp_path / "demo", "en", variant="mutabohn") as found:
        yield found


def undecided(page: Page) -> list[str]:
    """The cards that must be planted and have no field yet."""
    cards = page.locator(".plant").all()
    must = [card for card in cards if "must" in (card.locator("legend").text_content() or "")]
    return [
        str(card.get_attribute("data-label"))
        for card in must
        if not card.locator(".pf2 :checked").count()
    ]


def plan_by_touch(page: Page) -> None:
    """A card that is planned stays as high as it was, but for a line of words."""
    while cards := undecided(page):
        card = page.locator(f"#plant_{cards[0]}")
        before = card.evaluate("(one) => one.offsetHeight")
        card.locator(".pf2:not(.k-no) input").first.tap()
        assert abs(card.evaluate("(one) => one.offsetHeight") - before) < 45


def plan_by_keyboard(page: Page) -> None:
    """Tabulator to each card, arrows within, space to choose."""
    while cards := undecided(page):
        name = f"plant_{cards[0]}"
        press_until(page, "Tab", f"[name={name}]")
        for _ in range(3):
            page.keyboard.press("ArrowDown")
            if page.locator(f"#{name} .pf2:not(.k-no) :checked").count():
                break


def test_a_game_by_touch_by_keyboard_and_without_a_script(
    served: tuple[Demo, str], page_of: Callable[..., Page]
) -> None:
    """What the page writes in short notation is what the server takes."""
    played, link = served
    pages = [page_of(**PHONE), page_of(**DESKTOP), page_of(java_script_enabled=False)]
    complaints: list[str] = []
    for page in pages:
        page.on("pageerror", lambda error: complaints.append(str(error)))
    said = 0
    while (table := table_of(played)).turn <= BY_HAND:
        way = table.turn % 3
        page = pages[way]
        if "Anna" in variant.awaited(table) and (table.phase != "call" or table.turn < 4):
            page.goto(link)
            if way == 2:
                fill_plainly(page, variant, table, "Anna")
            else:
                (plan_by_touch if way == 0 else plan_by_keyboard)(page)
                notation = page.locator("#notation").text_content() or ""
            submit(page, ("touch", "keyboard", "mouse")[way])
            with played.home.connection() as db:
                game = store.games.existing(db, played.game)
                seat = store.seats.numbered(db, played.game, 1)
                (sent,) = [
                    one.orders
                    for number, one in store.lists.newest(db, game.id, game.round).items()
                    if number == seat.number
                ]
            if way != 2:
                read = read_orders(table, "Anna", notation)
                assert write_orders(table, read) == sent == notation
                said += 1
        played.close()
    assert said > 5
    assert complaints == []
    play_to_the_end(played)
    page = page_of(**PHONE)
    page.goto(link.split("/z/")[0] + f"/p/{played.game}?lang=en")
    expect(page.locator("main")).to_contain_text(re.compile(" wins? "))
    expect(page.locator("main")).to_contain_text("House version")


def test_the_page_says_what_each_planting_does(
    served: tuple[Demo, str], page_of: Callable[..., Page]
) -> None:
    """The words on the buttons follow the plan; nothing is chosen beforehand."""
    _, link = served
    page = page_of(**DESKTOP)
    page.goto(link)
    assert not page.locator(".pf2 :checked").count()
    first = page.locator("#plant_h1")
    expect(first.locator(".k").first).to_have_text("empty field")
    first.locator("input[value=A]").check()
    expect(page.locator("#chains .cf").first).to_have_class("cf chg")
    bean = first.get_attribute("data-bean")
    second = page.locator("#plant_h2")
    expected = "same variety" if second.get_attribute("data-bean") == bean else None
    words = second.locator(".pf2[data-f=A] .k")
    if expected:
        expect(words).to_have_text(expected)
    else:
        expect(words).not_to_have_text("empty field")
    page.locator("details:has(#swap_b1) summary").click()
    expect(page.locator("#swap_b1")).to_contain_text("you have none")
    # as with fields that pay something, but are not harvested first
    page.evaluate("""() => { const box = Object.assign(document.createElement('input'), { type: 'checkbox', name: 'swap_b1', value: 'yes', checked: true });
      document.getElementById('orders').append(box); box.dispatchEvent(new Event('input', { bubbles: true })); }""")
    expect(page.locator("#wrong")).to_contain_text("To exchange costs a taler")
    expect(page.locator("#oplist")).not_to_contain_text("−1")
    page.locator("#orders > [name=swap_b1]").evaluate("(box) => { box.remove(); }")
    page.locator(".submitbar .primary").click()
    expect(page.locator("#bar-s")).to_have_class("errtext")
