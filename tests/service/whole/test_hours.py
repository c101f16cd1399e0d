"""Rounds of a fixed number of hours instead of a calendar: through every act and accident that
moves a deadline.
"""

import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from gm import clock, restore, store
from gm.calendar import Rule, coming
from gm.config import Config
from gm.deadline import outage
from gm.deadline.closing import make_complete_due
from gm.deadline.reminders import remind
from gm.deadline.rollback import rollback
from gm.errors import Refusal
from gm.games import changes, lead
from gm.games.changes import Wish
from gm.games.orders import save_orders
from gm.installation import Installation
from gm.mail.ics import calendar
from gm.open_round import standing
from gm.rendering.sentences import environment
from gm.service import close_due
from gm.store.db import Database, write
from gm.store.file import backup
from gm.store.games import Game
from gm.timetable import promises
from gm.timetable.offers import offers
from tests.dates import EVERY_SIX_HOURS, FORTNIGHTLY, NOON, SUNDAY
from tests.steps import (
    beats,
    bohnenpost,
    change_game,
    current,
    news,
    press,
    seat_game,
    sign_in,
    start,
    words,
)

HOUR, DAY = 3600, 86400
NOW = int(NOON.timestamp())


@pytest.fixture
def game(installation: Installation, db: Database) -> Game:
    """A game that has just begun, of six hours for each round."""
    return begun(installation, db, EVERY_SIX_HOURS)


def begun(installation: Installation, db: Database, rule: Rule) -> Game:
    seat_game(installation)
    with write(db):
        store.games.update(db, "ackerwinde", {"rule": msgspec.json.encode(rule).decode()})
    start(installation)
    return current(db)


def test_the_desk_moves_such_a_deadline_by_minutes(
    installation: Installation, db: Database, game: Game
) -> None:
    uli = sign_in(installation, db)
    with write(db):
        store.games.update(db, "ackerwinde", {"early_after": 0})
    page = uli.get("/desk/game/ackerwinde?lang=en")
    assert re.findall(r'name="minutes" value="(\d+)"( checked)?', page.text) == [
        ("0", ""),
        ("15", ""),
        ("30", " checked"),
        ("60", ""),
        ("120", ""),
    ]
    assert 'name="days"' not in page.text
    assert "the regular one and 30 minutes" in words(page)
    assert "the round waits for it, even if all orders are in before" in words(page)
    sent = press(uli, "/desk/game/ackerwinde/extend", ("round", "1"), ("minutes", "30"))
    assert sent.status_code == 303
    assert current(db).deadline == (game.deadline or 0) + 30 * 60


def close(db: Database, now: int) -> Game:
    assert close_due(db, Config(), now)
    return current(db)


def test_a_calendar_is_stored_as_before() -> None:
    assert b"hours" not in msgspec.json.encode(FORTNIGHTLY)
    assert msgspec.json.decode(msgspec.json.encode(EVERY_SIX_HOURS), type=Rule) == EVERY_SIX_HOURS


@pytest.mark.parametrize(
    ("hours", "english", "german"),
    [
        (1, "1 hour for each round", "1 Stunde für jede Runde"),
        (30, "30 hours for each round", "30 Stunden für jede Runde"),
        (48, "2 days for each round", "2 Tage für jede Runde"),
    ],
)
def test_the_rhythm_in_words(hours: int, english: str, german: str) -> None:
    rule = msgspec.structs.replace(EVERY_SIX_HOURS, hours=hours)
    assert (
        environment("en").filters["rhythm"](rule),
        environment("de").filters["rhythm"](rule),
    ) == (english, german)


def test_hours_are_counted_from_when_a_round_began_whatever_the_clocks_do() -> None:
    before = 1792879200  # in Berlin the clocks go back in the night that follows
    assert coming(EVERY_SIX_HOURS, before, 3) == [
        before + 6 * HOUR,
        before + 12 * HOUR,
        before + 18 * HOUR,
    ]


def test_a_round_that_is_closed_late_takes_nothing_from_the_next(game: Game, db: Database) -> None:
    assert (game.deadline, game.scheduled_deadline) == (NOW + 6 * HOUR, NOW + 6 * HOUR)
    assert close(db, NOW + 8 * HOUR).deadline == NOW + 14 * HOUR


