"""Orders come in: numbered, never overwritten, checked against the server's clock inside the
transaction.
"""

import sqlite3
from typing import Any

import pytest

from gm import clock, service, store
from gm.games import create, orders
from gm.games.orders import Late, TooMany, save_orders
from gm.installation import Installation
from gm.people import seating
from gm.store.db import Database, write
from gm.store.games import Game
from gm.store.seats import Seat
from tests.dates import SUNDAY
from tests.steps import seat_game, start, trace


@pytest.fixture
def anna(db: Database, ackerwinde: Game) -> Seat:
    return store.seats.of_game(db, "ackerwinde")[0]


def save(db: Database, game: Game, seat: Seat, text: str = "1>A", **more: Any) -> orders.Receipt:
    return save_orders(db, game, seat, text, **more)


def test_every_list_is_a_numbered_revision_and_the_newest_counts(
    db: Database, ackerwinde: Game, anna: Seat
) -> None:
    for number, text in enumerate(("1>A", "pass", "2>A"), start=1):
        receipt = save(db, ackerwinde, anna, text)
        assert (receipt.revision.number, receipt.is_new) == (number, True)
    assert [r.orders for r in store.lists.revisions(db, "ackerwinde", 1, 1)] == [
        "2>A",
        "pass",
        "1>A",
    ]
    assert store.lists.newest(db, "ackerwinde", 1)[1].orders == "2>A"


def test_the_same_list_again_changes_nothing_and_sends_no_mail(
    db: Database, ackerwinde: Game, anna: Seat
) -> None:
    first = save(db, ackerwinde, anna)
    again = save(db, ackerwinde, anna)
    assert (again.revision, again.is_new) == (first.revision, False)
    receipts = "SELECT count(*) FROM mail WHERE kind = 'receipt'"
    assert db.execute(receipts).fetchone()[0] == 1


def test_each_new_list_queues_one_receipt_in_the_same_transaction(
    db: Database, ackerwinde: Game, anna: Seat
) -> None:
    save(db, ackerwinde, anna, "1>A")
    save(db, ackerwinde, anna, "2>A")
    found = db.execute("SELECT seat, about FROM mail WHERE kind = 'receipt' ORDER BY id").fetchall()
    assert found == [(1, 1), (1, 2)]


@pytest.mark.parametrize("late", [0, 1, 3600])
def test_a_list_at_or_after_the_deadline_is_not_stored(
    db: Database, ackerwinde: Game, anna: Seat, frozen_time: Any, late: int
) -> None:
    frozen_time.move_to(SUNDAY + late)
    with pytest.raises(Late):
        save(db, ackerwinde, anna)
    assert store.lists.revisions(db, "ackerwinde", 1, 1) == []
    assert store.lists.press(db, "ackerwinde", 1) == []


def test_a_list_a_second_before_the_deadline_is_stored(
    db: Database, ackerwinde: Game, anna: Seat, frozen_time: Any
) -> None:
    frozen_time.move_to(SUNDAY - 1)
    assert save(db, ackerwinde, anna, press="Moin").is_new


def test_the_clock_is_read_after_the_lock_is_there(
    installation: Installation, db: Database, ackerwinde: Game, anna: Seat, frozen_time: Any
) -> None:
    """A list that came in time but waited for the lock past the deadline is late."""
    frozen_time.move_to(SUNDAY - 1)
    trace(
        db,
        lambda statement: frozen_time.move_to(SUNDAY) if statement == "BEGIN IMMEDIATE" else None,
    )
    with pytest.raises(Late):
        save(db, ackerwinde, anna)


