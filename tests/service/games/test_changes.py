"""A running game is changed: the open deadline stays, each change is a note, and players hear by
mail of what moves something.
"""

from datetime import date
from typing import Any

import msgspec
import pytest

from gm import store
from gm.clock import DAY, HOUR
from gm.config import Config
from gm.errors import Refusal
from gm.games import changes, lead
from gm.games.changes import Wish
from gm.installation import Installation
from gm.service import close_due
from gm.store.db import Database, write
from gm.store.games import Game
from tests.dates import FORTNIGHT, FORTNIGHTLY, NOW, SUNDAY
from tests.steps import (
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

BY_HAND = '{"weekdays":[],"at":"20:00:00","zone":"Europe/Berlin","weeks":2,"since":"2026-11-16","shortest":24}'


def make(
    installation: Installation, db: Database, name: str = "ackerwinde", *, begun: bool = True
) -> Game:
    seat_game(installation, name)
    with write(db):
        store.games.update(db, name, {"rule": msgspec.json.encode(FORTNIGHTLY).decode()})
    if begun:
        start(installation, name)
    return store.games.existing(db, name)


@pytest.fixture
def game(installation: Installation, db: Database) -> Game:
    """A game with a deadline on every other Sunday."""
    return make(installation, db)


def raw(installation: Installation) -> str:
    return "".join(file.read_text() for file in installation.mail_folder.glob("*news*.eml"))


def test_another_calendar_holds_from_the_next_round_on(
    installation: Installation, db: Database, game: Game
) -> None:
    said = change_game(
        installation, "ackerwinde", "--on", "wed", "--every", "1", "--reason", "Choir"
    )
    assert (
        "round 2 ends on Wed 25 November 2026, 20:00 CET instead of Sun 6 December 2026, 20:00 CET"
        in said
    )
    assert current(db).deadline == SUNDAY
    close_due(db, Config(), SUNDAY)
    assert current(db).deadline == SUNDAY + 3 * DAY
    (note,) = store.notes.of_round(db, "ackerwinde", 1)
    assert (note.kind, note.text, note.old, note.new) == ("changed", "Choir", None, None)
    (told,) = news(installation, db)
    assert "Deadlines from now on: every week on Wednesday, 20:00 (Europe/Berlin)." in told
    assert "The deadline of the open round stays as it is. Reason: Choir" in told
    assert "Subject: Ackerwinde: the game was changed" in raw(installation)


def test_every_other_week_is_counted_from_the_open_deadline(
    installation: Installation, db: Database, game: Game
) -> None:
    change_game(installation, "ackerwinde", "--every", "3")
    close_due(db, Config(), SUNDAY)
    assert current(db).deadline == SUNDAY + 21 * DAY


def test_days_are_left_out_of_several_games_at_once(
    installation: Installation, db: Database, game: Game
) -> None:
    make(installation, db, "beinwell")
    said = change_game(
        installation,
        "--left-out",
        "2026-12-06",
        "--left-out",
        "2027-01-03",
        "ackerwinde",
        "beinwell",
    )
    assert "ackerwinde: changed round 2 ends on Sun 20 December" in said
    assert "beinwell: changed round 2 ends" in said
    for name in ("ackerwinde", "beinwell"):
        assert current(db, name).schedule.left_out == (date(2026, 12, 6), date(2027, 1, 3))
        assert current(db, name).deadline == SUNDAY
    assert "nothing to change" in change_game(
        installation, "--left-out", "2026-12-06", "ackerwinde"
    )
    assert current(db).schedule.shortest == 24  # what is not named stays
    change_game(installation, "--put-back", "2026-12-06", "beinwell")
    assert current(db, "beinwell").schedule.left_out == (date(2027, 1, 3),)
    assert change_game(installation, "--left-out", "2026-12-20", "ackerwinde", "nowhere", status=2)
    assert current(db).schedule.left_out == (date(2026, 12, 6), date(2027, 1, 3))  # all or none


def test_an_open_deadline_moves_only_if_its_very_day_is_left_out(
    installation: Installation, db: Database, game: Game
) -> None:
    said = change_game(installation, "ackerwinde", "--left-out", "2026-11-22")
    assert (
        "round 1 ends on Sun 6 December 2026, 20:00 CET instead of Sun 22 November 2026, 20:00 CET"
        in said
    )
    assert (current(db).deadline, current(db).scheduled_deadline) == (
        SUNDAY + FORTNIGHT,
        SUNDAY + FORTNIGHT,
    )
    assert current(db).sequence == game.sequence + 1
    (told,) = news(installation, db)
    assert "No deadline on Sun 22 November 2026." in told
    assert (
        "The deadline moves from Sun 22 November 2026, 20:00 CET to Sun 6 December 2026, 20:00 CET."
        in told
    )
    assert "Subject: Ackerwinde, round 1: new deadline Sun 6 Dec, 20:00" in raw(installation)


@pytest.mark.parametrize("days", [0, 3])
def test_a_day_left_out_by_mistake_is_put_back_with_its_deadline(
    installation: Installation, db: Database, game: Game, days: int
) -> None:
    bohnenpost("game", "extend", "ackerwinde", "--days", str(days), home=installation.home)
    change_game(installation, "ackerwinde", "--left-out", f"2026-11-{22 + days}")
    said = change_game(installation, "ackerwinde", "--put-back", f"2026-11-{22 + days}")
    assert (
        f"round 1 ends on {['Sun 22', '', '', 'Wed 25'][days]} November 2026, 20:00 CET instead of Sun 6 December"
        in said
    )
    assert (current(db).deadline, current(db).scheduled_deadline) == (SUNDAY + days * DAY, SUNDAY)
    assert (
        "The deadline moves from Sun 6 December 2026, 20:00 CET to " in news(installation, db)[-1]
    )


def test_a_day_left_out_by_mistake_can_be_undone_by_moving_the_deadline(
    installation: Installation, db: Database, game: Game
) -> None:
    change_game(installation, "ackerwinde", "--left-out", "2026-11-22")
    bohnenpost(
        "game", "extend", "ackerwinde", "--to", "2026-11-22 19:00", home=installation.home, status=2
    )
    bohnenpost("game", "extend", "ackerwinde", "--to", "2026-11-22 20:00", home=installation.home)
    assert (current(db).deadline, current(db).scheduled_deadline) == (SUNDAY, SUNDAY)
    assert current(db).schedule.left_out == (date(2026, 11, 22),)


def test_a_day_that_is_put_back_moves_no_deadline_that_is_too_near_or_was_moved_since(
    installation: Installation, db: Database, game: Game, frozen_time: Any
) -> None:
    change_game(installation, "ackerwinde", "--left-out", "2026-11-22")
    frozen_time.move_to(SUNDAY - DAY + 1)
    assert "no deadline moves" in change_game(
        installation, "ackerwinde", "--put-back", "2026-11-22"
    )
    change_game(installation, "ackerwinde", "--left-out", "2026-11-22")
    frozen_time.move_to(NOW)
    bohnenpost("game", "extend", "ackerwinde", "--days", "1", home=installation.home)
    assert "no deadline moves" in change_game(
        installation, "ackerwinde", "--put-back", "2026-11-22"
    )
    assert current(db).deadline == SUNDAY + FORTNIGHT + DAY


def test_a_promise_to_the_next_round_moves_with_its_day_and_comes_back(
    installation: Installation, db: Database, game: Game
) -> None:
    bohnenpost(
        "game",
        "extend",
        "ackerwinde",
        "--days",
        "13",
        "--next",
        "2026-12-20 20:00",
        home=installation.home,
    )
    said = change_game(installation, "ackerwinde", "--left-out", "2026-12-20")
    assert "round 2 ends on Sun 3 January 2027, 20:00 CET instead of Sun 20 December" in said
    assert (
        "The next round then ends on Sun 3 January 2027, 20:00 CET." in news(installation, db)[-1]
    )
    said = change_game(installation, "ackerwinde", "--put-back", "2026-12-20")
    assert "round 2 ends on Sun 20 December 2026, 20:00 CET instead of Sun 3 January" in said
    assert (
        "The next round then ends on Sun 20 December 2026, 20:00 CET." in news(installation, db)[-1]
    )
    assert current(db).deadline == SUNDAY + 13 * DAY
    close_due(db, Config(), SUNDAY + 13 * DAY)
    assert current(db).deadline == SUNDAY + 2 * FORTNIGHT


DAYS = ("2026-11-22", "2026-12-06")


@pytest.mark.parametrize(
    "changes_made",
    [
        [("--left-out", DAYS[0]), ("--hours", "48")],
        [("--left-out", DAYS[0]), ("--by-hand",)],
    ],
)
def test_another_kind_of_calendar_puts_no_day_back(
    installation: Installation, db: Database, game: Game, changes_made: list[tuple[str, ...]]
) -> None:
    for options in changes_made:
        change_game(installation, "ackerwinde", *options)
    assert current(db).deadline == SUNDAY + FORTNIGHT


@pytest.mark.parametrize(
    "changes_made",
    [
        [
            ("--left-out", DAYS[0]),
            ("--put-back", DAYS[0]),
            ("--left-out", DAYS[1]),
            ("--put-back", DAYS[1]),
        ],
        [("--left-out", DAYS[0]), ("--put-back", DAYS[0], "--left-out", DAYS[1])],
        [
            ("--left-out", DAYS[0]),
            ("--left-out", DAYS[1]),
            ("--put-back", DAYS[0], "--put-back", DAYS[1]),
        ],
        [
            ("--left-out", DAYS[0]),
            ("--left-out", DAYS[1]),
            ("--put-back", DAYS[0]),
            ("--put-back", DAYS[1]),
        ],
        [
            ("--left-out", DAYS[0]),
            ("--left-out", DAYS[1]),
            ("--put-back", DAYS[1]),
            ("--put-back", DAYS[0]),
        ],
    ],
)
def test_days_put_back_in_any_order_bring_the_first_deadline_back(
    installation: Installation, db: Database, game: Game, changes_made: list[tuple[str, ...]]
) -> None:
    for options in changes_made:
        change_game(installation, "ackerwinde", *options)
    assert (current(db).deadline, current(db).scheduled_deadline) == (SUNDAY, SUNDAY)


def test_a_calendar_is_given_up_and_made_again(
    installation: Installation, db: Database, game: Game, frozen_time: Any
) -> None:
    assert "round 2 ends on (closed by hand)" in change_game(
        installation, "ackerwinde", "--by-hand"
    )
    assert current(db).deadline == SUNDAY
    close_due(db, Config(), SUNDAY)
    assert current(db).deadline is None
    frozen_time.move_to(SUNDAY + HOUR)
    assert "round 2 ends on Sun 29 November" in change_game(
        installation, "ackerwinde", "--on", "sun", "--every", "1"
    )
    assert current(db).deadline == SUNDAY + 7 * DAY


def test_what_moves_nothing_for_players_is_noted_and_not_mailed(
    installation: Installation, db: Database, game: Game, web: Any
) -> None:
    change_game(
        installation,
        "ackerwinde",
        "--name",
        "Winde",
        "--gm",
        "Ulrike",
        "--description",
        "For <beginners>.\nBe kind.",
        "--silence-guard",
        "--early-after",
        "6",
        "--not-early",
        status=2,
    )
    assert current(db) == game
    change_game(
        installation,
        "ackerwinde",
        "--name",
        "Winde",
        "--gm",
        "Ulrike",
        "--description",
        "For <beginners>.",
        "--silence-guard",
    )
    changed = current(db)
    assert (changed.name, changed.gm_name, changed.description, changed.silence_guard) == (
        "Winde",
        "Ulrike",
        "For <beginners>.",
        1,
    )
    assert news(installation, db) == []
    page = words(web.get("/p/ackerwinde?lang=en"))
    assert "For &lt;beginners&gt;." in web.get("/p/ackerwinde").get_data(as_text=True)
    assert (
        "It is now called “Winde”, no longer “Ackerwinde”. The GM is now Ulrike, no longer Uli."
        in page
    )
    assert "Winde" in words(web.get("/p/ackerwinde?lang=de"))


def test_early_closing_is_told(installation: Installation, db: Database, game: Game) -> None:
    change_game(installation, "ackerwinde", "--early-after", "6", "--after-early", "next")
    (told,) = news(installation, db)
    assert "A round is closed 6 hours after the last list." in told
    assert "always ends at the deadline after the one" in told
    assert (current(db).early_after, current(db).after_early) == (6 * HOUR, "next")
    change_game(installation, "ackerwinde", "--not-early")
    assert current(db).early_after is None


def test_seats_are_changed_before_the_start_and_never_below_those_taken(
    installation: Installation, db: Database
) -> None:
    make(installation, db, begun=False)
    change_game(installation, "ackerwinde", "--seats", "3")
    assert current(db).seats == 3
    assert "3 seats are taken already" in change_game(
        installation, "ackerwinde", "--seats", "2", status=2
    )
    change_game(installation, "ackerwinde", "--seats", "0")
    assert current(db).seats is None
    start(installation)
    assert "is running" in change_game(installation, "ackerwinde", "--seats", "5", status=2)


def test_players_at_the_table_of_an_open_game_hear_of_another_calendar(
    installation: Installation, db: Database
) -> None:
    make(installation, db, begun=False)
    change_game(installation, "ackerwinde", "--at", "19:00")
    (told,) = news(installation, db)
    assert "Deadlines from now on: every 2 weeks on Sunday, 19:00" in told
    assert "The game has not started yet." in told


@pytest.mark.parametrize(
    "wish",
    [Wish(name=" "), Wish(gm_name=""), Wish(description="x" * 1001)],
)
def test_what_cannot_be_is_refused_and_changes_nothing(
    db: Database, game: Game, wish: Wish
) -> None:
    with pytest.raises(Refusal):
        changes.change(db, ["ackerwinde"], wish, "", NOW)
    assert current(db) == game


def test_a_dry_run_changes_nothing_and_says_what_would_move(
    installation: Installation, db: Database, game: Game
) -> None:
    said = change_game(installation, "ackerwinde", "--left-out", "2026-11-22", "--dry-run")
    assert "round 1 ends on Sun 6 December" in said
    assert "would mail news of round 1 to anna@" in said
    assert current(db) == game
    assert "nothing to change: name what" in change_game(installation, "ackerwinde", status=2)


def test_a_game_that_is_over_is_not_changed(
    installation: Installation, db: Database, game: Game
) -> None:
    lead.abort(db, "ackerwinde", "enough", NOW)
    assert "is over; nothing of it changes" in change_game(
        installation, "ackerwinde", "--name", "Late", status=2
    )


def test_the_desk_shows_old_and_new_before_it_changes(
    installation: Installation, db: Database, game: Game
) -> None:
    uli = sign_in(installation, db)
    assert "stays, unless you leave out its very day" in words(
        uli.get("/desk/game/ackerwinde/change?lang=en")
    )
    fields = [
        ("name", "Ackerwinde"),
        ("gm_name", "Uli"),
        ("description", ""),
        ("day", "sun"),
        ("at", "20:00"),
        ("zone", "Europe/Berlin"),
        ("weeks", "2"),
        ("shortest", "24"),
        ("left_out", ""),
        ("early_after", ""),
        ("after_early", game.after_early),
        ("reason", "Holidays"),
    ]
    path = "/desk/game/ackerwinde/change?lang=en"
    assert "Nothing to change" in words(press(uli, path, *fields, ("action", "preview")))
    holidays = [
        ("left_out", "2026-12-06, 2027-01-03") if name == "left_out" else (name, text)
        for name, text in fields
    ]
    preview = words(press(uli, path, *holidays, ("action", "preview")))
    assert "Sun 20 Dec, 20:00" in preview
    assert "Everybody is told by mail" in preview
    assert current(db) == game
    assert press(uli, path, *holidays, ("action", "save")).status_code == 303
    assert current(db).schedule.left_out == (date(2026, 12, 6), date(2027, 1, 3))
    refused = press(
        uli,
        path,
        *[("at", "8 pm") if name == "at" else (name, text) for name, text in holidays],
        ("action", "save"),
    )
    assert refused.status_code == 422
    assert 'value="8 pm"' in refused.get_data(as_text=True)
    assert press(uli, path, *fields[:3], ("action", "save")).status_code == 422


def test_a_change_stands_in_the_record_as_every_note_does(
    installation: Installation, db: Database, game: Game, web: Any
) -> None:
    change_game(installation, "ackerwinde", "--left-out", "2026-12-06", "--reason", "Advent")
    close_due(db, Config(), SUNDAY)
    (note,) = web.get("/api/v1/games/ackerwinde/rounds/1").get_json()["notes"]
    assert (note["kind"], note["text"]) == ("changed", "Advent")
