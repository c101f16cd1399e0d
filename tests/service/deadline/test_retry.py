"""One bad game never stops the others: whatever is wrong with it, it is tried three times, held,
and shown with its number.
"""

import json
import os
import shutil
import signal
import sqlite3
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from gm import errors, store
from gm.config import Config
from gm.deadline import closing, retry
from gm.deadline.health import examine
from gm.games import lead, several
from gm.installation import Installation
from gm.service import close_due, tick
from gm.store.db import Database, write
from gm.store.file import doctor
from gm.store.games import Game
from gm.store.schema import TABLES
from gm.web import create_app
from tests.dates import SUNDAY
from tests.steps import file_of, garble, seat_game, sign_in, start, trace, words, write_all

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


NO_TEXT, NO_INSTANT = "CAST(x'ff' AS TEXT)", str(2**40)
GARBAGE = {"TEXT": (NO_TEXT, "'garbage'"), "INTEGER": (NO_INSTANT,), "BLOB": ("x'ff'",)}


def fill_every_table(db: Database) -> None:
    """Rows of `ackerwinde`, or of nobody, in every table; some of them wait for a pass."""
    own = {"game": "ackerwinde", "round": 1, "seat": 1, "link_number": 1}
    bert = {"game": "ackerwinde", "address": "bert@example.org", "language": "en", "at": SUNDAY - 5}
    note = store.notes.add(db, "ackerwinde", 1, "comment", "x", 1)
    rows: dict[str, dict[str, object]] = {
        "revision": own
        | {"number": 1, "orders": "1>A", "at": 1, "salt": bytes(16), "source": "seat"},
        "press": own | {"text": "Moin", "to_gm": "", "at": 1},
        "own_notes": {"game": "ackerwinde", "seat": 1, "text": "x", "at": 1},
        "joining": bert | {"name": "Dora"},
        "follower": bert,
        "dead_link": {"game": "ackerwinde", "hash": "x", "seat": "Anna", "who": "", "why": "link"}
        | {"at": 1, "text": ""},
        "gm": {"address": "eva@example.org", "name": "Eva", "language": "en", "link_at": 1},
        "session": {"hash": "x", "address": "eva@example.org", "at": SUNDAY - 5},
        "attempt": {"key": "x", "at": SUNDAY - 5},
        "standby": {"address": "eva@example.org", "name": "Eva", "language": "en", "at": 1},
        "beat": {"at": SUNDAY - 5},
        "my_games": {"address": "bert@example.org", "hash": "x", "at": 1},
        "act_game": {"act": 1, "place": 0, "game": "ackerwinde", "seen": "x", "note": note},
    }
    waiting = {
        "asked": '{"kind":"announced","words":"x"}',
        "by_address": "uli@example.org",
        "by_name": "Uli",
    }
    for number, token in enumerate(("a", "b"), start=1):
        store.db.insert(db, "act", [waiting | {"id": number, "token": token, "at": 1}])
    for table, row in rows.items():
        store.db.insert(db, table, [row])
    (closed,) = list(db.query("SELECT * FROM round WHERE game = 'ackerwinde'"))
    store.db.insert(db, "withdrawn", [closed])
    beinwell = store.games.existing(db, "beinwell")
    store.db.insert(
        db,
        "act_game",
        [{"act": 2, "place": 0, "game": "beinwell", "seen": several.seen(beinwell)}],
    )


OF_ONE_ROW = {"game": "id = 'ackerwinde'", "act": "id = 1"}
PAGES = {"/": 200, "/table": 200, "/api/v1/games": 200, "/p/beinwell": 200, "/healthz": 503}
KEYS = {("game", "id")}
"""Without it nothing of a game can be asked for: the whole database is damaged."""
WRITTEN_ANEW = ("error",)
AT_EVERY_DESK = ("session", "gm", "standby")
"""Tables of which each desk shows all, or without which nobody is signed in."""


@pytest.mark.everything
@pytest.mark.long
@pytest.mark.parametrize("table", TABLES)
def test_garbage_in_any_column_stops_nothing_else(
    two: Installation, db: Database, frozen_time: Any, tmp_path: Path, table: str
) -> None:
    """One game of two, or a row of nobody, is damaged: the other game is closed and mailed, pages
    are shown, and `doctor` names what cannot be read.
    """
    write_all(db, two, SUNDAY - MINUTE)
    uli = sign_in(two, db)
    with write(db):
        fill_every_table(db)
    assert store.db.count(db, f"SELECT count(*) FROM {table}"), "a table without a row in this test"
    columns = db.execute(f"SELECT name, type FROM pragma_table_info('{table}')").fetchall()
    has_game = "game" in dict(columns)
    which = OF_ONE_ROW.get(table, "game = 'ackerwinde'" if has_game else "1")
    shutil.copy(file_of(two), tmp_path / "copy")
    for column, value in [(name, value) for name, kind in columns for value in GARBAGE[kind]]:
        if (table, column) in KEYS:
            continue
        shutil.copy(tmp_path / "copy", tmp_path / "next")
        (tmp_path / "next").replace(file_of(two))
        place = f"{table}.{column} = {value}"
        with two.connection() as damaged, suppress(sqlite3.IntegrityError):
            garble(
                damaged,
                table,
                column,
                value,
                f"rowid = (SELECT min(rowid) FROM {table} WHERE {which})",
            )
        three_passes(two, frozen_time)
        with two.connection() as after:
            assert state(after, "beinwell") == ("running", 2, 0), place
            act = store.acts.by_id(after, 2)
            assert act is not None
            assert act.told_at == SUNDAY, place
            sent = "SELECT count(*) FROM mail WHERE game = 'beinwell' AND kind = 'report' AND sent_at > 1"
            assert store.db.count(after, sent) == 3, place
            found = [finding.what for finding in examine(after, SUNDAY)]
            named = any(f"table {table}, row" in what and column in what for what in found)
            is_read = column in getattr(doctor.KINDS.get(table), "__struct_fields__", ())
            is_read = is_read and column not in WRITTEN_ANEW
            assert named or value != NO_TEXT or not is_read, (place, found)
        for path, worst in PAGES.items() if value == NO_TEXT else ():
            assert uli.get(path).status_code in (200, worst), (place, path)
        if value == NO_TEXT and table not in AT_EVERY_DESK:
            assert uli.get("/desk").status_code == 200, place


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


def test_failures_are_counted_anew_in_every_round(two: Installation, db: Database) -> None:
    with write(db):
        store.games.update(db, "ackerwinde", {"failures": 2})
    for _ in range(2):
        close_due(db, Config(), SUNDAY)
    assert state(db, "ackerwinde") == ("running", 2, 0)


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
