"""What was promised stays if it still can: after a pause, a correction, an early closing; and
who brings a deadline forward.
"""

from typing import Any

import msgspec
import pytest

from gm import clock, store
from gm.clock import DAY, HOUR
from gm.config import Config
from gm.deadline import closing
from gm.deadline.rollback import rollback
from gm.errors import Refusal
from gm.games import lead
from gm.games.orders import save_orders
from gm.installation import Installation
from gm.service import close_due
from gm.store.db import Database, write
from gm.store.games import Game
from gm.timetable import promises
from tests.dates import FORTNIGHT, FORTNIGHTLY, NOW, SUNDAY
from tests.steps import current, seat_game, start


@pytest.fixture
def game(installation: Installation, db: Database) -> Game:
    """A game with a deadline on every other Sunday, rounds of a day at least, closed as early as
    all lists are in.
    """
    seat_game(installation)
    with write(db):
        rule = msgspec.json.encode(FORTNIGHTLY).decode()
        store.games.update(db, "ackerwinde", {"rule": rule, "early_after": 0})
    start(installation)
    return current(db)


def order_all(db: Database) -> None:
    for seat in store.seats.of_game(db, "ackerwinde"):
        save_orders(db, current(db), seat, "pass")


def close(db: Database, now: int) -> Game:
    assert close_due(db, Config(), now)
    return current(db)


def test_a_pause_of_a_second_costs_nothing(db: Database, game: Game) -> None:
    lead.pause(db, "ackerwinde", "", NOW)
    lead.resume(db, "ackerwinde", "", NOW + 1)
    assert (current(db).deadline, current(db).scheduled_deadline) == (SUNDAY, SUNDAY)


def test_a_pause_keeps_an_extension_and_what_it_was_counted_from(db: Database, game: Game) -> None:
    lead.extend(db, "ackerwinde", SUNDAY + 3 * DAY, "", NOW)
    lead.pause(db, "ackerwinde", "", NOW)
    lead.resume(db, "ackerwinde", "", NOW + 2 * DAY)
    assert (current(db).deadline, current(db).scheduled_deadline) == (SUNDAY + 3 * DAY, SUNDAY)


def test_the_moment_a_pause_names_is_the_last_that_keeps_the_deadline(
    db: Database, game: Game
) -> None:
    until = promises.keeps_until(game, NOW)
    lead.pause(db, "ackerwinde", "", NOW)
    (note,) = store.notes.of_round(db, "ackerwinde", 1)
    assert (note.old, note.new) == (SUNDAY, until)
    assert until is not None
    assert promises.after_pause(current(db), until) == SUNDAY
    assert promises.after_pause(current(db), until + 1) != SUNDAY


def test_another_deadline_may_be_chosen_when_a_game_goes_on(db: Database, game: Game) -> None:
    lead.pause(db, "ackerwinde", "", NOW)
    assert promises.choices(FORTNIGHTLY, SUNDAY, NOW) == [
        SUNDAY,
        SUNDAY + FORTNIGHT,
        SUNDAY + 2 * FORTNIGHT,
    ]
    for wish in (NOW + DAY - 1, NOW + 401 * DAY, 0):
        with pytest.raises(Refusal, match="out_of_reach"):
            lead.resume(db, "ackerwinde", "", NOW, deadline=wish)
    lead.resume(db, "ackerwinde", "", NOW, deadline=SUNDAY + FORTNIGHT)
    assert (current(db).deadline, current(db).scheduled_deadline) == (
        SUNDAY + FORTNIGHT,
        SUNDAY + FORTNIGHT,
    )


def test_a_round_taken_back_lasts_a_day_and_the_next_one_gets_its_deadline_back(
    db: Database, game: Game, frozen_time: Any
) -> None:
    assert close(db, SUNDAY).deadline == SUNDAY + FORTNIGHT
    rollback(db, "ackerwinde", 1, "a typo", SUNDAY + HOUR)
    assert current(db).deadline == SUNDAY + 2 * DAY  # a day at least, at the calendar's time of day
    assert close(db, SUNDAY + 2 * DAY).deadline == SUNDAY + FORTNIGHT
    assert current(db).next_deadline is None
    assert close(db, SUNDAY + FORTNIGHT).deadline == SUNDAY + 2 * FORTNIGHT


def test_a_correction_closed_by_hand_costs_the_next_round_nothing(db: Database, game: Game) -> None:
    close(db, SUNDAY)
    rollback(db, "ackerwinde", 1, "a typo", SUNDAY + HOUR)
    lead.run_now(db, "ackerwinde", 1, "", SUNDAY + DAY + HOUR)
    assert close(db, SUNDAY + DAY + HOUR).deadline == SUNDAY + FORTNIGHT


