"""A running service: it wakes when something is due, whoever has set that and whatever the clock
does.
"""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import time_machine

from gm import clock, store
from gm.clock import DAY, HOUR
from gm.deadline.summaries import Rounds
from gm.deadline.upcoming import claim_copies, next_copy, next_mail, next_pass
from gm.games import lead
from gm.installation import Installation
from gm.mail import sending
from gm.people import seating
from gm.service import LEAVING, submit, tick, tick_copies, tick_mail, tick_rounds, write_mails
from gm.store.db import Database, write
from gm.store.file import backup
from gm.store.games import Game
from gm.ticks import LOOK_SECONDS, PASS_SECONDS, Ticks
from tests.dates import NOON, SUNDAY
from tests.steps import garble, seat_game, start

LONG = PASS_SECONDS // 2
"""Seconds of waiting that no pass comes in unless it was planned."""


@pytest.fixture
def moving_time(frozen_time: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A clock that goes on from noon; `moving_time.shift` sets it."""
    monkeypatch.setattr(clock, "boot", lambda: int(time.monotonic()))
    with time_machine.travel(NOON, tick=True) as traveller:
        yield traveller


@contextmanager
def running(installation: Installation) -> Iterator[Ticks]:
    """The passes of a service, after the first of each."""
    ticks = Ticks(installation, serves_pages=False)
    ticks.start()
    try:
        with installation.connection() as db:
            assert comes(lambda: store.meta.clocks(db) != [])
            assert comes(lambda: store.mails.waiting(db) == 0)
        yield ticks
    finally:
        ticks.stop()


def comes(is_so: Callable[[], bool]) -> bool:
    for _ in range(LONG * 20):
        if is_so():
            return True
        time.sleep(0.05)
    return False


def change(db: Database, **values: Any) -> None:
    with write(db):
        store.games.update(db, "ackerwinde", values)


def round_of(db: Database) -> int:
    return store.games.existing(db, "ackerwinde").round


def is_reported(db: Database, number: int) -> bool:
    sql = "SELECT count(*) FROM mail WHERE kind = 'report' AND round = ? AND sent_at IS NOT NULL"
    return bool(db.execute(sql, [number]).fetchone() == (3,))


def test_a_round_closes_at_its_deadline_and_its_reports_go_out_at_once(
    installation: Installation, db: Database, ackerwinde: Game, moving_time: Any
) -> None:
    change(db, deadline=clock.now() + 3)
    with running(installation):
        assert comes(lambda: is_reported(db, 1))


@pytest.mark.parametrize("ahead", [1, -HOUR])
def test_a_deadline_that_another_process_sets_is_kept(
    installation: Installation, db: Database, ackerwinde: Game, moving_time: Any, ahead: int
) -> None:
    with running(installation):
        change(db, deadline=clock.now() + ahead)
        assert comes(lambda: round_of(db) == 2)


@pytest.mark.parametrize("how", ["extended", "paused"])
def test_a_round_that_another_process_puts_off_or_pauses_is_not_closed(
    installation: Installation, db: Database, ackerwinde: Game, moving_time: Any, how: str
) -> None:
    with running(installation):
        change(db, deadline=clock.now() + 6)
        time.sleep(LOOK_SECONDS + 1)  # it is planned
        if how == "extended":
            change(db, deadline=clock.now() + HOUR)
        else:
            lead.pause(db, "ackerwinde", "", clock.now())
        time.sleep(6)
    assert round_of(db) == 1


def test_mail_that_another_process_queues_goes_out(
    installation: Installation, db: Database, ackerwinde: Game, moving_time: Any
) -> None:
    with running(installation):
        seating.renew_link(db, installation.link_key, "ackerwinde", "Anna", clock.now())
        assert comes(lambda: store.mails.waiting(db) == 0)


def test_a_service_that_ends_finishes_one_mail_and_leaves_the_others_to_the_next(
    installation: Installation, db: Database, ackerwinde: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    def one(*of: Any, **more: Any) -> Any:
        LEAVING.set()
        return send_one(*of, **more)

    send_one = sending.send_one
    while write_mails(db, installation, clock.now()):
        pass
    waiting = store.mails.waiting(db)
    try:
        with monkeypatch.context() as patch:
            patch.setattr(sending, "send_one", one)
            tick_mail(installation, clock.now())
        assert store.mails.waiting(db) == waiting - 1
    finally:
        LEAVING.clear()
    tick_mail(installation, clock.now())
    assert store.mails.waiting(db) == 0


def test_a_clock_that_is_set_forwards_while_the_service_sleeps_holds_up_no_round(
    installation: Installation, db: Database, ackerwinde: Game, moving_time: Any
) -> None:
    change(db, deadline=clock.now() + 100)
    with running(installation):
        time.sleep(2 * LOOK_SECONDS + 1)  # the first passes have changed the database
        moving_time.shift(200)
        assert comes(lambda: round_of(db) == 2)


def test_a_clock_that_is_set_back_while_the_service_sleeps_stops_no_pass(
    installation: Installation,
    ackerwinde: Game,
    moving_time: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    passes = list[int]()

    def counted(home: Installation, now: int) -> Rounds:
        passes.append(now)
        return tick_rounds(home, now)

    monkeypatch.setattr("gm.ticks.tick_rounds", counted)
    monkeypatch.setattr("gm.ticks.PASS_SECONDS", 4)
    with running(installation):
        moving_time.shift(-200)
        before = len(passes)
        assert comes(lambda: len(passes) >= before + 3)


def test_mail_goes_out_after_the_clock_was_set_back(
    installation: Installation, db: Database, ackerwinde: Game, moving_time: Any
) -> None:
    with running(installation):
        moving_time.shift(-200)
        seating.renew_link(db, installation.link_key, "ackerwinde", "Anna", clock.now())
        assert comes(lambda: store.mails.waiting(db) == 0)


def test_a_damaged_value_stops_the_passes_only_until_it_is_mended(
    installation: Installation, db: Database, ackerwinde: Game, moving_time: Any
) -> None:
    with running(installation):
        with write(db):
            store.meta.remember(db, "held", "{")
        time.sleep(2 * LOOK_SECONDS)
        change(db, deadline=clock.now())
        with write(db):
            store.meta.forget(db, "held")
        assert comes(lambda: round_of(db) == 2)


def test_a_game_with_a_damaged_turn_stops_no_other(
    installation: Installation, db: Database, ackerwinde: Game, frozen_time: Any
) -> None:
    seat_game(installation, "beinwell")
    start(installation, "beinwell")
    garble(db, "game", "awaited", "'['", "id = 'beinwell'")
    garble(db, "game", "may_order", "'['", "id = 'beinwell'")
    with write(db):
        db.execute("UPDATE game SET early_after = 3600")
        db.execute("UPDATE game SET deadline = ? WHERE id = 'beinwell'", [SUNDAY + DAY])
    frozen_time.move_to(SUNDAY)
    assert [done.game for done in tick_rounds(installation, SUNDAY).closed] == ["ackerwinde"]
    assert next_pass(db, SUNDAY, SUNDAY + 60) > SUNDAY


def test_a_pass_over_rounds_comes_when_something_is_due(
    db: Database, ackerwinde: Game, frozen_time: Any
) -> None:
    now, until = SUNDAY - 10 * HOUR, SUNDAY + DAY
    assert next_pass(db, now, until) == SUNDAY - 6 * HOUR  # a lead time of reminders
    now = SUNDAY - HOUR
    assert next_pass(db, now, until) == SUNDAY
    assert next_pass(db, now, now + 60) == now + 60
    change(db, deadline=now - 5)
    assert next_pass(db, now, until) <= now
    change(db, retry_at=now + 30)
    assert next_pass(db, now, until) == now + 30
    change(db, retry_at=None, deadline=SUNDAY, early_after=1800)
    for seat in store.seats.of_game(db, "ackerwinde"):
        frozen_time.move_to(now - 600)
        submit(db, store.games.existing(db, "ackerwinde"), seat, 1, "pass", by="seat")
    assert next_pass(db, now, until) == now + 1200
    lead.pause(db, "ackerwinde", "", now)
    assert next_pass(db, now, until) == until


def test_a_pass_over_rounds_comes_at_once_for_a_robot_and_not_before_a_clock_is_trusted(
    db: Database, ackerwinde: Game
) -> None:
    now = SUNDAY - DAY
    with write(db):
        store.seats.update(db, "ackerwinde", 2, {"robot": 1, "address": None})
    assert next_pass(db, now, now + 60) == now
    with write(db):
        store.meta.remember(db, store.meta.here(db, "clock_waits"), str(now + 600))
    assert next_pass(db, now, now + 60) == now + 60


def test_a_pass_over_mail_comes_when_a_mail_is_due(
    installation: Installation, db: Database, ackerwinde: Game
) -> None:
    now = clock.now()
    assert next_mail(db, now, now + 60) <= now
    tick_mail(installation, now)
    assert next_mail(db, now, now + 60) == now + 60
    seating.renew_link(db, installation.link_key, "ackerwinde", "Anna", now)
    while write_mails(db, installation, now):
        pass
    (waiting,) = store.mails.all_not_sent(db)
    with write(db):
        store.mails.update(db, waiting.id, {"next_try": now + 40})
    assert next_mail(db, now, now + 60) == now + 40


@pytest.fixture
def with_copies(installation: Installation, tmp_path: Path) -> Installation:
    config = replace(installation.config, backup_folder=str(tmp_path / "copies"))
    return replace(installation, config=config)


def copies(installation: Installation) -> list[str]:
    folder = Path(installation.config.backup_folder)
    return sorted(file.name for file in folder.glob("*.db"))


def test_copies_are_made_in_the_minute_before_a_deadline_and_five_minutes_after_it(
    with_copies: Installation, db: Database, ackerwinde: Game, frozen_time: Any
) -> None:
    def at(instant: int) -> list[str]:
        frozen_time.move_to(instant)
        tick_rounds(with_copies, instant)
        tick_copies(with_copies, instant)
        return copies(with_copies)

    assert next_copy(db, SUNDAY - 90, SUNDAY) == SUNDAY - 60
    assert at(SUNDAY - 61) == []
    before = "bohnenpost-20261122T185900Z-before.db"
    assert at(SUNDAY - 60) == [before]
    assert at(SUNDAY - 30) == [before]
    assert at(SUNDAY) == [before]
    assert round_of(db) == 2
    assert next_copy(db, SUNDAY, SUNDAY + HOUR) == SUNDAY + 300
    assert at(SUNDAY + 299) == [before]
    assert at(SUNDAY + 300) == [before, "bohnenpost-20261122T190500Z-after.db"]
    assert next_copy(db, SUNDAY + 300, SUNDAY + HOUR) == SUNDAY + HOUR


def test_deadlines_of_one_evening_share_a_copy_and_two_processes_make_one(
    with_copies: Installation, db: Database, ackerwinde: Game, frozen_time: Any
) -> None:
    seat_game(with_copies, "beinwell")
    start(with_copies, "beinwell")
    with write(db):
        db.execute("UPDATE game SET deadline = ? WHERE id = 'beinwell'", [SUNDAY + 30])
    frozen_time.move_to(SUNDAY - 60)
    assert claim_copies(db, clock.now()) == ["before"]
    assert claim_copies(db, clock.now()) == []
    assert next_copy(db, clock.now(), SUNDAY + HOUR) == SUNDAY + HOUR


def test_no_copy_is_begun_shortly_before_a_deadline(
    with_copies: Installation, db: Database, ackerwinde: Game, frozen_time: Any
) -> None:
    with write(db):
        store.meta.remember(db, "copy_after", str(SUNDAY - 5))
        store.meta.remember(db, "copied_until", str(SUNDAY))
    frozen_time.move_to(SUNDAY - 5)
    assert claim_copies(db, clock.now()) == []
    assert next_copy(db, clock.now(), SUNDAY + HOUR) == SUNDAY + 1


def test_run_makes_both_copies_itself_and_leaves_none_to_be_made(
    with_copies: Installation, db: Database, ackerwinde: Game, frozen_time: Any
) -> None:
    frozen_time.move_to(SUNDAY)
    tick(with_copies)
    assert [name.rpartition("-")[2] for name in copies(with_copies)] == ["after.db", "before.db"]
    assert next_copy(db, SUNDAY, SUNDAY + HOUR) == SUNDAY + HOUR


def test_an_early_closing_goes_without_copies_and_no_copy_holds_up_a_deadline(
    with_copies: Installation, db: Database, ackerwinde: Game, frozen_time: Any
) -> None:
    change(db, early_after=60)
    for seat in store.seats.of_game(db, "ackerwinde"):
        submit(db, store.games.existing(db, "ackerwinde"), seat, 1, "pass", by="seat")
    frozen_time.shift(60)
    assert len(tick_rounds(with_copies, clock.now()).closed) == 1
    assert next_copy(db, clock.now(), clock.now() + HOUR) == clock.now() + HOUR
    change(db, deadline=clock.now() + 5)  # somebody moved it
    tick_copies(with_copies, clock.now())
    assert copies(with_copies) == []


def test_a_busy_evening_pushes_out_no_older_days(tmp_path: Path) -> None:
    for number in range(80):
        day, minute = (number + 1, 0) if number < 9 else (10, number)
        file = tmp_path / f"bohnenpost-202611{day:02}T19{minute % 60:02}{number:02}Z-before.db"
        file.touch()
        os.utime(file, (number, number))
    (tmp_path / "bohnenpost-20261131T190000Z-before.db").mkdir()  # nobody's
    backup.keep_newest(tmp_path, backup.NAME, 20)
    (tmp_path / "bohnenpost-20261131T190000Z-before.db").rmdir()
    kept = sorted(file.name[17:19] for file in tmp_path.iterdir())
    assert kept == [*(f"{day:02}" for day in range(1, 10)), *["10"] * 11]
