"""kill -9, EIO and ENOSPC at every system call that writes, syncs or sends, of a submission, a
close and a delivery; and at random moments.

After each: the invariants; then the backlog empties by itself, and the invariants again. strace
does the killing; where it is missing these tests are skipped visibly, in CI they fail.
"""

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
import time_machine

from gm import store
from gm.games.orders import save_orders
from gm.installation import Installation, open_installation
from gm.service import tick_mail, tick_rounds
from gm.store.db import write
from tests import invariants
from tests.crash.stage import DEADLINE
from tests.dates import NOON, SUNDAY
from tests.faster import few_first
from tests.postbox import Postbox, running
from tests.steps import seat_game, start

WRITES = ("pwrite64", "fdatasync", "fsync", "unlink", "ftruncate", "write")
KILLS = [(act, call) for act in ("submit", "close", "mail") for call in WRITES] + [
    ("mail", call) for call in ("socket", "connect", "sendto", "recvfrom")
]
ACTS = ("submit", "close", "mail") if os.environ.get("BOHNENPOST_SOAK") else ("submit", "close")
"""A delivery writes so often that its disk fails in `make soak` alone, but for its syncs."""
ERRORS = [(act, call, error) for act in ACTS for call in WRITES[:3] for error in ("EIO", "ENOSPC")]
ERRORS += [("mail", "fdatasync", "EIO")] if len(ACTS) == 2 else []


class Stage:
    """The process that forks, and the installation it plays on: a fresh copy for each act."""

    def __init__(self, folder: Path, box: Postbox, port: int) -> None:
        self.folder, self.box = folder, box
        self.environ = {
            "BOHNENPOST_SMTP_HOST": "127.0.0.1",
            "BOHNENPOST_SMTP_PORT": str(port),
            "BOHNENPOST_SMTP_TLS": "none",
        }
        self._make_copies()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.crash.stage", folder / "started"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=Path(__file__).parent.parent.parent,
            env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
        )

    def _make_copies(self) -> None:
        started, closed = self.folder / "started", self.folder / "closed"
        _start(open_installation(started, {}, create=True))
        tick_mail(open_installation(started, self.environ), DEADLINE - 9000)
        shutil.copytree(started, closed)
        tick_rounds(open_installation(closed, {}), DEADLINE)

    def end(self) -> None:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        self.process.wait(20)
        self.process.stdout.close()

    def prepare(self, *, closed: bool) -> Path:
        """The act's own copy: a started game, or one whose round is closed and whose mails wait."""
        home = self.folder / "now"
        shutil.rmtree(home, ignore_errors=True)
        shutil.copytree(self.folder / ("closed" if closed else "started"), home)
        self.box.mails.clear()
        return home

    def play(
        self, act: str, home: Path, inject: str | None = None, kill_after: float | None = None
    ) -> dict[str, Any]:
        line = {
            "act": act,
            "home": str(home),
            "environ": self.environ,
            "inject": inject,
            "kill_after": kill_after,
        }
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        print(json.dumps(line), file=self.process.stdin, flush=True)
        answer: dict[str, Any] = json.loads(self.process.stdout.readline())
        assert "error" not in answer, answer["error"]
        return answer

    def check(self, home: Path, said: str, *, repeats: int) -> None:
        """The invariants now, after the backlog has emptied, and what arrived."""
        database = home / "bohnenpost.db"
        receipts = [tuple(json.loads(said))] if said.startswith("[1,") else []
        invariants.check(database)
        invariants.i2_a_shown_receipt_is_a_stored_list(database, receipts)
        again = open_installation(home, self.environ)
        tick_rounds(again, DEADLINE)
        tick_mail(again, DEADLINE)
        # leases of the dead have run out, and what was put off comes again
        tick_mail(again, DEADLINE + 5000)
        invariants.check(database)
        invariants.i2_a_shown_receipt_is_a_stored_list(database, receipts)
        invariants.i5_every_mail_arrived_and_always_the_same(
            database, [data for _, data in self.box.mails], repeats=repeats
        )


