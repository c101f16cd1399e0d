"""Robots order once a round, in time, and one that fails holds up nothing but its seat, for a
minute.
"""

from typing import Any

import pytest

from gm import clock, store
from gm.deadline.retry import RETRY_SECONDS
from gm.games import create
from gm.installation import Installation
from gm.service import order_robot
from gm.store.db import Database, write
from tests.dates import SUNDAY
from tests.steps import garble, seat_game, start


@pytest.fixture
def rosa(installation: Installation) -> None:
    """`ackerwinde` and `beinwell` run, each with Anna and a robot."""
    with installation.connection() as db:
        for game in ("ackerwinde", "beinwell"):
            seat_game(installation, game, players=("Anna",))
            create.add_seat(
                db,
                installation.link_key,
                game=game,
                name="Rosa",
                address=None,
                language="de",
                robot=True,
            )
            start(installation, game)


def orders(db: Database, game: str) -> dict[int, str | None]:
    return {seat: revision.source for seat, revision in store.lists.newest(db, game, 1).items()}


def test_each_robot_orders_once_and_nobody_else(rosa: None, db: Database) -> None:
    assert [order_robot(db, clock.now()) for _ in range(3)] == [True, True, False]
    assert orders(db, "ackerwinde") == orders(db, "beinwell") == {2: "robot"}


def test_a_robot_whose_list_is_void_orders_again(rosa: None, db: Database) -> None:
    assert [order_robot(db, clock.now()) for _ in range(3)] == [True, True, False]
    with write(db):
        store.lists.void(db, "ackerwinde", 1, 2, clock.now())
    assert [order_robot(db, clock.now()) for _ in range(2)] == [True, False]


def test_a_robot_orders_what_the_rules_take(rosa: None, db: Database) -> None:
    while order_robot(db, clock.now()):
        pass
    game = store.games.existing(db, "ackerwinde")
    (list_,) = store.lists.revisions(db, "ackerwinde", 1, 2)
    table = store.rounds.open_table(db, game)
    assert (
        game.engine.write_orders(table, game.engine.read_orders(table, "Rosa", list_.orders))
        == list_.orders
    )


@pytest.mark.parametrize("behind", [0, 3600])
def test_a_robot_is_too_late_at_the_deadline_even_if_a_pass_began_before(
    rosa: None, db: Database, frozen_time: Any, behind: int
) -> None:
    frozen_time.move_to(SUNDAY)
    assert order_robot(db, SUNDAY - behind) is False
    assert orders(db, "ackerwinde") == {}


def test_a_robot_whose_table_cannot_be_read_is_passed_over_for_a_minute(
    rosa: None, db: Database
) -> None:
    garble(db, "round", "state", "'{}'", "game = 'ackerwinde'")
    now = clock.now()
    assert [order_robot(db, now) for _ in range(3)] == [True, True, False]
    assert (orders(db, "ackerwinde"), orders(db, "beinwell")) == ({}, {2: "robot"})
    game = store.games.existing(db, "ackerwinde")
    assert (game.status, game.failures, game.retry_at) == ("running", 0, now + RETRY_SECONDS)
    assert game.error
    assert order_robot(db, now + RETRY_SECONDS - 1) is False
    assert order_robot(db, now + RETRY_SECONDS) is True


def test_a_robot_does_not_order_in_a_game_that_is_paused(rosa: None, db: Database) -> None:
    with write(db):
        store.games.pause_running(db, clock.now())
    assert order_robot(db, clock.now()) is False
