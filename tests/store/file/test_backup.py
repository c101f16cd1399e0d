"""Copies of the database: made under load, checked, brought back held; nothing is lost but what
came after.
"""

import contextlib
import os
import re
import shutil
import signal
import sqlite3
import threading
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from gm import clock, restore, store
from gm.config import Config
from gm.deadline.health import late
from gm.errors import Refusal
from gm.games import create, lead
from gm.games.orders import save_orders
from gm.installation import Installation, NoInstallation, open_installation
from gm.mail.transports import FolderTransport
from gm.people import accounts, joining, masters, seating
from gm.service import RESTORED, tick, tick_mail
from gm.store import connections, db, sqlite
from gm.store.db import write
from gm.store.file import backup, migrations
from gm.store.file.backup import BadCopy
from gm.store.games import Game
from gm.store.sqlite import File
from gm.web import create_app
from tests.dates import SUNDAY
from tests.invariants import check
from tests.steps import (
    PASSWORD,
    bohnenpost,
    cards_of,
    file_of,
    form,
    seat_game,
    send,
    sign_in,
    trace,
    words,
)
from tests.steps import start as start_game

DAY = 24 * 3600
SAFETY = Path(__file__).parents[3] / "docs" / "safety.md"


def order(of: Installation, text: str, seat: int = 1) -> None:
    with of.connection() as connection:
        game = store.games.get(connection, "ackerwinde")
        assert game is not None
        save_orders(connection, game, store.seats.numbered(connection, game.id, seat), text)


def lists(of: Installation) -> list[str]:
    with of.connection() as connection:
        return [
            orders
            for (orders,) in connection.execute("SELECT orders FROM revision ORDER BY seat, number")
        ]


def dump(file: Path) -> list[str]:
    with sqlite3.connect(file) as connection:
        found = list(connection.iterdump())
    connection.close()
    return found


def test_a_copy_is_whole_for_its_owner_alone_and_never_replaces_anything(
    installation: Installation, ackerwinde: Game, tmp_path: Path
) -> None:
    target = tmp_path / "copies" / "one.db"
    said = bohnenpost("backup", target, home=installation.home).output
    assert "one.db, and checked" in said
    assert target.stat().st_mode & 0o777 == 0o600
    ours, copied = dump(file_of(installation)), dump(target)
    assert [line for line in copied if "copied_at" not in line] == ours
    assert (
        "there is something already"
        in bohnenpost("backup", target, home=installation.home, status=3).output
    )
    assert list(target.parent.iterdir()) == [target]
    bohnenpost("backup", home=installation.home)
    assert len(list((installation.home / "backups").iterdir())) == 1


@pytest.mark.long
def test_copies_made_while_lists_pour_in_are_all_sound(
    installation: Installation, ackerwinde: Game, tmp_path: Path
) -> None:
    stop = threading.Event()

    def pour() -> None:
        number = 0
        # who never pauses is waited for by quarters of a second, a thousand lists each
        while not stop.wait(0.005):
            number += 1
            with installation.connection() as other, write(other):
                row = {
                    "game": "ackerwinde",
                    "round": 1,
                    "seat": 1,
                    "number": number,
                    "orders": "pass",
                    "at": 1,
                    "salt": bytes(16),
                    "source": "seat",
                    "link_number": 1,
                }
                store.db.insert(other, "revision", [row])

    writer = threading.Thread(target=pour)
    writer.start()
    try:
        with installation.connection() as connection:
            for number in range(60):
                backup.make(connection, tmp_path / f"{number}.db", number)
    finally:
        stop.set()
        writer.join()
    grown = []
    for number in range(60):
        check(tmp_path / f"{number}.db")
        with sqlite3.connect(tmp_path / f"{number}.db") as copy:
            grown.append(copy.execute("SELECT count(*) FROM revision").fetchone()[0])
        copy.close()
    assert grown == sorted(grown)
    assert grown[-1] > grown[0]


