"""Every act on a deadline says which one follows before it is done, with others to choose from:
at the desk and as a command.
"""

import re
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from gm import clock, store
from gm.clock import DAY, HOUR
from gm.config import Config
from gm.games import lead
from gm.games.orders import save_orders
from gm.installation import Installation
from gm.open_round import standing
from gm.service import close_due
from gm.store.db import Database, write
from gm.store.games import Game
from tests.dates import FORTNIGHT, FORTNIGHTLY, NOW, SUNDAY
from tests.steps import bohnenpost, current, desk_act, seat_game, sent_mails, sign_in, start, words

ONE_ROUND = ('"rounds":10', '"rounds":1')
BY_HAND = '{"weekdays":[],"at":"20:00:00","zone":"UTC","weeks":1,"since":"2026-01-01"}'


@pytest.fixture
def before(installation: Installation, db: Database) -> Game:
    """A game that has not started, with a deadline on every other Sunday, led by Uli."""
    seat_game(installation)
    with write(db):
        store.games.update(db, "ackerwinde", {"rule": msgspec.json.encode(FORTNIGHTLY).decode()})
    return store.games.existing(db, "ackerwinde")


@pytest.fixture
def game(before: Game, installation: Installation, db: Database) -> Game:
    """The same, started."""
    start(installation)
    return store.games.existing(db, "ackerwinde")


@pytest.fixture
def uli(installation: Installation, db: Database, before: Game) -> Any:
    """Uli at the desk."""
    return sign_in(installation, db)


def offered(page: Any, name: str) -> list[int]:
    return [
        int(value)
        for value in re.findall(rf'name="{name}" value="(\d+)"', page.get_data(as_text=True))
    ]


def test_going_on_is_offered_with_the_promised_deadline_and_the_calendars_next_two(
    uli: Any, game: Game, db: Database
) -> None:
    assert "If it goes on by Sat 21 November 2026, 20:00 CET, the deadline stays" in words(
        uli.get("/desk/game/ackerwinde?lang=en")
    )
    lead.pause(db, "ackerwinde", "", NOW)
    page = uli.get("/desk/game/ackerwinde?lang=en")
    assert offered(page, "deadline") == [SUNDAY, SUNDAY + FORTNIGHT, SUNDAY + 2 * FORTNIGHT]
    assert "Sun 22 November 2026, 20:00 CET (as announced)" in words(page)
    assert desk_act(uli, "resume", ("deadline", "12"), ("reason", "Advent")).status_code == 422
    assert desk_act(uli, "resume", ("deadline", "soon")).status_code == 400
    assert desk_act(uli, "resume", ("deadline", str(SUNDAY + FORTNIGHT))).status_code == 303
    assert current(db).deadline == SUNDAY + FORTNIGHT


def test_taking_back_is_offered_with_its_deadline(
    uli: Any, game: Game, db: Database, frozen_time: Any
) -> None:
    close_due(db, Config(), SUNDAY)
    frozen_time.move_to(SUNDAY + HOUR)
    page = uli.get("/desk/game/ackerwinde?lang=en")
    assert offered(page, "deadline") == [
        SUNDAY + 2 * DAY,
        SUNDAY + FORTNIGHT,
        SUNDAY + 2 * FORTNIGHT,
    ]
    assert "Round 2 keeps its deadline, Sun 6 December 2026, 20:00 CET" in words(page)
    assert (
        desk_act(
            uli,
            "rollback",
            ("round", "1"),
            ("reason", "typo"),
            ("deadline", str(SUNDAY + FORTNIGHT)),
        ).status_code
        == 303
    )
    assert current(db).deadline == SUNDAY + FORTNIGHT


