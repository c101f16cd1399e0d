"""What people do on the order page: by touch, by keyboard alone, and in the plain form."""

import json
from typing import Any

from click.testing import CliRunner
from playwright.sync_api import Locator, Page, expect

from gm import store
from gm.cli import main
from gm.cli.demo import Demo
from gm.service import submit as submit_list
from rounds.engine.variant import Controls, Variant
from rounds.postal import variant as postal
from rounds.postal.form import read_form

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
DESKTOP = {"viewport": {"width": 1280, "height": 900}}
MOST_ROUNDS = 200
SHOWN = """() => { const marks = {};
  document.querySelectorAll('#orders input:checked').forEach((i) => {
    if (i.value && /^(to|pre)_/.test(i.name) || i.name === 'pass') (marks[i.name] = marks[i.name] || []).push(i.value); });
  return marks; }"""


NEXT_THAT_GROWS = """() => { const cards = [...document.querySelectorAll('#row .bcard')];
  const grow = [...document.querySelectorAll('.fld .ct')].map((field) => field.innerText);
  const at = cards.findIndex((card) => card.hasAttribute('aria-current'));
  return cards.findIndex((card, i) => i > at && grow.some((text) => text.includes(card.querySelector('.nm').innerText))); }"""
"""The next card of a variety that grows on some field; -1: none."""


def table_of(played: Demo) -> Any:
    """The table of the open round."""
    with played.home.connection() as db:
        game = store.games.get(db, played.game)
        assert game is not None
        return store.rounds.open_table(db, game)


def shown(page: Page) -> dict[str, list[str]]:
    """The controls that are marked on the page."""
    marks: dict[str, list[str]] = page.evaluate(SHOWN)
    return marks


def canonical(played: Demo, marks: dict[str, list[str]]) -> str:
    """What the server makes of these controls."""
    table = table_of(played)
    return postal.write_orders(
        table, postal.read_orders(table, "Anna", read_form(table, "Anna", marks).text)
    )


def play_to_the_end(played: Demo) -> None:
    """The rounds that are left, without the browser: people send what robots would."""
    for _ in range(MOST_ROUNDS):
        with played.home.connection() as db:
            for seat in store.seats.of_game(db, played.game):
                game = store.games.existing(db, played.game)
                if game.status == "finished":
                    return
                if game.takes(seat.name) and not seat.robot:
                    seen = game.engine.view(store.rounds.open_table(db, game), seat.name)
                    submit_list(db, game, seat, game.round, game.engine.robot(seen), by="seat")
        played.close()


def stored(played: Demo, number: int) -> list[str]:
    """Anna's lists of a round, oldest first."""
    with played.home.connection() as db:
        return [
            revision.orders
            for revision in reversed(store.lists.revisions(db, played.game, number, 1))
        ]


def plan_by_touch(page: Page) -> int:
    """Plant where it may be planted, harvest twice at most where nothing fits, pass over the
    rest; the number of taps.
    """
    taps, harvests = 0, 2

    def tap(target: Locator) -> None:
        nonlocal taps
        target.tap()
        taps += 1

    if not page.locator("#skip").is_visible():  # a list is there already
        tap(page.locator("#row .bcard").first)
    while page.locator("#skip").is_visible():
        free = page.locator(".fld:has(.plant:visible:not([aria-disabled=true])) .ct")
        if not free.count() and harvests and page.locator(".fld .reap:visible").count():
            tap(page.locator(".fld .reap:visible").first)
            harvests -= 1
        if free.count():
            tap(free.first)
        elif (position := page.evaluate(NEXT_THAT_GROWS)) < 0:
            break
        else:
            tap(page.locator("#row .bcard").nth(position))
    if page.locator("#opnone").is_visible():
        tap(page.locator("input[name=pass]"))
    return taps


FOCUS = """(there) => { const has = document.activeElement, { top, bottom } = has.getBoundingClientRect();
  return [has.matches(there), bottom > 0, top < innerHeight]; }"""


def press_until(page: Page, key: str, there: str) -> None:
    """Press a key until the element matching `there` has the focus, which never leaves the
    window.
    """
    is_there, _, _ = page.evaluate(FOCUS, there)
    for _ in range(200):
        if is_there:
            return
        page.keyboard.press(key)
        is_there, is_below_top, is_above_end = page.evaluate(FOCUS, there)
        assert is_below_top, "the focus is above the window"
        assert is_above_end, "the focus is below the window"
    raise AssertionError(f"{there} is not reached by {key}")


