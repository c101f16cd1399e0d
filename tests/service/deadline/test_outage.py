"""Standing still and jumping clocks: the outage rule as it is published, and doubt that waits."""

from typing import Any

import pytest

from gm import clock, store
from gm.config import Config
from gm.deadline import outage
from gm.deadline.health import late
from gm.installation import Installation
from gm.service import close_due, tick
from gm.store.db import Database, write
from gm.store.games import Game
from gm.ticks import Ticks
from tests.dates import SUNDAY
from tests.postbox import Postbox
from tests.steps import beats, bohnenpost, current, with_server

HOUR, DAY = 3600, 86400


def test_beats_are_stored_once_a_minute_and_old_ones_dropped(db: Database) -> None:
    for at in range(1000, 1300, 10):
        outage.beat(db, at)
    assert [at for (at,) in db.execute("SELECT at FROM beat ORDER BY at")] == [
        1000,
        1060,
        1120,
        1180,
        1240,
    ]
    outage.beat(db, 1000 + outage.KEEP_SECONDS + 200)
    assert db.execute("SELECT min(at) FROM beat").fetchone()[0] == 1240


@pytest.mark.parametrize(
    ("spans", "lost"),
    [
        ([], 0),  # never a web process: the rule is off
        ([(0, 10 * HOUR)], 0),
        ([(0, 4 * HOUR), (5 * HOUR, 10 * HOUR)], HOUR + 60),
        ([(0, 9 * HOUR)], HOUR + 60),
        ([(8 * HOUR, 10 * HOUR)], 0),  # younger than the window: nothing was there to stand still
        ([(0, HOUR)], 9 * HOUR + 60),
    ],
)
def test_standing_still_is_counted_in_seconds(
    db: Database, spans: list[tuple[int, int]], lost: int
) -> None:
    beats(db, *spans)
    assert outage.standstill(db, 0, 10 * HOUR) == lost


def test_an_outage_before_the_deadline_moves_it_once(db: Database, ackerwinde: Game) -> None:
    down, up = SUNDAY - 2 * HOUR, SUNDAY + HOUR
    beats(db, (SUNDAY - DAY, down), (up, up + 600))
    assert close_due(db, Config(), up + 600) is True
    game = current(db)
    lost = SUNDAY - (down - 60)
    assert (game.round, game.deadline) == (1, up + lost)
    (note,) = store.notes.of_round(db, "ackerwinde", 1)
    assert (note.kind, note.old, note.new) == ("outage", SUNDAY, up + lost)
    assert db.execute("SELECT count(*) FROM mail WHERE kind = 'news'").fetchone()[0] == 3
    beats(db, (up + 600, up + lost - 2 * HOUR))  # and down again
    assert close_due(db, Config(), up + lost + 5 * HOUR) is True
    assert current(db).round == 2


def test_a_round_that_was_closed_early_is_closed(db: Database, ackerwinde: Game) -> None:
    beats(db, (SUNDAY - DAY, SUNDAY - 2 * HOUR), (SUNDAY - 60, SUNDAY + 60))
    with write(db):
        store.notes.add(db, "ackerwinde", 1, "early", "", SUNDAY, old=SUNDAY + DAY)
    close_due(db, Config(), SUNDAY + 60)
    assert current(db).round == 2


def test_while_the_pages_stand_still_a_due_round_waits_a_day_at_most(
    db: Database, ackerwinde: Game
) -> None:
    beats(db, (SUNDAY - DAY, SUNDAY - HOUR))
    for later in (60, HOUR, DAY - 1):
        close_due(db, Config(), SUNDAY + later)
        assert current(db).round == 1
        assert current(db).deadline == SUNDAY
    close_due(db, Config(), SUNDAY + DAY + 60)
    assert current(db).round == 2


def test_where_pages_were_served_once_and_are_not_any_more_no_round_waits(
    db: Database, ackerwinde: Game
) -> None:
    beats(db, (SUNDAY - 3 * DAY, SUNDAY - 2 * DAY - 120))
    assert close_due(db, Config(), SUNDAY) is True
    assert current(db).round == 2


def test_pages_that_stop_are_waited_for_until_two_days_after(
    db: Database, ackerwinde: Game
) -> None:
    beats(db, (SUNDAY - 3 * DAY, SUNDAY - 2 * DAY + HOUR))
    close_due(db, Config(), SUNDAY)
    close_due(db, Config(), SUNDAY + HOUR - 120)
    assert current(db).round == 1
    close_due(db, Config(), SUNDAY + HOUR)
    assert current(db).round == 2


def test_run_and_doctor_say_what_a_round_waits_for(
    installation: Installation, db: Database, ackerwinde: Game, frozen_time: Any
) -> None:
    beats(db, (SUNDAY - DAY, SUNDAY - HOUR))
    frozen_time.move_to(SUNDAY + 600)
    said = " ".join(bohnenpost("run", "--verbose", home=installation.home, status=1).output.split())
    assert (
        "round 1 of ackerwinde waits by the outage rule: no page has been served since Sun 22 November 2026, 17:59 UTC"
        in said
    )
    assert (
        "closed on Mon 23 November 2026, 19:00 UTC at the latest, or at once by: bohnenpost game run ackerwinde 1"
        in said
    )
    assert (
        "round 1 waits by the outage rule"
        in bohnenpost("doctor", home=installation.home, status=1).output
    )
    frozen_time.move_to(SUNDAY + DAY + 60)
    assert "1 round closed" in bohnenpost("run", home=installation.home).output


