"""What moves a running game: extend, pause, resume, early closing, run now; each told to
everybody once.
"""

from datetime import date, time
from typing import Any

import pytest

from gm import clock, store
from gm.calendar import Rule
from gm.config import Config
from gm.deadline import closing
from gm.deadline.outage import beat
from gm.errors import Refusal
from gm.games import lead
from gm.games.orders import save_orders
from gm.installation import Installation
from gm.service import close_due
from gm.store.db import Database, write
from gm.store.games import Game
from tests.dates import SUNDAY
from tests.steps import current, seat_game, start, words

HOUR, DAY = 3600, 86400
NOON = SUNDAY - 2 * DAY - 7 * 3600


def news(db: Database) -> list[tuple[int, int]]:
    """(note, seat) of every piece of news queued."""
    return db.execute(
        "SELECT about, seat FROM mail WHERE kind = 'news' ORDER BY about, seat"
    ).fetchall()


def test_an_extension_moves_the_deadline_and_is_told_to_everybody_once(
    db: Database, ackerwinde: Game
) -> None:
    to = SUNDAY + 3 * DAY
    assert lead.extend(db, "ackerwinde", to, "Advent", NOON) is True
    game = current(db)
    assert (game.deadline, game.scheduled_deadline, game.sequence) == (
        to,
        SUNDAY,
        ackerwinde.sequence + 1,
    )
    (note,) = store.notes.of_round(db, "ackerwinde", 1)
    assert (note.kind, note.text, note.old, note.new) == ("deadline", "Advent", SUNDAY, to)
    assert news(db) == [(note.id, 1), (note.id, 2), (note.id, 3)]


def test_the_same_request_six_times_is_one(db: Database, ackerwinde: Game) -> None:
    to = SUNDAY + 3 * DAY
    assert [lead.extend(db, "ackerwinde", to, "", NOON) for _ in range(6)] == [True] + [False] * 5
    assert len(store.notes.of_round(db, "ackerwinde", 1)) == 1
    assert len(news(db)) == 3


@pytest.mark.parametrize("to", [SUNDAY - 3600, SUNDAY + 29 * DAY, NOON, 10**18])
def test_an_extension_that_is_none_is_refused(db: Database, ackerwinde: Game, to: int) -> None:
    with pytest.raises(Refusal):
        lead.extend(db, "ackerwinde", to, "", NOON)
    assert current(db) == ackerwinde


def test_nothing_moves_a_deadline_that_has_passed(db: Database, ackerwinde: Game) -> None:
    with pytest.raises(Refusal, match="passed"):
        lead.extend(db, "ackerwinde", SUNDAY + DAY, "", SUNDAY)
    with pytest.raises(Refusal, match="passed"):
        lead.pause(db, "ackerwinde", "", SUNDAY)
    assert lead.extend(db, "ackerwinde", SUNDAY + DAY, "", SUNDAY - 1)  # until the last second


def test_after_an_extension_the_next_deadline_follows_the_calendar(
    db: Database, ackerwinde: Game
) -> None:
    lead.extend(db, "ackerwinde", SUNDAY + 3 * DAY, "", NOON)
    assert close_due(db, Config(), SUNDAY) is False
    assert close_due(db, Config(), SUNDAY + 3 * DAY) is True
    assert current(db).deadline == SUNDAY + 7 * DAY


def test_a_paused_game_takes_no_orders_and_is_not_closed(
    db: Database, ackerwinde: Game, frozen_time: Any
) -> None:
    from gm.games.orders import Late

    assert lead.pause(db, "ackerwinde", "Umzug", NOON) is True
    assert lead.pause(db, "ackerwinde", "Umzug", NOON) is False
    with pytest.raises(Late):
        save_orders(db, current(db), store.seats.of_game(db, "ackerwinde")[0], "pass")
    assert close_due(db, Config(), SUNDAY + 9 * DAY) is False
    assert len(news(db)) == 3


def test_a_game_resumed_too_late_for_its_deadline_gets_the_calendars_next(
    db: Database, ackerwinde: Game
) -> None:
    lead.pause(db, "ackerwinde", "", NOON)
    back = SUNDAY + 6 * DAY + 1  # a second too late for the Sunday after
    assert lead.resume(db, "ackerwinde", "", back) is True
    assert lead.resume(db, "ackerwinde", "", back) is False
    assert current(db).deadline == SUNDAY + 14 * DAY
    assert [note.kind for note in store.notes.of_round(db, "ackerwinde", 1)] == [
        "paused",
        "resumed",
    ]
    assert len(news(db)) == 6


