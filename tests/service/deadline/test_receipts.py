"""Receipts: one that waits gives way to the report that says the same, and all can be kept as a
file that proves what they prove.
"""

from pathlib import Path
from typing import Any

import pytest

from gm import clock, service, store
from gm.config import Config
from gm.deadline.rollback import rollback
from gm.games.orders import save_orders
from gm.installation import Installation
from gm.people import seating
from gm.proof.witness import mails
from gm.service import close_due, tick, tick_mail
from gm.store.db import Database, write
from gm.store.games import Game
from rounds.engine.witness import read
from tests.dates import SUNDAY
from tests.steps import seat_game, sent_mails, start


def order(db: Database, number: int = 1, text: str = "pass") -> None:
    game = store.games.existing(db, "ackerwinde")
    save_orders(db, game, store.seats.numbered(db, "ackerwinde", number), text)


def receipts(db: Database) -> list[tuple[int, int]]:
    """Seat and version of the receipts that are or will be sent."""
    sql = """SELECT seat, about FROM mail WHERE kind = 'receipt' AND withdrawn_at IS NULL
             ORDER BY seat, about"""
    return db.execute(sql).fetchall()


def test_a_receipt_that_waits_gives_way_to_the_report_of_its_list(
    db: Database, ackerwinde: Game
) -> None:
    order(db)
    order(db, text="1>A")
    order(db, number=2)
    assert receipts(db) == [(1, 1), (1, 2), (2, 1)]
    assert close_due(db, Config(), SUNDAY)
    assert receipts(db) == [(1, 1)]  # the report says nothing of that one


def test_a_receipt_that_was_sent_or_is_being_sent_stays(
    db: Database, installation: Installation, ackerwinde: Game
) -> None:
    order(db)
    tick_mail(installation, clock.now())
    order(db, number=2)
    with write(db):
        db.execute("UPDATE mail SET next_try = ? WHERE seat = 2", [SUNDAY + 1])
    assert close_due(db, Config(), SUNDAY)
    assert receipts(db) == [(1, 1), (2, 1)]


def test_who_did_not_send_the_list_by_this_link_is_told_of_it_in_any_case(
    db: Database, installation: Installation, ackerwinde: Game
) -> None:
    service.enter_orders(db, "ackerwinde", "Anna", "pass", "1")
    order(db, number=2)
    with write(db):
        db.execute("UPDATE seat SET link_number = 2 WHERE number = 2")
    assert close_due(db, Config(), SUNDAY)
    assert receipts(db) == [(1, 1), (2, 1)]


def test_a_round_that_is_taken_back_before_its_report_was_sent_has_its_receipts_again(
    db: Database, installation: Installation, ackerwinde: Game
) -> None:
    order(db)
    order(db, number=2)
    assert close_due(db, Config(), SUNDAY)
    seating.renew_link(db, installation.link_key, "ackerwinde", "Bert", SUNDAY)
    assert receipts(db) == []
    rollback(db, "ackerwinde", 1, "a typo", SUNDAY + 60)
    assert receipts(db) == [(1, 1)]  # and none to the link that is dead
    tick_mail(installation, SUNDAY + 60)
    assert "receipt" in [kind for kind, to, _ in sent_mails(installation, db) if "anna" in to]


def test_who_gives_up_is_mailed_the_end_and_no_receipt(
    installation: Installation, db: Database
) -> None:
    seat_game(installation, "rainy", ("Anna", "Bert"), "duel")
    start(installation, "rainy")
    game = store.games.existing(db, "rainy")
    (name,) = game.awaited_names
    service.submit(db, game, seating.seat_named(db, "rainy", name), 1, "resign", by="seat")
    service.close_at_once(installation, game, clock.now())
    sent = [
        kind
        for (kind,) in db.execute("SELECT kind FROM mail WHERE withdrawn_at IS NULL AND round > 0")
    ]
    assert sent.count("final") == 2
    assert "receipt" not in sent


@pytest.mark.parametrize("door", ["page", "api"])
def test_all_receipts_come_as_a_file_that_says_what_their_mails_say(
    db: Database,
    installation: Installation,
    ackerwinde: Game,
    link: dict[str, str],
    web: Any,
    tmp_path: Path,
    door: str,
) -> None:
    for number, text in ((1, "pass"), (1, "1>A"), (2, "pass")):
        order(db, number, text)
    tick_mail(installation, clock.now())
    token = installation.api_token(store.seats.numbered(db, "ackerwinde", 1))
    answer = (
        web.get(f"{link['Anna']}/receipts.txt?lang=en")
        if door == "page"
        else web.get(
            "/api/v1/games/ackerwinde/seat/receipts?lang=en",
            headers={"Authorization": f"Bearer {token}"},
        )
    )
    assert answer.mimetype == "text/plain"
    mailed = [
        line
        for file in sorted(installation.mail_folder.glob("*-receipt-seat1.eml"))
        for line in read(file.read_text())
    ]
    assert read(answer.text) == mailed
    assert len(mailed) == 2
    for revision in store.lists.revisions(db, "ackerwinde", 1, 1):
        assert revision.salt.hex() in answer.text
        assert revision.orders in answer.text
    file = tmp_path / "ackerwinde-receipts.txt"
    file.write_text(answer.text, encoding="utf-8")
    assert mails(file).mails == [mailed]


def test_a_new_link_takes_no_receipt_of_a_closed_round_from_its_player(
    db: Database,
    installation: Installation,
    ackerwinde: Game,
    frozen_time: Any,
    web: Any,
) -> None:
    order(db)
    frozen_time.move_to(SUNDAY)
    tick(installation)
    order(db)  # for round 2, by the old link: its digest shows nothing to whoever has the new one
    seating.renew_link(db, installation.link_key, "ackerwinde", "Anna", SUNDAY + 1)
    number = store.seats.numbered(db, "ackerwinde", 1).link_number
    link = installation.path("seat", "ackerwinde", "Anna", number)
    text = web.get(f"{link}/receipts.txt?lang=en").text
    assert [line.round for line in read(text)] == [1]
    assert "no list was sent" not in text