def test_run_says_why_no_round_is_closed_while_the_clock_is_in_doubt(
    installation: Installation, ackerwinde: Game, frozen_time: Any
) -> None:
    tick(installation)
    frozen_time.move_to(SUNDAY + 3 * DAY)
    watch_clock = clock.boot() - DAY  # the other clock went a day less
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(clock, "boot", lambda: watch_clock)
        assert (
            "rounds wait: the clock jumped"
            in bohnenpost("run", "--verbose", home=installation.home, status=1).output
        )


def test_half_an_hour_of_outage_moves_nothing(db: Database, ackerwinde: Game) -> None:
    beats(db, (SUNDAY - DAY, SUNDAY - HOUR), (SUNDAY - HOUR + 29 * 60, SUNDAY + HOUR))
    close_due(db, Config(), SUNDAY)
    assert current(db).round == 2


def test_an_outage_after_the_deadline_closes_the_round_once_and_at_once(
    db: Database, ackerwinde: Game
) -> None:
    beats(db, (SUNDAY - DAY, SUNDAY), (SUNDAY + 9 * HOUR, SUNDAY + 9 * HOUR + 120))
    assert close_due(db, Config(), SUNDAY + 9 * HOUR) is True
    assert close_due(db, Config(), SUNDAY + 9 * HOUR) is False
    assert current(db).deadline == SUNDAY + 7 * DAY


def test_the_move_is_at_least_an_hour_and_at_most_a_day(db: Database, ackerwinde: Game) -> None:
    up = SUNDAY - 60
    beats(db, (SUNDAY - DAY, SUNDAY - 40 * 60), (up, SUNDAY + 120))
    close_due(db, Config(), SUNDAY + 60)
    assert current(db).deadline == SUNDAY + HOUR


def test_time_that_passes_is_no_jump(db: Database) -> None:
    for at in range(0, 3 * DAY, 6 * HOUR):
        assert outage.check_clock(db, 10**9 + at, 5000 + at) is None


def test_a_clock_that_jumps_by_minutes_waits_ten(db: Database) -> None:
    outage.check_clock(db, 10**9, 5000)
    assert outage.check_clock(db, 10**9 + 400, 5010) is not None
    assert outage.check_clock(db, 10**9 + 400 + 599, 5010 + 599) is not None
    assert outage.check_clock(db, 10**9 + 400 + 600, 5010 + 600) is None


@pytest.mark.parametrize("jump", [365 * DAY, -2 * DAY])
def test_a_leap_of_more_than_a_day_waits_until_somebody_says_so(db: Database, jump: int) -> None:
    outage.check_clock(db, 10**9, 5000)
    for later in (10, DAY, 9 * DAY):
        jump += 400  # each time a little more, which alone would wait ten minutes
        reason = outage.check_clock(db, 10**9 + jump + later, 5000 + later)
        assert reason is not None
        assert "--clock-is-right" in reason
    assert (
        outage.check_clock(db, 10**9 + jump + 9 * DAY + 5, 5000 + 9 * DAY + 5, trusted=True) is None
    )
    assert outage.check_clock(db, 10**9 + jump + 9 * DAY + 9, 5000 + 9 * DAY + 9) is None


def test_after_a_reboot_only_a_clock_that_is_behind_waits(db: Database) -> None:
    outage.check_clock(db, 10**9, 5000)
    assert outage.check_clock(db, 10**9 - 3600, 20) is not None
    assert outage.check_clock(db, 10**9 + 9 * DAY, 40) is None


