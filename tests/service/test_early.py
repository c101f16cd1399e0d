"""A round is closed early only after everybody has had the time to change their mind that pages
and mails promise.
"""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from gm import clock, open_round, store
from gm.clock import DAY, HOUR
from gm.deadline.rollback import rollback
from gm.games import lead
from gm.installation import Installation
from gm.people import seating
from gm.service import submit, tick, tick_mail
from gm.store.db import Database, write
from gm.store.games import Game
from tests.dates import NOON, SUNDAY
from tests.steps import bohnenpost, form, parsed, plain_text, seat_game, send, start, words

START = int(NOON.timestamp())
DELAY = 24 * HOUR


@pytest.fixture
def early(installation: Installation, db: Database, frozen_time: Any) -> Game:
    """A started game of Anna and Bert, whose rounds are closed 24 hours after the last orders;
    the deadline is in nine days.
    """
    seat_game(installation, players=("Anna", "Bert"))
    bohnenpost("game", "change", "ackerwinde", "--early-after", 24, home=installation.home)
    start(installation)
    with write(db):
        store.games.update(
            db, "ackerwinde", {"deadline": SUNDAY + 7 * DAY, "scheduled_deadline": SUNDAY + 7 * DAY}
        )
    tick_mail(installation, clock.now())
    return store.games.existing(db, "ackerwinde")


def order(db: Database, *names: str, text: str = "pass") -> None:
    for name in names:
        submit(
            db,
            store.games.existing(db, "ackerwinde"),
            seating.seat_named(db, "ackerwinde", name),
            1,
            text,
            by="seat",
        )


def closed_after(
    installation: Installation, frozen_time: Any, *, at_most: int = 9 * DAY
) -> int | None:
    """How many whole hours after the start of the game the first round is closed, looking once
    an hour; None: not until then.
    """
    while clock.now() < START + at_most:
        tick(installation)
        with installation.connection() as db:
            if store.games.existing(db, "ackerwinde").round == 2:
                return (clock.now() - START) // HOUR
        frozen_time.shift(HOUR)
    return None


def test_it_is_closed_when_the_delay_after_the_last_orders_is_over(
    installation: Installation, db: Database, early: Game, frozen_time: Any
) -> None:
    order(db, "Anna")
    frozen_time.shift(2 * HOUR)
    order(db, "Bert")
    frozen_time.shift(3 * HOUR)
    order(db, "Anna", text="1>A")
    assert closed_after(installation, frozen_time) == 5 + 24


def test_after_a_restore_it_stays_open_for_a_day(
    installation: Installation, db: Database, early: Game, frozen_time: Any, tmp_path: Path
) -> None:
    order(db, "Anna", "Bert")
    frozen_time.shift(HOUR)
    bohnenpost("backup", tmp_path / "one.db", home=installation.home)
    order(db, "Bert", text="1>A")
    frozen_time.shift(2 * DAY)
    db.close()
    bohnenpost("restore", tmp_path / "one.db", "--yes", home=installation.home)
    bohnenpost("resume", home=installation.home)
    assert closed_after(installation, frozen_time) == 1 + 48 + 24


@pytest.mark.parametrize("both", [True, False])
def test_if_all_order_anew_after_a_restore_the_delay_counts_again(
    installation: Installation,
    db: Database,
    early: Game,
    frozen_time: Any,
    tmp_path: Path,
    both: bool,
) -> None:
    bohnenpost("game", "change", "ackerwinde", "--early-after", 2, home=installation.home)
    order(db, "Anna", "Bert")
    frozen_time.shift(HOUR)
    bohnenpost("backup", tmp_path / "one.db", home=installation.home)
    db.close()
    bohnenpost("restore", tmp_path / "one.db", "--yes", home=installation.home)
    bohnenpost("resume", home=installation.home)
    frozen_time.shift(HOUR)
    with installation.connection() as again:
        order(again, "Anna", text="1>A")
        if both:
            order(again, "Bert", text="1>A")
    assert closed_after(installation, frozen_time) == (2 + 2 if both else 1 + 24)


