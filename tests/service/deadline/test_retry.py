"""One bad game never stops the others: whatever is wrong with it, it is tried three times, held,
and shown with its number.
"""

import json
import os
import signal
import sqlite3
from typing import Any

import pytest

from gm import errors, store
from gm.config import Config
from gm.deadline import closing, retry
from gm.deadline.health import examine
from gm.games import lead
from gm.installation import Installation
from gm.service import close_due, tick
from gm.store.db import Database, write
from gm.store.games import Game
from gm.web import create_app
from tests.dates import SUNDAY
from tests.steps import garble, seat_game, sign_in, start, trace, words

MINUTE = 60


@pytest.fixture
def two(installation: Installation, db: Database) -> Installation:
    """`ackerwinde`, which something is wrong with, and `beinwell`, which nothing is."""
    for game in ("ackerwinde", "beinwell"):
        seat_game(installation, game)
        start(installation, game)
    return installation


def state(db: Database, game: str) -> tuple[str, int, int]:
    found: tuple[str, int, int] = db.execute(
        "SELECT status, round, failures FROM game WHERE id = ?", [game]
    ).fetchone()
    return found


def three_passes(installation: Installation, frozen_time: Any) -> None:
    for number in range(3):
        frozen_time.move_to(SUNDAY + number * (MINUTE + 1))
        tick(installation)


NO_TEXT = "CAST(x'ff' AS TEXT)"
TEXTS = {
    "game": [
        "name",
        "variant",
        "gm_name",
        "gm_language",
        "house_rules",
        "rule",
        "setup",
        "commitment",
    ],
    "seat": ["name", "reminder_leads", "address", "language", "player"],
    "revision": ["orders"],
    "round": ["orders", "events", "state"],
    "press": ["text"],
    "note": ["text", "kind"],
    "mail": ["kind", "language", "address"],
}


@pytest.mark.long
@pytest.mark.parametrize(
    ("table", "column"), [(table, column) for table, columns in TEXTS.items() for column in columns]
)
@pytest.mark.parametrize("value", [NO_TEXT, "'garbage'"], ids=["no text", "garbage"])
def test_garbage_in_any_column_of_one_game_stops_no_other(
    two: Installation, db: Database, frozen_time: Any, table: str, column: str, value: str
) -> None:
    anna = store.seats.of_game(db, "ackerwinde")[0]
    game = store.games.get(db, "ackerwinde")
    assert game is not None
    with write(db):
        row = {"game": "ackerwinde", "round": 1, "seat": anna.number, "link_number": 1}
        a_list = {"number": 1, "orders": "1>A", "at": 1, "salt": bytes(16), "source": "seat"}
        store.db.insert(db, "revision", [row | a_list])
        store.db.insert(db, "press", [row | {"text": "Moin", "to_gm": "", "at": 1}])
        store.notes.add(db, game.id, game.round, "comment", "x", 1)
    which = {"game": "id = 'ackerwinde'", "seat": "game = 'ackerwinde' AND number = 1"}.get(
        table, "game = 'ackerwinde'"
    )
    garble(db, table, column, value, which)
    three_passes(two, frozen_time)
    assert state(db, "beinwell") == ("running", 2, 0)
    sent = "SELECT count(*) FROM mail WHERE game = 'beinwell' AND kind = 'report' AND sent_at IS NOT NULL"
    assert db.execute(sent).fetchone()[0] == 3
    uli, anybody = sign_in(two, db), create_app(two).test_client()
    for web, path in (
        (anybody, "/"),
        (anybody, "/table"),
        (anybody, "/api/v1/games"),
        (uli, "/desk"),
        (anybody, "/healthz"),
    ):
        assert web.get(path).status_code in (200, 503 if path == "/healthz" else 200), path
    assert anybody.get("/p/beinwell").status_code == 200
    found = [finding.what for finding in examine(db, SUNDAY)]
    if value == NO_TEXT:
        assert any(
            f"table {table}, row" in what and f"column {column}" in what for what in found
        ), found