def test_closing_by_hand_is_offered_with_the_next_rounds_deadline(
    uli: Any, game: Game, db: Database, frozen_time: Any
) -> None:
    page = uli.get("/desk/game/ackerwinde/run?lang=en")
    assert offered(page, "next_deadline") == [SUNDAY, SUNDAY + FORTNIGHT, SUNDAY + 2 * FORTNIGHT]
    assert "Round 2 then ends:" in words(page)
    wish = ("next_deadline", str(SUNDAY + FORTNIGHT))
    assert desk_act(uli, "run", ("round", "1"), ("confirm", "ackerwinde"), wish).status_code == 303
    assert current(db).deadline == SUNDAY + FORTNIGHT


def test_an_extension_is_offered_as_dates_and_can_be_taken_back(
    uli: Any, game: Game, db: Database
) -> None:
    assert "Mon 23 November 2026, 20:00 CET (the regular one and 1 day)" in words(
        uli.get("/desk/game/ackerwinde?lang=en")
    )
    assert desk_act(uli, "extend", ("round", "1")).status_code == 422
    desk_act(uli, "extend", ("round", "1"), ("days", "7"))
    page = words(uli.get("/desk/game/ackerwinde?lang=en"))
    assert "Sun 22 November 2026, 20:00 CET (the regular one)" in page
    assert "Forward to Sun 22 November 2026, 20:00 CET at the earliest." in page
    assert desk_act(uli, "extend", ("round", "1"), ("days", "0")).status_code == 303
    assert current(db).deadline == SUNDAY


def test_page_and_command_show_the_first_deadline_before_it(
    uli: Any, before: Game, installation: Installation, frozen_time: Any
) -> None:
    said = "round 1 ends on Sun 22 November 2026, 20:00 CET"
    assert f"If the first row is dealt now, {said}" in words(
        uli.get("/desk/game/ackerwinde?lang=en")
    )
    assert (
        "round 1 ends on 2026-11-22T20:00:00+01:00"
        in bohnenpost("game", "show", "ackerwinde", home=installation.home).output
    )
    frozen_time.move_to(SUNDAY - 60)  # a minute before one of the calendar's deadlines
    assert (
        "2026-12-06T20:00:00+01:00"
        in bohnenpost("game", "start", "ackerwinde", "--dry-run", home=installation.home).output
    )


def test_new_games_have_rounds_of_a_day_at_least(
    installation: Installation, db: Database, uli: Any, frozen_time: Any
) -> None:
    options = ("--gm", "Uli", "--gm-address", "u@example.org")
    bohnenpost("game", "new", "one", *options, home=installation.home)
    bohnenpost(
        "game",
        "new",
        "two",
        *options,
        "--shortest",
        "0",
        "--after-early",
        "next",
        home=installation.home,
    )
    made = [store.games.existing(db, name) for name in ("one", "two")]
    assert [(game.schedule.shortest, game.after_early) for game in made] == [
        (24, "same"),
        (0, "next"),
    ]
    page = uli.get("/desk/new?lang=en").get_data(as_text=True)
    assert 'name="shortest" type="text" inputmode="numeric" maxlength="4" value="24"' in page
    assert 'name="after_early" value="same" checked' in page


def test_a_dry_run_says_the_deadline_that_would_follow_and_the_others(
    game: Game, db: Database, installation: Installation
) -> None:
    def dry(*words: str) -> str:
        return " ".join(
            bohnenpost("game", *words, "--dry-run", home=installation.home).output.split()
        )

    assert "if it goes on by Sat 21 November 2026, 20:00 CET, the deadline stays" in dry(
        "pause", "ackerwinde"
    )
    closed = dry("run", "ackerwinde", "1")
    assert "round 2 ends on Sun 22 November 2026, 20:00 CET, as promised" in closed
    assert "--next '2026-12-06 20:00'" in closed
    assert "round 1 ends" not in closed
    lead.pause(db, "ackerwinde", "", NOW)
    on = dry("resume", "ackerwinde")
    assert "round 1 ends on Sun 22 November 2026, 20:00 CET, as promised or on Sun 6 December" in on
    assert "--to '2026-12-06 20:00'" in on
    assert "dry run: nothing was changed" in on
    assert current(db).status == "paused"
    chosen = bohnenpost(
        "game", "resume", "ackerwinde", "--to", "2026-12-06 20:00", home=installation.home
    ).output
    assert "round 1 ends on Sun 6 December 2026, 20:00 CET\n" in chosen