def test_a_restored_service_waits_mails_nothing_and_keeps_its_cards(
    installation: Installation,
    ackerwinde: Game,
    tmp_path: Path,
    frozen_time: Any,
    web: Any,
    link: dict[str, str],
    db: File,
) -> None:
    tick(installation)
    order(installation, "1>A")
    cards = cards_of(db, ackerwinde)
    bohnenpost("backup", tmp_path / "one.db", home=installation.home)
    order(installation, "2>A", seat=2)
    frozen_time.move_to(SUNDAY)
    tick(installation)
    sent = len(list(installation.mail_folder.iterdir()))
    told = bohnenpost("restore", tmp_path / "one.db", "--yes", home=installation.home).output
    assert "what it replaced is kept at" in told
    assert "1 game stopped, no mail goes out" in told
    assert lists(installation) == ["1>A"]
    kept = next((installation.home / "backups").glob("*-replaced.db"))
    with sqlite3.connect(kept) as former:
        assert former.execute("SELECT count(*) FROM revision").fetchone() == (2,)
    former.close()

    done = tick(installation)
    assert (done.closed, done.sent, done.waits, done.mail_trouble) == ((), 0, RESTORED, RESTORED)
    assert len(list(installation.mail_folder.iterdir())) == sent
    assert [finding.kind for finding in late(db, clock.now())] == ["restored"]
    assert "wurde der Dienst aus einer Kopie wiederhergestellt" in words(
        web.get(link["Anna"] + "?lang=de")
    )
    new = installation.path("seat", "ackerwinde", "Anna", clock.now())
    assert "Die Partie macht Pause" in words(web.get(new))
    assert send(web, new, form(to_2_1="A")).status_code == 409
    assert lists(installation) == ["1>A"]

    assert "1 game going on" in bohnenpost("resume", home=installation.home).output
    assert "nothing to change" in bohnenpost("resume", home=installation.home).output
    done = tick(installation)
    assert done.closed == ()  # the deadline that passed meanwhile was moved
    game = store.games.get(db, "ackerwinde")
    assert game is not None
    assert (game.status, game.round, game.deadline) == ("running", 1, SUNDAY + 7 * DAY)
    assert cards_of(db, game) == cards
    news = [mail for mail in installation.mail_folder.iterdir() if "news" in mail.name]
    assert len(news) == 3
    assert any(
        "restored as it stood on Fri 20 November"
        in mail.read_text(encoding="utf-8").replace("=\n", "")
        for mail in news
    )


def test_a_deadline_that_is_far_enough_away_stays(
    installation: Installation, ackerwinde: Game, tmp_path: Path, frozen_time: Any
) -> None:
    bohnenpost("backup", tmp_path / "one.db", home=installation.home)
    bohnenpost("restore", tmp_path / "one.db", "--yes", home=installation.home)
    bohnenpost("resume", home=installation.home)
    with installation.connection() as connection:
        assert connection.execute("SELECT status, deadline FROM game").fetchone() == (
            "running",
            SUNDAY,
        )


def test_a_service_that_lost_everything_but_its_key_comes_back(
    installation: Installation, ackerwinde: Game, tmp_path: Path, frozen_time: Any
) -> None:
    bohnenpost("backup", tmp_path / "one.db", home=installation.home)
    key = (installation.home / "link.key").read_bytes()
    shutil.rmtree(installation.home)
    assert (
        "link.key"
        in bohnenpost(
            "restore", tmp_path / "one.db", "--yes", home=installation.home, status=3
        ).output
    )
    installation.home.mkdir(mode=0o700)
    (installation.home / "link.key").write_bytes(key)
    bohnenpost("restore", tmp_path / "one.db", "--yes", home=installation.home)
    bohnenpost("resume", home=installation.home)
    again = open_installation(installation.home, {})
    anna = installation.path("seat", "ackerwinde", "Anna", clock.now())
    assert create_app(again).test_client().get(anna).status_code == 200


def test_a_damaged_database_is_replaced_and_kept_as_it_is(
    installation: Installation, ackerwinde: Game, tmp_path: Path
) -> None:
    bohnenpost("backup", tmp_path / "one.db", home=installation.home)
    ruin = b"ruined" * 1000
    file_of(installation).write_bytes(ruin)
    bohnenpost("restore", tmp_path / "one.db", "--yes", home=installation.home)
    assert next((installation.home / "backups").iterdir()).read_bytes() == ruin
    check(file_of(installation))


def other_key(installation: Installation, tmp_path: Path) -> None:
    """As if the copy were of another installation."""
    other = open_installation(tmp_path / "other", {}, create=True)
    seat_game(other)
    with other.connection() as connection:
        backup.make(connection, tmp_path / "bad.db", 1)


BAD: dict[str, tuple[Any, str]] = {
    "missing": (lambda *_: None, "no such file"),
    "a folder": (lambda _, tmp: (tmp / "bad.db").mkdir(), "no such file"),
    "no database": (lambda _, tmp: (tmp / "bad.db").write_bytes(b"hello" * 100), "not a database"),
    "empty": (lambda _, tmp: (tmp / "bad.db").write_bytes(b""), "not a database of Bohnenpost"),
    "cut": (
        lambda installation, tmp: (tmp / "bad.db").write_bytes(
            installation.database.read_bytes()[:-9000]
        ),
        "bad.db: ",
    ),
    "of another installation": (other_key, "link.key does not belong to it"),
}


