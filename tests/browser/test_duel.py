"""The duel in Chromium: whole games by keyboard, by phone and without JavaScript, and what the
page says on the way.
"""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from gm import clock, store
from gm.cli.demo import Demo
from gm.clock import DAY
from gm.games import lead
from gm.people import seating
from gm.rendering.own_words import bean_names
from gm.service import submit, tick
from rounds.duel import variant as duel
from rounds.duel.form import read_form
from rounds.duel.notation import MATCH
from rounds.engine.variant import Controls
from tests.browser.hands import (
    DESKTOP,
    PHONE,
    empty_form,
    fill,
    play_to_the_end,
    press_until,
    stand_ins_choices,
    table_of,
)
from tests.served import served_demo

pytestmark = pytest.mark.browser

TURNS, BY_HAND = 27, 8


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[Demo, str]]:
    """Anna against a robot."""
    with served_demo(tmp_path / "demo", "en", variant="duel") as found:
        yield found


def two_people(played: Demo) -> str:
    """Bert's seat is a person's now, who reads German; the link."""
    with played.home.connection() as db:
        key = played.home.link_key
        seating.replace_player(
            db,
            key,
            played.game,
            "Bert",
            player="Bert",
            address="bert@example.org",
            language="de",
            keep_orders=False,
            reason="",
            now=clock.now(),
        )
        return played.home.url(
            "seat", played.game, "Bert", store.seats.numbered(db, played.game, 2).link_number
        )


def awaited(played: Demo) -> str | None:
    with played.home.connection() as db:
        game = store.games.existing(db, played.game)
    return game.awaited_names[0] if game.is_open else None


def as_controls(table: Any, seat: str, text: str) -> Controls:
    """The form of a list, which must be able to say it."""
    assert duel.form is not None
    controls = duel.form.fill(table, seat, duel.read_orders(table, seat, text))
    assert "text" not in controls.chosen
    return controls


def choose_by_keyboard(page: Page, controls: Controls) -> None:
    """Say these orders by keys alone, in the order of the page: the tabulator to a choice,
    arrows and space within.
    """
    empty_form(page)
    names: list[str] = page.evaluate(
        "[...document.querySelectorAll('#orders [name]')].map((control) => control.name)"
    )
    for name in dict.fromkeys(names):
        for value in controls.ticked.get(
            name, (controls.chosen[name],) if controls.chosen.get(name) else ()
        ):
            press_until(
                page,
                "Tab",
                f"#orders [name={name}]" + (f"[value={value}]" if name in controls.ticked else ""),
            )
            if page.evaluate("document.activeElement.matches('select')"):
                page.keyboard.type(value)
            elif not page.evaluate("document.activeElement.checked"):
                page.keyboard.press("Space")
            chosen = page.locator(f"#orders input[name={name}][value='{value}']:checked")
            for _ in range(3):
                if name in controls.ticked or chosen.count():
                    break
                page.keyboard.press("ArrowRight")


def purse(table: Any, seat: str, text: str) -> str:
    """What the page says of the purse after these orders, as far as they are known."""
    steps = duel.preview(table, seat, duel.read_orders(table, seat, text))
    *_, last = [table.farms[seat], *(step.farm for step in steps if step.farm is not None)]
    talers = last.talers
    return f"{talers} taler{'' if talers == 1 else 's'}"


def lists_of(played: Demo) -> list[dict[str, str | None]]:
    """The lists of all closed rounds, as they are stored."""
    with played.home.connection() as db:
        assert store.games.existing(db, played.game).status == "finished"
        return [dict(closed.lists) for closed in store.rounds.closed(db, played.game)[1:]]