def test_a_dry_run_of_taking_back_says_both_deadlines(
    game: Game, db: Database, installation: Installation, frozen_time: Any
) -> None:
    close_due(db, Config(), SUNDAY)
    frozen_time.move_to(SUNDAY + HOUR)
    told = bohnenpost(
        "game",
        "rollback",
        "ackerwinde",
        "1",
        "--reason",
        "typo",
        "--dry-run",
        home=installation.home,
    ).output
    assert "round 1 ends on Tue 24 November 2026, 20:00 CET" in told
    assert "--to '2026-12-06 20:00'" in told
    assert current(db).round == 2


def test_no_door_brings_a_promised_deadline_forward(
    game: Game, db: Database, installation: Installation, uli: Any, frozen_time: Any
) -> None:
    close_due(db, Config(), SUNDAY)
    frozen_time.move_to(SUNDAY + HOUR)
    promised, sooner = SUNDAY + FORTNIGHT, SUNDAY + 2 * DAY
    no = "This deadline is brought forward to Sun 6 December 2026, 20:00 CET at the earliest."

    def command(*arguments: str, status: int = 2) -> str:
        return bohnenpost("game", *arguments, home=installation.home, status=status).output

    assert "not brought forward" in command("extend", "ackerwinde", "--to", "2026-11-24 20:00")
    lead.pause(db, "ackerwinde", "", SUNDAY + HOUR)
    assert no in command("resume", "ackerwinde", "--to", "2026-11-24 20:00")
    assert desk_act(uli, "resume", ("deadline", str(sooner))).status_code == 422
    assert (current(db).status, current(db).deadline) == ("paused", promised)
    lead.resume(db, "ackerwinde", "", SUNDAY + HOUR)
    lead.run_now(db, "ackerwinde", 2, "", SUNDAY + HOUR)
    # round 2 is closed long before its deadline, and taken back
    close_due(db, Config(), SUNDAY + HOUR)
    assert no in command(
        "rollback", "ackerwinde", "2", "--reason", "typo", "--to", "2026-11-24 20:00"
    )
    assert (
        desk_act(
            uli, "rollback", ("round", "2"), ("reason", "typo"), ("deadline", str(sooner))
        ).status_code
        == 422
    )
    command("rollback", "ackerwinde", "2", "--reason", "typo", "--to", "2026-12-08 20:00", status=0)
    assert no in command("extend", "ackerwinde", "--to", "2026-11-24 20:00")
    command("extend", "ackerwinde", "--to", "2026-12-06 20:00", status=0)  # that undoes it
    assert current(db).deadline == promised


def test_what_the_round_after_a_correction_was_promised_is_not_brought_forward(
    game: Game, db: Database, installation: Installation, uli: Any, frozen_time: Any
) -> None:
    close_due(db, Config(), SUNDAY)
    frozen_time.move_to(SUNDAY + HOUR)
    bohnenpost("game", "rollback", "ackerwinde", "1", "--reason", "typo", home=installation.home)
    frozen_time.move_to(SUNDAY + DAY + 2 * HOUR)
    said = bohnenpost(
        "game",
        "run",
        "ackerwinde",
        "1",
        "--next",
        "2026-11-29 20:00",
        home=installation.home,
        status=2,
    ).output
    assert (
        "This deadline is brought forward to Sun 6 December 2026, 20:00 CET at the earliest."
        in said
    )
    assert current(db).round == 1


def test_a_game_goes_on_earlier_only_to_undo(
    game: Game, db: Database, installation: Installation, frozen_time: Any
) -> None:
    bohnenpost("game", "extend", "ackerwinde", "--days", "9", home=installation.home)
    bohnenpost("game", "pause", "ackerwinde", home=installation.home)
    bohnenpost(
        "game", "resume", "ackerwinde", "--to", "2026-11-22 19:00", home=installation.home, status=2
    )
    bohnenpost("game", "resume", "ackerwinde", "--to", "2026-11-22 20:00", home=installation.home)
    assert current(db).deadline == SUNDAY


