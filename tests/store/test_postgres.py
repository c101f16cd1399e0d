"""A database on a PostgreSQL server does what a file does, and is refused where it could not."""

import dataclasses
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from itertools import count
from pathlib import Path
from typing import Any

import psycopg
import pytest
from flask import Flask

from benchmarks.fixtures import order_all
from gm import errors, restore, store
from gm.deadline.outage import check_clock
from gm.installation import Installation, open_installation
from gm.service import close_game, tick_mail, write_mails
from gm.store.connections import connect, opened
from gm.store.db import Database, transfer, write
from gm.store.file import backup
from gm.store.file.migrations import migrate
from gm.store.games import Game
from gm.store.postgres import Postgres
from gm.store.schema import NotOurs
from gm.store.sqlite import File
from rounds.engine.variant import names
from tests import postgres
from tests.dates import SUNDAY
from tests.postgres import Server, move_to_server
from tests.steps import bohnenpost, dump_of, seat_game, start

pytestmark = [
    pytest.mark.everything,
    pytest.mark.skipif(postgres.programs() is None, reason="PostgreSQL is not installed"),
    pytest.mark.usefixtures("mails_may_be_files"),
]
numbers = count()


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with postgres.running() as started:
        yield started


@pytest.fixture
def address(server: Server) -> str:
    """An empty database."""
    return server.create(f"one_{next(numbers)}")


@pytest.fixture
def on_server(address: str) -> Iterator[Postgres]:
    with closing(connect(address)) as db:
        assert isinstance(db, Postgres)
        migrate(db)
        yield db


@pytest.fixture
def mails_may_be_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gm.config._check_database", lambda _: None)


def at(server: Server, fresh_home: Path, home: Path) -> Installation:
    """A fresh installation with a database on the server."""
    shutil.copytree(fresh_home, home)
    move_to_server(home, server.create(f"home_{next(numbers)}"))
    return open_installation(home, {})


def test_tables_and_indexes_are_those_of_a_file(on_server: Postgres, fresh_home: Path) -> None:
    kinds = {"INTEGER": "bigint", "TEXT": "text", "BLOB": "bytea"}
    with opened(fresh_home / "bohnenpost.db") as file:
        for table in store.schema.TABLES:
            sql = """SELECT column_name, data_type, is_nullable = 'NO' FROM
                     information_schema.columns WHERE table_name = ? ORDER BY ordinal_position"""
            theirs = on_server.execute(sql, [table]).fetchall()
            ours = file.execute(f"PRAGMA table_info({table})").fetchall()
            assert [(name, kind) for name, kind, _ in theirs] == [
                (name, kinds[kind]) for _, name, kind, *_ in ours
            ]
            assert [name for name, _, needed in theirs if needed] == [
                name for _, name, _, needed, _, key in ours if needed or key
            ]
        sql = """SELECT name, sql LIKE '%UNIQUE%' FROM sqlite_master WHERE type = 'index'
                 AND sql <> '' AND tbl_name <> '_sqlite_migrations'"""
        ours = {(name, bool(unique)) for name, unique in file.execute(sql)}
    sql = """SELECT indexname, indexdef LIKE '%UNIQUE%' FROM pg_indexes
             WHERE schemaname = 'public' AND indexname NOT IN (SELECT conname FROM pg_constraint)"""
    assert set(on_server.execute(sql).fetchall()) == ours


