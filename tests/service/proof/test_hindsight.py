"""Luck and skill of a finished game: worked out once, kept, none before the end. Numbers:
tests/rules/postal/test_hindsight.
"""

import msgspec
import pytest
from msgspec.structs import replace

from gm import clock, store
from gm.config import Config
from gm.deadline.over import settle_one
from gm.games import lead
from gm.installation import Installation
from gm.proof.hindsight import look_back, remembered
from gm.service import close_due
from gm.store.db import Database, write
from gm.store.games import Game
from rounds.engine.verdict import PROVEN
from rounds.postal.hindsight import Hindsight, SeatHindsight
from tests.dates import SUNDAY
from tests.steps import garble, seat_game, sent_mails, start

FOUND = Hindsight(40, ("1>A",), 31, {"Anna": SeatHindsight(23, 1, 4, ((4, 0),))})


@pytest.fixture
def over(installation: Installation, db: Database) -> Game:
    """A game of one round that is over."""
    seat_game(installation, rounds=1)
    start(installation)
    assert close_due(db, Config(), SUNDAY)
    return replace(store.games.existing(db, "ackerwinde"), hindsight=None)


def test_before_the_end_there_is_none(db: Database, ackerwinde: Game) -> None:
    assert remembered(ackerwinde) is None
    assert look_back(db, ackerwinde) is None


def test_what_is_kept_is_read_and_not_worked_out_again(db: Database, over: Game) -> None:
    kept = replace(over, hindsight=msgspec.json.encode(FOUND).decode())
    assert remembered(kept) == look_back(db, kept) == FOUND


def test_a_finished_game_is_looked_at_seat_by_seat(db: Database, over: Game) -> None:
    found = look_back(db, over)
    assert found is not None
    assert set(found.seats) == {"Anna", "Bert", "Cem"}
    assert len(found.plan) == 1
    assert all(told.talers <= found.best for told in found.seats.values())


def test_an_aborted_game_has_none(db: Database, over: Game) -> None:
    assert look_back(db, replace(over, aborted=1)) is None


@pytest.mark.parametrize("damaged", ["{", "{}", "null", '{"best":"40"}'])
def test_what_is_damaged_is_an_error_and_no_wrong_number(over: Game, damaged: str) -> None:
    with pytest.raises(msgspec.MsgspecError):
        remembered(replace(over, hindsight=damaged))


def test_a_game_that_is_over_is_looked_back_at_once(db: Database, ackerwinde: Game) -> None:
    assert settle_one(db) is False
    lead.abort(db, "ackerwinde", "a bad start", clock.now())
    assert [settle_one(db) for _ in range(2)] == [True, False]
    assert store.games.existing(db, "ackerwinde").verdict


def test_the_last_report_tells_the_verdict_that_is_kept(
    installation: Installation, db: Database, over: Game
) -> None:
    assert settle_one(db)
    with write(db, over.id):
        store.games.update(db, over.id, {"verdict": "as it is kept"})
    mails = sent_mails(installation, db)
    last = [text for kind, _, text in mails if kind == "final"]
    assert len(last) == 3
    assert all("\r\nas it is kept\r\n" in text for text in last)


def test_a_verdict_is_kept_though_looking_back_fails(
    db: Database, over: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise ValueError("a fault of ours")

    monkeypatch.setattr("gm.deadline.over.look_back", fail)
    assert [settle_one(db) for _ in range(2)] == [True, False]
    assert store.games.existing(db, over.id).verdict == PROVEN


def test_what_fails_when_a_game_is_looked_back_at_is_its_verdict(
    db: Database, ackerwinde: Game
) -> None:
    lead.abort(db, "ackerwinde", "a bad start", clock.now())
    sound = store.games.existing(db, "ackerwinde")
    garble(db, "round", "state", "'{}'")
    garble(db, "game", "setup", "'[]'")
    assert [settle_one(db) for _ in range(2)] == [True, False]
    verdict, hindsight = db.execute("SELECT verdict, hindsight FROM game").fetchone()
    assert sound.verdict is None
    assert verdict
    assert hindsight is None
