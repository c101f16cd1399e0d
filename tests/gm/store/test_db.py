"""The database is opened safely and changed in one way only."""

import sqlite3
import threading
import time
from pathlib import Path

import pytest
from sqlite_utils import Database
from sqlite_utils.migrations import Migrations

from gm import store
from gm.installation import Installation
from gm.store.db import PRAGMAS, NotOurs, connect, create, reading, write
from gm.store.file.migrations import STEPS, NewerSchema, is_current, m0020_strengths, migrate, schema
from rounds.events import Absent
from rounds.postal import events
from rounds.variant import find


@pytest.fixture
def empty(tmp_path: Path) -> Path:
    file = tmp_path / "empty.db"
    create(file)
    return file


@pytest.mark.durable
def test_every_connection_is_durable_strict_and_read_only_outside_write(house: Installation) -> None:
    with house.connection() as db:
        found = {name: db.execute(f"PRAGMA {name}").fetchone()[0] for name in PRAGMAS}
        assert found == {"journal_mode": "delete", "synchronous": 3, "foreign_keys": 1, "secure_delete": 1, "query_only": 1}
        with pytest.raises(sqlite3.OperationalError, match="readonly"):
            db.table("meta").insert({"key": "a", "value": "b"})
        strict = db.execute("SELECT name FROM pragma_table_list WHERE strict = 0 AND name NOT LIKE 'sqlite_%'").fetchall()
        assert [name for (name,) in strict] == ["_sqlite_migrations"]


def test_a_write_that_fails_changes_nothing_and_frees_the_lock(db: Database, house: Installation) -> None:
    with pytest.raises(sqlite3.IntegrityError), write(db):
        db.executescript("INSERT INTO meta VALUES ('a', 'b'); INSERT INTO meta VALUES ('a', 'b')")
    with house.connection() as other, write(other):
        assert other.execute("SELECT count(*) FROM meta WHERE key = 'a'").fetchone()[0] == 0


def test_who_reads_several_things_sees_one_moment(db: Database, house: Installation) -> None:
    def add() -> None:
        with house.connection() as other, write(other):
            other.execute("INSERT INTO meta VALUES ('a', 'b')")

    def seen() -> int:
        return int(db.execute("SELECT count(*) FROM meta WHERE key = 'a'").fetchone()[0])

    adding = threading.Thread(target=add)
    with reading(db):
        assert seen() == 0
        adding.start()
        time.sleep(0.1)
        assert seen() == 0
        assert adding.is_alive()
    adding.join()
    assert seen() == 1
    with pytest.raises(sqlite3.OperationalError, match="readonly"), reading(db):
        db.execute("DELETE FROM meta")
    with pytest.raises(sqlite3.OperationalError, match="within a transaction"), reading(db), write(db):
        pass


def test_f07_a_write_holds_the_lock_from_its_first_statement(db: Database, house: Installation) -> None:
    statements: list[str] = []
    db.conn.set_trace_callback(statements.append)
    with write(db), house.connection() as other:
        other.execute("PRAGMA busy_timeout=50")
        with pytest.raises(sqlite3.OperationalError, match="locked"), write(other):
            pass
    assert "BEGIN IMMEDIATE" in statements
    with pytest.raises(sqlite3.OperationalError, match="within a transaction"), write(db), write(db):
        pass