@pytest.mark.parametrize("kind", BAD)
def test_what_is_no_sound_copy_is_not_restored_and_changes_nothing(
    installation: Installation, ackerwinde: Game, tmp_path: Path, kind: str
) -> None:
    make, said = BAD[kind]
    make(installation, tmp_path)
    before = file_of(installation).read_bytes()
    assert (
        said
        in bohnenpost(
            "restore", tmp_path / "bad.db", "--yes", home=installation.home, status=3
        ).output
    )
    assert file_of(installation).read_bytes() == before
    assert not (installation.home / "backups").exists()
    assert not list(installation.home.glob(".*"))


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (
            "CREATE TRIGGER t AFTER UPDATE ON game BEGIN DELETE FROM mail; END",
            "there is a trigger in it",
        ),
        ("UPDATE _sqlite_migrations SET name = 'm9999_future'", "written by a newer program"),
    ],
)
def test_a_copy_that_acts_by_itself_or_that_a_newer_program_made_is_not_restored(
    installation: Installation, ackerwinde: Game, tmp_path: Path, change: str, why: str
) -> None:
    bohnenpost("backup", tmp_path / "bad.db", home=installation.home)
    with sqlite3.connect(tmp_path / "bad.db") as copy:
        copy.execute(change)
    copy.close()
    assert (
        why
        in bohnenpost(
            "restore", tmp_path / "bad.db", "--yes", home=installation.home, status=3
        ).output
    )


def test_without_a_terminal_nothing_is_asked_and_nothing_done(
    installation: Installation, ackerwinde: Game, tmp_path: Path
) -> None:
    bohnenpost("backup", tmp_path / "one.db", home=installation.home)
    before = file_of(installation).read_bytes()
    assert (
        "--yes"
        in bohnenpost("restore", tmp_path / "one.db", home=installation.home, status=2).output
    )
    assert file_of(installation).read_bytes() == before


def test_copies_are_made_around_each_batch_and_only_so_many_kept(
    installation: Installation, ackerwinde: Game, tmp_path: Path, frozen_time: Any
) -> None:
    folder = tmp_path / "copies"
    found = Installation(
        installation.home, Config(backup_folder=str(folder), backups_kept=3), installation.link_key
    )
    tick(found)
    assert not folder.exists()  # nothing was due
    for number in range(3):
        frozen_time.move_to(SUNDAY + number * 7 * DAY)
        tick(found)
    names = sorted(
        (file.name for file in folder.iterdir()), key=lambda name: (name[:27], "after" in name)
    )
    assert [name.rpartition("-")[2] for name in names] == ["after.db", "before.db", "after.db"]
    with sqlite3.connect(folder / names[-2]) as copy:
        assert copy.execute("SELECT round FROM game").fetchone() == (3,)
    copy.close()


def test_a_copy_that_cannot_be_made_keeps_no_round_from_closing(
    installation: Installation, ackerwinde: Game, tmp_path: Path, frozen_time: Any
) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    found = Installation(
        installation.home, Config(backup_folder=str(tmp_path / "file")), installation.link_key
    )
    frozen_time.move_to(SUNDAY)
    assert len(tick(found).closed) == 1
    with installation.connection() as connection:
        assert "backup" in [finding.kind for finding in late(connection, SUNDAY)]