@pytest.fixture(scope="module")
def stand(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    """One for all acts."""
    if shutil.which("strace") is None:
        if os.environ.get("CI"):
            pytest.fail("no strace: apt-get install strace")
        pytest.skip("no strace: apt-get install strace")
    assert SUNDAY == DEADLINE
    with running() as (box, port):
        with time_machine.travel(NOON, tick=False):
            found = Stage(tmp_path_factory.mktemp("stage"), box, port)
        yield found
        found.end()


def test_if_strace_cannot_attach_the_test_fails_with_its_words(stage: Stage) -> None:
    with pytest.raises(AssertionError, match=r"strace did not attach: .*invalid.*nonsense"):
        stage.play("submit", stage.prepare(closed=False), "nonsense:signal=KILL:when=1")
    assert (
        stage.play("submit", stage.prepare(closed=False), "write:signal=KILL:when=1")["status"]
        == -9
    )


@pytest.fixture
def stage(stand: Stage, frozen_time: Any) -> Stage:
    """The same, at noon."""
    return stand


def _start(installation: Installation) -> None:
    seat_game(installation, players=("Anna", "Bert"))
    with installation.connection() as db, write(db):
        # short mails: fewer system calls to be killed at, and the same ones
        db.execute("UPDATE seat SET html = 0")
    start(installation)
    with installation.connection() as db:
        save_orders(
            db,
            store.games.existing(db, "ackerwinde"),
            store.seats.of_game(db, "ackerwinde")[1],
            "pass",
        )


@pytest.mark.parametrize(("act", "call"), KILLS)
def test_killed_at_any_call_nothing_is_lost_and_nothing_twice(
    stage: Stage, act: str, call: str
) -> None:
    for number in range(1, 1000):
        home = stage.prepare(closed=act == "mail")
        before = _sent_before(home)
        ended = stage.play(act, home, f"{call}:signal=KILL:when={number}")
        stage.box.mails[:0] = before
        stage.check(home, ended["said"], repeats=1)
        if ended["status"] == 0:
            break
        assert ended["status"] == -9
    assert 1 < number < 999 or call not in ("pwrite64", "fdatasync", "sendto")


@pytest.mark.parametrize(("act", "call", "error"), ERRORS)
def test_refused_by_the_disk_at_any_call_nothing_is_lost(
    stage: Stage, act: str, call: str, error: str
) -> None:
    for number in range(1, 1000):
        home = stage.prepare(closed=act == "mail")
        before = _sent_before(home)
        ended = stage.play(act, home, f"{call}:error={error}:when={number}")
        stage.box.mails[:0] = before
        stage.check(home, ended["said"], repeats=1)
        if not ended["hit"]:
            break
    assert 1 < number < 999 or call not in ("pwrite64", "fdatasync")


@pytest.mark.parametrize("part", few_first(range(4), 1))
def test_killed_at_random_moments_nothing_is_lost_and_nothing_twice(
    stage: Stage, part: int
) -> None:
    rng = Random(part)
    for _ in range(50):
        home = stage.prepare(closed=False)
        before = _sent_before(home)
        ended = stage.play("everything", home, kill_after=rng.uniform(0, 0.12))
        stage.box.mails[:0] = before
        stage.check(home, ended["said"].partition("]")[0] + "]" if ended["said"] else "", repeats=1)


def _sent_before(home: Path) -> list[tuple[str, bytes]]:
    """Stand-ins for the mails that went out while the scene was set: their bytes are gone from
    the outbox.
    """
    connection = sqlite3.connect(home / "bohnenpost.db")
    rows = connection.execute(
        "SELECT address, message_id FROM mail WHERE sent_at IS NOT NULL"
    ).fetchall()
    connection.close()
    return [(address, f"Message-ID: {name}\r\n\r\n".encode()) for address, name in rows]