def test_time_in_which_the_game_was_paused_does_not_count(
    installation: Installation, db: Database, early: Game, frozen_time: Any
) -> None:
    order(db, "Anna", "Bert")
    frozen_time.shift(HOUR)
    bohnenpost("game", "pause", "ackerwinde", home=installation.home)
    frozen_time.shift(3 * DAY)
    bohnenpost("game", "resume", "ackerwinde", home=installation.home)
    frozen_time.shift(2 * HOUR)
    bohnenpost("game", "pause", "ackerwinde", home=installation.home)
    frozen_time.shift(2 * HOUR)
    bohnenpost("game", "resume", "ackerwinde", home=installation.home)
    assert closed_after(installation, frozen_time) == 24 + 72 + 2


def test_a_pause_that_a_rollback_ended_counts_no_time(
    installation: Installation, db: Database, early: Game, frozen_time: Any
) -> None:
    def close_the_first() -> None:
        order(db, "Anna", "Bert")
        frozen_time.shift(DELAY)
        tick(installation)
        assert store.games.existing(db, "ackerwinde").round == 2

    close_the_first()
    lead.pause(db, "ackerwinde", "", clock.now())
    rollback(db, "ackerwinde", 1, "The wrong box.", clock.now())
    frozen_time.shift(1)
    close_the_first()
    game = store.games.existing(db, "ackerwinde")
    for name in ("Anna", "Bert"):
        submit(db, game, seating.seat_named(db, "ackerwinde", name), 2, "pass", by="seat")
    sent = clock.now()
    frozen_time.shift(2 * HOUR)
    lead.pause(db, "ackerwinde", "", clock.now())
    frozen_time.shift(3 * HOUR)
    lead.resume(db, "ackerwinde", "", clock.now())
    standing = open_round.standing(db, store.games.existing(db, "ackerwinde"))
    assert standing.closes_early_at == sent + DELAY + 3 * HOUR


def test_a_deadline_that_was_moved_is_waited_for(
    installation: Installation, db: Database, early: Game, frozen_time: Any
) -> None:
    order(db, "Anna", "Bert")
    said = bohnenpost(
        "game",
        "extend",
        "ackerwinde",
        "--to",
        "2026-12-03 20:00",
        "--reason",
        "Bert thinks",
        home=installation.home,
    )
    assert "2026-12-03T20:00" in said.output
    assert closed_after(installation, frozen_time, at_most=13 * DAY) is None
    frozen_time.move_to(datetime(2026, 12, 3, 19, 0, tzinfo=UTC))
    tick(installation)
    assert store.games.existing(db, "ackerwinde").round == 2


CHANGES: dict[str, Callable[[Installation, Database], Any]] = {
    "replaced": lambda installation, _: bohnenpost(
        "game",
        "replace",
        "ackerwinde",
        "Bert",
        "--player",
        "Zoe",
        "--address",
        "zoe@example.org",
        "--keep-orders",
        home=installation.home,
    ),
    "new link": lambda installation, _: bohnenpost(
        "game", "link", "ackerwinde", "Bert", "--renew", home=installation.home
    ),
    "another address": lambda installation, _: bohnenpost(
        "game", "address", "ackerwinde", "Bert", "b@example.org", home=installation.home
    ),
    "a longer delay, and back": lambda installation, _: [
        bohnenpost("game", "change", "ackerwinde", "--early-after", hours, home=installation.home)
        for hours in (48, 24)
    ],
    "not early, and early again": lambda installation, _: [
        bohnenpost("game", "change", "ackerwinde", *how, home=installation.home)
        for how in (["--not-early"], ["--early-after", 24])
    ],
    "typed by the GM": lambda installation, _: bohnenpost(
        "game", "orders", "ackerwinde", "Bert", "1>A", home=installation.home
    ),
}


@pytest.mark.parametrize("change", CHANGES)
def test_whatever_changes_who_orders_or_what_was_promised_begins_the_delay_anew(
    installation: Installation, db: Database, early: Game, frozen_time: Any, change: str
) -> None:
    order(db, "Anna", "Bert")
    frozen_time.shift(20 * HOUR)
    CHANGES[change](installation, db)
    assert closed_after(installation, frozen_time) == 20 + 24


