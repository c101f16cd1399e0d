"""Every page and state there is for players and readers, one after the other, as a walk through
one installation.
"""

import secrets
from collections.abc import Iterator
from datetime import date, time
from unittest.mock import patch

from playwright.sync_api import Page

from gm import clock, store
from gm.calendar import Rule
from gm.cli.demo import Demo
from gm.deadline.rollback import rollback
from gm.games import create, lead
from gm.games.orders import save_orders
from gm.mail import queue
from gm.people import accounts, joining, masters, my_games, seating
from gm.service import submit, tick
from gm.store.db import Database, write
from gm.store.games import Game
from gm.store.seats import Seat
from rounds.engine.witness import Line
from rounds.engine.witness import write as as_text
from tests.browser.hands import follow, order_like_the_stand_in
from tests.steps import lay_row

CALENDAR = Rule((2, 6), time(20, 0), "Europe/Berlin", 2, date(2026, 11, 16))
DAY = 24 * 3600


def states(page: Page, played: Demo, link: str, language: str) -> Iterator[str]:
    """Leads the page to each state and names it."""
    base, lang = played.home.config.base_url, f"?lang={language}"
    with played.home.connection() as db:
        yield from the_rules(page, base, lang)
        yield from practice(page, base, lang)
        yield from before_the_start(page, played, db, base, lang)
        yield from following(page, played, db, base, lang)
        yield from the_order_page(page, played, db, link, lang)
        yield from without_script(page, played, link, lang)
        yield from closed_at_once(page, link, lang)
        yield from in_between(page, played, db, base, link, lang)
        yield from the_desk(page, played, db, base, lang)
        yield from the_end(page, played, db, base, link, lang)
        yield from a_duel(page, played, db, base, lang)


def base_of(link: str) -> str:
    """Where the pages are served, from a personal link."""
    return link.partition("/z/")[0]


def press(page: Page, button: str) -> None:
    """Press a button and wait for the page it leads to."""
    follow(page.locator(button).first)


def unfolded(page: Page) -> None:
    """Open all that is folded."""
    page.evaluate("document.querySelectorAll('main details').forEach((d) => { d.open = true; })")


def open_game(
    played: Demo,
    db: Database,
    name: str,
    *,
    language: str,
    seats: int | None,
    variant: str = "postal",
) -> str:
    """A game that takes players, with Anna at the table; the path of her link."""
    create.new_game(
        db,
        game=name,
        name=name.capitalize(),
        variant=variant,
        house_rules={},
        gm=("Uli", "uli@example.org"),
        rule=CALENDAR,
        now=clock.now(),
        seats=seats,
    )
    create.open_game(db, name)
    key = played.home.link_key
    create.add_seat(db, key, game=name, name="Anna", address="anna@example.org", language=language)
    return played.home.url("seat", name, "Anna", 1)


def the_rules(page: Page, base: str, lang: str) -> Iterator[str]:
    page.goto(f"{base}/accessibility{lang}")
    yield "accessibility"
    page.goto(f"{base}/privacy{lang}")
    yield "privacy"
    page.goto(f"{base}/imprint{lang}")
    yield "imprint, which the host has not written"
    page.goto(f"{base}/offline{lang}")
    yield "nothing kept for offline"
    page.goto(f"{base}/rules{lang}")
    unfolded(page)
    yield "rules"
    page.goto(f"{base}/rules/classic{lang}")
    yield "how to play the classic game"
    page.goto(f"{base}/rules/postal/full{lang}#P8")
    yield "rules in full"
    page.goto(f"{base}/rules/postal/report{lang}")
    yield "sample report"
    page.goto(f"{base}/rules/postal/report/try{lang}")
    yield "sample round tried again"


