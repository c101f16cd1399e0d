"""Commands: what people type into a shell, and what a shell does to a command."""

import contextlib
import json
import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from gm import clock, store
from gm.installation import Installation
from gm.service import tick_mail
from gm.store import sqlite
from gm.store.db import Database, write
from gm.store.games import Game
from tests.dates import SUNDAY
from tests.steps import bohnenpost, fingerprint

NEW = (
    "game",
    "new",
    "beinwell",
    "--gm",
    "Uli",
    "--gm-address",
    "uli@example.org",
    "--zone",
    "Europe/Berlin",
    "--at",
    "20:00",
)


def shell(home: Path, *args: str | bytes, **more: Any) -> subprocess.CompletedProcess[bytes]:
    """A command in a process of its own."""
    command = [sys.executable, "-m", "gm", "--home", str(home), *args]
    return subprocess.run(command, capture_output=True, check=False, timeout=300, **more)


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("gmae",), "game"),
        (("game", "shwo"), "show"),
        (("game", "list", "--jsn"), "--json"),
        (("--hme", "x"), "--home"),
        (("backpu",), "backup"),
    ],
)
def test_an_unknown_command_or_option_is_answered_with_a_suggestion(
    args: tuple[str, ...], said: str
) -> None:
    output = bohnenpost(*args, status=2).output
    assert "Did you mean" in output or "Possible options" in output
    assert said in output


def not_there(home: Path) -> None:
    (home / "bohnenpost.db").unlink()


def a_folder(home: Path) -> None:
    not_there(home)
    (home / "bohnenpost.db").mkdir()


def no_database(home: Path) -> None:
    (home / "bohnenpost.db").write_bytes(b"no database" * 100)


def of_somebody_else(home: Path) -> None:
    not_there(home)
    with sqlite3.connect(home / "bohnenpost.db") as stranger:
        stranger.execute("CREATE TABLE x (y)")
    stranger.close()


def newer(home: Path) -> None:
    with sqlite3.connect(home / "bohnenpost.db") as later:
        later.execute(
            "INSERT INTO _sqlite_migrations (migration_set, name, applied_at) VALUES ('bohnenpost', 'm9999', 'x')"
        )
    later.close()


ENVIRONMENTS = {
    not_there: "no installation here",
    a_folder: "bohnenpost.db",
    no_database: "not a database",
    of_somebody_else: "not a database of Bohnenpost",
    newer: "written by a newer program",
}


@pytest.mark.parametrize("ruin", ENVIRONMENTS, ids=lambda ruin: ruin.__name__)
def test_a_database_that_cannot_be_used_each_in_its_own_words(
    installation: Installation, ackerwinde: Game, ruin: Any
) -> None:
    ruin(installation.home)
    assert ENVIRONMENTS[ruin] in bohnenpost("game", "list", home=installation.home, status=3).output


@pytest.mark.parametrize(
    "to",
    [
        "2026-02-30 20:00",
        "2026-12-02 24:00",
        "9" * 18,
        "2026-11-21",
        "tomorrow",
        "٢٠٢٦-12-02 20:00",
    ],
)
def test_a_deadline_that_is_no_moment(
    installation: Installation, ackerwinde: Game, to: str
) -> None:
    before = fingerprint(installation)
    assert (
        "is not a moment like"
        in bohnenpost(
            "game", "extend", "ackerwinde", "--to", to, home=installation.home, status=2
        ).output
    )
    assert fingerprint(installation) == before


@pytest.mark.parametrize("to", ["2026-11-20 12:00", "2028-01-01 20:00", "2026-12-31 20:00"])
def test_a_deadline_in_the_past_or_beyond_the_cap(
    installation: Installation, ackerwinde: Game, to: str
) -> None:
    before = fingerprint(installation)
    bohnenpost("game", "extend", "ackerwinde", "--to", to, home=installation.home, status=2)
    assert fingerprint(installation) == before


def test_a_time_that_the_clocks_skip_or_bring_twice_asks_for_the_offset(
    installation: Installation, ackerwinde: Game, db: Database, frozen_time: Any
) -> None:
    with write(db):
        for_march = int(time.mktime((2027, 3, 26, 19, 0, 0, 0, 0, 0)))
        db.execute("UPDATE game SET deadline = ?, scheduled_deadline = ?", [for_march, for_march])
    skipped = bohnenpost(
        "game", "extend", "ackerwinde", "--to", "2027-03-28 02:30", home=installation.home, status=2
    ).output
    assert "2027-03-28T01:30:00+01:00" in skipped
    assert "2027-03-28T03:30:00+02:00" in skipped
    done = bohnenpost(
        "game", "extend", "ackerwinde", "--to", "2027-03-28 03:30+02:00", home=installation.home
    )
    assert "done; everybody is told" in done.output
    twice = bohnenpost(
        "game", "extend", "ackerwinde", "--to", "2026-10-25 02:30", home=installation.home, status=2
    ).output
    assert "2026-10-25T02:30:00+02:00" in twice
    assert "2026-10-25T02:30:00+01:00" in twice