def test_two_people_play_a_duel_of_plans_by_keyboard_alone_and_on_a_phone_without_a_script(
    served: tuple[Demo, str], page_of: Callable[..., Page]
) -> None:
    """Each says every turn in one list: 27 turns are 27 lists, of which some are sent here."""
    played, link = served
    links = {"Anna": link, "Bert": two_people(played)}
    pages = {"Anna": page_of(**DESKTOP), "Bert": page_of(**PHONE, java_script_enabled=False)}
    sent: list[dict[str, str | None]] = []
    while (seat := awaited(played)) and len(sent) < BY_HAND:
        page, table = pages[seat], table_of(played)
        text = duel.write_orders(table, duel.stand_in(table, seat))
        page.goto(links[seat])
        if seat == "Anna":
            choose_by_keyboard(page, as_controls(table, seat, text))
            press_until(page, "Tab", ".submitbar .primary")
            page.keyboard.press("Enter")
            expect(page.locator("#yes")).to_be_focused()
        else:
            fill(page, as_controls(table, seat, text))
            page.check("#final")
        with page.expect_navigation():
            page.keyboard.press("Enter") if seat == "Anna" else page.locator(
                ".submitbar .primary"
            ).tap()
        sent.append({seat: text})
    play_to_the_end(played)
    assert lists_of(played)[:BY_HAND] == sent
    assert pages["Bert"].locator("html").get_attribute("lang") == "de"


@pytest.mark.everything
def test_two_people_play_four_turns_each_without_loading_a_page_by_hand(
    served: tuple[Demo, str], page_of: Callable[..., Page]
) -> None:
    played, link = served
    pages = {"Anna": page_of(**DESKTOP), "Bert": page_of(**DESKTOP)}
    for seat, address in (("Anna", link), ("Bert", two_people(played))):
        pages[seat].clock.install()
        pages[seat].goto(address)
    while (table := table_of(played)).turn < 9:
        page, seat = pages[table.active], table.active
        if page.locator("#orders").count() == 0:
            page.clock.run_for(21_000)
            with page.expect_navigation():
                page.locator("#watch .primary", has_text=re.compile("orders|Zug")).click()
        text = duel.write_orders(table, duel.stand_in(table, seat)).partition(" then")[0]
        fill(page, as_controls(table, seat, text))
        page.locator(".submitbar .primary").click()
        with page.expect_navigation():
            page.locator("#yes").click()


@pytest.mark.everything
def test_a_whole_duel_is_played_against_the_robot_on_a_phone(
    served: tuple[Demo, str], page_of: Callable[..., Page]
) -> None:
    """In every second turn the row is revealed first, and goes on in the same sitting."""
    played, link = served
    page = page_of(**PHONE)
    sent: list[dict[str, str | None]] = []
    while awaited(played):
        assert len(sent) < 2 * TURNS
        table = table_of(played)
        if table.phase == 1:
            page.goto(link)
        text = duel.write_orders(table, duel.stand_in(table, "Anna"))
        text = text.partition(" then")[0] if table.turn % 4 == 1 else text
        fill(page, as_controls(table, "Anna", text))
        expect(page.locator("#purse")).to_have_text(purse(table, "Anna", text))
        page.locator(".submitbar .primary").tap()
        with page.expect_navigation():
            page.locator("#yes").tap()
        sent.append({"Anna": text})
        while awaited(played) == "Bert":
            tick(played.home)
    lists = lists_of(played)
    assert [one for one in lists if "Anna" in one] == sent
    assert len(sent) == 14 + 7
    assert all(one["Bert"] for one in lists if "Bert" in one)
    tick(played.home)
    page.goto(link)
    expect(page.locator("#luh")).to_have_text("Luck and skill")


def test_what_is_asked_before_sending_lies_above_a_notice(
    served: tuple[Demo, str], page_of: Callable[..., Page]
) -> None:
    played, link = served
    page = page_of(**PHONE)
    page.clock.install()
    page.goto(link)
    table = table_of(played)
    fill(page, as_controls(table, "Anna", duel.write_orders(table, duel.stand_in(table, "Anna"))))
    with played.home.connection() as db:
        deadline = store.games.existing(db, played.game).deadline or 0
        lead.extend(db, played.game, deadline + DAY, "", clock.now())
    page.clock.run_for(21_000)
    expect(page.locator("#watch .btn")).to_be_visible()
    page.locator(".submitbar .primary").tap()
    with page.expect_navigation():
        page.locator("#yes").tap(timeout=5000)
    assert table_of(played).active == "Bert" or table_of(played).turn > table.turn