def practice(page: Page, base: str, lang: str) -> Iterator[str]:
    page.goto(f"{base}/{lang}")
    press(page, ".gcard form button")
    yield "practice, orders"
    order_like_the_stand_in(page)
    yield "practice, receipt"
    link = page.url.partition("/receipt")[0]
    press(page, ".demo button")
    yield "practice, round 1"
    for _ in range(2):
        page.goto(link + lang)
        order_like_the_stand_in(page)
        press(page, ".demo button")
    yield "practice, round 3"
    page.goto(link + lang)
    yield "practice, and now with people"
    for _ in range(7):
        page.goto(link + lang)
        order_like_the_stand_in(page)
        press(page, ".demo button")
    page.goto(link + lang)
    yield "practice, the end"
    page.goto(link[:-1] + "B" + lang)
    yield "practice, gone"


def before_the_start(page: Page, played: Demo, db: Database, base: str, lang: str) -> Iterator[str]:
    language = lang[-2:]
    page.goto(f"{base}/{lang}")
    yield "landing without an open game"
    link = open_game(played, db, "kichererbse", language=language, seats=3)
    open_game(played, db, "voll", language=language, seats=1)
    page.goto(f"{base}/{lang}")
    yield "landing"
    page.goto(f"{base}/games/open{lang}")
    yield "open games, a page of them"
    page.goto(link + lang)
    yield "seat before the start"
    page.goto(f"{base}/p/kichererbse{lang}")
    yield "game that takes players"
    press(page, "main .primary")
    yield "join"
    page.fill("#name", "Anna")
    page.fill("#address", "bert@example.org")
    press(page, "main form .primary")
    yield "join, name taken"
    page.fill("#name", "Bert")
    press(page, "main form .primary")
    yield "join, mail sent"
    yield from invited(page, played, db, lang)
    asked = store.requests.joining(db, 1)
    assert asked is not None
    page.goto(played.home.url("joining", asked.game, asked.address, asked.id) + lang)
    yield "seat to confirm"
    create.add_seat(
        db,
        played.home.link_key,
        game="kichererbse",
        name="Bert",
        address=None,
        language=language,
        robot=True,
    )
    page.check("input[name=mine]")
    press(page, "main form .primary")
    yield "seat to confirm, gone meanwhile"
    page.goto(f"{base}/p/voll/join{lang}")
    yield "join, full"
    with write(db):
        db.execute("UPDATE game SET listed = 0 WHERE id = 'voll'")
    page.goto(played.home.game_url(store.games.existing(db, "voll")) + lang)
    yield "private game"
    page.goto(f"{base}/{lang}")
    page.evaluate("document.querySelector('#links').noValidate = true")
    page.fill("#lost", "anna@")
    press(page, "#links button")
    yield "lost link, no address"
    page.fill("#lost", "anna@example.org")
    press(page, "#links button")
    yield "lost link, mail sent"
    yield from to_all_games(page, base, lang)
    page.goto(f"{base}/nothing{lang}")
    yield "no such page"
    page.goto(f"{base}/z/{'A' * 43}{lang}")
    yield "dead link"


def invited(page: Page, played: Demo, db: Database, lang: str) -> Iterator[str]:
    joining.invite(db, "kichererbse", ["dora@example.org"], lang[-2:], clock.now())
    number = store.mails.newest_id(db)
    page.goto(played.home.url("invited", "kichererbse", "dora@example.org", number) + lang)
    yield "invitation"
    page.fill("#name", "Anna")
    press(page, "main form .primary")
    yield "invitation, name taken"


def to_all_games(page: Page, base: str, lang: str) -> Iterator[str]:
    page.goto(f"{base}/my-games{lang}")
    yield "my games, ask for the link"
    page.evaluate("document.querySelector('#my-games').noValidate = true")
    page.fill("#mine", "anna@")
    press(page, "#my-games button")
    yield "my games, no address"
    page.fill("#mine", "anna@example.org")
    press(page, "#my-games button")
    yield "my games, mail sent"
    page.goto(f"{base}/m/{'A' * 43}{lang}")
    yield "my games, dead link"


