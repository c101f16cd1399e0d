"""A game master's evening in Chromium: two games at once, from signing in to the archive; and
all of it by keyboard.
"""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from gm import clock, store
from gm.cli.demo import Demo
from gm.people import accounts, joining, masters
from gm.people.joining import confirm_seat
from gm.service import tick
from gm.store.db import select, write
from gm.store.requests import Joining
from tests.browser.hands import follow, press_until

pytestmark = pytest.mark.browser

GAMES = ("Ackergold", "Bohnenkraut")


def press(page: Page, act: str, n: int = 0) -> None:
    """Press the button of a form of the desk and wait for the page it leads to."""
    follow(page.locator(f"form[action*='/{act}'] button").nth(n))


def said(page: Page, text: str = "✓") -> None:
    expect(page.locator(".note.ok, .note[role=status]").first).to_contain_text(text)


def sign_in(page: Page, played: Demo) -> str:
    """Set a password by the one-time link; the address of the desk."""
    with played.home.connection() as db:
        made = accounts.add_gm(db, "uli@example.org", "Uli", "en", clock.now())
    page.goto(played.home.url("password", who=made.address, number=made.link_number))
    page.fill("#password", "correct horse battery")
    follow(page.locator("main form button"))
    return f"{played.home.config.base_url}/desk"


def make(page: Page, desk: str, name: str) -> str:
    """A game for four, with a look at its deadlines first; its page at the desk."""
    page.goto(desk)
    follow(page.locator("main .btn.primary"))
    page.fill("#name", name)
    page.locator("#more > summary").click()
    page.fill("#seats", "4")
    page.select_option("#rule_rounds", "4")
    follow(page.locator("button[value=preview]"))
    assert page.locator(".note ol li").count() == 10
    assert page.input_value("#name") == name
    follow(page.locator("button[value=create]"))
    press(page, "open")
    said(page)
    return page.url.partition("?")[0]


def fill_table(page: Page, played: Demo, game: str, at: str) -> None:
    """Anna joins by invitation, Bert and Cem are given seats, Dora does not answer and loses the
    seat.
    """
    page.goto(at)
    page.fill("#addresses", "anna@example.org")
    press(page, "invite")
    said(page)
    page.goto(f"{played.home.config.base_url}/p/{game}/join")
    page.fill("#name", "Anna")
    page.fill("#address", "anna@example.org")
    follow(page.locator("main form .primary"))
    with played.home.connection() as db:
        asked = select(db, Joining, "SELECT * FROM joining WHERE game = ?", game)[0]
        confirm_seat(db, played.home.link_key, asked, clock.now())
    for name in ("Bert", "Cem", "Dora"):
        page.goto(at)
        page.fill("#seat-name", name)
        page.fill("#seat-address", f"{name.lower()}@example.org")
        press(page, "seat")
        said(page)
    press(page, "ask")
    with played.home.connection() as db:
        for seat in store.seats.of_game(db, game)[:3]:
            joining.say_ready(db, seat, clock.now())
    page.goto(at)
    expect(page.locator("main")).to_contain_text(
        "No answer yet: Dora. They play unless you take their seats away before."
    )
    page.locator("#seat-4 summary").first.click()
    page.fill("#remove-4", "Dora")
    follow(page.locator("#seat-4 form[action*='/remove'] button"))
    said(page)
    press(page, "start")
    said(page, "The game has begun.")


def due(played: Demo, game: str) -> None:
    """The deadline comes, and the batch with it."""
    with played.home.connection() as db, write(db):
        db.execute("UPDATE game SET deadline = ? WHERE id = ?", [clock.now(), game])
    tick(played.home)