def test_the_game_is_read_after_the_lock_is_there(
    installation: Installation, db: Database, ackerwinde: Game, anna: Seat
) -> None:
    """A list that waited for the lock while the round was closed, long before its deadline, is
    late.
    """

    def close_meanwhile(statement: str) -> None:
        if statement == "BEGIN IMMEDIATE":
            with installation.connection() as other, write(other):
                store.games.update(other, "ackerwinde", {"round": 2})

    trace(db, close_meanwhile)
    with pytest.raises(Late) as late:
        save(db, ackerwinde, anna)
    assert late.value.game.round == 2
    assert store.lists.revisions(db, "ackerwinde", 1, 1) == []


def test_a_list_checked_for_another_round_is_not_stored(
    db: Database, ackerwinde: Game, anna: Seat
) -> None:
    with write(db):
        store.games.update(db, "ackerwinde", {"round": 2})
    with pytest.raises(Late):
        save(db, ackerwinde, anna)


@pytest.mark.file
def test_a_locked_database_stores_nothing(
    installation: Installation, db: Database, ackerwinde: Game, anna: Seat
) -> None:
    db.execute("PRAGMA busy_timeout=50")
    with (
        installation.connection() as other,
        write(other),
        pytest.raises(sqlite3.OperationalError, match="locked"),
    ):
        save(db, ackerwinde, anna)
    assert store.lists.revisions(db, "ackerwinde", 1, 1) == []


def test_press_goes_with_the_list_and_can_be_taken_back(
    db: Database, ackerwinde: Game, anna: Seat
) -> None:
    save(db, ackerwinde, anna, press="Moin", to_gm="Urlaub")
    assert [(p.text, p.to_gm) for p in store.lists.press(db, "ackerwinde", 1)] == [
        ("Moin", "Urlaub")
    ]
    save(db, ackerwinde, anna, press="Tach")
    assert [(p.text, p.to_gm) for p in store.lists.press(db, "ackerwinde", 1)] == [("Tach", "")]
    save(db, ackerwinde, anna)
    assert store.lists.press(db, "ackerwinde", 1) == []


def test_robots_order_once_a_round_and_only_robots(
    installation: Installation, db: Database, frozen_time: Any
) -> None:
    from tests.steps import seat_game, start

    seat_game(installation)
    for robot in ("Rosa", "Rudi"):
        create.add_seat(
            db,
            installation.link_key,
            game="ackerwinde",
            name=robot,
            address=None,
            language="de",
            robot=True,
        )
    start(installation)
    now = SUNDAY - 86400
    assert [service.order_robot(db, now) for _ in range(4)] == [True, True, False, False]
    newest = store.lists.newest(db, "ackerwinde", 1)
    assert sorted(newest) == [4, 5]
    assert db.execute("SELECT count(*) FROM mail WHERE kind = 'receipt'").fetchone()[0] == 0


def test_a_robot_that_is_too_late_keeps_no_pass_going(
    installation: Installation, db: Database, frozen_time: Any
) -> None:
    seat_game(installation, players=("Anna",))
    create.add_seat(
        db,
        installation.link_key,
        game="ackerwinde",
        name="Rosa",
        address=None,
        language="de",
        robot=True,
    )
    start(installation)
    frozen_time.move_to(SUNDAY)
    assert service.order_robot(db, SUNDAY - 1) is False


def test_the_gm_and_a_successor_are_not_held_to_what_others_sent(
    installation: Installation, db: Database, ackerwinde: Game
) -> None:
    anna = store.seats.of_game(db, "ackerwinde")[0]
    for number in range(30):
        save_orders(db, ackerwinde, anna, "1>A" if number % 2 else "2>A")
    with pytest.raises(TooMany):
        save_orders(db, ackerwinde, anna, "pass")
    service.enter_orders(db, "ackerwinde", "Anna", "pass")
    seating.replace_player(
        db,
        installation.link_key,
        "ackerwinde",
        "Anna",
        player="Dörte",
        address="d@example.org",
        language="de",
        keep_orders=True,
        reason="",
        now=clock.now() + 1,
    )
    save_orders(db, ackerwinde, store.seats.of_game(db, "ackerwinde")[0], "2>A")
