"""The database is opened safely and changed in one way only."""

import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from gm import store
from gm.installation import Installation
from gm.store.connections import connect
from gm.store.db import reading, write
from gm.store.file.migrations import STEPS, OtherSchema, is_current, migrate
from gm.store.schema import NotOurs
from gm.store.sqlite import PRAGMAS, File, create
from tests.steps import bohnenpost, file_of, trace

pytestmark = pytest.mark.file


@pytest.fixture
def empty(tmp_path: Path) -> Path:
    file = tmp_path / "empty.db"
    create(file)
    return file


@pytest.mark.durable
def test_every_connection_is_durable_strict_and_read_only_outside_write(
    installation: Installation,
) -> None:
    with installation.connection() as db:
        found = {name: db.execute(f"PRAGMA {name}").fetchone()[0] for name in PRAGMAS}
        assert found == {
            "journal_mode": "delete",
            "synchronous": 3,
            "foreign_keys": 1,
            "secure_delete": 1,
            "query_only": 1,
        }
        with pytest.raises(sqlite3.OperationalError, match="readonly"):
            db.execute("INSERT INTO meta VALUES ('a', 'b')")
        strict = db.execute(
            "SELECT name FROM pragma_table_list WHERE strict = 0 AND name NOT LIKE 'sqlite_%'"
        ).fetchall()
        assert [name for (name,) in strict] == ["_sqlite_migrations"]


def test_a_write_that_fails_changes_nothing_and_frees_the_lock(
    db: File, installation: Installation
) -> None:
    with pytest.raises(sqlite3.IntegrityError), write(db):
        db.executescript("INSERT INTO meta VALUES ('a', 'b'); INSERT INTO meta VALUES ('a', 'b')")
    with installation.connection() as other, write(other):
        assert other.execute("SELECT count(*) FROM meta WHERE key = 'a'").fetchone()[0] == 0


def test_who_reads_several_things_sees_one_moment(db: File, installation: Installation) -> None:
    def add() -> None:
        with installation.connection() as other, write(other):
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
    with (
        pytest.raises(sqlite3.OperationalError, match="within a transaction"),
        reading(db),
        write(db),
    ):
        pass


def test_a_write_holds_the_lock_from_its_first_statement(
    db: File, installation: Installation
) -> None:
    statements: list[str] = []
    trace(db, statements.append)
    with write(db), installation.connection() as other:
        other.execute("PRAGMA busy_timeout=50")
        with pytest.raises(sqlite3.OperationalError, match="locked"), write(other):
            pass
    assert "BEGIN IMMEDIATE" in statements


def test_a_write_inside_another_takes_back_its_own_changes_alone(db: File) -> None:
    def add(key: str) -> None:
        db.execute("INSERT INTO meta VALUES (?, 'x')", [key])

    def add_and_fail(key: str) -> None:
        with write(db):
            add(key)
            raise KeyError

    with write(db):
        add("before")
        with pytest.raises(KeyError):
            add_and_fail("lost")
        with write(db):
            add("inside")
    with suppress(KeyError), write(db):
        with write(db):
            add("lost with the outer one")
        raise KeyError
    keys = {key for (key,) in db.execute("SELECT key FROM meta").fetchall()}
    assert keys >= {"before", "inside"}
    assert not keys & {"lost", "lost with the outer one"}
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        add("outside")


def test_writers_wait_for_each_other(installation: Installation) -> None:
    def add(number: int) -> None:
        with installation.connection() as db, write(db):
            store.meta.remember(db, f"k{number}", "x")

    threads = [threading.Thread(target=add, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with installation.connection() as db:
        assert db.execute("SELECT count(*) FROM meta WHERE key LIKE 'k%'").fetchone()[0] == 8


def test_what_is_no_database_of_ours_is_refused(tmp_path: Path) -> None:
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


def test_the_file_is_for_its_owner_alone(installation: Installation) -> None:
    modes = {
        path.name: path.stat().st_mode & 0o777
        for path in (installation.home, file_of(installation), installation.home / "link.key")
    }
    assert modes == {"home": 0o700, "bohnenpost.db": 0o600, "link.key": 0o600}


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
    applied = db.execute("SELECT name FROM _sqlite_migrations").fetchall()
    assert [name for (name,) in applied] == [step.__name__ for step in STEPS]
    db.close()


@pytest.mark.parametrize(
    "step", ["m9999_later", "m0021_mailboxes"], ids=["newer", "before the first release"]
)
def test_a_database_of_another_program_is_refused_in_one_sentence(
    installation: Installation, db: File, step: str
) -> None:
    with write(db):
        db.execute(
            "INSERT INTO _sqlite_migrations (migration_set, name, applied_at) VALUES ('bohnenpost', ?, '')",
            [step],
        )
    with pytest.raises(OtherSchema, match=step):
        migrate(db)
    assert bohnenpost("game", "list", home=installation.home, status=3).output == (
        "Error: the database was written by a newer program, or by one from before the first release: "
        f"this program does not know its step {step}\n"
    )


def test_a_newer_program_that_was_first_is_noticed_once_the_lock_is_there(
    db: File, monkeypatch: pytest.MonkeyPatch
) -> None:
    @contextmanager
    def write_after_another(db: File) -> Iterator[None]:
        with write(db):
            db.execute(
                "INSERT INTO _sqlite_migrations (migration_set, name, applied_at) VALUES ('bohnenpost', 'm9999_later', '')"
            )
            yield

    copies: list[int] = []
    monkeypatch.setattr(File, "changing_schema", write_after_another)
    with pytest.raises(OtherSchema, match="m9999_later"):
        migrate(db, lambda: copies.append(1))
    assert copies == []


def test_the_schema_has_the_tables_we_know(db: File) -> None:
    tables = {
        "beat",
        "game",
        "joining",
        "mail",
        "meta",
        "note",
        "press",
        "revision",
        "round",
        "seat",
        "secret",
    }
    tables |= {
        "attempt",
        "dead_link",
        "mail_bytes",
        "game_gm",
        "gm",
        "session",
        "standby",
        "withdrawn",
    }
    tables |= {"act", "act_game", "follower", "my_games", "own_notes"}
    assert set(db.table_names()) == tables | {"_sqlite_migrations", "sqlite_sequence"}
