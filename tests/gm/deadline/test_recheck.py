"""The second opinion: a game is looked at when it is due, a difference holds it; one that is over is looked back at once."""

from typing import Any

import pytest
from sqlite_utils import Database

from gm import clock, store
from gm.clock import DAY
from gm.config import Config
from gm.deadline.closing import close_one
from gm.deadline.recheck import AGAIN_SECONDS, DIFFERS, difference, recheck_one, settle_one
from gm.game import control
from gm.installation import Installation
from gm.proof.fairness import PROGRAM
from gm.store import Game
from tests.conftest import SUNDAY
from tests.gm.deadline.test_retry import garble


def now_of(db: Database) -> Game:
    return store.existing(db, "ackerwinde")


def alarms(db: Database) -> list[str]:
    return [mail.address for mail in store.mails_after(db, 0) if mail.kind == "alarm"]


def test_a_game_is_looked_at_once_after_its_start_and_after_each_close(db: Database, ackerwinde: Game, hour: Any) -> None:
    assert [recheck_one(db, clock.now()) for _ in range(2)] == [True, False]
    assert (now_of(db).reviewed, now_of(db).reviewed_at) == (f"0 {PROGRAM}", clock.now())
    hour.move_to(SUNDAY)
    assert close_one(db, Config(), SUNDAY)
    assert [recheck_one(db, SUNDAY) for _ in range(2)] == [True, False]
    assert now_of(db).reviewed == f"1 {PROGRAM}"


def test_a_game_is_looked_at_again_after_a_day(db: Database, ackerwinde: Game) -> None:
    first = clock.now()
    assert [recheck_one(db, first + later) for later in (0, AGAIN_SECONDS - 1, AGAIN_SECONDS)] == [True, False, True]


def test_a_game_that_agrees_goes_on_and_alarms_nobody(db: Database, ackerwinde: Game) -> None:
    assert difference(db, ackerwinde) is None
    recheck_one(db, clock.now())
    assert (now_of(db).status, now_of(db).error, alarms(db)) == ("running", None, [])


@pytest.mark.parametrize(
    ("column", "value", "place"),
    [
        ("events", "'[]'", "round 1, what happened"),
        ("state", """replace(state, '"talers":0', '"talers":9')""", "round 1, the table after it"),
    ],
)
def test_a_difference_names_its_place_holds_the_game_and_tells_its_master(
    db: Database, ackerwinde: Game, hour: Any, column: str, value: str, place: str
) -> None:
    hour.move_to(SUNDAY)
    assert close_one(db, Config(), SUNDAY)
    garble(db, "round", column, value, "number = 1")
    assert difference(db, now_of(db)) == place
    assert recheck_one(db, SUNDAY)
    game = now_of(db)
    assert (game.status, alarms(db)) == ("held", ["uli@example.org"])
    assert str(game.error).startswith(DIFFERS)
    assert recheck_one(db, SUNDAY + 2 * DAY) is False  # a held game is looked at again when it goes on


def test_the_first_table_is_made_again_from_the_deck_before_anything_was_closed(db: Database, ackerwinde: Game) -> None:
    garble(db, "round", "state", """replace(state, '"talers":0', '"talers":9')""")
    assert difference(db, now_of(db)) == "round 0, the table after it"


def test_a_game_that_is_over_is_looked_back_at_once(db: Database, house: Installation, ackerwinde: Game) -> None:
    assert settle_one(db) is False
    control.abort(db, "ackerwinde", "a bad start", clock.now())
    assert [settle_one(db) for _ in range(2)] == [True, False]
    assert now_of(db).verdict


def test_what_fails_when_a_game_is_looked_back_at_is_its_verdict(db: Database, ackerwinde: Game) -> None:
    control.abort(db, "ackerwinde", "a bad start", clock.now())
    sound = now_of(db)
    garble(db, "round", "state", "'{}'")
    garble(db, "game", "setup", "'[]'")
    assert [settle_one(db) for _ in range(2)] == [True, False]
    verdict, hindsight = db.execute("SELECT verdict, hindsight FROM game").fetchone()
    assert sound.verdict is None
    assert verdict
    assert hindsight is None