def test_no_round_is_closed_while_the_clock_is_in_doubt(
    installation: Installation,
    db: Database,
    ackerwinde: Game,
    frozen_time: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    boot = clock.now()
    monkeypatch.setattr(clock, "boot", lambda: boot)
    tick(installation)
    frozen_time.move_to(SUNDAY + 30 * DAY)
    done = tick(installation)
    assert (done.closed, current(db).round) == ((), 1)
    assert done.waits is not None
    done = tick(installation, clock_is_right=True)
    assert len(done.closed) == 1


def test_a_reboot_is_known_by_its_own_mark(db: Database) -> None:
    assert outage.check_clock(db, 10**9, 60, "first") is None
    assert outage.check_clock(db, 10**9 + 2 * DAY, 600, "second") is None
    assert outage.check_clock(db, 10**9 + 4 * DAY, 900, "second") is not None


def jump(monkeypatch: pytest.MonkeyPatch, frozen_time: Any, seconds: int) -> None:
    """Set the wall clock; the clock that counts since the machine began goes on as before."""
    counted = clock.boot()
    monkeypatch.setattr(clock, "boot", lambda: counted)
    frozen_time.shift(seconds)


@pytest.mark.parametrize("days", [6, -6])
def test_mail_that_was_put_off_outlives_a_clock_that_was_wrong(
    installation: Installation,
    db: Database,
    ackerwinde: Game,
    frozen_time: Any,
    postbox: tuple[Postbox, int],
    monkeypatch: pytest.MonkeyPatch,
    days: int,
) -> None:
    people = [seat.address or "" for seat in store.seats.of_game(db, "ackerwinde")]
    installation = with_server(installation, postbox[1])
    postbox[0].answers = {address: ["451 4.3.0 busy", "451 4.3.0 busy"] for address in people}
    assert tick(installation).newly_put_off == 3
    jump(monkeypatch, frozen_time, days * DAY)
    tick(installation)
    jump(monkeypatch, frozen_time, -days * DAY)
    assert [mail.failed_at for mail in store.mails.waiting_or_refused(db, "ackerwinde")] == [
        None,
        None,
        None,
    ]
    jump(monkeypatch, frozen_time, HOUR)
    done = tick(installation, clock_is_right=True)
    assert (done.sent, done.refused) == (3, 0)


def test_a_first_try_by_a_wrong_clock_counts_no_days(
    installation: Installation,
    db: Database,
    ackerwinde: Game,
    frozen_time: Any,
    postbox: tuple[Postbox, int],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    people = [seat.address or "" for seat in store.seats.of_game(db, "ackerwinde")]
    installation = with_server(installation, postbox[1])
    postbox[0].answers = {address: ["451 4.3.0 busy"] * 3 for address in people}
    outage.check_clock(db, clock.now() + 6 * DAY, clock.boot())  # the right time
    jump(monkeypatch, frozen_time, 0)
    assert tick(installation).newly_put_off == 3
    jump(monkeypatch, frozen_time, HOUR)
    again = tick(installation)
    assert (again.put_off, again.newly_put_off) == (3, 0)
    jump(monkeypatch, frozen_time, 6 * DAY)
    done = tick(installation, clock_is_right=True)
    assert (done.put_off, done.refused) == (3, 0)


def test_nobody_is_forgotten_and_no_reminder_dropped_while_the_clock_is_in_doubt(
    installation: Installation,
    db: Database,
    ackerwinde: Game,
    frozen_time: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with write(db):
        follow_id = store.requests.add_follower(
            db,
            {"address": "d@example.org", "language": "de", "game": "ackerwinde", "at": clock.now()},
        )
        store.meta.add_beat(db, clock.now())
    tick(installation)
    frozen_time.move_to(SUNDAY - HOUR)
    tick(installation)
    jump(monkeypatch, frozen_time, 30 * DAY)
    tick(installation)
    assert store.requests.follower(db, follow_id) is not None
    outage.beat(db, clock.now())
    assert store.meta.first_beat(db) == SUNDAY - 55 * HOUR
    with write(db):
        db.execute(
            "UPDATE mail SET sent_at = NULL, next_try = ? WHERE kind = 'reminder'",
            [clock.now()],
        )
        (mail,) = db.execute("SELECT id FROM mail WHERE kind = 'reminder'").fetchone()
        store.db.insert(db, "mail_bytes", [{"mail": mail, "bytes": bytes(1)}])
    tick(installation)
    assert (
        db.execute(
            "SELECT count(*) FROM mail WHERE kind = 'reminder' AND withdrawn_at IS NOT NULL"
        ).fetchone()[0]
        == 0
    )


def test_a_clock_in_doubt_is_told_at_once_everywhere_with_the_command_that_ends_it(
    installation: Installation,
    db: Database,
    ackerwinde: Game,
    web: Any,
    frozen_time: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tick(installation)
    jump(monkeypatch, frozen_time, 2 * DAY)
    tick(installation)
    says = (
        "the clock jumped by more than a day; if it is right now: bohnenpost run --clock-is-right"
    )
    assert [(finding.kind, finding.what) for finding in late(db, clock.now())] == [("clock", says)]
    assert says in " ".join(bohnenpost("doctor", home=installation.home, status=1).output.split())
    assert web.get("/healthz").status_code == 503
    assert web.get("/healthz").json["late"] == ["clock"]
    bohnenpost("run", "--clock-is-right", home=installation.home)
    assert late(db, clock.now()) == []


def test_a_clock_behind_the_last_pass_is_told(
    installation: Installation, db: Database, ackerwinde: Game, frozen_time: Any
) -> None:
    tick(installation)
    frozen_time.shift(-HOUR)
    assert [finding.kind for finding in late(db, clock.now())] == ["clock"]


def test_the_pass_over_mail_notices_a_jump_before_the_one_over_rounds(
    installation: Installation,
    db: Database,
    ackerwinde: Game,
    frozen_time: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tick(installation)
    jump(monkeypatch, frozen_time, 6 * DAY)
    Ticks(installation, serves_pages=False).mail()
    assert outage.clock_doubt(db, clock.now()) is not None