def order_all(db: Database, game: Game) -> None:
    for seat in store.seats.of_game(db, game.id):
        save_orders(db, game, seat, "pass")


@pytest.fixture
def early(installation: Installation, db: Database, frozen_time: Any) -> Game:
    """A game that closes two hours after the last list, on Wednesdays and Sundays, rounds of at
    least one day.
    """
    seat_game(installation)
    rule = Rule((2, 6), time(20), "Europe/Berlin", 1, date(2026, 11, 16), shortest=24)
    from msgspec.json import encode

    with write(db):
        store.games.update(db, "ackerwinde", {"rule": encode(rule).decode(), "early_after": 7200})
    start(installation)
    return store.games.existing(db, "ackerwinde")


def test_a_round_closes_early_a_while_after_the_last_list_and_not_before_its_shortest_length(
    db: Database, early: Game, frozen_time: Any
) -> None:
    order_all(db, early)
    assert closing.make_complete_due(db, NOON + 7200) is False  # the round is younger than a day
    assert closing.make_complete_due(db, NOON + DAY - 1) is False
    save_orders(db, early, store.seats.of_game(db, "ackerwinde")[0], "1>A")
    assert closing.make_complete_due(db, NOON + DAY) is True
    assert close_due(db, Config(), NOON + DAY) is True
    game = current(db)
    # the one that was not waited for: there is a whole day left
    assert (game.round, game.deadline) == (2, SUNDAY)
    (note,) = store.notes.of_round(db, "ackerwinde", 1)
    assert (note.kind, note.old, note.new) == ("early", SUNDAY, NOON + DAY)


def test_a_change_of_mind_starts_the_delay_again(
    db: Database, early: Game, frozen_time: Any
) -> None:
    order_all(db, early)
    frozen_time.move_to(NOON + DAY)
    save_orders(db, early, store.seats.of_game(db, "ackerwinde")[0], "1>A")
    assert closing.make_complete_due(db, NOON + DAY + 7199) is False
    assert closing.make_complete_due(db, NOON + DAY + 7200) is True


def test_without_all_lists_nothing_closes_early(
    db: Database, early: Game, frozen_time: Any
) -> None:
    for seat in store.seats.of_game(db, "ackerwinde")[:2]:
        save_orders(db, early, seat, "pass")
    assert closing.make_complete_due(db, SUNDAY - 1) is False


def test_early_closing_is_off_unless_the_game_says_so(db: Database, ackerwinde: Game) -> None:
    order_all(db, ackerwinde)
    assert closing.make_complete_due(db, SUNDAY - 1) is False


def test_run_now_names_its_round_as_a_guard(db: Database, ackerwinde: Game) -> None:
    with pytest.raises(Refusal, match="other_round"):
        lead.run_now(db, "ackerwinde", 2, "", NOON)
    assert lead.run_now(db, "ackerwinde", 1, "alle einig", NOON) is True
    assert close_due(db, Config(), NOON) is True
    assert current(db).round == 2


def test_its_report_says_whether_the_gm_or_the_rule_closed_a_round(
    db: Database, early: Game, frozen_time: Any, web: Any
) -> None:
    lead.run_now(db, "ackerwinde", 1, "", clock.now())
    assert close_due(db, Config(), clock.now())
    order_all(db, current(db))
    frozen_time.shift(DAY + 2 * HOUR)
    assert closing.make_complete_due(db, clock.now())
    assert close_due(db, Config(), clock.now())
    by_gm, by_rule = (words(web.get(f"/p/ackerwinde/r{number}?lang=en")) for number in (1, 2))
    assert "The GM closed the round on" in by_gm
    assert "The round was closed on" in by_rule
    assert "before its deadline" in by_gm
    assert "before its deadline" in by_rule


def test_a_game_without_a_calendar_waits_for_its_gm(
    installation: Installation, db: Database, frozen_time: Any
) -> None:
    seat_game(installation)
    with write(db):
        db.execute(
            """UPDATE game SET rule = '{"weekdays":[],"at":"20:00:00","zone":"UTC","weeks":1,"since":"2026-01-01"}'"""
        )
    start(installation)
    assert current(db).deadline is None
    order_all(db, current(db))
    assert close_due(db, Config(), SUNDAY + 99 * DAY) is False
    lead.run_now(db, "ackerwinde", 1, "", NOON)
    assert close_due(db, Config(), NOON) is True
    game = current(db)
    assert (game.round, game.deadline, game.status) == (2, None, "running")


