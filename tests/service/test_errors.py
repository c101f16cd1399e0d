"""Faults: whose they are, what is passed over and what is not, and how a row keeps one."""

import logging
import re
import sqlite3
from pathlib import Path

import pytest

from gm.errors import Refusal, in_words, is_environment, noted, passed_over


@pytest.mark.parametrize(
    ("error", "environment"),
    [
        (sqlite3.OperationalError("database is locked"), True),
        (sqlite3.OperationalError("disk I/O error"), True),
        (sqlite3.OperationalError("unable to open database file"), True),
        (sqlite3.OperationalError("Could not decode to UTF-8 column 'name' with text 'x'"), False),
        (sqlite3.OperationalError("malformed JSON"), False),
        (sqlite3.IntegrityError("UNIQUE constraint failed: seat.name"), False),
        (sqlite3.DatabaseError("database disk image is malformed"), False),
        (OSError("no space left on device"), False),
        (ValueError("database is locked"), False),
        (KeyboardInterrupt(), False),
    ],
)
def test_a_fault_of_disk_lock_or_file_is_no_fault_of_a_game(
    error: BaseException, environment: bool
) -> None:
    assert is_environment(error) is environment


def test_sqlite_reports_a_damaged_text_in_the_words_that_are_looked_for() -> None:
    with sqlite3.connect(":memory:") as db, pytest.raises(sqlite3.OperationalError) as caught:
        db.execute("SELECT CAST(x'ff' AS TEXT)").fetchone()
    db.close()
    assert not is_environment(caught.value)


def test_sqlite_reports_a_file_that_cannot_be_opened_as_the_environment(tmp_path: Path) -> None:
    with pytest.raises(sqlite3.OperationalError) as caught:
        sqlite3.connect(tmp_path / "no such folder" / "file.db")
    assert is_environment(caught.value)


def test_a_fault_is_noted_under_a_number_of_its_own_with_its_traceback(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with pytest.raises(ValueError, match="damaged") as caught:
        raise ValueError("damaged")
    numbers = {noted(caught.value, "the round of ackerwinde") for _ in range(3)}
    assert len(numbers) == 3
    assert all(re.fullmatch("[0-9a-f]{8}", number) for number in numbers)
    assert [record.levelno for record in caplog.records] == [logging.ERROR] * 3
    for record in caplog.records:
        assert record.getMessage().endswith(": the round of ackerwinde")
        assert record.exc_info is not None
        assert record.exc_info[1] is caught.value
    assert numbers == {record.getMessage().split()[1].rstrip(":") for record in caplog.records}


def test_one_bad_game_never_stops_the_others(caplog: pytest.LogCaptureFixture) -> None:
    done = []
    for game in ("ackerwinde", "beinwell", "calendula"):
        with passed_over(f"the report of {game}"):
            if game == "beinwell":
                raise KeyError("row")
            done.append(game)
    assert done == ["ackerwinde", "calendula"]
    assert ["the report of beinwell" in record.getMessage() for record in caplog.records] == [True]


def test_a_good_block_notes_nothing(caplog: pytest.LogCaptureFixture) -> None:
    with passed_over("the report"):
        pass
    assert caplog.records == []


@pytest.mark.parametrize(
    "error", [sqlite3.OperationalError("database is locked"), KeyboardInterrupt(), SystemExit(1)]
)
def test_what_is_no_fault_of_the_game_is_not_passed_over(
    error: BaseException, caplog: pytest.LogCaptureFixture
) -> None:
    with pytest.raises(type(error)), passed_over("the report"):
        raise error
    assert caplog.records == []


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (ValueError("damaged"), "1a2b3c4d ValueError: damaged"),
        (KeyError("Dörte"), "1a2b3c4d KeyError: 'Dörte'"),
        (ValueError("half \ud83e"), "1a2b3c4d ValueError: half \\ud83e"),
    ],
)
def test_a_row_keeps_number_kind_and_text(error: BaseException, words: str) -> None:
    assert in_words(error, "1a2b3c4d") == words


def test_a_row_keeps_no_more_than_five_hundred_characters() -> None:
    least = len("1a2b3c4d ValueError: ")
    for length in (499, 500, 501, 5000):
        assert len(in_words(ValueError("x" * (length - least)), "1a2b3c4d")) == min(length, 500)


def test_a_refusal_keeps_its_code_and_the_values_of_its_sentence() -> None:
    refusal = Refusal("bad_name", name="Dörte", limit=40)
    assert (refusal.code, refusal.values) == ("bad_name", {"name": "Dörte", "limit": 40})
    assert str(refusal) == "bad_name {'name': 'Dörte', 'limit': 40}"
    assert Refusal("late").values == {}