def plan_by_keyboard(page: Page) -> None:
    """Like by touch, with letters and arrow keys on the focused card."""
    press_until(page, "Tab", "#row .bcard")
    cards = page.locator("#row .bcard").count()
    while True:
        at = page.locator("#row .bcard[aria-current]")
        if not at.count():
            break
        number = page.evaluate(
            "[...document.querySelectorAll('#row .bcard')].indexOf(document.activeElement)"
        )
        free = page.locator(".fld:has(.plant:visible:not([aria-disabled=true]))")
        ripe = page.locator(".fld:has(.reap:visible)")
        if not free.count() and ripe.count():
            page.keyboard.press(f"Shift+{letter(ripe.first)}")
        if free.count():
            page.keyboard.press(letter(free.first))
        elif number == cards - 1:
            break
        else:
            page.keyboard.press("ArrowRight")
    if page.locator("#opnone").is_visible():
        press_until(page, "Tab", "#plain > summary")
        page.keyboard.press("Enter")
        press_until(page, "Tab", "input[name=pass]")
        page.keyboard.press("Space")


def fill(page: Page, controls: Controls) -> None:
    """Choose what says these orders, and nothing else; cards have labels over their buttons."""
    empty_form(page)
    for name, value in controls.chosen.items():
        control = page.locator(f"[name={name}]").first
        kind = control.evaluate("e => e.type")
        if kind == "select-one":
            control.select_option(value)
        elif kind in ("radio", "checkbox"):
            page.locator(f"input[name={name}][value='{value}']").check(force=True)
        else:
            control.fill(value)
    for name, values in controls.ticked.items():
        for value in values:
            page.locator(f"input[name={name}][value={value}]").check(force=True)
    if controls.passed and page.locator("input[name=pass]").count():
        page.check("input[name=pass]")


def empty_form(page: Page) -> None:
    """Unfold all, and take back what is chosen before anything is."""
    page.evaluate("""() => {
      document.querySelectorAll('#orders details').forEach((one) => { one.open = true; });
      document.querySelectorAll('#orders input[type=radio][value=""]').forEach((one) => { one.checked = true; });
    }""")


def fill_plainly(page: Page, variant: Variant, table: Any, name: str) -> None:
    """Say a robot's list without a script: by the choices, or, where they can't say it, by typing
    it.
    """
    assert variant.form is not None
    text = variant.robot(variant.view(table, name))
    controls = variant.form.fill(table, name, variant.read_orders(table, name, text))
    if "text" not in controls.chosen:
        fill(page, controls)
        return
    page.locator("#typing > summary").click()
    page.fill("#typed", text)
    follow(page.locator("#typing button"))
    expect(page.locator("#orders-text")).to_have_value(controls.chosen["text"])


def follow(link: Locator) -> None:
    """Press what leads to another page, and wait until that is there: the page before has much
    that is looked for, too.
    """
    with link.page.expect_navigation(wait_until="load"):
        link.click()


def letter(field: Any) -> str:
    """The letter of a field's box."""
    name: str = field.get_attribute("id")
    return name.removeprefix("f-")


def submit(page: Page, how: str) -> None:
    """Send the list; the receipt appears."""
    button = "#orders .submitbar .primary"
    if how == "keyboard":
        press_until(page, "Tab", button)
    with page.expect_navigation():
        if how == "keyboard":
            page.keyboard.press("Enter")
        elif how == "touch":
            page.locator(button).tap()
        else:
            page.locator(button).click()
    expect(page.locator(".note.ok")).to_be_visible()


def stand_ins_choices(page: Page) -> dict[str, tuple[str]]:
    """Start with the list of the stand-in; the controls that the page has then, without those of
    the page itself.
    """
    page.locator("#nmr > summary").click()
    page.locator("#like-nmr").click()
    sent = page.evaluate("[...new FormData(document.getElementById('orders'))]")
    frame = {"round", "rev", "press", "note", "typed", "whole"}
    return {name: (value,) for name, value in sent if value and name not in frame}


def order_like_the_stand_in(page: Page) -> None:
    """Submit what would be played for somebody who sends nothing."""
    stand_ins_choices(page)
    if page.locator("input[name=pass]:visible").count():
        page.check("input[name=pass]")
    with page.expect_navigation(wait_until="load"):
        page.locator("#orders .submitbar .primary").click()
        if page.locator("#sure").count():
            page.locator("#yes").click()


def record(played: Demo) -> list[str | None]:
    """Anna's lists as the exported record has them."""
    result = CliRunner().invoke(main, ["--home", str(played.home.home), "export", played.game])
    return [r["orders"]["Anna"] for r in json.loads(result.stdout)["rounds"]]