@pytest.fixture
def next_release(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """From its call on this program is the next one, whose schema has one step more."""

    def m2_colours(connection: File) -> None:
        connection.execute("CREATE TABLE colour (seat TEXT)")
        connection.execute("INSERT INTO colour SELECT name FROM seat")
        connection.execute("ALTER TABLE game ADD COLUMN colour TEXT NOT NULL DEFAULT 'red'")

    def release() -> None:
        monkeypatch.setattr(migrations, "STEPS", (*migrations.STEPS, m2_colours))
        monkeypatch.setattr(migrations, "KNOWN", migrations.KNOWN | {"m2_colours"})

    return release


def migrate_and_die(file: Path, at: int) -> bool:
    """In a process of its own: bring the schema up to date, and be killed before the statement
    of this number. Whether it was.
    """
    child = os.fork()
    if child == 0:  # pragma: no cover
        numbers = count(1)
        try:
            migrate_watched(
                file, lambda: os.kill(os.getpid(), signal.SIGKILL) if next(numbers) == at else None
            )
        finally:
            os._exit(0)
    _, status = os.waitpid(child, 0)
    return os.WIFSIGNALED(status)


def migrate_watched(file: Path, before_each: Callable[[], None]) -> None:
    """Bring the schema up to date, calling `before_each` before each statement."""
    connection = connections.connect(file)
    trace(connection, lambda _: before_each())
    migrations.migrate(connection)
    connection.close()


def on_disk(file: Path) -> tuple[bytes, bytes | None]:
    """What a kill now would leave: the database and its journal."""
    journal = file.with_name(f"{file.name}-journal")
    return file.read_bytes(), journal.read_bytes() if journal.exists() else None


def moments(file: Path) -> list[int]:
    """The numbers of the statements before which something else lies on the disk than before any
    earlier one.
    """
    found: list[tuple[bytes, bytes | None]] = []
    migrate_watched(file, lambda: found.append(on_disk(file)))
    assert len(found) > 10
    assert any(journal for _, journal in found), "what undoes a change is not on the disk"
    return sorted(
        {left: number for number, left in reversed([*enumerate(found, start=1)])}.values()
    )


def is_current(file: Path) -> bool:
    """Whether all steps were applied: the last statement comes after the commit."""
    connection = connections.connect(file)
    try:
        return migrations.is_current(connection)
    finally:
        connection.close()


@pytest.mark.durable
@pytest.mark.long
@pytest.mark.parametrize("is_new", [True, False], ids=["no schema", "an upgrade"])
def test_a_migration_killed_at_any_statement_leaves_the_old_schema(
    tmp_path: Path,
    installation: Installation,
    ackerwinde: Game,
    next_release: Callable[[], None],
    is_new: bool,
) -> None:
    """Without any schema it dies at each statement; in an upgrade at each that finds something
    new on disk.
    """
    first = tmp_path / "first.db"
    if is_new:
        sqlite.create(first)
    else:
        shutil.copy(installation.database, first)
    next_release()
    left_by = moments(Path(shutil.copy(first, tmp_path / "whole.db")))
    after_the_last = 10**6
    for at in count(1) if is_new else [*left_by, after_the_last]:
        file = Path(shutil.copy(first, tmp_path / f"{at}.db"))
        if not migrate_and_die(file, at):
            break
        # opened, it is rolled back
        assert is_current(file) or file.read_bytes() == first.read_bytes(), at
        if at in left_by:
            goes_on(file, seats=0 if is_new else 3)
    assert at > max(left_by)
    goes_on(file, seats=0 if is_new else 3)


def goes_on(file: Path, seats: int) -> None:
    """The next start brings the schema up to date, and all that was there is."""
    connection = connections.connect(file)
    migrations.migrate(connection)
    assert migrations.is_current(connection)
    for table in ("seat", "colour"):
        assert db.count(connection, f"SELECT count(*) FROM {table}") == seats
    assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    connection.close()


def test_a_strangers_database_with_triggers_is_not_opened(
    installation: Installation, ackerwinde: Game
) -> None:
    with sqlite3.connect(installation.database) as stranger:
        stranger.execute("CREATE TRIGGER t AFTER INSERT ON revision BEGIN DELETE FROM mail; END")
    stranger.close()
    with pytest.raises(NoInstallation, match="there is a trigger in it"):
        open_installation(installation.home, {})


def test_a_weak_link_key_is_refused(installation: Installation) -> None:
    for weak in (bytes(32), b"changeme" * 4, b"short"):
        (installation.home / "link.key").write_bytes(weak)
        with pytest.raises(NoInstallation, match="not 32 random bytes"):
            open_installation(installation.home, {})


def test_a_copy_is_refused_where_it_cannot_be_sound(
    installation: Installation, ackerwinde: Game, tmp_path: Path
) -> None:
    data = bytearray(file_of(installation).read_bytes())
    # a page of rows: without one of the schema nothing opens the file
    begins = data.rindex(b"ackerwinde") // 4096 * 4096
    data[begins : begins + 4096] = bytes(4096)
    file_of(installation).write_bytes(data)
    with installation.connection() as connection, pytest.raises(BadCopy):
        backup.make(connection, tmp_path / "one.db", 1)
    assert list(tmp_path.glob("*.db")) == []


def held_in(home: Installation) -> backup.RestoreHold:
    with home.connection() as connection:
        found = backup.held(connection)
    assert found is not None
    return found


def test_a_full_disk_or_a_busy_database_leaves_the_service_as_it_was(
    installation: Installation, ackerwinde: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bohnenpost("backup", tmp_path / "one.db", home=installation.home)
    monkeypatch.setattr(sqlite, "WAIT_SECONDS", 0.2)
    before = file_of(installation).read_bytes()
    with sqlite3.connect(installation.database, isolation_level=None) as other:
        other.execute("BEGIN EXCLUSIVE")
        assert (
            "locked"
            in bohnenpost(
                "restore", tmp_path / "one.db", "--yes", home=installation.home, status=75
            ).output
        )
        other.execute("ROLLBACK")
    other.close()
    assert file_of(installation).read_bytes() == before
    monkeypatch.setattr(
        restore,
        "make",
        lambda *_: (_ for _ in ()).throw(sqlite3.OperationalError("database or disk is full")),
    )
    assert (
        "disk is full"
        in bohnenpost(
            "restore", tmp_path / "one.db", "--yes", home=installation.home, status=3
        ).output
    )
    assert file_of(installation).read_bytes() == before


def test_a_journal_of_the_ruined_database_is_not_played_into_the_new_one(
    installation: Installation, ackerwinde: Game, tmp_path: Path
) -> None:
    bohnenpost("backup", tmp_path / "one.db", home=installation.home)
    file_of(installation).write_bytes(b"ruined" * 1000)
    file_of(installation).with_name("bohnenpost.db-journal").write_bytes(b"an old journal")
    bohnenpost("restore", tmp_path / "one.db", "--yes", home=installation.home)
    assert not file_of(installation).with_name("bohnenpost.db-journal").exists()
    check(file_of(installation))


def test_a_copy_of_a_service_that_waited_still_knows_what_to_resume(
    installation: Installation, ackerwinde: Game, tmp_path: Path, db: File
) -> None:
    bohnenpost("backup", tmp_path / "one.db", home=installation.home)
    bohnenpost("restore", tmp_path / "one.db", "--yes", home=installation.home)
    bohnenpost("backup", tmp_path / "two.db", home=installation.home)
    bohnenpost("restore", tmp_path / "two.db", "--yes", home=installation.home)
    assert held_in(installation).games == ("ackerwinde",)
    bohnenpost("resume", home=installation.home)
    assert db.execute("SELECT status FROM game").fetchone() == ("running",)
    assert db.execute(
        "SELECT count(*) FROM meta WHERE key IN ('held', 'copied_at')"
    ).fetchone() == (0,)


def test_after_a_restore_a_deadline_is_moved_from_where_it_is_now(
    installation: Installation, ackerwinde: Game, tmp_path: Path, frozen_time: Any, db: File
) -> None:
    bohnenpost("backup", tmp_path / "one.db", home=installation.home)
    frozen_time.move_to(SUNDAY + 40 * DAY)
    bohnenpost("restore", tmp_path / "one.db", "--yes", home=installation.home)
    bohnenpost("resume", home=installation.home)
    deadline, regular = db.execute("SELECT deadline, scheduled_deadline FROM game").fetchone()
    assert deadline == regular > clock.now()
    bohnenpost("game", "extend", "ackerwinde", "--days", "1", home=installation.home)


def test_a_restore_in_the_middle_of_a_mail_pass_stops_it(
    installation: Installation, ackerwinde: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bohnenpost("backup", tmp_path / "one.db", home=installation.home)
    honest = FolderTransport.send

    def send(transport: FolderTransport, mail: Any) -> None:
        honest(transport, mail)
        restore.restore(
            installation.database, installation.link_key, tmp_path / "one.db", clock.now()
        )

    monkeypatch.setattr(FolderTransport, "send", send)
    tick_mail(installation, clock.now())
    assert len(list(installation.mail_folder.iterdir())) == 1


def test_a_batch_that_is_tried_again_is_copied_once_and_copies_by_hand_stay(
    installation: Installation, ackerwinde: Game, frozen_time: Any
) -> None:
    folder = installation.home / "backups"
    found = Installation(
        installation.home, Config(backup_folder=str(folder), backups_kept=2), installation.link_key
    )
    bohnenpost("backup", home=installation.home)
    by_hand = next(folder.iterdir())
    with installation.connection() as connection, write(connection):
        connection.execute("UPDATE round SET state = '{}'")
    for number in range(3):
        frozen_time.move_to(SUNDAY + number * 61)
        tick(found)
    names = [file.name for file in folder.iterdir() if file != by_hand]
    assert [name.rpartition("-")[2] for name in names] == ["before.db"]
    assert by_hand.exists()


def test_a_copy_with_games_but_no_check_of_its_key_is_not_restored(
    installation: Installation, ackerwinde: Game, tmp_path: Path
) -> None:
    bohnenpost("backup", tmp_path / "one.db", home=installation.home)
    with sqlite3.connect(tmp_path / "one.db") as copy:
        copy.execute("DELETE FROM meta WHERE key = 'link_key_check'")
    copy.close()
    before = file_of(installation).read_bytes()
    assert (
        "link.key does not belong"
        in bohnenpost(
            "restore", tmp_path / "one.db", "--yes", home=installation.home, status=3
        ).output
    )
    assert file_of(installation).read_bytes() == before


def test_before_the_schema_changes_the_database_is_copied_once_whoever_comes_first(
    installation: Installation, ackerwinde: Game, next_release: Callable[[], None]
) -> None:
    before = dump(file_of(installation))
    next_release()
    threads = [
        threading.Thread(target=open_installation, args=(installation.home, {})) for _ in range(6)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    open_installation(installation.home, {})
    (copy,) = (installation.home / "backups").iterdir()
    assert copy.name == "bohnenpost-20261120T120000Z-before-upgrade.db"
    assert (dump(copy), copy.stat().st_mode & 0o777) == (before, 0o600)
    assert dump(file_of(installation)) != before
    restore.restore(installation.database, installation.link_key, copy, clock.now())


def test_a_copy_as_text_is_restored_as_the_document_says(
    installation: Installation, ackerwinde: Game, tmp_path: Path
) -> None:
    bohnenpost("backup", tmp_path / "copy.db", home=installation.home)
    written = (
        SAFETY.read_text(encoding="utf-8")
        if SAFETY.exists()
        else f"PRAGMA application_id={sqlite.APPLICATION_ID};"
    )
    (added,) = re.findall("PRAGMA application_id=[0-9]+;", written)
    with contextlib.closing(sqlite3.connect(tmp_path / "copy.db")) as copy:
        text = "\n".join(copy.iterdump())
    with contextlib.closing(sqlite3.connect(tmp_path / "from-text.db")) as from_text:
        from_text.executescript(f"{text}\n{added}")
    bohnenpost("restore", tmp_path / "from-text.db", "--yes", home=installation.home)
    assert "Ackerwinde" in bohnenpost("game", "show", "ackerwinde", home=installation.home).output


@pytest.mark.parametrize("host", ["", "mail.example.org"])
def test_restore_says_that_no_mail_server_is_set_and_ends_its_last_line(
    installation: Installation, ackerwinde: Game, tmp_path: Path, host: str
) -> None:
    bohnenpost("backup", tmp_path / "one.db", home=installation.home)
    told = bohnenpost(
        "restore", tmp_path / "one.db", "--yes", home=installation.home, BOHNENPOST_SMTP_HOST=host
    ).output
    assert ("no mail server is set" in told) == (host == "")
    assert told.endswith("bohnenpost resume\n")


def test_where_no_copy_can_be_made_the_schema_stays_as_it_was(
    installation: Installation, ackerwinde: Game, next_release: Callable[[], None]
) -> None:
    before = dump(file_of(installation))
    (installation.home / "backups").write_text("a file in the way", encoding="utf-8")
    next_release()
    with pytest.raises(OSError, match="backups"):
        open_installation(installation.home, {})
    assert dump(file_of(installation)) == before


def test_a_new_installation_has_nothing_to_copy(installation: Installation) -> None:
    assert not (installation.home / "backups").exists()


def copy_and_renew(installation: Installation, of: File, tmp_path: Path) -> Path:
    """A copy, after which Anna's link was renewed twice, Bert was replaced, and Eve joined
    another game.
    """
    seat_game(installation, "beinwell", [])
    file = tmp_path / "one.db"
    bohnenpost("backup", file, home=installation.home)
    for _ in range(2):
        seating.renew_link(of, installation.link_key, "ackerwinde", "Anna", clock.now())
    seating.replace_player(
        of,
        installation.link_key,
        "ackerwinde",
        "Bert",
        player="Eve",
        address="eve@example.org",
        language="de",
        keep_orders=True,
        reason="x",
        now=clock.now(),
    )
    create.add_seat(
        of,
        installation.link_key,
        game="beinwell",
        name="Eve",
        address="eve@example.org",
        language="de",
    )
    return file


def opens(installation: Installation, game: str, name: str, number: int) -> bool:
    path = installation.path("seat", game, name, number)
    status: int = create_app(installation).test_client().get(path).status_code
    return status == 200


def test_a_restore_brings_no_dead_key_back(
    installation: Installation, ackerwinde: Game, db: File, tmp_path: Path
) -> None:
    uli = sign_in(installation, db)
    made = accounts.add_gm(db, "vera@example.org", None, "de", clock.now())
    used = installation.path("password", who=made.address, number=made.link_number)
    copy = copy_and_renew(installation, db, tmp_path)
    vera = store.accounts.get(db, "vera@example.org")
    assert vera is not None
    accounts.set_password(db, vera, "a password of Vera's", clock.now())
    said = bohnenpost("restore", copy, "--yes", home=installation.home).output
    assert (
        "all sessions are over, one-time links are void, and every personal link is a new one"
        in said
    )
    assert "somebody else plays Bert in ackerwinde now than in the copy" in said
    web = create_app(installation).test_client()
    page = web.get(installation.path("seat", "ackerwinde", "Bert", 1) + "?lang=en")
    assert "the seat had lost its player or got another one" in words(page)
    assert "cannot be read" not in said
    assert uli.get("/desk").status_code == 303
    assert create_app(installation).test_client().get(used).status_code == 404
    # as it was last set
    accounts.sign_in(db, "vera@example.org", "a password of Vera's", "", clock.now())
    assert [
        opens(installation, "ackerwinde", "Anna", number) for number in (1, 2, 3, clock.now())
    ] == [
        False,
        False,
        False,
        True,
    ]
    assert opens(installation, "ackerwinde", "Cem", clock.now())
    again = create.add_seat(
        db,
        installation.link_key,
        game="beinwell",
        name="Eve",
        address="other@example.org",
        language="de",
    )
    assert again.link_number > 1


def test_after_a_restore_everybody_is_mailed_a_new_link_but_who_may_not_play_any_more(
    installation: Installation, ackerwinde: Game, db: File, tmp_path: Path
) -> None:
    seat_game(installation, "calendula", ["Bert"])  # takes players still
    copy = copy_and_renew(installation, db, tmp_path)
    bohnenpost("restore", copy, "--yes", home=installation.home)
    before = set(installation.mail_folder.iterdir()) if installation.mail_folder.exists() else set()
    bohnenpost("resume", home=installation.home)
    tick(installation)
    mails = [
        mail.read_text().replace("=\n", "")
        for mail in installation.mail_folder.iterdir()
        if mail not in before
    ]
    for game, name, number in (
        ("ackerwinde", "Anna", clock.now()),
        ("ackerwinde", "Cem", clock.now()),
        ("calendula", "Bert", clock.now()),
    ):
        assert any(installation.url("seat", game, name, number) in mail for mail in mails), name
    assert not any(f"To: {lost}" in mail for mail in mails for lost in ("bert@ackerwinde", "eve@"))
    assert not any(
        opens(installation, "ackerwinde", "Bert", number) for number in (1, 2, 3, 1002, clock.now())
    )
    replace = (
        "game",
        "replace",
        "ackerwinde",
        "Bert",
        "--player",
        "Eve",
        "--address",
        "eve@example.org",
        "--keep-orders",
    )
    bohnenpost(*replace, home=installation.home)
    assert store.seats.numbered(db, "ackerwinde", 2).address == "eve@example.org"


def test_robots_stay_robots_however_often_a_copy_is_restored(
    installation: Installation, db: File, tmp_path: Path
) -> None:
    seat_game(installation, "beinwell", ["Anna"])
    create.add_seat(
        db,
        installation.link_key,
        game="beinwell",
        name="Rosa",
        address=None,
        language="de",
        robot=True,
    )
    bohnenpost("backup", tmp_path / "one.db", home=installation.home)
    for _ in range(3):
        assert (
            "somebody else"
            not in bohnenpost(
                "restore", tmp_path / "one.db", "--yes", home=installation.home
            ).output
        )
        bohnenpost("resume", home=installation.home)
    assert [(seat.name, seat.robot) for seat in store.seats.of_game(db, "beinwell")] == [
        ("Anna", 0),
        ("Rosa", 1),
    ]


def test_another_copy_restored_instead_is_compared_with_the_database_that_was_lost(
    installation: Installation, ackerwinde: Game, db: File, tmp_path: Path
) -> None:
    older, newer = copy_and_renew(installation, db, tmp_path), tmp_path / "newer.db"
    bohnenpost("backup", newer, home=installation.home)
    seating.replace_player(
        db,
        installation.link_key,
        "ackerwinde",
        "Bert",
        player="Nora",
        address="nora@example.org",
        language="de",
        keep_orders=True,
        reason="x",
        now=clock.now() + 60,
    )
    bohnenpost("restore", older, "--yes", home=installation.home)
    assert (
        "somebody else plays Bert"
        in bohnenpost("restore", newer, "--yes", home=installation.home).output
    )
    assert store.seats.numbered(db, "ackerwinde", 2).address is None


def test_a_game_of_the_copy_that_cannot_be_read_has_new_links_too_and_stops_no_other(
    installation: Installation, ackerwinde: Game, db: File, tmp_path: Path
) -> None:
    seat_game(installation, "beinwell")
    start_game(installation, "beinwell")
    with write(db):
        db.execute(
            "UPDATE game SET rule = replace(rule, 'Berlin', 'Atlantis') WHERE id = 'ackerwinde'"
        )
    bohnenpost("backup", tmp_path / "one.db", home=installation.home)
    bohnenpost("restore", tmp_path / "one.db", "--yes", home=installation.home)
    assert [
        number for (number,) in db.execute("SELECT link_number FROM seat WHERE game = 'ackerwinde'")
    ] == [clock.now()] * 3
    assert "1 game going on" in bohnenpost("resume", home=installation.home).output


def test_a_game_that_cannot_go_on_is_held_and_the_others_go_on(
    installation: Installation, ackerwinde: Game, db: File, tmp_path: Path
) -> None:
    seat_game(installation, "beinwell")
    start_game(installation, "beinwell")
    with write(db):
        db.execute("UPDATE game SET deadline = 9223372036854775807 WHERE id = 'ackerwinde'")
    bohnenpost("backup", tmp_path / "one.db", home=installation.home)
    bohnenpost("restore", tmp_path / "one.db", "--yes", home=installation.home)
    assert "1 game going on" in bohnenpost("resume", home=installation.home).output
    found = dict(db.execute("SELECT id, status FROM game").fetchall())
    assert found == {"ackerwinde": "held", "beinwell": "running"}


def test_a_new_seat_after_a_restore_has_a_link_that_nobody_ever_had(
    installation: Installation, db: File, tmp_path: Path
) -> None:
    seat_game(installation, "beinwell", [])
    bohnenpost("backup", tmp_path / "one.db", home=installation.home)
    create.add_seat(
        db,
        installation.link_key,
        game="beinwell",
        name="Bert",
        address="bert@example.org",
        language="de",
    )
    file_of(installation).unlink()
    bohnenpost("restore", tmp_path / "one.db", "--yes", home=installation.home)
    with installation.connection() as restored:
        again = create.add_seat(
            restored,
            installation.link_key,
            game="beinwell",
            name="Bert",
            address="b@example.org",
            language="de",
        )
    assert again.link_number > 1


def test_nobody_is_asked_for_a_player_of_a_game_that_is_over(
    installation: Installation, ackerwinde: Game, db: File, tmp_path: Path
) -> None:
    lead.abort(db, "ackerwinde", "a bad start", clock.now())
    bohnenpost("backup", tmp_path / "one.db", home=installation.home)
    seating.forget(db, store.seats.numbered(db, "ackerwinde", 1), clock.now())
    assert (
        "somebody else"
        not in bohnenpost("restore", tmp_path / "one.db", "--yes", home=installation.home).output
    )
    assert store.seats.numbered(db, "ackerwinde", 1).address is None


def test_who_left_since_the_copy_stays_forgotten(
    installation: Installation, ackerwinde: Game, db: File, tmp_path: Path
) -> None:
    with installation.connection() as connection:
        save_orders(
            connection,
            ackerwinde,
            store.seats.numbered(connection, "ackerwinde", 1),
            "pass",
            to_gm="my phone is in the shed",
        )
    bohnenpost("backup", tmp_path / "one.db", home=installation.home)
    seating.forget(db, store.seats.numbered(db, "ackerwinde", 1), clock.now())
    bohnenpost("restore", tmp_path / "one.db", "--yes", home=installation.home)
    text = "\n".join(
        line for line in dump(file_of(installation)) if 'INSERT INTO "beat"' not in line
    )
    assert "anna@ackerwinde.example.org" not in text
    assert "in the shed" not in text


def test_a_restore_brings_no_game_master_back_who_was_let_go(
    installation: Installation, ackerwinde: Game, db: File, tmp_path: Path
) -> None:
    sign_in(installation, db)
    sign_in(installation, db, "vera@example.org", "Vera")
    accounts.add_gm(db, "ola@example.org", "Ola", "de", clock.now(), host=True)
    masters.add_master(db, "ackerwinde", "vera@example.org")
    bohnenpost("backup", tmp_path / "one.db", home=installation.home)
    masters.remove_gm(db, "uli@example.org")
    accounts.add_gm(db, "ola@example.org", None, None, clock.now(), host=False)
    masters.add_master(db, "ackerwinde", "ola@example.org")
    masters.remove_master(db, "ackerwinde", "vera@example.org")
    bohnenpost("restore", tmp_path / "one.db", "--yes", home=installation.home)
    with pytest.raises(Refusal, match="no_entry"):
        accounts.sign_in(db, "uli@example.org", PASSWORD, "::1", clock.now())
    assert store.accounts.get(db, "uli@example.org") is None
    assert store.games.masters(db, "ackerwinde") == ["ola@example.org"]
    assert store.games.existing(db, "ackerwinde").gm_address == "ola@example.org"
    assert not store.accounts.get(db, "ola@example.org").host  # type: ignore[union-attr]


def test_who_lost_their_seat_before_the_start_does_not_get_it_back(
    installation: Installation, db: File, tmp_path: Path
) -> None:
    seat_game(installation, "beinwell")
    bohnenpost("backup", tmp_path / "one.db", home=installation.home)
    seating.remove_seat(db, "beinwell", "Anna", "her link is known to others", clock.now())
    seating.remove_seat(db, "beinwell", "Bert", "", clock.now())
    create.add_seat(
        db,
        installation.link_key,
        game="beinwell",
        name="Anna",
        address="anna@example.org",
        language="de",
    )
    bohnenpost("restore", tmp_path / "one.db", "--yes", home=installation.home)
    assert [(seat.name, seat.address) for seat in store.seats.of_game(db, "beinwell")] == [
        ("Anna", "anna@example.org"),
        ("Cem", "cem@beinwell.example.org"),
    ]
    assert [opens(installation, "beinwell", "Anna", number) for number in (1, 2, clock.now())] == [
        False,
        False,
        True,
    ]


def test_a_game_made_anew_that_a_restore_lost_gives_no_link_it_had(
    installation: Installation, db: File, tmp_path: Path
) -> None:
    bohnenpost("backup", tmp_path / "one.db", home=installation.home)
    seat_game(installation, "beinwell")
    for _ in range(2):  # lost again, it is remembered from the first time
        bohnenpost("restore", tmp_path / "one.db", "--yes", home=installation.home)
    seat_game(installation, "beinwell")
    assert not opens(installation, "beinwell", "Anna", 1)
    anna = store.seats.numbered(db, "beinwell", 1)
    assert anna.link_number > clock.now()
    assert opens(installation, "beinwell", "Anna", anna.link_number)


def test_a_seat_that_was_asked_for_before_a_copy_is_asked_for_again(
    installation: Installation, ackerwinde: Game, db: File, tmp_path: Path
) -> None:
    seat_game(installation, "beinwell", [])
    joining.request_seat(db, "beinwell", "Eve", "eve@example.org", "en", clock.now())
    bohnenpost("backup", tmp_path / "one.db", home=installation.home)
    bohnenpost("restore", tmp_path / "one.db", "--yes", home=installation.home)
    link = installation.path("joining", "beinwell", "eve@example.org", 1)
    answer = create_app(installation).test_client().post(link, data={"mine": "yes", "whole": "yes"})
    assert answer.status_code == 409
    with installation.connection() as now:
        assert not store.seats.of_game(now, "beinwell")