@pytest.mark.parametrize("by_gm", [True, False])
def test_somebody_who_is_awaited_no_more_begins_the_delay_anew(
    installation: Installation, db: Database, early: Game, frozen_time: Any, by_gm: bool
) -> None:
    order(db, "Anna")
    frozen_time.shift(30 * HOUR)
    bert = seating.seat_named(db, "ackerwinde", "Bert")
    if by_gm:
        bohnenpost("game", "remove", "ackerwinde", "Bert", home=installation.home)
    else:
        seating.forget(db, bert, clock.now())
    assert closed_after(installation, frozen_time) == 30 + 24


def test_a_held_game_that_is_let_go_on_begins_the_delay_anew(
    installation: Installation, db: Database, early: Game, frozen_time: Any
) -> None:
    order(db, "Anna", "Bert")
    frozen_time.shift(20 * HOUR)
    with write(db):
        store.games.update(db, "ackerwinde", {"status": "held", "error": "fault 1"})
    frozen_time.shift(20 * HOUR)
    bohnenpost("game", "release", "ackerwinde", home=installation.home)
    assert closed_after(installation, frozen_time) == 40 + 24


def test_words_and_another_name_change_nothing(
    installation: Installation, db: Database, early: Game, frozen_time: Any
) -> None:
    order(db, "Anna", "Bert")
    frozen_time.shift(20 * HOUR)
    bohnenpost("game", "announce", "ackerwinde", "Moin", home=installation.home)
    bohnenpost("game", "change", "ackerwinde", "--name", "Winde", home=installation.home)
    assert closed_after(installation, frozen_time) == 24


def test_where_a_deadline_was_moved_nobody_is_promised_an_early_closing(
    installation: Installation, db: Database, early: Game, web: Any
) -> None:
    anna = installation.path("seat", "ackerwinde", "Anna", 1)
    lead.extend(db, "ackerwinde", (early.deadline or 0) + DAY, "", clock.now())
    send(web, anna, form(1, to_1_1="A"))
    for page in ("", "/receipt"):
        text = words(web.get(f"{anna}{page}?lang=en"))
        assert "whichever comes first" not in text
    assert "You can change them until the deadline on Mon 30 November 2026, 20:00 CET." in text
    tick_mail(installation, clock.now())
    (mail,) = installation.mail_folder.glob("*-receipt-seat1.eml")
    assert "whichever" not in mail.read_text()