def test_the_silence_guard_holds_the_round_and_asks_the_gm(db: Database, ackerwinde: Game) -> None:
    with write(db):
        db.execute("UPDATE game SET silence_guard = 1")
        db.execute("UPDATE mail SET sent_at = 1")
    assert close_due(db, Config(), SUNDAY) is True
    game = current(db)
    assert (game.status, game.error, game.round) == ("held", "silence", 1)
    assert db.execute("SELECT address, language FROM mail WHERE kind = 'alarm'").fetchall() == [
        ("uli@example.org", "de")
    ]
    assert close_due(db, Config(), SUNDAY + DAY) is False
    lead.run_now(db, "ackerwinde", 1, "", SUNDAY + DAY)
    assert close_due(db, Config(), SUNDAY + DAY) is True
    assert current(db).round == 2


def test_the_silence_guard_lets_a_usual_round_pass(db: Database, ackerwinde: Game) -> None:
    with write(db):
        db.execute("UPDATE game SET silence_guard = 1")
        db.execute("UPDATE mail SET sent_at = 1")
    save_orders(db, ackerwinde, store.seats.of_game(db, "ackerwinde")[0], "pass")
    close_due(db, Config(), SUNDAY)
    assert current(db).round == 2


def test_the_silence_guard_notices_that_no_mail_was_taken(db: Database, ackerwinde: Game) -> None:
    with write(db):
        db.execute("UPDATE game SET silence_guard = 1")
    order_all(db, ackerwinde)
    close_due(db, Config(), SUNDAY)
    assert current(db).status == "held"


def test_the_silence_guard_is_off_unless_the_game_says_so(db: Database, ackerwinde: Game) -> None:
    close_due(db, Config(), SUNDAY)
    assert current(db).round == 2


def test_a_round_closed_by_hand_is_closed_whatever_the_outage_rule_says(
    db: Database, ackerwinde: Game
) -> None:
    for at in (NOON - DAY, NOON - DAY + 60):
        beat(db, at)
    lead.run_now(db, "ackerwinde", 1, "alle da", NOON)
    assert close_due(db, Config(), NOON) is True
    assert current(db).round == 2
    assert [(note.kind, note.text) for note in store.notes.of_round(db, "ackerwinde", 1)] == [
        ("early", "alle da")
    ]


def test_the_silence_guard_stays_on_after_it_was_overruled_once(
    db: Database, ackerwinde: Game
) -> None:
    with write(db):
        db.execute("UPDATE game SET silence_guard = 1")
        db.execute("UPDATE mail SET sent_at = 1")
    close_due(db, Config(), SUNDAY)
    lead.run_now(db, "ackerwinde", 1, "", SUNDAY + 60)
    close_due(db, Config(), SUNDAY + 60)
    assert (current(db).round, current(db).silence_guard) == (2, 1)


def test_a_gm_who_was_asked_can_extend(db: Database, ackerwinde: Game) -> None:
    with write(db):
        db.execute("UPDATE game SET silence_guard = 1")
        db.execute("UPDATE mail SET sent_at = 1")
    close_due(db, Config(), SUNDAY)
    assert lead.extend(db, "ackerwinde", SUNDAY + 2 * DAY, "Mail war kaputt", SUNDAY + HOUR)
    assert (current(db).status, current(db).error) == ("running", None)
    close_due(db, Config(), SUNDAY + 2 * DAY)
    assert current(db).round == 2  # asked once a round is enough


def test_a_deadline_set_in_a_game_by_hand_survives_a_pause_and_has_its_cap(
    installation: Installation, db: Database, frozen_time: Any
) -> None:
    seat_game(installation)
    with write(db):
        db.execute(
            """UPDATE game SET rule = '{"weekdays":[],"at":"20:00:00","zone":"UTC","weeks":1,"since":"2026-01-01"}'"""
        )
    start(installation)
    lead.extend(db, "ackerwinde", NOON + 20 * DAY, "", NOON)
    lead.pause(db, "ackerwinde", "", NOON + DAY)
    lead.resume(db, "ackerwinde", "", NOON + 10 * DAY)
    assert current(db).deadline == NOON + 20 * DAY
    with pytest.raises(Refusal):
        lead.extend(db, "ackerwinde", NOON + 20 * DAY + 29 * DAY, "", NOON + 10 * DAY)