def following(page: Page, played: Demo, db: Database, base: str, lang: str) -> Iterator[str]:
    page.goto(f"{base}/opens{lang}")
    yield "tell me when a game opens"
    page.fill("#follower", "doerte@example.org")
    press(page, "#follow button")
    yield "follow, mail sent"
    page.goto(f"{base}/p/{played.game}/follow{lang}")
    page.evaluate("document.querySelector('#follow').noValidate = true")
    page.fill("#follower", "doerte@")
    press(page, "#follow button")
    yield "follow, no address"
    page.fill("#follower", "doerte@example.org")
    press(page, "#follow button")
    asked = store.requests.followings_of(db, "doerte@example.org")[-1]
    page.goto(played.home.url("follow", *asked.whose) + lang)
    yield "follow, to confirm"
    page.check("input[name=mine]")
    press(page, "main form .primary")
    yield "follow, confirmed"
    press(page, "main form button")
    yield "follow, ended"
    page.goto(played.home.url("follow", *asked.whose) + lang)
    yield "follow, dead link"


def the_order_page(page: Page, played: Demo, db: Database, link: str, lang: str) -> Iterator[str]:
    yield from all_games(page, played, db, lang)
    page.goto(link + lang)
    yield "orders, fresh"
    page.locator("#nmr > summary").click()
    page.locator("#like-nmr").click()
    yield "orders, stand-in as a start"
    page.locator("#row .bcard").nth(0).click()
    page.locator(".fld .plant:not([aria-disabled=true])").first.click()
    yield "orders, changed"
    page.once("dialog", lambda dialog: dialog.accept())
    page.reload()
    yield "orders, unsent plan"
    page.locator("#plan-on").click()
    page.locator("#plain > summary").click()
    page.locator("input[name=pre_end][value=HB]").check()
    yield "orders, one does not work"
    page.locator("#clear").click()
    page.locator("input[name=pass]").check()
    page.fill("#press", "<b>Hello</b> & good-bye")
    page.fill("#note", "Only for you")
    press(page, ".submitbar .primary")
    yield "receipt of a pass"
    page.goto(link + lang)
    page.fill("#press", "Hello, and good-bye")
    press(page, ".submitbar .primary")
    yield "receipt, only words changed"
    page.goto(link + lang)
    yield "orders, pass stored"
    page.locator("input[name=pass]").uncheck()
    plan_by_mouse(page)
    seat, game = store.seats.of_game(db, played.game)[0], store.games.existing(db, played.game)
    save_orders(db, game, seat, "1>B", press="<b>Hello</b> & good-bye")
    press(page, ".submitbar .primary")
    page.locator("details.acc > summary").click()
    yield "receipt, sent from an old window"
    page.goto(f"{link}{lang}")
    page.locator("#versions > summary").click()
    yield "orders, versions"
    page.goto(f"{link}{lang}&fill=1")
    yield "orders, an older version again"
    page.goto(link + lang)
    save_orders(db, game, seat, "2>B")
    page.locator("#watch:not([hidden])").wait_for()
    yield "orders, other ones sent elsewhere meanwhile"
    yield from own_settings(page, played, db, seat, link, lang)


def overview_of(played: Demo, db: Database) -> str:
    """The page of all games of who plays the first seat, mailed or not."""
    address = store.seats.of_game(db, played.game)[0].address or ""
    my_games.send_my_games(db, played.home, address, clock.now())
    found = store.accounts.my_games(db, address)
    assert found is not None
    return played.home.url("my_games", who=address, number=found.at)


def all_games(page: Page, played: Demo, db: Database, lang: str) -> Iterator[str]:
    address = store.seats.of_game(db, played.game)[0].address or ""
    with write(db):
        db.execute(
            "UPDATE seat SET address = ? WHERE game = 'kichererbse' AND number = 1", [address]
        )
    page.goto(overview_of(played, db) + lang)
    yield "my games"
    page.locator("#away > summary").click()
    page.fill("#away_from", "2026-12-24")
    press(page, "#away button")
    yield "my games, absence refused"
    with write(db):
        db.execute(
            "UPDATE seat SET address = 'anna@example.org' WHERE game = 'kichererbse' AND number = 1"
        )