SHORT = "ound 2 then lasts only 1 day, until Sun 6 December 2026, 20:00 CET"
MAILED = SHORT.replace("ound 2", "he next round")


def test_whoever_moves_a_deadline_hears_of_a_short_round_after_it(
    game: Game, db: Database, installation: Installation, uli: Any
) -> None:
    def command(*arguments: str) -> str:
        return " ".join(bohnenpost("game", *arguments, home=installation.home).output.split())

    assert SHORT not in command("extend", "ackerwinde", "--days", "7")
    dry = command("extend", "ackerwinde", "--days", "13", "--dry-run")
    assert SHORT in dry
    assert "--next '2026-12-20 20:00'" in dry
    assert SHORT in command("extend", "ackerwinde", "--days", "13")
    assert SHORT in words(uli.get("/desk/game/ackerwinde?lang=en"))
    assert (
        MAILED
        in [
            " ".join(text.split())
            for kind, to, text in sent_mails(installation, db)
            if to.startswith("bert")
        ][-1]
    )
    close_due(db, Config(), SUNDAY + 13 * DAY)
    assert current(db).deadline == SUNDAY + FORTNIGHT


def test_the_round_after_a_moved_deadline_may_get_another_one(
    game: Game, db: Database, installation: Installation
) -> None:
    def command(*arguments: str, status: int = 0) -> str:
        told = bohnenpost(
            "game", "extend", "ackerwinde", *arguments, home=installation.home, status=status
        ).output
        return " ".join(told.split())

    assert "at least 24 hours" in command("--days", "13", "--next", "2026-12-06 19:00", status=2)
    assert current(db).deadline == SUNDAY
    assert SHORT not in command("--days", "13", "--next", "2026-12-20 20:00")
    assert "nothing to change" in command("--days", "13", "--next", "2026-12-20 20:00")
    assert "nothing to change" in command("--days", "13")
    told = [
        " ".join(text.split())
        for kind, to, text in sent_mails(installation, db)
        if to.startswith("bert")
    ][-1]
    assert "The next round then ends on Sun 20 December 2026, 20:00 CET." in told
    assert SHORT in command("--days", "13", "--next", "2026-12-06 20:00")  # to undo it
    told = [
        " ".join(text.split())
        for kind, to, text in sent_mails(installation, db)
        if to.startswith("bert")
    ][-1]
    assert "The deadline stays Sat 5 December 2026, 20:00 CET." in told
    assert MAILED in told
    command("--days", "13", "--next", "2026-12-20 20:00")
    close_due(db, Config(), SUNDAY + 13 * DAY)
    assert current(db).deadline == SUNDAY + 2 * FORTNIGHT


def test_the_desk_offers_a_full_round_after_a_moved_deadline(
    game: Game, db: Database, uli: Any
) -> None:
    with write(db):
        rule = replace(FORTNIGHTLY, weekdays=(2, 6), weeks=1)  # Wednesday and Sunday
        store.games.update(db, "ackerwinde", {"rule": msgspec.json.encode(rule).decode()})
    page = words(uli.get("/desk/game/ackerwinde?lang=en"))
    assert "(the regular one and 1 day)" in page
    assert "ound then lasts only 1 day" not in page
    desk_act(uli, "extend", ("round", "1"), ("to", "2026-11-24 20:00"))
    assert "The next round then lasts only 1 day, until Wed 25" in words(
        uli.get("/desk/game/ackerwinde?lang=en")
    )
    desk_act(uli, "extend", ("round", "1"), ("to", "2026-11-24 20:00"), ("longer", "yes"))
    assert "The next round then ends on Sun 29 November" in words(
        uli.get("/desk/game/ackerwinde?lang=en")
    )
    assert current(db).next_deadline == SUNDAY + 7 * DAY