def test_a_damaged_row_holds_its_game_after_three_tries_and_the_desk_shows_its_number(
    two: Installation, db: Database, frozen_time: Any
) -> None:
    garble(db, "round", "state", "'{}'", "game = 'ackerwinde'")
    frozen_time.move_to(SUNDAY)
    tick(two)
    assert state(db, "ackerwinde") == ("running", 1, 1)
    three_passes(two, frozen_time)
    assert state(db, "ackerwinde") == ("held", 1, 3)
    error = db.execute("SELECT error FROM game WHERE id = 'ackerwinde'").fetchone()[0]
    number = error.split()[0]
    assert len(number) == 8
    assert number in words(sign_in(two, db).get("/desk"))
    assert number in words(sign_in(two, db).get("/desk"))  # and stays the same
    assert (
        db.execute(
            "SELECT count(*) FROM mail WHERE kind = 'alarm' AND game = 'ackerwinde'"
        ).fetchone()[0]
        == 1
    )


def test_a_mended_game_goes_on_with_the_result_it_would_have_had(
    two: Installation, db: Database, frozen_time: Any
) -> None:
    good = db.execute("SELECT state FROM round WHERE game = 'ackerwinde'").fetchone()[0]
    garble(db, "round", "state", "'{}'", "game = 'ackerwinde'")
    three_passes(two, frozen_time)
    garble(db, "round", "state", f"'{good}'", "game = 'ackerwinde'")
    assert lead.release(db, "ackerwinde", "mended", SUNDAY + 600)
    frozen_time.move_to(SUNDAY + 600)
    assert [closed.game for closed in tick(two).closed] == ["ackerwinde"]
    state, other = (
        json.loads(
            db.execute("SELECT orders FROM round WHERE game = ? AND number = 1", [game]).fetchone()[
                0
            ]
        )
        for game in ("ackerwinde", "beinwell")
    )
    assert state == other


def test_the_unreadable_row_of_a_game_is_named_on_the_desk_and_by_nobody_else(
    two: Installation, db: Database, frozen_time: Any
) -> None:
    uli = sign_in(two, db)
    garble(db, "game", "rule", "CAST(x'ff' AS TEXT)", "id = 'ackerwinde'")
    assert "its row cannot be read" in words(uli.get("/desk"))
    assert list(store.games.unreadable(db)) == ["ackerwinde"]
    assert [game.id for game in store.games.all_games(db)] == ["beinwell"]
    answer = create_app(two).test_client().get("/p/ackerwinde")
    assert answer.status_code == 500
    assert "Number of the fault" in words(answer)


def spin_for_ackerwinde(two: Installation) -> None:
    """In a process of its own: work, with rules that do not end in one of the games."""
    honest = closing.compute_result

    def compute_result(db: Database, game: Game) -> Any:
        while game.id == "ackerwinde":
            pass
        return honest(db, game)

    closing.compute_result = compute_result
    retry.MOST_SECONDS = 1
    signal.alarm(20)
    tick(two)


def test_rules_without_end_hold_their_game_and_the_next_process_closes_the_others(
    two: Installation, db: Database, frozen_time: Any
) -> None:
    frozen_time.move_to(SUNDAY)
    child = os.fork()
    if child == 0:  # pragma: no cover
        try:
            spin_for_ackerwinde(two)
        finally:
            os._exit(1)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 70
    assert state(db, "ackerwinde") == ("held", 1, 3)
    number, words = (
        db.execute("SELECT error FROM game WHERE id = 'ackerwinde'").fetchone()[0].split(" ", 1)
    )
    assert (len(number), words) == (8, f"TimeoutError: {retry.NO_END}")
    assert (
        db.execute(
            "SELECT count(*) FROM mail WHERE kind = 'alarm' AND game = 'ackerwinde'"
        ).fetchone()[0]
        == 1
    )
    tick(two)
    assert state(db, "beinwell") == ("running", 2, 0)


def test_a_round_that_somebody_else_has_just_closed_is_not_closed_again(
    two: Installation, db: Database
) -> None:
    meddled: list[str] = []

    def meddle(statement: str) -> None:
        if statement.startswith("SELECT status, round, deadline") and not meddled:
            meddled.append(statement)
            with two.connection() as other:
                assert close_due(other, Config(), SUNDAY)

    trace(db, meddle)
    assert close_due(db, Config(), SUNDAY)
    trace(db, None)
    assert db.execute("SELECT max(round) FROM game").fetchone()[0] == 2


def test_faults_of_the_environment_are_held_against_no_game(
    two: Installation, db: Database
) -> None:
    with pytest.raises(sqlite3.OperationalError), retry.guarded(db, "ackerwinde", SUNDAY):
        raise sqlite3.OperationalError("database is locked")
    assert state(db, "ackerwinde") == ("running", 1, 0)
    assert not errors.is_environment(
        sqlite3.OperationalError("Could not decode to UTF-8 column 'name' with text 'x'")
    )