@pytest.mark.parametrize(
    "calendar",
    [
        ("--on", "8"),
        ("--every", "0"),
        ("--zone", "Mars/Olympus"),
        ("--at", "24:00"),
        ("--on", "sonday,x"),
    ],
)
def test_a_calendar_that_makes_no_sense(
    installation: Installation, calendar: tuple[str, str]
) -> None:
    bohnenpost(*NEW, *calendar, home=installation.home, status=2)
    with installation.connection() as connection:
        assert store.games.all_games(connection) == []


@pytest.mark.parametrize(
    "rule",
    [
        "rounds=0",
        "rounds=13",
        "rounds=ten",
        "discard_order=up",
        "colour=blue",
        "nmr_empty=true=x",
        "rounds",
    ],
)
def test_a_house_rule_that_is_none_names_what_may_be(installation: Installation, rule: str) -> None:
    said = bohnenpost(*NEW, "--rule", rule, home=installation.home, status=2).output
    assert "rounds" in said or "discard_order" in said or "colour" in said or "nmr_empty" in said
    with installation.connection() as connection:
        assert store.games.all_games(connection) == []


@pytest.mark.parametrize("game", ["../x", "", "Ackerwinde", "a" * 33, "ackerwinde"])
def test_an_id_that_is_none_or_taken(
    installation: Installation, ackerwinde: Game, game: str
) -> None:
    args = [game if arg == "beinwell" else arg for arg in NEW]
    before = fingerprint(installation)
    assert bohnenpost(*args, home=installation.home, status=2).output
    assert fingerprint(installation) == before


def test_the_id_of_an_aborted_game_stays_taken_and_one_that_looks_like_an_option_is_none(
    installation: Installation, ackerwinde: Game
) -> None:
    bohnenpost("game", "abort", "ackerwinde", "--reason", "x", home=installation.home)
    args = ["ackerwinde" if arg == "beinwell" else arg for arg in NEW]
    assert "never used again" in bohnenpost(*args, home=installation.home, status=2).output
    bohnenpost("game", "new", "-rf", *NEW[3:], home=installation.home, status=2)


def test_bytes_that_are_no_text_and_names_with_escapes(
    installation: Installation, ackerwinde: Game, db: Database
) -> None:
    done = shell(installation.home, "game", "comment", "ackerwinde", b"\xff\xfe")
    assert done.returncode in (2, 3), done.stderr
    assert b"Traceback" not in done.stderr
    plain = shell(
        installation.home,
        "game",
        "seat",
        "ackerwinde",
        "--name",
        "Dörte",
        "--robot",
        env=os.environ | {"LANG": "C", "LC_ALL": "C"},
    )
    assert b"Traceback" not in plain.stderr
    with write(db):
        db.execute("UPDATE game SET name = ?", ["Acker\x1b[31mwinde\r\n"])
    for args in (("game", "list"), ("game", "show", "ackerwinde"), ("doctor",)):
        said = shell(installation.home, *args)
        assert b"\x1b" not in said.stdout
        assert b"\r" not in said.stdout


def opened_by(pid: int) -> list[Path]:
    """The files that a process has open; one that it closes while they are looked at is none of
    them.
    """
    found = []
    for file in Path(f"/proc/{pid}/fd").iterdir():
        with contextlib.suppress(FileNotFoundError):
            found.append(file.readlink())
    return found


