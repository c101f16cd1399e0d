"""The classic game in Chromium: four people play it, and what the order page says on the way."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from gm import clock, store
from gm.cli.demo import Demo
from gm.deadline.rollback import rollback
from gm.people import seating
from rounds.classic import variant as classic
from rounds.classic.form import read_form
from tests.browser.hands import (
    DESKTOP,
    PHONE,
    fill_plainly,
    play_to_the_end,
    press_until,
    stand_ins_choices,
    submit,
    table_of,
)
from tests.served import served_demo

pytestmark = pytest.mark.browser

BY_HAND = 8
"""So many rounds, the third call and its second one among them, are played by hand."""
TAP = 0.3
"""So many seconds a person needs for a tap."""


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[Demo, str]]:
    """Anna against three robots."""
    with served_demo(tmp_path / "demo", "en", variant="classic") as found:
        yield found


def person(played: Demo, name: str, address: str, language: str) -> str:
    """The seat is given to somebody with this address; the new link."""
    with played.home.connection() as db:
        key, now = played.home.link_key, clock.now()
        seating.replace_player(
            db,
            key,
            played.game,
            name,
            player=name,
            address=address,
            language=language,
            keep_orders=False,
            reason="",
            now=now,
        )
        number = table_of(played).seats.index(name) + 1
        return played.home.url(
            "seat", played.game, name, store.seats.numbered(db, played.game, number).link_number
        )


def undecided(page: Page) -> list[str]:
    """The choices of a field that nothing is chosen of."""
    found: list[str] = page.locator(".pickrow:not(:has(:checked))").evaluate_all(
        "all => all.map((one) => one.dataset.name)"
    )
    return found


def plan_by_touch(page: Page) -> int:
    """Plant what is due where it may be planted, and offer two cards; the number of taps."""
    taps = 0

    def tap(target: Locator) -> None:
        nonlocal taps
        target.tap()
        taps += 1

    for name in undecided(page):
        tap(page.locator(f".pickrow[data-name={name}] .pk:not(.no) input").first)
    for box in page.locator(".deal[data-label]:visible").all()[:2]:
        for chip in box.locator(".cp2[data-v]:visible").all()[:2]:
            tap(chip)
    return taps


def plan_by_keyboard(page: Page) -> None:
    """The same with keys alone: tabulator to each choice and card, arrows and space within."""
    for name in undecided(page):
        choice = page.locator(f".pickrow[data-name={name}]")
        press_until(page, "Tab", f"[name={name}]")
        page.keyboard.press("Space")
        for _ in range(3):
            if choice.locator(".pk:not(.no) :checked").count():
                break
            page.keyboard.press("ArrowRight")
    chips = page.locator("[role=toolbar]:visible .cp2[data-v]:visible")
    if chips.count():
        press_until(page, "Tab", "[role=toolbar] .cp2")
        page.keyboard.press("Space")
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Space")


def lists(played: Demo, number: int) -> dict[str, str | None]:
    """The lists of a closed round."""
    with played.home.connection() as db:
        closed = store.rounds.get(db, played.game, number)
    assert closed is not None
    return dict(closed.lists)


def test_four_people_play_a_game(served: tuple[Demo, str], page_of: Callable[..., Page]) -> None:
    """Anna by phone, Bert by keyboard alone in German, Cem without a script; Dörte is absent,
    then somebody has her seat.

    The second round is taken back and played again. Lists in second calls are Anna's alone:
    silence there is no fault.
    """
    played, link = served
    links = {
        "Anna": link,
        "Bert": person(played, "Bert", "bert@example.org", "de"),
        "Cem": person(played, "Cem", "cem@example.org", "en"),
        "Dörte": person(played, "Dörte", "doerte@example.org", "de"),
    }
    pages = {
        "Anna": page_of(**PHONE),
        "Bert": page_of(**DESKTOP),
        "Cem": page_of(java_script_enabled=False),
        "Dörte": page_of(**DESKTOP),
    }
    taken_back = False

    def order(name: str) -> None:
        page, table = pages[name], table_of(played)
        page.goto(links[name])
        if name == "Anna":
            plan_by_touch(page)
        elif name == "Bert":
            plan_by_keyboard(page)
        elif name == "Cem":
            fill_plainly(page, classic, table, name)
        else:
            page.locator("#nmr > summary").click()
            page.locator("#like-nmr").click()
        submit(page, {"Anna": "touch", "Bert": "keyboard"}.get(name, "mouse"))

    for _ in range(BY_HAND):
        table = table_of(played)
        for name in (
            classic.awaited(table) if table.phase != "call" else ("Anna",) if table.turn < 3 else ()
        ):
            if name != "Dörte" or table.round > 3:
                order(name)
        played.close()
        if table.round == 2 and not taken_back:
            with played.home.connection() as db:
                rollback(db, played.game, 2, "A letter came late.", clock.now())
            taken_back = True
            assert table_of(played) == table
        elif table.round == 3:
            assert lists(played, 3)["Dörte"] is None
            old = links["Dörte"]
            links["Dörte"] = person(played, "Dörte", "new@example.org", "de")
            answer = pages["Dörte"].goto(old)
            assert answer is not None
            assert answer.status == 404
    by_hand = table_of(played).round
    play_to_the_end(played)
    told = table_of(played)
    assert told.over
    sent = [lists(played, number) for number in range(1, by_hand)]
    assert all(one["Anna"] for one in sent if one["Bert"])
    assert any("|" in (one["Bert"] or "") for one in sent)
    assert any("=" in (one["Cem"] or "") for one in sent)


def test_fifteen_deals_take_less_than_a_minute_of_taps(
    served: tuple[Demo, str], page_of: Callable[..., Page]
) -> None:
    played, link = served
    page = page_of(**PHONE)
    for _ in range(2):  # a hand of seven, and cards that lie
        page.goto(link)
        plan_by_touch(page)
        submit(page, "touch")
        played.close()
    page.goto(link)
    taps = plan_by_touch(page)
    for box in page.locator(".deal[data-label]:visible:not(.has):not(.self)").all():
        for chip in box.locator(".cp2[data-v]:visible").all()[:2]:
            chip.tap()
            taps += 1
    page.locator("#moredeals summary").tap()
    page.locator("#takes .morebtn").tap()
    taps += 3  # these two, and the button at the end
    while int(page.locator("#count").inner_text().strip("()").split()[0] or 0) < 15:
        page.locator("#takes .cp:not(:has(:checked)):visible").first.tap()
        taps += 1
    assert "15 deals" in page.locator("#bar-t").inner_text()
    notation = page.locator("#notation").inner_text()
    before = table_of(played)
    submit(page, "touch")
    with played.home.connection() as db:
        (kept, *_) = store.lists.revisions(db, played.game, before.round, 1)
    assert kept.orders == classic.write_orders(
        before, classic.read_orders(before, "Anna", notation)
    )
    assert len(kept.orders.split()) >= 15
    assert taps * TAP <= 60
    page.goto(link)
    page.locator("#none").tap()
    expect(page.locator("#count")).to_have_text("")
    expect(page.locator("#last")).to_be_visible()


def test_the_page_says_what_a_list_does_and_the_deals_of_last_time_come_back(
    served: tuple[Demo, str], page_of: Callable[..., Page]
) -> None:
    played, link = served
    page = page_of(**DESKTOP)
    page.goto(link)
    expect(page.locator("#notation")).to_have_text("h1>A")  # nothing grows: it is planned
    expect(page.locator("#bar-s")).to_have_text("Ready to be sent")
    page.locator("[name=plant_h1][value=B]").check(force=True)
    first, second = table_of(played).hand("Anna")[:2]
    expect(page.locator("#farm .fl").nth(1).locator(f".bean-{first}")).to_have_count(1)
    page.locator("[name=plant_h2][value=A]").check(force=True)
    expect(page.locator("#want_h2")).to_be_hidden()
    page.locator("[name=plant_h2][value='']").check(force=True)
    chips = page.locator("#want_h2 .cp2[data-v]:visible")
    chips.last.click()  # for nothing
    if first != second:
        chips.first.click()
        expect(chips.first.locator(".rank")).to_have_text("1")
        expect(page.locator("#notation")).to_have_text(f"h1>B h2={first}|h2=0")
    chips.last.click()
    chips.last.click()
    expect(page.locator("#want_h2 [name$=_0]")).to_have_value("2" if first != second else "1")
    submit(page, "mouse")
    played.close()
    page.goto(link)
    table = table_of(played)
    expect(page.locator(".submitbar .primary")).to_have_text("Pass: no deal")
    page.locator("#last").click()
    assert classic.form is not None
    # one for each card of that variety
    again = list(classic.form.data(table, "Anna")["cards"].values()).count(second)
    expect(page.locator("#count")).to_have_text(
        {0: "", 1: "(1 deal)"}.get(again, f"({again} deals)")
    )
    if again:
        page.locator("#none").click()
    page.locator("#moredeals summary").click()
    page.locator("[name=keep]").check()
    # a pass would stand alone
    expect(page.locator(".submitbar .primary")).to_have_text("Submit orders")
    submit(page, "mouse")
    page.goto(link)
    page.locator("[name=keep]").uncheck()
    submit(page, "mouse")
    with played.home.connection() as db:
        (kept, *_) = store.lists.revisions(db, played.game, table.round, 1)
    assert kept.orders == "pass"


def test_the_button_stays_in_sight_however_long_the_list_grows(
    served: tuple[Demo, str], page_of: Callable[..., Page]
) -> None:
    played, link = served
    page = page_of(viewport={"width": 1280, "height": 800})
    for _ in range(3):
        page.goto(link)
        expect(page.locator(".submitbar .primary")).to_be_in_viewport(ratio=1)
        page.locator("#last:visible, .deal[data-label] .cp2[data-v]:visible").first.click()
        expect(page.locator(".submitbar .primary")).to_be_in_viewport(ratio=1)
        played.close()


def test_the_stand_ins_list_is_a_start(
    served: tuple[Demo, str], page_of: Callable[..., Page]
) -> None:
    played, link = served
    page = page_of(**DESKTOP)
    page.goto(link)
    table, controls = table_of(played), stand_ins_choices(page)
    orders = classic.read_orders(table, "Anna", read_form(table, "Anna", controls).text)
    assert orders == classic.stand_in(table, "Anna")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_both_kinds_of_rounds_are_accessible_and_fit_a_small_phone(
    served: tuple[Demo, str],
    page: Page,
    axe: Callable[[], list[Any]],
    faults: list[str],
    scheme: Any,
) -> None:
    played, link = served
    page.set_viewport_size({"width": 320, "height": 700})
    page.emulate_media(color_scheme=scheme)
    for _ in range(2):
        page.goto(f"{link}?lang=de")
        page.evaluate("document.querySelectorAll('details').forEach((d) => { d.open = true; })")
        for more in page.locator(".morebtn:visible").all():
            more.click()
        assert page.evaluate("document.documentElement.scrollWidth") == 320
        assert axe() == []
        played.close()