@pytest.mark.parametrize("after_early", ["same", "next"])
def test_a_round_that_is_closed_early_gives_nothing_to_the_next(
    game: Game, db: Database, after_early: str, frozen_time: Any
) -> None:
    with write(db):
        store.games.update(db, "ackerwinde", {"early_after": 0, "after_early": after_early})
    frozen_time.shift(HOUR)
    for seat in store.seats.of_game(db, "ackerwinde"):
        save_orders(db, current(db), seat, "pass")
    assert make_complete_due(db, NOW + HOUR)
    assert close(db, NOW + HOUR).deadline == NOW + 7 * HOUR


def test_a_deadline_that_the_game_master_chose_for_the_next_round_is_kept(
    game: Game, db: Database
) -> None:
    with pytest.raises(Refusal, match="out_of_reach"):
        lead.run_now(db, "ackerwinde", 1, "", NOW, next_deadline=NOW + 6 * HOUR - 1)
    lead.run_now(db, "ackerwinde", 1, "", NOW, next_deadline=NOW + 9 * HOUR)
    assert close(db, NOW).deadline == NOW + 9 * HOUR


def test_a_pause_of_a_long_round_gives_back_what_was_left(
    installation: Installation, db: Database
) -> None:
    begun(installation, db, msgspec.structs.replace(EVERY_SIX_HOURS, hours=100))
    lead.pause(db, "ackerwinde", "", NOW + 40 * HOUR)
    lead.resume(db, "ackerwinde", "", NOW + 99 * HOUR)
    assert current(db).deadline == NOW + 159 * HOUR


def test_what_is_offered_can_be_chosen(game: Game, db: Database) -> None:
    lead.pause(db, "ackerwinde", "", NOW)
    paused = offers(standing(db, current(db)), NOW + 5 * HOUR).resuming
    assert paused is not None
    assert paused.choices == tuple(NOW + at * HOUR for at in (11, 17, 23))
    lead.resume(db, "ackerwinde", "", NOW + 5 * HOUR, deadline=NOW + 17 * HOUR)
    assert current(db).deadline == NOW + 17 * HOUR
    closing = offers(standing(db, current(db)), NOW + 6 * HOUR).closing
    assert closing is not None
    assert closing.choices == tuple(NOW + at * HOUR for at in (12, 18, 24))


def test_a_round_that_is_taken_back_lasts_a_day_and_the_next_one_all_its_hours(
    game: Game, db: Database, frozen_time: Any
) -> None:
    close(db, NOW + 6 * HOUR)
    back = offers(standing(db, current(db)), NOW + 7 * HOUR).taking_back
    assert back is not None
    assert min(back.choices) == back.first == NOW + 31 * HOUR
    rollback(db, "ackerwinde", 1, "a typo", NOW + 7 * HOUR, deadline=back.choices[1])
    assert current(db).deadline == back.choices[1]
    assert close(db, back.choices[1]).deadline == back.choices[1] + 6 * HOUR


def test_an_extension_is_undone_within_a_day(game: Game, db: Database) -> None:
    lead.extend(db, "ackerwinde", NOW + 20 * HOUR, "", NOW)
    assert lead.extend(db, "ackerwinde", NOW + 6 * HOUR, "", NOW)
    with pytest.raises(Refusal, match="not_later"):
        lead.extend(db, "ackerwinde", NOW + 5 * HOUR, "", NOW)


def test_an_outage_before_a_round_began_does_not_count_against_it(game: Game, db: Database) -> None:
    beats(db, (NOW - DAY, NOW - 3 * HOUR), (NOW, NOW + 6 * HOUR))
    assert outage.put_off_until(db, Config(), game, NOW + 6 * HOUR) is None


def test_an_outage_within_a_round_moves_its_deadline(game: Game, db: Database) -> None:
    beats(db, (NOW - DAY, NOW + 2 * HOUR), (NOW + 4 * HOUR, NOW + 6 * HOUR))
    until = outage.put_off_until(db, Config(), game, NOW + 6 * HOUR)
    assert until is not None
    assert NOW + 8 * HOUR <= until <= NOW + 8 * HOUR + 60


def test_after_a_restore_a_round_has_what_was_left_and_a_whole_round_at_least(
    game: Game, installation: Installation, db: Database, tmp_path: Path, frozen_time: Any
) -> None:
    backup.make(db, tmp_path / "copy.db", NOW + HOUR)
    frozen_time.shift(50 * HOUR)
    restore.restore(installation.database, installation.link_key, tmp_path / "copy.db", clock.now())
    with installation.connection() as restored:
        restore.go_on(restored, clock.now())
        assert current(restored).deadline == clock.now() + 6 * HOUR