def test_writers_wait_for_each_other(house: Installation) -> None:
    def add(number: int) -> None:
        with house.connection() as db, write(db):
            db.table("meta").insert({"key": f"k{number}", "value": "x"})

    threads = [threading.Thread(target=add, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with house.connection() as db:
        assert db.execute("SELECT count(*) FROM meta WHERE key LIKE 'k%'").fetchone()[0] == 8


def test_b115_what_is_no_database_of_ours_is_refused(tmp_path: Path) -> None:
    stranger = tmp_path / "stranger.db"
    with sqlite3.connect(stranger) as connection:
        connection.execute("CREATE TABLE t (x)")
    connection.close()
    text = tmp_path / "text.db"
    text.write_text("no database at all, but long enough to be looked at " * 40, encoding="utf-8")
    for file, words in (
        (stranger, "not a database of Bohnenpost"),
        (text, "not a database"),
        (tmp_path / "no.db", "unable to open"),
    ):
        with pytest.raises(NotOurs, match=words):
            connect(file)
    assert not (tmp_path / "no.db").exists()


def test_the_file_is_for_its_owner_alone(house: Installation) -> None:
    modes = {path.name: path.stat().st_mode & 0o777 for path in (house.home, house.database, house.home / "link.key")}
    assert modes == {"house": 0o700, "bohnenpost.db": 0o600, "link.key": 0o600}


def test_migrations_run_once_whoever_comes_first(empty: Path) -> None:
    def one() -> None:
        db = connect(empty)
        try:
            migrate(db)
        finally:
            db.close()

    threads = [threading.Thread(target=one) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    db = connect(empty)
    assert is_current(db)
    assert [m.name for m in schema.applied(db)] == [step.__name__ for step in STEPS]
    db.close()


def test_a_database_of_the_first_program_keeps_all_its_rows(empty: Path) -> None:
    db = connect(empty)
    with write(db):
        first = Migrations("bohnenpost")
        first()(STEPS[0])
        first.apply(db)
        db.execute(
            "INSERT INTO game (id, variant, name, gm_name, gm_address, gm_language, house_rules, rule, silence_guard, status,"
            " created_at) VALUES ('old', 'postal', 'Old', 'Uli', 'Uli@example.org', 'de', '{}', '{}', 0, 'open', 1)"
        )
        db.execute(
            "INSERT INTO seat (game, number, name, address, language, robot, link_hash, calendar_hash, unsubscribe_hash, leads)"
            " VALUES ('old', 1, 'Anna', 'anna@example.org', 'de', 0, 'a', 'b', 'c', '[7200]')"
        )
        db.execute("INSERT INTO revision VALUES ('old', 1, 1, 1, 'pass', 1)")
        happened = (
            '[{"event":"absent","seat":"Jürgen"},{"event":"planted","seat":"Jürgen","position":1,"variety":"bush","cards":2,'
            '"lying":3,"field":"A","beans":2},{"event":"discarded","cards":["snap","mung"]},{"event":"discarded","cards":[]}]'
        )
        db.execute(
            "INSERT INTO round (game, number, closed_at, orders, events, state) VALUES ('old', 1, 1, '{}', ?, '{}')", [happened]
        )
    migrate(db)
    assert is_current(db)
    (seat,) = store.seats(db, "old")
    assert (seat.name, seat.address, seat.reminder_leads, seat.link_hash, seat.player) == (
        "Anna",
        "anna@example.org",
        "[7200]",
        "a",
        None,
    )
    (revision,) = store.revisions(db, "old", 1, 1)
    assert (revision.orders, revision.digest("Anna")) == ("pass", None)
    assert store.masters(db, "old") == ["uli@example.org"]
    (closed,) = store.closed_rounds(db, "old")
    planted = events.Planted("Jürgen", 1, "bush", 2, 3, "A", 2)
    assert find("postal").read_events(closed.events) == (
        Absent("Jürgen"),
        planted,
        events.Discarded(("snap", "mung")),
        events.Discarded(()),
    )
    assert db.execute("PRAGMA foreign_key_check").fetchall() == []
    with pytest.raises(sqlite3.IntegrityError), write(db):
        db.execute("INSERT INTO revision (game, round, seat, number, orders, at) VALUES ('old', 1, 2, 1, 'pass', 1)")
    db.close()


def test_lists_from_before_are_those_of_who_plays_now_and_a_damaged_one_stops_no_upgrade(empty: Path) -> None:
    db = connect(empty)
    with write(db):
        older = Migrations("bohnenpost")
        for step in STEPS[:5]:
            older()(step)
        older.apply(db)
        db.execute(
            "INSERT INTO game (id, variant, name, gm_name, gm_address, gm_language, house_rules, rule, silence_guard, status,"
            " created_at) VALUES ('old', 'postal', 'Old', 'Uli', 'Uli@example.org', 'de', '{}', '{}', 0, 'open', 1)"
        )
        db.execute(
            "INSERT INTO seat (game, number, name, address, language, robot, link_number, link_hash, calendar_hash,"
            " unsubscribe_hash, taken_at) VALUES ('old', 1, 'Anna', 'anna@example.org', 'de', 0, 3, 'a', 'b', 'c', 50)"
        )
        db.execute("PRAGMA ignore_check_constraints=1")
        for number, (orders, at, by_gm) in enumerate((("pass", 49, 0), ("1>A", 50, 1), ("", 51, 7), ("2>A", 52, 0)), start=1):
            row = [number, orders, at, by_gm]
            db.execute(
                "INSERT INTO revision (game, round, seat, number, orders, at, by_gm) VALUES ('old', 1, 1, ?, ?, ?, ?)", row
            )
        db.execute("PRAGMA ignore_check_constraints=0")
        db.execute("INSERT INTO press VALUES ('old', 1, 1, 'Moin', '', 49)")
    migrate(db)
    (seat,) = store.seats(db, "old")
    found = [(r.orders, r.source, r.is_of(seat)) for r in store.revisions(db, "old", 1, 1)]
    assert found == [("2>A", None, True), ("", None, True), ("1>A", "gm", True), ("pass", None, False)]
    assert [word.link_number for word in store.press(db, "old", 1)] == [0]
    db.close()


def test_a_robot_of_before_plays_as_well_as_it_did(empty: Path) -> None:
    db = connect(empty)
    with write(db):
        older = Migrations("bohnenpost")
        for step in STEPS[: STEPS.index(m0020_strengths)]:
            older()(step)
        older.apply(db)
        db.execute(
            "INSERT INTO game (id, variant, name, gm_name, gm_address, gm_language, house_rules, rule, silence_guard, status,"
            " created_at) VALUES ('old', 'duel', 'Old', 'Uli', 'uli@example.org', 'de', '{}', '{}', 0, 'open', 1)"
        )
        db.execute(
            "INSERT INTO seat (game, number, name, address, language, robot, link_hash, calendar_hash, unsubscribe_hash)"
            " VALUES ('old', 1, 'Rosa', NULL, 'de', 1, 'a', 'b', 'c')"
        )
    migrate(db)
    (rosa,) = store.seats(db, "old")
    assert (rosa.robot, rosa.strength) == (1, "")
    duel = find("duel")
    assert duel.robot_of(rosa.strength) is duel.robot
    db.close()


def test_a_damaged_round_keeps_no_program_from_starting(empty: Path) -> None:
    db, damaged = connect(empty), ("'[{'", "'[1]'", "CAST(x'ff' AS TEXT)")
    with write(db):
        older = Migrations("bohnenpost")
        for step in STEPS[:4]:
            older()(step)
        older.apply(db)
        db.execute(
            "INSERT INTO game (id, variant, name, gm_name, gm_address, gm_language, house_rules, rule, silence_guard, status,"
            " created_at) VALUES ('old', 'postal', 'Old', 'Uli', 'Uli@example.org', 'de', '{}', '{}', 0, 'open', 1)"
        )
        db.execute("PRAGMA ignore_check_constraints=1")
        for number, events_text in enumerate(("""'[{"event":"absent","seat":"Anna"}]'""", *damaged)):
            db.execute(
                "INSERT INTO round (game, number, closed_at, orders, events, state)"  # texts of our own
                f" VALUES ('old', {number}, 1, '{{}}', {events_text}, '{{}}')"
            )
        db.execute("PRAGMA ignore_check_constraints=0")
    migrate(db)
    found = db.execute("SELECT CAST(events AS BLOB) FROM round ORDER BY number").fetchall()
    assert [text for (text,) in found] == [b'[["absent","Anna"]]', b"[{", b"[1]", b"\xff"]
    db.close()


def test_f42_a_database_of_a_newer_program_is_refused(db: Database) -> None:
    with write(db):
        db.execute("INSERT INTO _sqlite_migrations (migration_set, name, applied_at) VALUES ('bohnenpost', 'm9999_later', '')")
    with pytest.raises(NewerSchema, match="m9999_later"):
        migrate(db)


def test_the_schema_has_the_tables_we_know(db: Database) -> None:
    tables = {"beat", "game", "joining", "mail", "meta", "note", "press", "revision", "round", "seat", "secret"}
    tables |= {"attempt", "dead_link", "game_gm", "gm", "given_up", "session", "standby", "withdrawn"}
    tables |= {"follower", "my_games", "own_notes"}
    assert set(db.table_names()) == tables | {"_sqlite_migrations", "sqlite_sequence"}