def private_notes(page: Page, played: Demo, db: Database, link: str, lang: str) -> Iterator[str]:
    page.goto(f"{link}/notes{lang}")
    yield "private notes"
    page.fill("#notes", "Bert keeps <Snap>.\n" + 4000 * "a")
    press(page, "main form .primary")
    yield "private notes, too long"
    page.fill("#notes", "Bert keeps <Snap> for round 4.\nCem never plows.")
    press(page, "main form .primary")
    yield "private notes, saved"
    with write(db):
        db.execute("UPDATE own_notes SET at = at + 1")
    page.fill("#notes", "Bert keeps nothing.")
    press(page, "main form .primary")
    yield "private notes, newer ones"
    page.goto(link + lang)
    page.locator("#own-notes > summary").click()
    yield "orders, private notes"


def own_settings(
    page: Page, played: Demo, db: Database, seat: Seat, link: str, lang: str
) -> Iterator[str]:
    page.goto(f"{link}/mail{lang}")
    yield "settings"
    press(page, "main form .primary")
    yield "settings, saved"
    yield from another_address(page, played, db, link, lang)
    page.goto(overview_of(played, db) + lang)
    yield "my games, nothing waits"
    yield from private_notes(page, played, db, link, lang)
    page.goto(f"{link}/programs{lang}")
    yield "for programs"
    page.goto(f"{base_of(link)}/api/v1{lang}")
    yield "what programs can do"
    stop = played.home.url("unsubscribe", played.game, seat.name, seat.link_number)
    page.goto(stop + lang)
    yield "reminders, to stop"
    press(page, "main form .primary")
    yield "reminders, stopped"
    page.goto(f"{stop}/news{lang}")
    yield "news, to stop"
    with write(db):
        act = {
            "token": secrets.token_hex(8),
            "asked": "{}",
            "by_address": "x",
            "by_name": "x",
            "at": 1,
        }
        number = store.acts.add(db, act | {"told_at": 1}, {played.game: "x"})
        note = store.notes.add(db, played.game, 1, "comment", "x", 1)
        told = [note, f"[{seat.number}]", number]
        db.execute("UPDATE act_game SET note = ?, told = ? WHERE act = ?", told)
    page.goto(played.home.url("news_of_act", who=seat.address or "", number=number) + lang)
    yield "news of several games, to stop"


def another_address(page: Page, played: Demo, db: Database, link: str, lang: str) -> Iterator[str]:
    page.fill("#address", f"{store.seats.of_game(db, played.game)[0].address}")
    press(page, "#where button")
    yield "settings, the address it is"
    page.fill("#address", "another@example.org")
    press(page, "#where button")
    yield "settings, another address asked"
    (number,) = db.execute("SELECT max(id) FROM joining").fetchone()
    page.goto(played.home.url("joining", played.game, "another@example.org", number) + lang)
    yield "address to confirm"
    with write(db):
        db.execute("UPDATE revision SET link_number = 0 WHERE game = ? AND seat = 1", [played.game])
    page.goto(link + lang)
    yield "orders, a list of an earlier link"
    with write(db):
        db.execute("UPDATE revision SET link_number = 1 WHERE game = ? AND seat = 1", [played.game])


def plan_by_mouse(page: Page) -> None:
    """Card after card on the first field it fits."""
    page.locator("#row .bcard").first.click()
    while page.locator("#skip").is_visible():
        free = page.locator(".fld .plant:visible:not([aria-disabled=true])")
        (free.first if free.count() else page.locator("#skip")).click()


def without_script(page: Page, played: Demo, link: str, lang: str) -> Iterator[str]:
    page.route("**/static/**/*.js", lambda route: route.abort())
    page.goto(link + lang)
    yield "orders without script, stored"
    page.locator("input[name=pass]").check()
    press(page, ".submitbar .primary")
    yield "orders without script, refused"
    page.locator("input[name=pass]").uncheck()
    press(page, ".submitbar .nojs")
    yield "orders without script, checked"
    page.goto(f"{link}{lang}&fill=nmr")
    yield "orders without script, stand-in as a start"
    page.unroute("**/static/**/*.js")