def test_nobody_is_reminded_at_a_time_before_the_round(game: Game, db: Database) -> None:
    assert remind(db, NOW + 60) == 0


def test_the_calendar_file_holds_the_deadline(game: Game, installation: Installation) -> None:
    assert b"DTEND:20261120T180000Z" in calendar(installation, game, "en", NOW)


def test_a_calendar_becomes_hours_from_the_next_round_on_and_a_calendar_again(
    installation: Installation, db: Database, frozen_time: Any
) -> None:
    begun(installation, db, FORTNIGHTLY)
    assert "round 2 ends on Mon 23 November 2026, 20:00" in change_game(
        installation, "ackerwinde", "--hours", "24"
    )
    assert current(db).deadline == SUNDAY
    assert current(db).schedule.hours == 24
    (told,) = news(installation, db)
    assert "Deadlines from now on: 1 day for each round." in told
    assert "at least" not in told
    change_game(installation, "ackerwinde", "--hours", "5", "--by-hand", status=2)
    change_game(installation, "ackerwinde", "--on", "sun")
    assert current(db).schedule.weekdays == (6,)
    assert not current(db).schedule.length


def test_hours_give_a_deadline_to_a_round_that_had_none(
    installation: Installation, db: Database, frozen_time: Any
) -> None:
    begun(installation, db, msgspec.structs.replace(FORTNIGHTLY, weekdays=()))
    changes.change(db, ["ackerwinde"], Wish(hours=6), "", NOW + HOUR)
    assert current(db).deadline == NOW + 7 * HOUR
    lead.pause(db, "ackerwinde", "", NOW + 2 * HOUR)
    assert promises.after_pause(current(db), NOW + 90 * HOUR) == NOW + 96 * HOUR


def test_the_command_makes_such_a_game_and_shows_its_deadlines(
    installation: Installation, db: Database
) -> None:
    said = bohnenpost(
        "game",
        "new",
        "erbse",
        "--gm",
        "Uli",
        "--gm-address",
        "u@example.org",
        "--hours",
        "12",
        home=installation.home,
    )
    assert "calendar     12 hours for each round\n" in said.output
    assert "round 1 ends on 2026-11-21T01:00:00+01:00" in said.output
    assert store.games.existing(db, "erbse").schedule.hours == 12
    shown = bohnenpost("game", "deadlines", "--hours", "12", home=installation.home).output
    assert shown.startswith(
        "if the game began now and each round took all its time:\n 1  Sat 21 November 2026, 01:00 CET\n"
    )
    refused = bohnenpost(
        "game", "deadlines", "--hours", "12", "--by-hand", home=installation.home, status=2
    ).output
    assert "--hours or --by-hand, not both" in refused


def test_the_desk_makes_such_a_game_and_changes_it(
    installation: Installation, db: Database, web: Any
) -> None:
    uli = sign_in(installation, db)
    fields = {
        "variant": "postal",
        "language": "en",
        "name": "Erbse",
        "day": "sun",
        "at": "20:00",
        "zone": "Europe/Berlin",
        "weeks": "2",
        "shortest": "24",
        "hours": "12",
    }
    preview = words(press(uli, "/desk/new?lang=en", *fields.items(), ("action", "preview")))
    assert (
        "If the game began now and each round took all its time: Sat 21 November 2026, 01:00 CET"
        in preview
    )
    for odd in ("0", "ten", "9601"):
        refused = press(
            uli, "/desk/new?lang=en", *(fields | {"hours": odd}).items(), ("action", "create")
        )
        assert f"Hours for each round: a whole number from 1 to 9600, not “{odd}”." in words(
            refused
        )
    both = press(
        uli, "/desk/new?lang=en", *fields.items(), ("by_hand", "yes"), ("action", "create")
    )
    assert "Either each round has so many hours, or you close every round by hand." in words(both)
    assert press(uli, "/desk/new", *fields.items(), ("action", "create")).status_code == 303
    made = store.games.existing(db, "erbse")
    assert (made.schedule.hours, made.schedule.weekdays, made.schedule.shortest) == (12, (), 0)
    page = uli.get("/desk/game/erbse/change?lang=en").get_data(as_text=True)
    assert (
        'name="hours" type="text" inputmode="numeric" maxlength="4" aria-describedby="hours-hint"\n    value="12"'
        in page
    )
    assert 'name="by_hand" value="yes">' in page