def test_the_next_round_is_promised_nothing_sooner_but_to_undo(
    game: Game, db: Database, installation: Installation
) -> None:
    def extend(*arguments: str, status: int = 2) -> str:
        return bohnenpost(
            "game", "extend", "ackerwinde", *arguments, home=installation.home, status=status
        ).output

    assert "Sun 6 December 2026, 20:00 CET at the earliest" in extend(
        "--days", "1", "--next", "2026-11-25 20:00"
    )
    bohnenpost(
        "game", "run", "ackerwinde", "1", "--next", "2026-12-20 20:00", home=installation.home
    )
    bohnenpost("game", "rollback", "ackerwinde", "1", "--reason", "typo", home=installation.home)
    assert "Sun 20 December 2026, 20:00 CET at the earliest" in extend(
        "--to", "2026-11-22 20:00", "--next", "2026-12-06 20:00"
    )
    assert current(db).next_deadline == SUNDAY + 2 * FORTNIGHT


def test_an_extension_that_is_undone_takes_back_what_the_next_round_was_given(
    uli: Any, game: Game, db: Database
) -> None:
    desk_act(uli, "extend", ("round", "1"), ("to", "2026-12-05 20:00"), ("longer", "yes"))
    assert current(db).next_deadline == SUNDAY + 2 * FORTNIGHT
    desk_act(uli, "extend", ("round", "1"), ("days", "0"))
    assert (current(db).deadline, current(db).next_deadline) == (SUNDAY, None)


@pytest.mark.parametrize("to", ["9999-12-30 20:00", "0001-01-01 00:00"])
def test_a_deadline_out_of_this_world_is_refused(
    uli: Any, game: Game, installation: Installation, to: str
) -> None:
    assert desk_act(uli, "extend", ("round", "1"), ("to", to), ("longer", "yes")).status_code == 422
    more = ("--to", to, "--next", "2026-12-20 20:00")
    assert (
        "28 days at most"
        in bohnenpost(
            "game", "extend", "ackerwinde", *more, home=installation.home, status=2
        ).output
    )


def test_in_the_last_round_no_other_is_promised_anything(
    game: Game, db: Database, installation: Installation
) -> None:
    with write(db):
        db.execute("UPDATE game SET house_rules = replace(house_rules, ?, ?)", ONE_ROUND)
    for command in (("extend", "ackerwinde", "--days", "0"), ("run", "ackerwinde", "1")):
        said = bohnenpost(
            "game", *command, "--next", "2027-07-07 20:00", home=installation.home, status=2
        ).output
        assert "Round 1 is the last one; no other follows." in said
    assert current(db).next_deadline is None


def test_early_closing_stays_when_the_next_round_alone_gets_another_deadline(
    game: Game, db: Database, installation: Installation
) -> None:
    with write(db):
        db.execute("UPDATE game SET early_after = 3600")
    for seat in store.seats.of_game(db, "ackerwinde"):
        save_orders(db, current(db), seat, "pass")
    before = standing(db, current(db)).closes_early_at
    bohnenpost(
        "game",
        "extend",
        "ackerwinde",
        "--days",
        "0",
        "--next",
        "2026-12-20 20:00",
        home=installation.home,
    )
    assert before is not None
    assert standing(db, current(db)).closes_early_at == before


def test_where_rounds_are_closed_by_hand_no_deadline_is_offered(
    uli: Any, game: Game, db: Database, installation: Installation
) -> None:
    with write(db):
        db.execute(
            "UPDATE game SET rule = ?, deadline = NULL, scheduled_deadline = NULL", [BY_HAND]
        )
    page = uli.get("/desk/game/ackerwinde/run?lang=en")
    assert offered(page, "next_deadline") == []
    assert "no deadline: you close it by hand." in words(page)
    assert (
        "round 2 has no deadline; it is closed by hand"
        in bohnenpost("game", "run", "ackerwinde", "1", home=installation.home).output
    )
    assert clock.now() == NOW