def closed_at_once(page: Page, link: str, lang: str) -> Iterator[str]:
    with patch.object(Game, "closes_at_once", new=True):
        page.goto(link + lang)
        yield "orders that will be final"
        press(page, ".submitbar .primary")
        yield "orders that will be final, not ticked"


def in_between(
    page: Page, played: Demo, db: Database, base: str, link: str, lang: str
) -> Iterator[str]:
    game, now = played.game, clock.now()
    page.goto(f"{base}/p/{game}{lang}")
    yield "game in round 1"
    lead.pause(db, game, "<i>Holidays</i>", now)
    page.goto(link + lang)
    yield "orders, paused"
    page.goto(f"{base}/p/{game}{lang}")
    yield "game, paused"
    lead.resume(db, game, "", now)
    lead.extend(db, game, now + 20 * DAY, "A long journey", now)
    create.comment(db, game, "Well played, all of you.", now)
    page.goto(f"{base}/p/{game}{lang}")
    yield "game, deadline moved"
    page.goto(link + lang)
    with write(db):
        db.execute("UPDATE game SET deadline = ? WHERE id = ?", [now, game])
    with patch.object(Demo, "settle", new=lambda _: None):  # the round stays open for a moment
        press(page, ".submitbar .primary")
    yield "late"
    page.goto(link + lang)
    yield "orders, round being closed"
    page.goto(f"{base}/p/{game}{lang}")
    yield "game, round being closed"
    with write(db):
        db.execute("UPDATE game SET status = 'held', error = 'silence' WHERE id = ?", [game])
    page.goto(link + lang)
    yield "orders, held"
    page.goto(f"{base}/p/{game}{lang}")
    yield "game, held"
    with write(db):
        db.execute("UPDATE game SET status = 'running', error = NULL WHERE id = ?", [game])
    page.goto(f"{base}/demo{lang}")
    press(page, ".demo button")
    yield "mailbox, report"
    page.goto(f"{base}/p/{game}{lang}")
    yield "game in round 2"
    page.goto(f"{base}/p/{game}/r1{lang}")
    yield "one round"
    page.goto(f"{base}/p/{game}/r1/try{lang}&seat=2")
    page.locator("#rivals > summary").click()
    yield "one round, tried again"
    page.locator("#typing > summary").click()
    page.fill("#typed", "1>A 9>B")
    press(page, "#typing button")
    yield "one round, tried again, does not work"
    page.goto(f"{link}/r1{lang}#s4")
    yield "one round, the own, at its fourth step"


def entering(page: Page, played: Demo, db: Database, base: str, lang: str) -> Iterator[str]:
    page.goto(f"{base}/desk/sign-in{lang}")
    page.fill("#address", "uli@example.org")
    page.fill("#password", "not the one")
    yield "desk, sign in"
    press(page, "main form .primary")
    yield "desk, sign in, refused"
    page.fill("#mail-link", "uli@example.org")
    press(page, "form[action^='/desk/link'] button")
    yield "desk, sign in, link mailed"
    made = accounts.add_gm(db, "uli@example.org", "Uli", lang[-2:], clock.now())
    page.goto(played.home.url("password", who=made.address, number=made.link_number) + lang)
    yield "desk, password"
    page.fill("#password", "correct horse battery")
    press(page, "form:has(#password) .primary")
    made = accounts.add_gm(db, "uli@example.org", "Uli", lang[-2:], clock.now())
    page.goto(played.home.url("password", who=made.address, number=made.link_number) + lang)
    yield "desk, sign in by a link"
    press(page, "form[action*='/enter'] .primary")
    page.goto(f"{base}/desk{lang}")
    yield "desk, games that take players"


