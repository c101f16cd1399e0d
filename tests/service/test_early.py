"""A round is closed early only after everybody has had the time to change their mind that pages
and mails promise.
"""

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
from tests.steps import (
    bohnenpost,
    current,
    form,
    order,
    parsed,
    plain_text,
    seat,
    seat_game,
    send,
    start,
    words,
)

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


ROWS = [
    line.split(" | ")
    for line in Path(__file__).with_name("early.txt").read_text(encoding="utf-8").splitlines()[1:]
    if " | " in line
]
ACTS = {
    "Bert is replaced": "game replace ackerwinde Bert --player Zoe --address zoe@example.org --keep-orders",
    "Bert gets a new link": "game link ackerwinde Bert --renew",
    "Bert gets another address": "game address ackerwinde Bert b@example.org",
    "the GM types a list for Bert": "game orders ackerwinde Bert 1>A",
    "closing early after 2": "game change ackerwinde --early-after 2",
    "closing early after 24": "game change ackerwinde --early-after 24",
    "closing early after 48": "game change ackerwinde --early-after 48",
    "closing early ends": "game change ackerwinde --not-early",
    "released": "game release ackerwinde",
    "Bert is removed": "game remove ackerwinde Bert",
    "announced": "game announce ackerwinde Moin",
    "another name": "game change ackerwinde --name Winde",
    "paused": "game pause ackerwinde",
    "resumed": "game resume ackerwinde",
    "the deadline becomes hour 319": "game extend ackerwinde --to 2026-12-03T20:00",
    "copied": "backup COPY",
    "the copy is put back": "restore COPY --yes; resume",
}


def happens(installation: Installation, copy: Path, act: str) -> None:
    for command in ACTS.get(act, "").replace("COPY", str(copy)).split("; "):
        if command:
            bohnenpost(*command.split(), home=installation.home)
    who, _, what = act.partition(" ")
    with installation.connection() as db:
        if what == "orders":
            before = store.lists.revisions(db, "ackerwinde", 1, seat(db, who).number)
            order(db, who, text="1>A" if before else "pass")
        elif what == "leaves":
            seating.forget(db, seat(db, who), clock.now())
        elif act == "held":
            with write(db):
                store.games.update(db, "ackerwinde", {"status": "held", "error": "fault 1"})
        else:
            assert act in ACTS


@pytest.mark.parametrize(("acts", "closed"), ROWS, ids=lambda text: text[:80])
def test_it_is_closed_in_the_hour_that_the_table_says(
    installation: Installation,
    db: Database,
    early: Game,
    frozen_time: Any,
    tmp_path: Path,
    acts: str,
    closed: str,
) -> None:
    db.close()
    for part in acts.split("; "):
        hour, _, act = part.partition(" ")
        while clock.now() < START + int(hour) * HOUR:
            tick(installation)
            frozen_time.shift(HOUR)
        happens(installation, tmp_path / "copy.db", act)
    while clock.now() < START + 400 * HOUR:
        tick(installation)
        with installation.connection() as now:
            if current(now).round == 2:
                break
        frozen_time.shift(HOUR)
    assert (clock.now() - START) // HOUR == int(closed)


def test_a_pause_that_a_rollback_ended_counts_no_time(
    installation: Installation, db: Database, early: Game, frozen_time: Any
) -> None:
    def close_the_first() -> None:
        for name in ("Anna", "Bert"):
            order(db, name)
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
    order(db, "Anna")
    order(db, "Bert")
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