@pytest.mark.parametrize("variant", names())
def test_a_whole_game_gives_the_same_rows_pages_and_mails(
    variant: str,
    server: Server,
    fresh_home: Path,
    tmp_path: Path,
    frozen_time: Any,
    site: Flask,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """And a copy of either restores the other."""
    players = ("Anna", "Bert") if variant == "duel" else ("Anna", "Bert", "Cem")
    homes, seen = {}, {}
    for engine in ("file", "server"):
        nothing_by_chance(monkeypatch)
        home = Path(shutil.copytree(fresh_home, tmp_path / engine))
        if engine == "server":
            move_to_server(home, server.create(f"game_{variant}"))
        homes[engine] = installation = open_installation(home, {})
        assert isinstance(installation.database, str) == (engine == "server")
        frozen_time.move_to(SUNDAY - 7 * 86400)
        seen[engine] = list(play(installation, variant, players, frozen_time, site))
        seen[engine] += [file.read_text() for file in sorted(installation.mail_folder.iterdir())]
        with installation.connection() as db:
            seen[engine] += dump_of(db)
    assert len(seen["file"]) > 50
    assert seen["server"] == seen["file"]
    for source, target in (("file", "server"), ("server", "file")):
        copied(homes[source], homes[target], tmp_path / f"{source}.copy")


def nothing_by_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = count(1)
    monkeypatch.setattr("secrets.token_bytes", lambda size: next(drawn).to_bytes(size))
    monkeypatch.setattr("secrets.token_hex", lambda size=32: f"{next(drawn):0{2 * size}x}")


def play(
    installation: Installation,
    variant: str,
    players: tuple[str, ...],
    frozen_time: Any,
    site: Flask,
) -> Iterator[str]:
    """A game from its start to its end, by what robots would order; every page that changed."""
    seat_game(installation, "acker", players=players, variant=variant)
    start(installation, "acker")
    site.extensions["installation"] = installation
    web = site.test_client()
    while True:
        with installation.connection() as db:
            game = store.games.existing(db, "acker")
            links = [
                installation.path("seat", "acker", seat.name, seat.link_number)
                for seat in store.seats.of_game(db, "acker")
            ]
        for path in (*links, "/p/acker", "/p/acker/record.json", "/"):
            answer = web.get(f"{path}?lang=en", follow_redirects=True)
            assert answer.status_code == 200
            yield answer.text
        if game.status == "finished":
            break
        with installation.connection() as db:
            order_all(db, "acker")
            frozen_time.move_to(game.deadline)
            assert close_game(db, installation.config, "acker", game.deadline or 0)
        tick_mail(installation, game.deadline or 0)


def copied(source: Installation, target: Installation, copy: Path) -> None:
    """A copy of one replaces the rows of the other, and is as good as the first."""
    with source.connection() as db:
        before = dump_of(db)
        backup.make(db, copy, SUNDAY)
    with opened(copy) as db, write(db):
        store.meta.forget(db, "copied_at")
    with opened(copy) as db, target.connection() as into:
        assert dump_of(db) == before
        assert isinstance(db, File)
        transfer(db, into)
        assert dump_of(into) == before
        for table in store.schema.NUMBERED:
            highest = store.db.count(into, f"SELECT coalesce(max(id), 0) FROM {table}")
            assert into.numbers()[table] >= highest


def test_commands_copy_and_restore_it(
    server: Server, fresh_home: Path, tmp_path: Path, frozen_time: Any
) -> None:
    installation = at(server, fresh_home, tmp_path / "home")
    seat_game(installation)
    start(installation)
    assert "all is well" in bohnenpost("doctor", home=installation.home).output
    bohnenpost("backup", str(tmp_path / "copy.db"), home=installation.home)
    assert (
        "nothing was changed"
        in bohnenpost("game", "--dry-run", "run", "ackerwinde", "1", home=installation.home).output
    )
    with installation.connection() as db, write(db):
        db.execute("UPDATE game SET name = 'Wicke'")
    bohnenpost("restore", "--yes", str(tmp_path / "copy.db"), home=installation.home)
    bohnenpost("resume", home=installation.home)
    with installation.connection() as db:
        assert store.games.existing(db, "ackerwinde").name == "Ackerwinde"
        assert store.games.existing(db, "ackerwinde").status == "running"
        assert {seat.link_number for seat in store.seats.of_game(db, "ackerwinde")} != {1}
    (former,) = (installation.home / "backups").glob("*-replaced.db")
    with opened(former) as db:
        assert store.games.existing(db, "ackerwinde").name == "Wicke"


def test_a_copy_moves_to_a_server_where_nothing_is_yet_but_not_with_another_key(
    address: str, fresh_home: Path, tmp_path: Path, frozen_time: Any
) -> None:
    old, new = Path(shutil.copytree(fresh_home, tmp_path / "old")), tmp_path / "new"
    installation = open_installation(old, {})
    seat_game(installation)
    start(installation)
    bohnenpost("backup", str(tmp_path / "copy.db"), home=old)
    new.mkdir()
    (new / "bohnenpost.toml").write_text(f'database = "{address}"\n')
    move = ("restore", "--yes", str(tmp_path / "copy.db"))
    assert "link.key" in bohnenpost(*move, home=new, status=3).output
    (new / "link.key").write_bytes(bytes(range(32)))
    assert "does not belong to it" in bohnenpost(*move, home=new, status=3).output
    shutil.copy(old / "link.key", new)
    bohnenpost(*move, home=new)
    bohnenpost("resume", home=new)
    assert "ackerwinde" in bohnenpost("game", "list", home=new).output


def test_a_copy_that_did_not_get_to_its_end_takes_back_the_numbers_too(
    on_server: Postgres, fresh_home: Path, tmp_path: Path
) -> None:
    home = Path(shutil.copytree(fresh_home, tmp_path / "home"))
    with write(on_server):
        first = store.db.insert_one(on_server, "follower", FOLLOWER)
    with opened(home / "bohnenpost.db") as file:
        with suppress(KeyError), write(on_server):
            transfer(file, on_server)
            raise KeyError
        with write(on_server):
            second = store.db.insert_one(on_server, "follower", FOLLOWER | {"address": "b"})
        assert second == first + 1
        transfer(on_server, file)
        transfer(file, on_server)
        with write(file), write(on_server):
            numbers = {
                store.db.insert_one(db, "follower", FOLLOWER | {"address": "c"})
                for db in (file, on_server)
            }
        assert numbers == {second + 1}


FOLLOWER = {"address": "a", "language": "de", "at": 1}


def test_a_damaged_number_in_a_row_stops_no_other_game(
    server: Server, fresh_home: Path, tmp_path: Path, frozen_time: Any
) -> None:
    installation = at(server, fresh_home, tmp_path / "home")
    for game in ("acker", "wicke"):
        seat_game(installation, game)
        start(installation, game)
    with installation.connection() as db:
        with write(db):
            db.execute("UPDATE game SET early_after = 0")
            db.execute("UPDATE revision SET at = 0")
            db.execute(
                "UPDATE game SET rule = replace(rule, ?, ?) WHERE id = 'acker'",
                ('"zone"', '"shortest":"x","zone"'),
            )
            for number, leads in enumerate(('["x"]', "[1.5]", "[1e30]"), 1):
                sql = "UPDATE seat SET reminder_leads = ? WHERE game = 'acker' AND number = ?"
                db.execute(sql, [leads, number])
        assert "wicke" in store.due.games_to_remind(db, SUNDAY - 3600)
        assert store.due.games_to_close_early(db, SUNDAY - 3600, SUNDAY, []) == []


def test_a_clock_that_was_right_ends_what_another_machines_wrong_one_began(
    on_server: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gm.clock.machine", lambda: "gone")
    assert check_clock(on_server, SUNDAY + 90 * 86400, 100) is None
    monkeypatch.setattr("gm.clock.machine", lambda: "here")
    for _ in range(2):
        assert "behind" in str(check_clock(on_server, SUNDAY, 200))
    assert check_clock(on_server, SUNDAY + 60, 260, trusted=True) is None
    assert check_clock(on_server, SUNDAY + 120, 320) is None


def test_a_fault_is_told_in_one_line_and_counts_against_no_game(on_server: Postgres) -> None:
    for sql in ("SELECT nothing", "SELECT * FROM nowhere", "SELECT 1 FROM"):
        with pytest.raises(sqlite3.OperationalError, match=r"^[^\n]+$") as raised:
            on_server.execute(sql)
        assert errors.is_environment(raised.value)
    with pytest.raises(sqlite3.DatabaseError) as of_a_row:
        on_server.execute("SELECT CAST(? AS BIGINT)", ["x"])
    assert not errors.is_environment(of_a_row.value)


def test_a_game_that_cannot_go_on_after_a_restore_keeps_no_other_back(
    server: Server,
    fresh_home: Path,
    tmp_path: Path,
    frozen_time: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    installation = at(server, fresh_home, tmp_path / "home")
    for game in ("acker", "wicke"):
        seat_game(installation, game)
        start(installation, game)
    bohnenpost("backup", str(tmp_path / "copy.db"), home=installation.home)
    bohnenpost("restore", "--yes", str(tmp_path / "copy.db"), home=installation.home)
    goes_on = restore._let_go_on

    def fails(db: Database, game: Game, *more: Any) -> None:
        goes_on(db, game, *more)
        if game.id == "acker":
            db.execute("SELECT CAST(? AS BIGINT)", ["x"])

    monkeypatch.setattr("gm.restore._let_go_on", fails)
    bohnenpost("resume", home=installation.home)
    with installation.connection() as db:
        status = {game.id: game.status for game in store.games.all_games(db)}
        assert status == {"acker": "held", "wicke": "running"}
        assert {mail.game for mail in store.mails.all_not_sent(db) if mail.kind == "news"} == {
            "wicke"
        }


def test_before_resume_a_copy_is_restored_where_the_replaced_database_is(
    server: Server, fresh_home: Path, tmp_path: Path, frozen_time: Any
) -> None:
    first, second = Path(shutil.copytree(fresh_home, tmp_path / "first")), tmp_path / "second"
    move_to_server(first, server.create("two"))
    second.mkdir()
    for name in ("link.key", "bohnenpost.toml"):
        shutil.copy(first / name, second)
    bohnenpost("backup", str(tmp_path / "copy.db"), home=first)
    bohnenpost("restore", "--yes", str(tmp_path / "copy.db"), home=first)
    elsewhere = bohnenpost("restore", "--yes", str(tmp_path / "copy.db"), home=second, status=3)
    assert "not on this machine" in elsewhere.output
    bohnenpost("restore", "--yes", str(tmp_path / "copy.db"), home=first)


def test_what_a_write_reads_and_changes_is_stored_whole_or_not_at_all(on_server: Postgres) -> None:
    def fails() -> None:
        with write(on_server):
            store.meta.remember(on_server, "a", "1")
            with suppress(sqlite3.DatabaseError):
                on_server.execute("SELECT nothing")

    with pytest.raises(sqlite3.OperationalError, match="nothing was stored"):
        fails()
    assert store.meta.remembered(on_server, "a") is None
    with write(on_server):
        store.meta.remember(on_server, "a", "1")
        with suppress(KeyError), write(on_server):
            store.meta.remember(on_server, "a", "2")
            raise KeyError
    assert store.meta.remembered(on_server, "a") == "1"
    with pytest.raises(sqlite3.OperationalError, match="read-only"):
        store.meta.remember(on_server, "a", "3")


@pytest.mark.parametrize("outer", [{"game": "acker"}, {"shared": True}])
def test_a_part_of_a_write_is_not_alone_with_more_than_the_whole(
    on_server: Postgres, outer: dict[str, Any]
) -> None:
    for game in (None, "wicke"):
        with suppress(AssertionError), write(on_server, **outer), write(on_server, game):
            store.meta.remember(on_server, "a", "1")
    with write(on_server, "acker"), write(on_server, "acker"), write(on_server, shared=True):
        store.meta.remember(on_server, "b", "2")
    assert [store.meta.remembered(on_server, key) for key in "ab"] == [None, "2"]


def is_locked(db: Database, game: str | None) -> bool:
    try:
        with write(db, game):
            return False
    except sqlite3.OperationalError as error:
        return str(error) == "database is locked"


def test_writes_of_two_games_run_beside_each_other_and_of_one_do_not(
    on_server: Postgres, address: str
) -> None:
    with closing(connect(address)) as other:
        other.execute("SET lock_timeout = '50ms'")
        with write(on_server, "acker"):
            with write(other, "wicke"):
                pass
            with write(other, shared=True):
                pass
            for game in ("acker", None):
                assert is_locked(other, game)
        with write(on_server):
            for game in ("acker", None):
                assert is_locked(other, game)
        with write(other):
            pass


def test_who_says_nothing_in_a_write_keeps_nobody_out_for_ever(
    on_server: Postgres, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As when its machine has died."""
    monkeypatch.setattr("gm.store.postgres.DEAD_SECONDS", 1)
    with closing(connect(address)) as dead, suppress(sqlite3.OperationalError), write(dead):
        store.meta.remember(dead, "a", "1")
        with write(on_server):  # waits ten seconds, then it is locked
            store.meta.remember(on_server, "b", "2")
    assert [store.meta.remembered(on_server, key) for key in "ab"] == [None, "2"]


def test_who_reads_sees_one_moment_and_keeps_nobody_waiting(
    on_server: Postgres, address: str
) -> None:
    with closing(connect(address)) as other, store.db.reading(other):
        assert store.meta.remembered(other, "a") is None
        version = on_server.version
        with write(on_server):
            store.meta.remember(on_server, "a", "1")
        assert on_server.version != version
        assert store.meta.remembered(other, "a") is None
    assert on_server.version == on_server.version


def test_two_senders_never_claim_one_mail(
    server: Server, fresh_home: Path, tmp_path: Path, frozen_time: Any
) -> None:
    installation = at(server, fresh_home, tmp_path / "home")
    seat_game(installation)
    start(installation)
    with installation.connection() as db, opened(installation.database) as other:
        while write_mails(db, installation, SUNDAY):
            pass
        with write(db, shared=True), write(other, shared=True):
            first = store.mails.next_to_send(db, SUNDAY, SUNDAY)
            second = store.mails.next_to_send(other, SUNDAY, SUNDAY)
        assert None not in (first, second)
        assert first != second


def test_it_goes_on_once_a_server_that_was_away_is_back(
    fresh_home: Path, tmp_path: Path, frozen_time: Any, site: Flask
) -> None:
    with postgres.running() as server:
        installation = at(server, fresh_home, tmp_path / "home")
        seat_game(installation)
        start(installation)
        site.extensions["installation"] = installation
        web = site.test_client()
        link = installation.path("seat", "ackerwinde", "Anna", 1)
        assert web.get(link).status_code == 200
        server.stop()
        answer = web.get(link)
        assert (answer.status_code, answer.headers["Retry-After"]) == (503, "30")
        with pytest.raises(sqlite3.OperationalError):
            tick_mail(installation, SUNDAY)
        server.start()
        assert web.get(link).status_code == 200
        with installation.connection() as db:
            server.stop()
            server.start()
            assert store.games.existing(db, "ackerwinde").status == "running"
            with pytest.raises(sqlite3.OperationalError):
                left_alone(db, server)
            with write(db):
                store.meta.remember(db, "c", "3")
            assert [store.meta.remembered(db, key) for key in "abc"] == [None, None, "3"]
        assert tick_mail(installation, SUNDAY).accepted > 0


def left_alone(db: Database, server: Server) -> None:
    """The server goes away in the middle of a `write`."""
    with write(db):
        store.meta.remember(db, "a", "1")
        server.stop()
        server.start()
        store.meta.remember(db, "b", "2")


OTHER_SETTINGS = [
    "default_transaction_isolation = 'repeatable read'",
    "default_transaction_isolation = serializable",
    "default_transaction_read_only = on",
    "default_transaction_deferrable = on",
    "synchronous_commit = off",
    "synchronous_commit = local",
    "standard_conforming_strings = off",
    "transform_null_equals = on",
    "client_encoding = LATIN1",
    "bytea_output = escape",
    "quote_all_identifiers = on",
    "lock_timeout = '1ms'",
    "statement_timeout = '100ms'",
    "idle_in_transaction_session_timeout = '1ms'",
    "TimeZone = 'Asia/Kathmandu'",
]


@pytest.mark.parametrize("setting", OTHER_SETTINGS)
def test_what_somebody_else_has_set_for_the_database_changes_nothing(
    server: Server, fresh_home: Path, tmp_path: Path, frozen_time: Any, setting: str
) -> None:
    """And who waited to write sees what was written meanwhile."""
    name = f"set_{next(numbers)}"
    address = server.create(name)
    with psycopg.connect(server.address("postgres"), autocommit=True) as host:
        host.execute(f"ALTER DATABASE {name} SET {setting}")
    home = Path(shutil.copytree(fresh_home, tmp_path / "home"))
    move_to_server(home, address)
    installation = open_installation(home, {})
    seat_game(installation, "acker", players=("Anna", "Bert", "Cem"))
    start(installation, "acker")
    with installation.connection() as db, closing(connect(address)) as other:
        order_all(db, "acker")
        assert close_game(db, installation.config, "acker", SUNDAY)
        assert store.rounds.closed(db, "acker")[-1].number == 1
        durable = db.execute("SHOW synchronous_commit").fetchone()
        assert durable in [("on",), ("remote_apply",)]
        with ThreadPoolExecutor(1) as threads:
            with write(db):
                waiting = threads.submit(_written_after, other)
                time.sleep(0.2)
                store.meta.remember(db, "a", r"Dörte \' 🫘")
            assert waiting.result(timeout=10) == r"Dörte \' 🫘"


def _written_after(db: Database) -> str | None:
    with write(db):
        return store.meta.remembered(db, "a")


def test_what_an_extension_brings_is_nobodys_table(on_server: Postgres) -> None:
    with write(on_server):
        on_server.execute("CREATE EXTENSION pg_stat_statements")
    on_server.refuse_unfit()


@pytest.mark.skipif(shutil.which("pgbouncer") is None, reason="pgbouncer is not installed")
@pytest.mark.parametrize("mode", ["transaction", "session"])
def test_a_pooler_is_refused_that_gives_each_transaction_another_session(
    server: Server, mode: str
) -> None:
    name = f"pooled_{next(numbers)}"
    server.create(name)
    place = server.folder / f"pooler-{mode}"
    place.with_suffix(".ini").write_text(
        f"[databases]\n{name} = host={server.folder} user={server.user}\n[pgbouncer]\n"
        f"listen_addr =\nlisten_port = 7654\nunix_socket_dir = {place}\nauth_type = any\n"
        f"pool_mode = {mode}\nlogfile = {place}/log\n"
    )
    place.mkdir()
    shutil.chown(place, server.user)
    address = f"postgresql://{server.user}@/{name}?host={place}&port=7654"
    command = server.command("pgbouncer", "--quiet", str(place.with_suffix(".ini")))
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as pooler:
        try:
            while not [*place.glob(".s.*")]:
                assert pooler.poll() is None
                time.sleep(0.01)
            with closing(connect(address)) as db:
                assert isinstance(db, Postgres)
                if mode == "session":
                    db.refuse_unfit()
                else:
                    with pytest.raises(NotOurs, match="a pooler in between"):
                        db.refuse_unfit()
        finally:
            pooler.terminate()


def test_a_process_waits_for_a_connection_where_the_server_has_no_more(
    server: Server, fresh_home: Path, tmp_path: Path
) -> None:
    name = f"few_{next(numbers)}"
    home = Path(shutil.copytree(fresh_home, tmp_path / "home"))
    move_to_server(home, server.create(name))
    installation = open_installation(home, {})
    with psycopg.connect(server.address("postgres"), autocommit=True) as host:
        host.execute("CREATE USER few")
        host.execute(f"ALTER DATABASE {name} OWNER TO few")
        host.execute("ALTER USER few CONNECTION LIMIT 3")
        for right in ("pg_read_all_data", "pg_write_all_data"):
            host.execute(f"GRANT {right} TO few")
    few = str(installation.database).replace(f"//{server.user}@", "//few@")
    installation = dataclasses.replace(
        installation, config=dataclasses.replace(installation.config, database=few)
    )

    def page(_: int) -> int:
        with installation.connection() as db:
            time.sleep(0.01)
            return store.db.count(db, "SELECT count(*) FROM pg_stat_activity WHERE usename = 'few'")

    with ThreadPoolExecutor(8) as threads:
        assert max(threads.map(page, range(160))) <= 3


def test_what_cannot_be_ours_is_refused_in_one_sentence(
    server: Server,
    on_server: Postgres,
    address: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refused(at: str) -> str:
        (tmp_path / "bohnenpost.toml").write_text(f'database = "{at}"\n')
        return bohnenpost("game", "list", home=tmp_path, status=3).output

    (tmp_path / "link.key").write_bytes(bytes(range(32)))
    assert "locale C.UTF-8" in refused(server.create("words", "--locale=C.UTF-8"))
    if on_server.conn.info.server_version >= 15_00_00:
        icu = ("--locale=C", "--locale-provider=icu", "--icu-locale=de")
        assert "(provider i)" in refused(server.create("dictionary", *icu))
    with write(on_server):
        on_server.execute("CREATE TABLE of_somebody (x TEXT)")
    assert "there is a table of_somebody in it" in refused(address)
    assert "encoding SQL_ASCII" in refused(
        server.create("ascii", "--locale=C", "--encoding=SQL_ASCII")
    )
    assert "does not exist" in refused(server.address("nowhere"))
    monkeypatch.setattr("gm.store.postgres.LEAST_VERSION", 99)
    assert "99 or later is needed" in refused(address)
    monkeypatch.setitem(sys.modules, "gm.store.postgres", None)
    assert "-r requirements-postgres.lock" in refused(address)


def test_machines_with_one_key_share_a_database_and_one_with_another_is_refused(
    address: str, tmp_path: Path
) -> None:
    """The first makes key and tables."""
    homes = [tmp_path / name for name in ("first", "second", "stranger")]
    for home in homes:
        home.mkdir()
        (home / "bohnenpost.toml").write_text(f'database = "{address}"\n')
    uli = ("--gm", "Uli", "--gm-address", "uli@example.org")
    assert "no installation here" in bohnenpost("game", "list", home=homes[0], status=3).output
    bohnenpost("game", "new", "acker", *uli, home=homes[0])
    assert not (homes[0] / "bohnenpost.db").exists()
    (homes[1] / "link.key").write_bytes((homes[0] / "link.key").read_bytes())
    assert "acker" in bohnenpost("game", "list", home=homes[1]).output
    (homes[2] / "link.key").write_bytes(bytes(range(32)))
    assert "link.key does not belong" in bohnenpost("game", "list", home=homes[2], status=3).output
