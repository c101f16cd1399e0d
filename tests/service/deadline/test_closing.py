"""A due round is closed exactly once, whoever tries and whatever fails."""

import sqlite3
import subprocess
import sys
from typing import Any

import pytest

from gm import clock, store
from gm.config import Config
from gm.deadline.closing import commit_result, compute_result, make_due
from gm.games import create
from gm.games.orders import save_orders
from gm.installation import Installation
from gm.service import close_due, tick
from gm.store.db import Database, write
from gm.store.games import Game
from rounds.engine.events import Absent
from tests.dates import SUNDAY
from tests.steps import seat_game, start

WEEK = 7 * 86400


def close(db: Database, now: int = SUNDAY) -> bool:
    return close_due(db, Config(), now)


def test_nothing_is_closed_before_its_deadline(db: Database, ackerwinde: Game) -> None:
    assert close(db, SUNDAY - 1) is False
    assert store.games.existing(db, "ackerwinde").round == 1


def test_a_due_round_is_closed_with_lists_stand_ins_next_deadline_and_mails(
    db: Database, ackerwinde: Game
) -> None:
    anna, bert, _ = store.seats.of_game(db, "ackerwinde")
    save_orders(db, ackerwinde, anna, "1>A")
    save_orders(db, ackerwinde, anna, "2>A")
    save_orders(db, ackerwinde, bert, "pass")
    assert close(db) is True
    assert close(db) is False
    game = store.games.existing(db, "ackerwinde")
    assert (game.status, game.round, game.deadline) == ("running", 2, SUNDAY + WEEK)
    closed = store.rounds.get(db, "ackerwinde", 1)
    assert closed is not None
    assert closed.lists == {"Anna": "2>A", "Bert": "pass", "Cem": None}
    assert (closed.deadline, closed.closed_at) == (SUNDAY, SUNDAY)
    absent = [
        event for event in game.engine.read_events(closed.events) if isinstance(event, Absent)
    ]
    assert absent == [Absent("Cem")]
    reports = db.execute(
        "SELECT seat, round FROM mail WHERE kind = 'report' ORDER BY seat"
    ).fetchall()
    assert reports == [(1, 1), (2, 1), (3, 1)]


def test_a_service_that_stood_still_for_weeks_closes_one_round_and_looks_ahead(
    db: Database, ackerwinde: Game
) -> None:
    late = SUNDAY + 3 * WEEK + 5
    assert [close(db, late), close(db, late)] == [True, False]
    game = store.games.existing(db, "ackerwinde")
    assert (game.round, game.deadline) == (2, SUNDAY + 4 * WEEK)


def test_the_last_round_ends_the_game(
    installation: Installation, db: Database, frozen_time: Any
) -> None:
    seat_game(installation, rounds=2)
    start(installation)
    close(db)
    close(db, SUNDAY + WEEK)
    game = store.games.existing(db, "ackerwinde")
    assert (game.status, game.round, game.deadline) == ("finished", 3, None)
    assert db.execute("SELECT count(*) FROM mail WHERE kind = 'final'").fetchone()[0] == 3
    assert close(db, SUNDAY + 9 * WEEK) is False


def test_the_loser_of_a_race_stores_nothing(db: Database, ackerwinde: Game) -> None:
    mine, other = compute_result(db, ackerwinde), compute_result(db, ackerwinde)
    assert commit_result(db, mine, SUNDAY) is True
    assert commit_result(db, other, SUNDAY) is False
    assert db.execute("SELECT count(*) FROM mail WHERE kind = 'report'").fetchone()[0] == 3


def test_a_list_that_came_meanwhile_is_not_lost(db: Database, ackerwinde: Game) -> None:
    closing = compute_result(db, ackerwinde)
    save_orders(db, ackerwinde, store.seats.of_game(db, "ackerwinde")[0], "1>A")
    assert commit_result(db, closing, SUNDAY) is False
    assert close(db) is True
    closed = store.rounds.get(db, "ackerwinde", 1)
    assert closed is not None
    assert closed.lists["Anna"] == "1>A"


def test_a_deadline_that_moved_meanwhile_counts(db: Database, ackerwinde: Game) -> None:
    closing = compute_result(db, ackerwinde)
    with write(db):
        store.games.update(db, "ackerwinde", {"deadline": SUNDAY + 3600})
    assert commit_result(db, closing, SUNDAY) is False
    assert close(db) is False
    assert db.execute("SELECT count(*) FROM mail WHERE kind = 'report'").fetchone() == (0,)


