"""Words of people that have no end: a link, a name, three hundred Ws. Neither a page nor a mail
becomes wider than its window.
"""

import email
from collections.abc import Iterator
from datetime import date, time
from email import policy
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from gm import clock, store
from gm.calendar import Rule
from gm.cli.demo import Demo
from gm.deadline.rollback import rollback
from gm.games import create, lead
from gm.games.orders import save_orders
from gm.people import accounts, joining, seating
from gm.service import tick
from gm.store.db import Database, write
from tests.browser.hands import follow

pytestmark = pytest.mark.browser

LONG = "W" * 300
LINK = f"https://example.org/{'w' * 60}"
NAMES = [letter * 40 for letter in "WMX"]
GAME = "longwords"
NARROW, PHONE = 320, 390


@pytest.fixture
def phone(browser: Browser) -> Iterator[Page]:
    """A narrow window."""
    context = browser.new_context(viewport={"width": NARROW, "height": 700}, locale="en-GB")
    made = context.new_page()
    made.on("dialog", lambda dialog: dialog.accept())
    yield made
    context.close()


def played(demo: Demo) -> str:
    """A game of three where everything that people may write is one long word, a round played
    twice; the first seat's link.
    """
    now = clock.now()
    with demo.home.connection() as db:
        create.new_game(
            db,
            game=GAME,
            name="Ä" * 40,
            variant="postal",
            house_rules={},
            gm=("Q" * 40, "uli@example.org"),
            rule=Rule((2, 6), time(20, 0), "Europe/Berlin", 2, date(2026, 11, 16)),
            now=now,
        )
        create.open_game(db, GAME)
        for letter, name in zip("abc", NAMES, strict=True):
            address = f"{letter * 60}@{letter * 60}.example.org"
            seat = create.add_seat(
                db, demo.home.link_key, game=GAME, name=name, address=address, language="en"
            )
            joining.say_ready(db, seat, clock.now())
        create.start_game(db, GAME, now)
        for _ in range(2):
            write_everywhere(db, now)
            close(demo, db)
            rollback(db, GAME, store.games.existing(db, GAME).round - 1, LONG, now)
            close(demo, db)
        write_everywhere(db, now)
    return demo.home.url("seat", GAME, NAMES[0], 1)


def write_everywhere(db: Database, now: int) -> None:
    """Press, words to the GM, comments, announcements and reasons."""
    game = store.games.existing(db, GAME)
    for seat in store.seats.of_game(db, GAME):
        text = f"{LONG} {LINK}"
        save_orders(db, game, seat, "pass", press=text, to_gm=LONG)
    create.comment(db, GAME, LONG, now)
    lead.pause(db, GAME, LONG, now)
    lead.resume(db, GAME, LINK, now)
    lead.announce(db, GAME, LONG, now)
    seating.set_absence(db, store.seats.numbered(db, GAME, 2), "2026-12-24", "2027-01-06")


def close(demo: Demo, db: Database) -> None:
    with write(db):
        store.games.update(db, GAME, {"deadline": clock.now()})
    tick(demo.home)


def pages(demo: Demo, link: str) -> list[str]:
    """Every page that shows what somebody wrote."""
    base = demo.home.config.base_url
    game = f"{base}/p/{GAME}"
    public = [
        game,
        f"{game}/r1",
        f"{game}/r1/versions",
        f"{game}/join",
        base,
        f"{base}/zine?since=2026-01-01",
    ]
    own = [
        link,
        f"{link}/receipt",
        f"{link}/mail",
        f"{link}/data",
        f"{link}/programs",
        f"{base}/verify?game={GAME}",
    ]
    return public + own


def too_wide(page: Page, width: int) -> list[str]:
    """What reaches over the edge, with every fold open; nothing if the page fits."""
    page.evaluate("document.querySelectorAll('details').forEach((d) => { d.open = true; })")
    if page.evaluate("document.documentElement.scrollWidth") <= width:
        return []
    found: list[str] = page.evaluate(
        "(width) => [...document.querySelectorAll('body *')].filter((e) => e.getBoundingClientRect().right > width + 1)"
        ".map((e) => e.outerHTML.slice(0, 90))",
        width,
    )
    return found


def test_no_page_is_widened_by_what_people_write(phone: Page, demo: tuple[Demo, str]) -> None:
    home = demo[0].home
    link = played(demo[0])
    wide = {}
    for address in pages(demo[0], link):
        phone.goto(address)
        wide[address] = too_wide(phone, NARROW)
    with home.connection() as db:
        made = accounts.add_gm(db, "uli@example.org", "W" * 40, "en", clock.now())
        joining.stand_by(db, f"{'s' * 60}@{'s' * 60}.example.org", "S" * 40, "en", clock.now())
    phone.goto(home.url("password", who=made.address, number=made.link_number))
    phone.fill("#password", "correct horse battery")
    follow(phone.locator("main form button"))
    for address in (f"{home.config.base_url}/desk", f"{home.config.base_url}/desk/game/{GAME}"):
        phone.goto(address)
        wide[address] = too_wide(phone, NARROW)
    assert {address: found for address, found in wide.items() if found} == {}


def test_what_is_refused_or_finished_is_no_wider(phone: Page, demo: tuple[Demo, str]) -> None:
    home = demo[0].home
    link = played(demo[0])
    wide = {}
    phone.goto(link)
    phone.fill("#press", f"{LONG} {link}")
    phone.locator("input[name=pass]").check()
    follow(phone.locator("#orders .submitbar .primary"))
    wide["refused"] = too_wide(phone, NARROW)
    phone.goto(link)
    phone.fill("#press", LONG)
    phone.evaluate("document.querySelector('input[name=round]').value = 1")
    follow(phone.locator("#orders .submitbar .primary"))
    assert "not saved" in phone.inner_text("h1")
    wide["late"] = too_wide(phone, NARROW)
    with home.connection() as db:
        while store.games.existing(db, GAME).status == "running":
            close(demo[0], db)
    for address in (
        f"{home.config.base_url}/p/{GAME}",
        f"{home.config.base_url}/table",
        home.config.base_url,
    ):
        phone.goto(address)
        wide[address] = too_wide(phone, NARROW)
    assert {what: found for what, found in wide.items() if found} == {}


def test_no_mail_is_widened_by_what_people_write(phone: Page, demo: tuple[Demo, str]) -> None:
    played(demo[0])
    with demo[0].home.connection() as db:
        while store.games.existing(db, GAME).status == "running":
            close(demo[0], db)
    phone.set_viewport_size({"width": PHONE, "height": 800})
    wide: dict[str, Any] = {}
    for file in sorted(demo[0].home.mail_folder.glob(f"*-{GAME}-*-seat1.eml")):
        mail = email.message_from_bytes(file.read_bytes(), policy=policy.default)
        html = mail.get_body(("html",))
        if html is not None:
            phone.set_content(html.get_content())
            wide[file.name] = too_wide(phone, PHONE)
    assert len(wide) > 10
    assert {name: found for name, found in wide.items() if found} == {}