def to_do(page: Page, played: Demo, db: Database, base: str, lang: str) -> Iterator[str]:
    game, now = played.game, clock.now()
    with write(db):
        db.execute(
            "UPDATE mail SET failed_at = 1, error = '550 mailbox <full>' WHERE game = ? AND seat = 1 AND kind = 'report'",
            [game],
        )
        db.execute("UPDATE game SET deadline = ? WHERE id = ?", [now + 3600, game])
        db.execute("DELETE FROM revision WHERE game = ? AND seat = 2 AND round = 2", [game])
    with write(db):
        doerte = queue.Recipient("doerte@example.org", "de")
        queue.put(db, "kichererbse", 0, queue.Event(kind="invite"), [doerte], now)
        db.execute(
            "UPDATE mail SET failed_at = 1, error = '550 5.1.1 no <such> user' WHERE kind = 'invite'"
        )
        db.execute(
            "UPDATE press SET to_gm = 'I am <late>, ' || hex(zeroblob(40)), read_at = NULL WHERE game = ?",
            [game],
        )
    page.goto(f"{base}/desk{lang}")
    yield "desk, to do"
    first = store.seats.of_game(db, game)[0]
    page.goto(f"{played.home.url('seat', game, first.name, first.link_number)}{lang}")
    yield "orders, mail refused"


def several_games(page: Page, db: Database, game: str, base: str, lang: str) -> Iterator[str]:
    before = store.games.existing(db, game)
    page.goto(f"{base}/desk{lang}&tick=all#all")
    yield "desk, all games ticked"
    press(page, ".bulk button[value=later]")
    yield "desk, several games, preview"
    press(page, "main form .primary")
    yield "desk, several games, done"
    with write(db):  # the deadline was too near to be undone
        store.games.update(db, game, {"deadline": before.deadline})


def the_desk(page: Page, played: Demo, db: Database, base: str, lang: str) -> Iterator[str]:
    yield from entering(page, played, db, base, lang)
    game, now = played.game, clock.now()
    masters.add_master(db, game, "uli@example.org")
    joining.stand_by(db, "doerte@example.org", "Dörte", "de", now)
    seating.set_absence(db, store.seats.of_game(db, game)[0], "2026-01-01", "2036-01-01")
    yield from to_do(page, played, db, base, lang)
    yield from several_games(page, db, game, base, lang)
    page.goto(f"{base}/desk/settings{lang}")
    press(page, "main form .primary")
    yield "desk, your mails"
    page.goto(f"{base}/desk/new{lang}")
    yield "desk, new game"
    page.fill("#name", "Feuerbohne")
    page.check("input[value=own]")
    page.locator("#more > summary").click()
    press(page, "button[value=preview]")
    yield "desk, new game, next ten"
    page.fill("#at", "8 pm")
    press(page, "button[value=create]")
    yield "desk, new game, refused"
    page.fill("#at", "20:00")
    press(page, "button[value=create]")
    yield "desk, a draft"
    page.goto(f"{base}/desk/game/kichererbse{lang}")
    joining.ask_who_is_there(db, "kichererbse", now)
    page.reload()
    yield "desk, a game that takes players"
    page.goto(f"{base}/desk/game/voll{lang}")
    yield "desk, a private game"
    page.goto(played.home.url("invitation", "voll") + lang)
    yield "invitation to a private game"
    page.goto(f"{played.home.url('seat', 'kichererbse', 'Anna', 1)}{lang}")
    yield "seat before the start, asked"
    page.evaluate("document.querySelector('main form').noValidate = true")
    press(page, "main form button")
    yield "seat before the start, box not ticked"
    page.goto(f"{base}/desk/game/{game}{lang}")
    page.evaluate("document.querySelectorAll('main details').forEach((d) => { d.open = true; })")
    yield "desk, a game"
    page.fill("#seat-1 input[name=orders][type=text]", "9>A HA")
    press(page, "#seat-1 form[action*=orders] button")
    yield "desk, a game, refused"
    page.goto(f"{base}/desk/game/{game}/run{lang}")
    page.fill("#confirm", "x")
    press(page, "form .danger")
    yield "desk, run now"
    yield from changed(page, f"{base}/desk/game/{game}/change{lang}")
    yield from repaired(page, played, db, base, lang)


