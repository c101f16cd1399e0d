"""A game master's evening over twenty games of all kinds, each click and each page counted."""

from datetime import date, time

import pytest
from playwright.sync_api import Locator, Page

from gm import clock, store
from gm.calendar import Rule
from gm.cli.demo import Demo
from gm.games import create, seat_lines
from gm.games.orders import save_orders
from gm.people import joining, masters, seating
from gm.store.db import write
from rounds.engine.variant import names
from tests.browser.hands import follow
from tests.browser.test_desk import sign_in
from tests.faster import few_first, without_disk

pytestmark = pytest.mark.browser

KINDS = names()
PEOPLE = [f"P{number}" for number in range(14)]
DAILY = Rule((0, 1, 2, 3, 4, 5, 6), time(20, 0), "Europe/Berlin", 1, date(2026, 11, 16))
MOST = {20: (15, 40), 40: (15, 60)}
"""So many pages and clicks the evening may take with so many games."""


class Hand:
    """Clicks, and counts them and the pages they lead to."""

    def __init__(self, page: Page) -> None:
        self.page, self.clicks, self.loads = page, 0, 0

    def goto(self, address: str) -> None:
        self.page.goto(address)
        self.loads += 1

    def click(self, what: Locator) -> None:
        what.click()
        self.clicks += 1

    def follow(self, what: Locator) -> None:
        follow(what)
        self.clicks += 1
        self.loads += 1


def club(played: Demo, number: int) -> list[str]:
    """So many games of all kinds that Uli leads, and one that is not theirs: five have words for
    Uli, two players have left, one game is held.
    """
    games = [f"game-{count}" for count in range(number)]
    with played.home.connection() as db, without_disk(db):
        for count, game in enumerate([*games, "others"]):
            variant = KINDS[count % len(KINDS)]
            who = [PEOPLE[(3 * count + k) % 14] for k in range(2 if variant == "duel" else 4)]
            lines = "\n".join(f"{name} <{name.lower()}@example.org> en" for name in who)
            create.new_game(
                db,
                game=game,
                name=game.capitalize(),
                variant=variant,
                house_rules={},
                gm=("Uli", "other@example.org" if game == "others" else "uli@example.org"),
                rule=DAILY,
                now=clock.now(),
                people=seat_lines.read(lines),
                key=played.home.link_key,
                start=True,
            )
        for game in games:
            masters.add_master(db, game, "uli@example.org")
        for game in games[4:9]:
            found = store.games.existing(db, game)
            seat = store.seats.numbered(db, game, 1)
            if found.awaits(seat.name):
                view = found.engine.view(store.rounds.open_table(db, found), seat.name)
                text = found.engine.robot(view)
                save_orders(db, found, seat, text, to_gm="May I have a week more?")
        for game in (games[0], games[2]):
            seating.forget(db, store.seats.numbered(db, game, 2), clock.now())
        for name in ("Lale", "Olga"):
            address = f"{name.lower()}@example.org"
            joining.stand_by(db, address, name, "en", clock.now(), "uli@example.org")
        with write(db):
            store.games.update(db, games[3], {"status": "held", "error": "silence"})
    return games


@pytest.mark.parametrize("number", few_first([*MOST], 1))
def test_the_evening_is_done_in_a_few_pages(
    page: Page, demo: tuple[Demo, str], number: int
) -> None:
    played, _ = demo
    desk = sign_in(page, played)
    games, hand = club(played, number), Hand(page)
    before = deadlines(played)

    hand.goto(f"{desk}?lang=en")
    assert page.locator("a[href^='mailto:p']").count() >= 3
    hand.clicks += 1  # one is answered in the mail program
    hand.follow(page.locator("form[action*='/desk/read'] button"))
    for name in ("Lale", "Olga"):
        hand.click(page.locator("details:has(form[action*=hand_over]) summary").first)
        chosen = page.locator("form[action*=hand_over] select").first
        chosen.select_option(f"{name.lower()}@example.org")
        hand.clicks += 2
        hand.follow(page.locator("form[action*=hand_over] button").first)

    hand.follow(page.get_by_text("Tick all shown"))
    hand.click(page.locator(f"input[value={games[5]}]"))
    hand.follow(page.locator(".bulk button[value=later]"))
    page.fill("#words", "I am away.")
    hand.follow(page.locator("main form button.primary"))
    assert page.locator("#res").inner_text() == f"✓ {number - 2} games moved"

    for game in games[8:11]:
        hand.click(page.locator(f"input[value={game}]"))
    hand.follow(page.locator(".bulk button[value=reminded]"))
    hand.follow(page.locator("main form button.primary"))

    for game in (games[14], games[19]):  # postal ones
        hand.follow(page.locator(f".miss a[href*='{game}?']").first)
        page.locator("details[open] input[name=orders][type=text]").fill("pass")
        hand.follow(page.locator("details[open] form[action*=orders] button"))
        assert "are typed in" in page.locator(".note.ok").inner_text()
    hand.follow(page.locator(f".todo a[href*='{games[3]}?']").first)

    loads, clicks = MOST[number]
    assert hand.loads <= loads
    assert hand.clicks <= clicks
    after = deadlines(played)
    for game in (*before, "others"):
        week = 0 if game in (games[3], games[5], "others", played.game) else 7 * 24 * 3600
        assert (after[game] or 0) - (before[game] or 0) == week, game
    with played.home.connection() as db:
        sql = """SELECT address FROM mail WHERE kind = 'news'
                 AND id IN (SELECT joined FROM mail)"""
        rows = db.execute(sql).fetchall()
    addresses = [address for (address,) in rows]
    assert len(set(addresses)) == len(addresses) >= 10


def deadlines(played: Demo) -> dict[str, int | None]:
    with played.home.connection() as db:
        return {game.id: game.deadline for game in store.games.all_games(db)}