def repair(page: Page, played: Demo, game: str, at: str) -> None:
    """Replace Bert, type in a list, take the last round back, play it again."""
    page.goto(at)
    page.locator("#seat-2 summary").click()
    page.fill("#player-2", "Emil")
    page.fill("#player-address-2", "emil@example.org")
    press(page, "replace", 1)
    said(page)
    expect(page.locator("#seat-2")).to_contain_text("now Emil")
    page.locator("#seat-2 summary").click()
    page.fill("#orders-2", "1 A")
    press(page, "orders", 1)
    said(page)
    page.locator("details > summary", has_text="Repair and end").click()
    page.fill("#rollback-reason", "a letter in the wrong box")
    press(page, "rollback")
    said(page)
    expect(page.locator("h1")).to_contain_text("round 2 of 4")
    with played.home.connection() as db, write(db):  # a day goes by: so long it stays open
        db.execute("UPDATE note SET at = at - 86400 WHERE game = ? AND kind = 'rollback'", [game])
    follow(page.locator("a", has_text="Close it now"))
    page.fill("#confirm", game)
    press(page, "run")
    said(page)
    page.goto(f"{played.home.config.base_url}/p/{game}/r2/versions")
    assert page.locator("main .two .panel").count() == 2


def play_on(played: Demo, game: str) -> None:
    """To the last round."""
    while True:
        with played.home.connection() as db:
            if not store.games.existing(db, game).is_open:
                return
        due(played, game)


def test_two_games_at_once_from_signing_in_to_the_archive(
    page: Page, demo: tuple[Demo, str], faults: list[str]
) -> None:
    played, _ = demo
    page.set_viewport_size({"width": 1280, "height": 900})
    desk = sign_in(page, played)
    pages = {name.lower(): make(page, desk, name) for name in GAMES}
    for game, at in pages.items():
        fill_table(page, played, game, at)
    one, two = pages
    page.goto(pages[one])
    for _ in range(2):
        page.locator("input[name=days][value='7']").check()
        page.fill("#extend-reason", "a fair")
        press(page, "extend")
    said(page, "Nothing to change")
    for game in pages:  # nobody sends anything, twice
        due(played, game)
        due(played, game)
    page.goto(desk)
    silent = "twice in a row or more nothing from Anna, Bert, Cem."
    expect(page.locator(".todo")).to_contain_text(silent)
    repair(page, played, two, pages[two])
    for game, at in pages.items():
        play_on(played, game)
        page.goto(at)
        press(page, "archive")
        said(page)
    page.goto(desk)
    assert page.locator("table.gt").count() == 0
    assert page.locator("details li").count() == 2
    press(page, "sign-out")
    page.goto(pages[one])
    assert page.url.partition("?")[0].endswith("/desk/sign-in")


def test_a_game_is_led_by_keyboard_alone(page: Page, demo: tuple[Demo, str]) -> None:
    played, _ = demo
    desk = sign_in(page, played)
    with played.home.connection() as db:
        masters.add_master(db, played.game, "uli@example.org")
    page.goto(desk)
    press_until(page, "Tab", "table.gt a")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    press_until(page, "Tab", "form[action*='/extend'] input[name=days]")
    page.keyboard.press("ArrowDown")
    press_until(page, "Tab", "#extend-reason")
    page.keyboard.type("a fair")
    press_until(page, "Tab", "form[action*='/extend'] button")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    said(page)
    with played.home.connection() as db:
        (note,) = [
            note for note in store.notes.of_round(db, played.game, 1) if note.kind == "deadline"
        ]
    assert note.text == "a fair"
    assert note.new is not None
    assert note.old is not None
    assert note.new - note.old == 3 * 24 * 3600


def test_nothing_typed_is_lost_when_it_is_refused(
    page: Page, demo: tuple[Demo, str], faults: list[str]
) -> None:
    played, _ = demo
    desk = sign_in(page, played)
    with played.home.connection() as db:
        masters.add_master(db, played.game, "uli@example.org")
    page.goto(f"{desk}/game/{played.game}")
    page.fill("#to", "next Sunday")
    press(page, "extend")
    expect(page.locator("#err")).to_contain_text("is not a moment like")
    assert page.input_value("#to") == "next Sunday"
    values: Any = page.evaluate("[...document.querySelectorAll('[id]')].map((e) => e.id)")
    assert len(values) == len(set(values))