def test_a_correction_too_late_for_the_next_deadline_moves_it_by_one(
    db: Database, game: Game
) -> None:
    close(db, SUNDAY)
    rollback(db, "ackerwinde", 1, "a typo", SUNDAY + FORTNIGHT - DAY)
    assert current(db).deadline == SUNDAY + FORTNIGHT
    assert close(db, SUNDAY + FORTNIGHT).deadline == SUNDAY + 2 * FORTNIGHT


def test_a_round_closed_before_its_deadline_and_taken_back_gets_it_back(
    db: Database, game: Game
) -> None:
    lead.run_now(db, "ackerwinde", 1, "", NOW)
    close(db, NOW)
    rollback(db, "ackerwinde", 1, "too soon", NOW + HOUR)
    assert current(db).deadline == SUNDAY


def test_a_round_taken_back_may_get_another_deadline(db: Database, game: Game) -> None:
    close(db, SUNDAY)
    with pytest.raises(Refusal, match="out_of_reach"):
        rollback(db, "ackerwinde", 1, "a typo", SUNDAY, deadline=SUNDAY + DAY - 1)
    rollback(db, "ackerwinde", 1, "a typo", SUNDAY, deadline=SUNDAY + FORTNIGHT)
    assert current(db).deadline == SUNDAY + FORTNIGHT


@pytest.mark.parametrize(
    ("after_early", "deadline"), [("same", SUNDAY + FORTNIGHT), ("next", SUNDAY + 2 * FORTNIGHT)]
)
def test_after_an_early_closing_the_game_says_which_deadline_follows(
    db: Database, game: Game, frozen_time: Any, after_early: str, deadline: int
) -> None:
    with write(db):
        store.games.update(db, "ackerwinde", {"after_early": after_early})
    close(db, SUNDAY)
    frozen_time.move_to(SUNDAY)
    order_all(db)
    assert closing.make_complete_due(db, SUNDAY + DAY)
    assert close(db, SUNDAY + DAY).deadline == deadline


def test_an_early_closing_leaves_the_next_round_its_shortest_length(
    db: Database, game: Game
) -> None:
    lead.run_now(db, "ackerwinde", 1, "", SUNDAY - DAY + 1)
    assert close(db, SUNDAY - DAY + 1).deadline == SUNDAY + FORTNIGHT


def test_who_closes_a_round_chooses_the_deadline_of_the_next(db: Database, game: Game) -> None:
    with pytest.raises(Refusal, match="out_of_reach"):
        lead.run_now(db, "ackerwinde", 1, "", NOW, next_deadline=NOW + HOUR)
    lead.run_now(db, "ackerwinde", 1, "", NOW, next_deadline=SUNDAY + 3 * FORTNIGHT)
    assert close(db, NOW).deadline == SUNDAY + 3 * FORTNIGHT


def test_an_extension_is_undone_as_far_as_it_went(db: Database, game: Game) -> None:
    with pytest.raises(Refusal, match="not_later"):
        lead.extend(db, "ackerwinde", SUNDAY - HOUR, "", NOW)
    lead.extend(db, "ackerwinde", SUNDAY + 9 * DAY, "", NOW)
    with pytest.raises(Refusal, match="not_sooner"):
        lead.extend(db, "ackerwinde", SUNDAY - HOUR, "", NOW)
    assert lead.extend(db, "ackerwinde", SUNDAY, "", NOW) is True
    assert (current(db).deadline, current(db).scheduled_deadline) == (SUNDAY, SUNDAY)


def test_a_pause_and_a_correction_can_be_undone_too(db: Database, game: Game) -> None:
    lead.pause(db, "ackerwinde", "", NOW)
    lead.resume(db, "ackerwinde", "", SUNDAY - HOUR)
    assert lead.extend(db, "ackerwinde", SUNDAY + DAY, "", SUNDAY - HOUR) is True
    close(db, SUNDAY + DAY)
    rollback(db, "ackerwinde", 1, "a typo", SUNDAY + 2 * DAY, deadline=SUNDAY + FORTNIGHT)
    assert lead.extend(db, "ackerwinde", SUNDAY + 3 * DAY, "", SUNDAY + 2 * DAY) is True


def test_once_every_list_is_in_the_deadline_may_come_forward(
    db: Database, game: Game, frozen_time: Any
) -> None:
    close(db, SUNDAY)
    frozen_time.move_to(SUNDAY)
    for seat in store.seats.of_game(db, "ackerwinde")[:2]:
        save_orders(db, current(db), seat, "pass")
    with pytest.raises(Refusal, match="not_later"):
        lead.extend(db, "ackerwinde", SUNDAY + 2 * DAY, "", clock.now())
    order_all(db)
    with pytest.raises(Refusal, match="not_sooner"):
        lead.extend(db, "ackerwinde", SUNDAY + DAY - 1, "", clock.now())
    assert lead.extend(db, "ackerwinde", SUNDAY + DAY, "all are there", clock.now()) is True
    (note,) = store.notes.of_round(db, "ackerwinde", 2)
    assert (note.old, note.new) == (SUNDAY + FORTNIGHT, SUNDAY + DAY)