def test_a_pipe_that_closes_and_ctrl_c_are_quiet(
    installation: Installation, ackerwinde: Game
) -> None:
    command = f"{sys.executable} -m gm --home {installation.home} game list | head -c 1"
    done = subprocess.run(["/bin/sh", "-c", command], capture_output=True, check=False, timeout=300)
    assert done.stderr == b""
    before = fingerprint(installation)
    with sqlite3.connect(installation.database, isolation_level=None) as other:
        other.execute("BEGIN EXCLUSIVE")
        args = [
            sys.executable,
            "-m",
            "gm",
            "--home",
            str(installation.home),
            "game",
            "comment",
            "ackerwinde",
            "Hallo",
        ]
        waits = subprocess.Popen(args, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        while waits.poll() is None and installation.database not in opened_by(waits.pid):
            time.sleep(0.01)
        waits.send_signal(signal.SIGINT)
        time.sleep(0.2)
        other.execute("ROLLBACK")
        _, said = waits.communicate(timeout=300)
    other.close()
    assert b"Traceback" not in said
    assert waits.returncode in (0, 130)
    assert (fingerprint(installation) == before) is (waits.returncode == 130)


def test_a_command_waits_for_another_and_then_says_busy(
    installation: Installation, ackerwinde: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "WAIT_SECONDS", 0.5)
    before = fingerprint(installation)
    with sqlite3.connect(
        installation.database, isolation_level=None, check_same_thread=False
    ) as other:
        other.execute("BEGIN IMMEDIATE")
        assert (
            "locked"
            in bohnenpost(
                "game", "comment", "ackerwinde", "Hallo", home=installation.home, status=75
            ).output
        )
        assert fingerprint(installation) == before
        threading.Timer(0.2, lambda: other.execute("ROLLBACK")).start()
        bohnenpost("game", "comment", "ackerwinde", "Hallo", home=installation.home)
        time.sleep(0.3)
    other.close()


def test_nothing_due_is_fine_and_two_at_once_do_it_once(
    installation: Installation, ackerwinde: Game, db: Database, frozen_time: Any
) -> None:
    tick_mail(installation, clock.now())
    assert bohnenpost("run", "--verbose", home=installation.home).output == "nothing due\n"
    with write(db):
        db.execute("UPDATE game SET deadline = 1700000000")
    command = [sys.executable, "-m", "gm", "--home", str(installation.home), "run", "--json"]
    both = [subprocess.Popen(command, stdout=subprocess.PIPE) for _ in range(2)]
    outs = [json.loads(process.communicate(timeout=300)[0]) for process in both]
    assert sum(len(out["closed"]) for out in outs) == 1
    assert db.execute("SELECT round FROM game").fetchone() == (2,)


def test_orders_typed_in_by_the_gm_are_stored_noted_and_printed(
    installation: Installation, ackerwinde: Game, db: Database, frozen_time: Any
) -> None:
    from gm.service import tick

    bohnenpost("game", "orders", "ackerwinde", "Anna", "1>A", home=installation.home)
    assert db.execute("SELECT orders, source FROM revision").fetchall() == [("1>A", "gm")]
    assert db.execute("SELECT kind, seat FROM note").fetchall() == [("by_gm", "Anna")]
    frozen_time.move_to(SUNDAY)
    tick(installation)
    report = next(file for file in installation.mail_folder.iterdir() if "-report-" in file.name)
    assert "Anna" in report.read_text(encoding="utf-8")


def test_more_mails_than_anybody_meant_are_not_sent(
    installation: Installation, ackerwinde: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BOHNENPOST_MOST_MAILS", "2")
    assert (
        "3 mails are due, more than the setting most_mails"
        in bohnenpost("mail", home=installation.home, status=3).output
    )
    assert not installation.mail_folder.exists()
    monkeypatch.setenv("BOHNENPOST_MOST_MAILS", "3")
    bohnenpost("mail", home=installation.home)
    assert len(list(installation.mail_folder.iterdir())) == 3


@pytest.mark.durable
def test_a_file_left_in_another_mode_is_put_back_or_refused_and_a_network_disk_named(
    installation: Installation,
    ackerwinde: Game,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    tmp_path: Path,
) -> None:
    with sqlite3.connect(installation.database, isolation_level=None) as other:
        other.execute("PRAGMA journal_mode=wal").fetchone()
        other.execute("BEGIN")
        other.execute("SELECT * FROM game").fetchall()
        said = (
            bohnenpost("game", "list", home=installation.home, status=75).output
            + bohnenpost("game", "list", home=installation.home, status=75).output
        )
        assert "locked" in said
        other.execute("ROLLBACK")
    other.close()
    bohnenpost("game", "list", home=installation.home)
    with installation.connection() as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("delete",)
    mounts = tmp_path / "mounts"
    mounts.write_text(
        f"server:/x {installation.home} nfs4 rw 0 0\n/dev/sda / ext4 rw 0 0\n", encoding="utf-8"
    )
    monkeypatch.setattr("gm.installation.MOUNTS", mounts)
    bohnenpost("game", "list", home=installation.home)
    assert "lies on nfs4" in caplog.text