def test_page_receipt_mail_and_api_say_when(
    installation: Installation, db: Database, early: Game, frozen_time: Any, web: Any
) -> None:
    anna, bert = (installation.path("seat", "ackerwinde", name, 1) for name in ("Anna", "Bert"))
    maybe = "until Sun 29 November 2026, 20:00 CET, or until 1 day after the last orders are in, whichever comes first"
    surely = "All orders are in: you can change yours until Sat 21 November 2026, 13:30 CET, then the round is closed."

    def said() -> list[str]:
        return [words(web.get(f"{anna}{page}?lang=en")) for page in ("", "/receipt")]

    def closes() -> list[str | None]:
        token = installation.api_token(seating.seat_named(db, "ackerwinde", "Anna"))
        own = web.get("/api/v1/games/ackerwinde/seat", headers={"Authorization": f"Bearer {token}"})
        return [
            own.json["closes_early_at"],
            web.get("/api/v1/games/ackerwinde").json["closes_early_at"],
        ]

    def receipt(seat: int) -> str:
        tick_mail(installation, clock.now())
        newest = max(installation.mail_folder.glob(f"*-receipt-seat{seat}.eml"))
        return plain_text(parsed(newest.read_bytes()))

    with write(db):
        db.execute("UPDATE seat SET language = 'en'")
    assert send(web, anna, form(1, to_1_1="A")).status_code == 303
    assert closes() == [None, None]
    assert [page for page in said() if maybe not in page] == []
    assert maybe in receipt(1)
    frozen_time.shift(HOUR // 2)
    assert send(web, bert, form(1, to_1_1="A")).status_code == 303
    assert closes() == ["2026-11-21T12:30:00Z"] * 2
    assert [page for page in said() if surely not in page] == []
    assert surely in receipt(2)
    frozen_time.move_to(START + HOUR // 2 + DELAY - 1)
    tick(installation)
    assert store.games.existing(db, "ackerwinde").round == 1
    frozen_time.shift(1)
    tick(installation)
    assert store.games.existing(db, "ackerwinde").round == 2


def test_where_the_last_orders_close_the_round_the_pages_say_so_before_and_after(
    installation: Installation, db: Database, early: Game, frozen_time: Any, web: Any
) -> None:
    anna, bert = (installation.path("seat", "ackerwinde", name, 1) for name in ("Anna", "Bert"))
    last = "All other orders are in: as soon as yours are, the round is closed."

    def said(path: str) -> str:
        return words(web.get(f"{path}?lang=en"))

    assert "The round is closed at its deadline, or earlier once all orders are in" in said(anna)
    with write(db):
        store.games.update(db, "ackerwinde", {"early_after": 0})
    assert "until the deadline; the last version counts" not in said(anna)
    send(web, anna, form(1, to_1_1="A"))
    assert last not in said(anna)
    assert last in said(bert)
    send(web, bert, form(1, to_1_1="A"))
    closing = said(f"{bert}/receipt")
    assert "the round is being closed: its report, or a receipt, comes by mail to" in closing
    assert "All orders are in: the round is closed any moment" in closing
    for untrue in ("You can change them", "Change the orders again", "on its way"):
        assert untrue not in closing
    frozen_time.shift(61)  # nobody closes it: the service may wait for its clock
    assert "Change the orders again" in said(f"{bert}/receipt")


OPENED = (
    "This round was opened anew: it stays open until Sat 21 November 2026, 13:00 CET at least, "
    "unless everybody submits anew before."
)


@pytest.mark.parametrize("all_anew", [True, False])
def test_a_round_that_was_taken_back_says_until_when_it_stays_open(
    installation: Installation,
    db: Database,
    early: Game,
    frozen_time: Any,
    web: Any,
    all_anew: bool,
) -> None:
    with write(db):
        store.games.update(db, "ackerwinde", {"early_after": 0})
        db.execute("UPDATE seat SET language = 'en'")
    order(db, "Anna", "Bert")
    tick(installation)
    rollback(db, "ackerwinde", 1, "The wrong box.", clock.now())
    frozen_time.shift(1)
    anna, bert = (installation.path("seat", "ackerwinde", name, 1) for name in ("Anna", "Bert"))
    assert OPENED in words(web.get(f"{anna}?lang=en"))
    send(web, anna, form(1, to_1_1="A"))
    assert OPENED in words(web.get(f"{anna}?lang=en"))
    assert OPENED in words(web.get(f"{anna}/receipt?lang=en"))
    tick(installation)
    newest = max(installation.mail_folder.glob("*-receipt-seat1.eml"))
    assert OPENED in plain_text(parsed(newest.read_bytes()))
    if all_anew:
        send(web, bert, form(1, to_1_1="A"))
        assert OPENED not in words(web.get(f"{anna}?lang=en"))
    else:
        frozen_time.move_to(START + DAY - 1)
        tick(installation)
        assert store.games.existing(db, "ackerwinde").round == 1
        frozen_time.shift(1)
    tick(installation)
    assert store.games.existing(db, "ackerwinde").round == 2


def test_after_a_restore_nobody_is_told_that_the_last_orders_close_the_round(
    installation: Installation, db: Database, early: Game, web: Any, tmp_path: Path
) -> None:
    with write(db):
        store.games.update(db, "ackerwinde", {"early_after": 0})
    order(db, "Anna")
    bohnenpost("backup", tmp_path / "one.db", home=installation.home)
    db.close()
    bohnenpost("restore", tmp_path / "one.db", "--yes", home=installation.home)
    bohnenpost("resume", home=installation.home)
    with installation.connection() as again:
        number = seating.seat_named(again, "ackerwinde", "Bert").link_number
    bert = installation.path("seat", "ackerwinde", "Bert", number)
    assert OPENED in words(web.get(f"{bert}?lang=en"))


def test_a_game_without_early_closing_says_its_deadline_alone(
    db: Database, ackerwinde: Game, link: dict[str, str], web: Any
) -> None:
    send(web, link["Bert"], form(1, to_1_1="A"))
    assert "until the deadline on Sun 22 November 2026, 20:00 CET" in words(
        web.get(f"{link['Bert']}/receipt")
    )