def changed(page: Page, form: str) -> Iterator[str]:
    page.goto(form)
    page.fill("#left_out", "2026-12-27 2027-01-03")
    press(page, "button[value=preview]")
    yield "desk, change a game"
    page.fill("#at", "8 pm")
    press(page, "button[value=save]")
    yield "desk, change a game, refused"


def broken_down(page: Page, db: Database, desk: str, public: str) -> Iterator[str]:
    """A game whose row is no text any more, and a service that was restored."""
    with write(db):
        db.execute("UPDATE game SET gm_name = CAST(x'ff' AS TEXT) WHERE id = 'kichererbse'")
        db.execute(
            'INSERT INTO meta (key, value) VALUES (\'held\', \'{"at": 1, "copied_at": 1, "games": []}\')'
        )
    page.goto(desk)
    yield "desk, restored, a game unreadable"
    page.goto(public)
    yield "a fault of ours"
    with write(db):
        db.execute("UPDATE game SET gm_name = 'Uli' WHERE id = 'kichererbse'")
        db.execute("DELETE FROM meta WHERE key = 'held'")


def repaired(page: Page, played: Demo, db: Database, base: str, lang: str) -> Iterator[str]:
    with write(db):
        db.execute("UPDATE gm SET host = 1")
    page.goto(f"{base}/desk/masters{lang}")
    yield "desk, game masters"
    game, now = played.game, clock.now()
    seating.remove_seat(db, game, "Emil", "<b>gone</b>", now)
    page.goto(played.home.url("seat", game, "Emil", 1) + lang)
    yield "dead link, seat taken away"
    with write(db):
        db.execute(
            "UPDATE game SET status = 'held', error = 'differs: round 1, the table after it' WHERE id = ?",
            [game],
        )
    page.goto(f"{base}/desk/game/{game}{lang}")
    yield "desk, a game, held"
    yield from broken_down(page, db, f"{base}/desk{lang}", f"{base}/p/kichererbse{lang}")
    lead.release(db, game, "", now)
    rollback(db, game, 1, "a letter in the <wrong> box", now)
    page.goto(f"{base}/p/{game}/r1/versions{lang}")
    yield "round taken back"
    played.close()
    page.goto(f"{base}/p/{game}/r1/versions{lang}")
    yield "round played again"
    page.goto(f"{base}/zine{lang}&since=2026-01-01")
    yield "zine"
    page.goto(f"{played.home.url('seat', game, 'Anna', 1)}/data{lang}")
    yield "what is stored"
    page.goto(f"{base}/desk{lang}")
    press(page, "footer form button")


def verified(page: Page, played: Demo, db: Database, base: str, lang: str) -> Iterator[str]:
    """Every verdict on a finished game."""
    page.goto(f"{base}/verify{lang}&game={played.game}")
    yield "verify"
    page.locator("#verify .primary").click()
    page.locator("#verdict.warn").wait_for()
    yield "verify, with itself only"
    over = store.games.existing(db, played.game)
    last = store.rounds.closed(db, over.id)[-1]
    page.fill("#commitment", over.commitment or "")
    page.fill("#kept", f"{last.number}={last.chain}")
    page.locator("#verify .primary").click()
    page.locator("#verdict.warn").wait_for()
    yield "verify, proven if a round was taken back"
    page.fill("#mails", told_of_rounds_taken_back(db, over.id))
    page.locator("#verify .primary").click()
    page.locator("#verdict.ok").wait_for()
    yield "verify, proven"
    page.fill("#kept", f"1={'0' * 64}")
    page.locator("#verify .primary").click()
    page.locator("#verdict.err").wait_for()
    yield "verify, not proven"


def told_of_rounds_taken_back(db: Database, game: str) -> str:
    """What mails say of them."""
    return "\n\n".join(
        as_text(Line(game, note.round, "withdrawn", value))
        for note in store.notes.of_game(db, game)
        for value in note.withdrawn or ()
    )