def test_the_database_itself_refuses_a_second_close(db: Database, ackerwinde: Game) -> None:
    close(db)
    with pytest.raises(sqlite3.IntegrityError), write(db):
        db.execute("INSERT INTO round SELECT * FROM round WHERE number = 1")


def test_a_crash_in_the_middle_leaves_nothing_behind(
    db: Database, ackerwinde: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Killed(BaseException):
        pass

    def die(*_: object, **__: object) -> None:
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr("gm.mail.queue.put", die)
        with pytest.raises(Killed):
            close(db)
    assert store.rounds.get(db, "ackerwinde", 1) is None
    assert store.games.existing(db, "ackerwinde") == ackerwinde
    assert close(db) is True


def test_a_game_that_fails_is_held_after_three_tries_and_the_others_go_on(
    installation: Installation, db: Database, ackerwinde: Game
) -> None:
    seat_game(installation, "beinwell")
    start(installation, "beinwell")
    with write(db):
        db.execute("UPDATE round SET state = '{}' WHERE game = 'ackerwinde'")
    now = SUNDAY
    for tries in (1, 2, 3):
        while close(db, now):
            pass
        assert store.games.existing(db, "ackerwinde").failures == tries
        now += 60
    held = store.games.existing(db, "ackerwinde")
    assert (held.status, held.round) == ("held", 1)
    assert held.error is not None
    assert "ValidationError" in held.error
    assert store.games.existing(db, "beinwell").round == 2
    assert close(db, now) is False


@pytest.mark.long
def test_two_processes_close_fifty_due_games_exactly_once(
    installation: Installation, db: Database, frozen_time: Any
) -> None:
    """Both run at once, with real locks; every seat gets one report of one round."""
    for number in range(50):
        seat_game(installation, f"game-{number}")
        start(installation, f"game-{number}")
    with write(db):
        db.execute("UPDATE game SET deadline = 1700000000")
    command = [sys.executable, "-m", "gm", "--home", str(installation.home), "run"]
    both = [
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    outs = [process.communicate(timeout=240) for process in both]
    assert [process.returncode for process in both] == [0, 0], outs
    assert db.execute("SELECT count(*), min(round), max(round) FROM game").fetchone() == (50, 2, 2)
    assert db.execute("SELECT count(*) FROM round WHERE number = 1").fetchone()[0] == 50
    told = "SELECT count(*), count(DISTINCT game || seat), sum(sent_at IS NOT NULL) FROM mail WHERE kind = 'report'"
    assert db.execute(told).fetchone() == (150, 150, 150)
    assert len(list(installation.mail_folder.glob("*-report-*.eml"))) == 150
    closed = [
        int(line.split()[0])
        for out, _ in outs
        for line in out.splitlines()
        if line.endswith("rounds closed")
    ]
    assert sum(closed) == 50


def test_a_damaged_game_with_a_robot_holds_up_no_other_game(
    installation: Installation, db: Database, frozen_time: Any
) -> None:
    for name in ("ackerwinde", "beinwell"):
        seat_game(installation, name)
        create.add_seat(
            db,
            installation.link_key,
            game=name,
            name="Rosa",
            address=None,
            language="de",
            robot=True,
        )
        start(installation, name)
    with write(db):
        db.execute("UPDATE round SET state = '{}' WHERE game = 'ackerwinde'")
    frozen_time.move_to(SUNDAY - 60)
    tick(installation)
    frozen_time.move_to(SUNDAY + 60)
    done = tick(installation)
    assert [closed.game for closed in done.closed] == ["beinwell"]
    assert done.sent > 0


@pytest.mark.parametrize("later", [-1, 0, 1, 3600])
def test_an_early_closing_is_noted_once_whoever_looks_again(
    db: Database, ackerwinde: Game, later: int
) -> None:
    """Two workers see the same round complete; the second decides after the first."""
    with write(db):
        store.games.update(db, "ackerwinde", {"early_after": 0})
    for seat in store.seats.of_game(db, "ackerwinde"):
        save_orders(db, store.games.existing(db, "ackerwinde"), seat, "pass")
    now = clock.now() + 60
    assert make_due(db, "ackerwinde", now)
    assert not make_due(db, "ackerwinde", now + later)
    kinds = [note.kind for note in store.notes.of_round(db, "ackerwinde", 1)]
    assert kinds == ["early"]
    assert store.games.existing(db, "ackerwinde").deadline == now