def test_before_anything_is_chosen_both_parts_are_short_and_what_fits_is_ticked(
    tmp_path: Path, page_of: Callable[..., Page], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gm.games.create.secrets.token_bytes", lambda n: bytes(range(n)))
    with served_demo(tmp_path / "demo", "en", variant="duel") as (played, link):
        page = page_of(**PHONE)
        while (table := table_of(played)).turn < 6:
            page.goto(link)
            page.evaluate("document.querySelector('.demo').remove()")
            assert page.evaluate("document.documentElement.scrollHeight") <= 2200
            if table.phase == 2:
                fits = {s.variety: table.farms["Anna"].growing(s.variety) or "" for s in table.row}
                for variety, field in fits.items():
                    chosen = page.locator(f"input[name=row_{variety}]:checked")
                    assert chosen.get_attribute("value") == field
            text = duel.write_orders(table, duel.stand_in(table, "Anna")).partition(" then")[0]
            with played.home.connection() as db:
                game, anna = (
                    store.games.existing(db, played.game),
                    store.seats.numbered(db, played.game, 1),
                )
                submit(db, game, anna, game.round, text, by="seat")
            while awaited(played) == "Bert" or table_of(played).round == table.round:
                tick(played.home)


def test_the_page_says_at_each_card_what_would_happen_and_asks_once(
    served: tuple[Demo, str], page_of: Callable[..., Page]
) -> None:
    played, link = served
    page = page_of(**DESKTOP)
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
    expect(page.locator("#bar-s")).not_to_have_class("errtext")
    expect(page.locator("#oplist li").first).to_contain_text("Card 1")
    expect(page.locator("#farm .fl").nth(1).locator(f".bean-{first}")).to_have_count(1)
    expect(page.locator("#planbox")).to_be_hidden()
    page.locator("#plan_ > summary").click()
    page.locator("input[name=plan][value=yes]").check()
    expect(page.locator(".submitbar .primary")).to_have_text("Submit the whole turn")
    page.locator("input[name=plan][value='']").check()
    page.locator(".submitbar .primary").press("Enter")
    expect(page.locator("#yes")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("#sure")).to_be_hidden()
    page.locator(".submitbar .primary").press("Enter")
    page.locator("#not-yet").press("Enter")
    expect(page.locator("#sure")).to_be_hidden()
    expect(page.locator("#final")).to_be_hidden()
    page.locator(".submitbar .primary").press("Enter")
    with page.expect_navigation():
        page.locator("#yes").press("Enter")
    expect(page.locator("#rowh")).to_have_text("What do you take?")
    assert table_of(played).phase == 2
    page.locator(".submitbar .primary").press("Enter")
    with page.expect_navigation():
        page.locator("#yes").press("Enter")
    # the robot has played its turn
    expect(page.locator("h1")).to_contain_text("Your orders for turn")
    assert table_of(played).turn == 3


def test_the_stand_ins_list_is_a_start_and_says_the_whole_turn(
    served: tuple[Demo, str], page_of: Callable[..., Page]
) -> None:
    played, link = served
    page = page_of(**DESKTOP)
    page.goto(link)
    table, controls = table_of(played), stand_ins_choices(page)
    orders = duel.read_orders(table, "Anna", read_form(table, "Anna", controls).text)
    assert MATCH in orders
    assert orders == duel.stand_in(table, "Anna")


def test_a_choice_that_cannot_be_is_named_with_its_card_and_submit_leads_to_it(
    served: tuple[Demo, str], page_of: Callable[..., Page]
) -> None:
    played, link = served
    page = page_of(**DESKTOP)
    page.goto(link)
    first = bean_names("en")[table_of(played).hand("Anna")[0]]["short"]
    page.locator("input[name=hand_1][value=C]").check(force=True)  # not bought
    expect(page.locator("#wrong")).to_have_text(
        f"Card 1, {first} → C: Field C has to be bought first."
    )
    page.locator(".submitbar .primary").click()
    expect(page.locator("#sure")).to_be_hidden()
    expect(page.locator("input[name=hand_1][value=C]")).to_be_focused()
    expect(page.locator("#bar-s")).to_contain_text(f"Card 1, {first} → C")
