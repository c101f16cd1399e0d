"""The duel in Chromium: a whole game by phone and without JavaScript, and what the page says on the way."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from gm import clock, store
from gm.demo import Demo
from gm.game.people import seating
from rounds.duel import variant as duel
from rounds.duel.form import read_form
from rounds.duel.notation import MATCH
from rounds.variant import Controls
from tests.browser.hands import table_of
from tests.served import served_demo

pytestmark = pytest.mark.browser

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
MOST_LISTS = 60


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[Demo, str]]:
    """Anna against a robot."""
    with served_demo(tmp_path / "demo", "en", variant="duel") as found:
        yield found


@pytest.fixture
def page_of(browser: Browser) -> Iterator[Callable[..., Page]]:
    """A page of one's own with these settings; no script may fail."""
    contexts, faults = [], list[str]()

    def make(**settings: Any) -> Page:
        contexts.append(browser.new_context(**settings))
        page: Page = contexts[-1].new_page()
        page.on("pageerror", lambda error: faults.append(str(error)))
        return page

    yield make
    for context in contexts:
        context.close()
    assert faults == []


def two_people(played: Demo) -> str:
    """Bert's seat is a person's now, who reads German; the link."""
    with played.home.connection() as db:
        key = played.home.link_key
        seating.replace_player(
            db, key, played.game, "Bert", player="Bert", address="bert@example.org", language="de", keep_orders=False,
            reason="", now=clock.now(),
        )  # fmt: skip
        return played.home.seat_url(played.game, "Bert", store.seat(db, played.game, 2).link_number)


def fill(page: Page, controls: Controls) -> None:
    """Choose what says these orders; cards have labels over their buttons."""
    for name, value in controls.chosen.items():
        control = page.locator(f"[name={name}]").first
        if control.evaluate("e => e.tagName") == "SELECT":
            control.select_option(value)
        else:
            page.locator(f"input[name={name}][value='{value}']").check(force=True)
    for name, values in controls.ticked.items():
        for value in values:
            page.locator(f"input[name={name}][value={value}]").check(force=True)
    if controls.passed:
        page.check("input[name=pass]")


def awaited(played: Demo) -> str | None:
    with played.home.connection() as db:
        game = store.existing(db, played.game)
    return game.awaited_names[0] if game.is_open else None


def as_controls(table: Any, seat: str, text: str) -> Controls:
    """The form of a list, which must be able to say it."""
    assert duel.form is not None
    controls = duel.form.fill(table, seat, duel.read_orders(table, seat, text))
    assert "text" not in controls.chosen
    return controls


def test_two_people_play_a_whole_duel_by_phone_and_without_a_script(
    served: tuple[Demo, str], page_of: Callable[..., Page]
) -> None:
    """Anna reveals first and decides then, Bert says each turn in one list: 27 turns in 14 × 2 + 13 lists."""
    played, link = served
    links = {"Anna": link, "Bert": two_people(played)}
    pages = {"Anna": page_of(**PHONE), "Bert": page_of(java_script_enabled=False)}
    sent: list[str] = []
    while seat := awaited(played):
        assert len(sent) < MOST_LISTS
        page, table = pages[seat], table_of(played)
        text = duel.write_orders(table, duel.stand_in(table, seat))
        if seat == "Anna":
            text = text.partition(" then")[0]
        page.goto(links[seat])
        fill(page, as_controls(table, seat, text))
        if seat == "Anna":
            farm = (duel.preview(table, seat, duel.read_orders(table, seat, text)) or [None])[-1]
            if farm is not None and farm.farm is not None:
                expect(page.locator("#purse")).to_have_text(f"{farm.farm.talers} taler{'' if farm.farm.talers == 1 else 's'}")
            page.locator(".submitbar .primary").tap()
        else:
            page.check("#final")
        with page.expect_navigation():
            page.locator("#yes" if seat == "Anna" else ".submitbar .primary").click()
        sent.append(text)
    assert len(sent) == 14 * 2 + 13
    with played.home.connection() as db:
        assert store.existing(db, played.game).status == "finished"


def test_the_page_says_at_each_card_what_would_happen_and_asks_once(
    served: tuple[Demo, str], page_of: Callable[..., Page]
) -> None:
    played, link = served
    page = page_of(viewport={"width": 1280, "height": 900})
    page.goto(link)
    first = table_of(played).hand("Anna")[0]
    expect(page.locator("[data-name=hand_1] .fA small")).to_have_text("empty")
    expect(page.locator("[data-name=hand_1] .fC")).to_have_class("pk fC no")
    expect(page.locator("#bar-s")).to_contain_text("Say where card 1 of your hand goes")
    page.locator(".submitbar .primary").click()
    expect(page.locator("#sure")).to_be_hidden()
    page.locator("input[name=hand_1][value=B]").focus()
    page.keyboard.press("Space")
    expect(page.locator("#bar-s")).to_have_text("Ready to be sent")
    expect(page.locator("#oplist li").first).to_contain_text("Card 1")
    expect(page.locator("#farm .fl").nth(1).locator(f".bean-{first}")).to_have_count(1)
    expect(page.locator("#planbox")).to_be_hidden()
    page.locator("input[name=plan][value=yes]").check()
    expect(page.locator(".submitbar .primary")).to_have_text("Submit the whole turn")
    page.locator("input[name=plan][value='']").check()
    page.locator(".submitbar .primary").press("Enter")
    expect(page.locator("#yes")).to_be_focused()
    page.locator("#not-yet").press("Enter")
    expect(page.locator("#sure")).to_be_hidden()
    page.locator(".submitbar .primary").press("Enter")
    page.locator("#yes").press("Enter")
    expect(page.locator("#rowh")).to_have_text("The row")
    assert table_of(played).phase == 2
    page.locator(".submitbar .primary").press("Enter")
    page.locator("#yes").press("Enter")
    expect(page.locator("h1")).to_contain_text("Waiting for Bert")


def test_the_stand_ins_list_is_a_start_and_says_the_whole_turn(served: tuple[Demo, str], page_of: Callable[..., Page]) -> None:
    played, link = served
    page = page_of(viewport={"width": 1280, "height": 900})
    page.goto(link)
    page.locator("#nmr > summary").click()
    page.locator("#like-nmr").click()
    table, data = table_of(played), page.evaluate("[...new FormData(document.getElementById('orders'))]")
    frame = {"round", "rev", "press", "note", "typed", "whole"}
    controls = {name: (value,) for name, value in data if value and name not in frame}
    orders = duel.read_orders(table, "Anna", read_form(table, "Anna", controls).text)
    assert MATCH in orders
    assert orders == duel.stand_in(table, "Anna")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_both_parts_of_a_turn_and_the_wait_are_accessible_and_fit_a_small_phone(
    served: tuple[Demo, str], page: Page, axe: Callable[[], list[Any]], faults: list[str], scheme: Any
) -> None:
    _, link = served
    page.set_viewport_size({"width": 320, "height": 700})
    page.emulate_media(color_scheme=scheme)
    page.goto(f"{link}?lang=de")
    for _ in range(3):
        page.evaluate("document.querySelectorAll('details').forEach((d) => { d.open = true; })")
        assert page.evaluate("document.documentElement.scrollWidth") == 320
        assert axe() == []
        if page.locator("#yes").count():
            if page.locator("input[name=hand_1]").count():
                page.locator("input[name=hand_1]").first.check(force=True)
            page.locator(".submitbar .primary").click()
            with page.expect_navigation():
                page.locator("#yes").click()