def the_end(
    page: Page, played: Demo, db: Database, base: str, link: str, lang: str
) -> Iterator[str]:
    page.goto(link + lang)
    page.evaluate("document.querySelector('input[name=round]').value = 1")
    plan_by_mouse(page)
    press(page, ".submitbar .primary")
    yield "late, for another round"
    while store.games.existing(db, played.game).round < 10:
        played.close()
    row = lay_row(db, played.game, "snake*12 bush*3 mung snap*22 broad bush princess magic")
    page.goto(link + lang)
    page.locator("#row .bcard").first.click()
    yield "orders, high stacks"
    page.route("**/static/**/*.js", lambda route: route.abort())
    page.goto(link + lang)
    yield "orders without script, high stacks"
    page.unroute("**/static/**/*.js")
    lay_row(db, played.game, row)
    page.goto(link + lang)
    yield "orders, last round"
    page.goto(f"{base}/p/{played.game}{lang}")
    page.locator("details.round").nth(3).locator("summary").click()
    page.locator("details.acc > summary").first.click()
    yield "game in the last round"
    played.close()
    assert store.games.existing(db, played.game).status == "finished"
    page.goto(f"{base}/p/{played.game}{lang}")
    yield "game, finished"
    page.goto(link + lang)
    unfolded(page)
    yield "own page of a finished game"
    with write(db):
        store.games.update(db, played.game, {"asks_again": 1})
    page.goto(link + lang)
    yield "asked to play once more"
    with write(db):
        store.games.update(db, played.game, {"asks_again": 0})
    page.goto(f"{base}/p/{played.game}/r10{lang}")
    yield "the last round"
    page.goto(f"{base}/demo{lang}")
    yield "mailbox, final report"
    page.goto(f"{base}/{lang}")
    yield "landing with a finished game"
    page.goto(overview_of(played, db) + lang)
    yield "my games, asked before the start, and a finished one"
    page.goto(f"{base}/table{lang}")
    yield "table"
    yield from verified(page, played, db, base, lang)
    page.goto(f"{played.home.url('seat', 'kichererbse', 'Anna', 1)}/data{lang}")
    page.fill("#confirm", "Anna")
    press(page, "form .danger")
    yield "left"


def a_duel(page: Page, played: Demo, db: Database, base: str, lang: str) -> Iterator[str]:
    name, yes, send = "saubohne", "#yes", ".submitbar .primary"
    link = open_game(played, db, name, language=lang[-2:], seats=2, variant="duel")
    create.add_seat(
        db,
        played.home.link_key,
        game=name,
        name="Bert",
        address="bert@example.org",
        language=lang[-2:],
    )
    create.start_game(db, name, clock.now())
    page.goto(link + lang)
    unfolded(page)
    page.locator("input[name=hand_1]").first.check(force=True)
    page.locator("input[name=plan][value=yes]").check()
    page.locator(send).click()
    yield "duel, before the reveal, asked once"
    page.locator("#not-yet").click()
    page.locator("input[name=plan][value='']").check()
    page.locator(send).click()
    press(page, yes)
    unfolded(page)
    yield "duel, after the reveal"
    page.goto(f"{link}/give-up{lang}")
    yield "duel, giving up"
    page.fill("#name", "Nobody")
    press(page, "form .danger")
    yield "duel, giving up, another name"
    page.goto(link + lang)
    page.locator(send).click()
    press(page, yes)
    unfolded(page)
    yield "duel, waiting"
    page.goto(f"{link}/t/1{lang}")
    unfolded(page)
    yield "duel, a turn"
    submit(
        db,
        store.games.existing(db, name),
        store.seats.numbered(db, name, 2),
        3,
        "resign",
        by="seat",
    )
    for _ in range(2):
        tick(played.home)
    page.goto(f"{base}/p/{name}{lang}")
    unfolded(page)
    yield "duel, over"
    page.goto(f"{base}/p/{name}/t/2{lang}")
    unfolded(page)
    yield "duel, its last turn, all open"
