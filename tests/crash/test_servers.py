"""Machines that share a database on a PostgreSQL server: two workers, two web servers, each with a
home of its own.
"""

import json
import shutil
import subprocess
import threading
import time
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from email import message_from_bytes
from pathlib import Path

import pytest

from benchmarks.fixtures import fall_due, furnish
from gm import clock, store
from gm.installation import Installation, open_installation
from gm.mail.sending import LEASE_SECONDS
from gm.service import tick_mail
from gm.store.connections import opened
from tests import invariants, postbox, postgres
from tests.steps import free_port, process

pytestmark = [
    pytest.mark.everything,
    pytest.mark.long,
    pytest.mark.skipif(postgres.programs() is None, reason="PostgreSQL is not installed"),
]
SEATS = 5
AT_MOST = 240
"""Seconds for what takes one on an idle machine."""


@pytest.mark.parametrize(("what", "due", "times"), [("kills", 500, 20), ("outages", 100, 3)])
def test_two_machines_close_each_round_once_and_send_each_mail(
    tmp_path: Path, what: str, due: int, times: int
) -> None:
    """Whoever is killed, and whenever the server goes away and comes back; then no process is
    started again.

    Beside the workers two web servers take lists for other games. What happens between the answer
    of the mail server and the commit repeats a mail, as with a file.
    """
    house = furnish(tmp_path, due + 2, SEATS)
    fall_due(house, due)
    with ExitStack() as running:
        server = running.enter_context(postgres.running())
        box, port = running.enter_context(postbox.running())
        homes = shared(house, server.create("shared"), tmp_path, port)
        first = open_installation(homes[0], {})
        clients = [
            running.enter_context(client(home, first, f"game-{due + number}"))
            for number, home in enumerate(homes)
        ]
        workers = [Worker(running, home) for home in homes]
        whole = due * (1 + SEATS)
        for count in range(times):
            wait_for(lambda: done(first) >= whole * count // times)  # noqa: B023  # called at once
            if what == "kills":
                workers[count % 2].kill_and_start()
            else:
                server.stop()
                server.start()
        # what was being sent waits until its lease has ended
        wait_for(lambda: done(first) >= whole - 2 * times and unsent(first) <= 2 * times)
        for worker in workers:
            assert worker.is_alive
            worker.kill()
        tick_mail(first, clock.now() + LEASE_SECONDS + 1)
        for receipts in clients:
            receipts.stop()
            with first.connection() as db:
                stored = store.lists.revisions(db, receipts.game, 1, receipts.seat.number)
            assert len(receipts.answers) > times
            assert set(receipts.answers) <= {(of.number, of.orders) for of in stored}
        with first.connection() as db:
            sql = "SELECT count(*), count(DISTINCT game) FROM round WHERE number = 1"
            assert db.execute(sql).fetchone() == (due, due)
            sql = """SELECT count(*), count(DISTINCT game) FROM mail WHERE kind = 'report'
                     AND sent_at IS NOT NULL"""
            assert db.execute(sql).fetchone() == (due * SEATS, due)
            tried = {name for (name,) in db.execute("SELECT message_id FROM mail WHERE tries > 0")}
        invariants.check(first.database)
        arrived = Counter(message_from_bytes(data)["Message-ID"] for _, data in box.mails)
        assert arrived.keys() == tried
        assert arrived.total() - len(arrived) <= 2 * times


def shared(house: Installation, address: str, folder: Path, port: int) -> list[Path]:
    """Homes of two machines, with one key and one database."""
    postgres.move_to_server(house.home, address)
    homes = [folder / "first", folder / "second"]
    for home in homes:
        home.mkdir()
        shutil.copy(house.home / "link.key", home)
        (home / "bohnenpost.toml").write_text(
            f'database = "{address}"\nsmtp_host = "127.0.0.1"\nsmtp_port = {port}\n'
            'smtp_tls = "none"\n'
        )
    return homes


class Worker:
    """`worker` on one machine."""

    def __init__(self, running: ExitStack, home: Path) -> None:
        self._running, self._home = running, home
        self._start()

    def _start(self) -> None:
        self._process = self._running.enter_context(process("--home", str(self._home), "worker"))

    @property
    def is_alive(self) -> bool:
        return self._process.poll() is None

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()

    def kill_and_start(self) -> None:
        self.kill()
        self._start()


class Client:
    """Sends list after list by one machine's pages, and keeps those with a receipt."""

    def __init__(self, base: str, installation: Installation, game: str) -> None:
        self.game = game
        with installation.connection() as db:
            self.seat = store.seats.of_game(db, self.game)[0]
        self._url = f"{base}/api/v1/games/{self.game}/seat/orders"
        self._token = installation.api_token(self.seat)
        self._over = threading.Event()
        self.answers: list[tuple[int, str]] = []
        self._thread = threading.Thread(target=self._send)
        self._thread.start()

    def _send(self) -> None:
        while not self._over.wait(0.5):
            text = ("pass", "1>A")[len(self.answers) % 2]
            request = urllib.request.Request(
                self._url,
                json.dumps({"round": 1, "orders": text}).encode(),
                {"Authorization": f"Bearer {self._token}", "Content-Type": "application/json"},
            )
            try:
                with urllib.request.urlopen(request, timeout=30) as answer:
                    receipt = json.load(answer)
                    self.answers.append((receipt["revision"], receipt["orders"]))
            except urllib.error.HTTPError as error:
                if error.code not in (429, 503):  # too many, or busy: nothing was promised
                    raise

    def stop(self) -> None:
        self._over.set()
        self._thread.join()


@contextmanager
def client(home: Path, installation: Installation, game: str) -> Iterator[Client]:
    """The pages of one machine, and who uses them."""
    port = free_port()
    with process("--home", str(home), "serve", "--no-scheduler", "--port", str(port)) as pages:
        wait_for(lambda: is_served(f"http://localhost:{port}", pages))
        found = Client(f"http://localhost:{port}", installation, game)
        try:
            yield found
        finally:
            found.stop()


def is_served(base: str, pages: subprocess.Popen[str]) -> bool:
    assert pages.poll() is None
    try:
        with urllib.request.urlopen(f"{base}/accessibility", timeout=5):
            return True
    except OSError:
        return False


def wait_for(condition: Callable[[], bool]) -> None:
    until = time.monotonic() + AT_MOST
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.05)


def done(installation: Installation) -> int:
    """How many rounds are closed and reports are sent."""
    with opened(installation.database) as db:
        sql = """SELECT (SELECT count(*) FROM round WHERE number = 1) + (SELECT count(*) FROM mail
                 WHERE kind = 'report' AND sent_at IS NOT NULL)"""
        return store.db.count(db, sql)


def unsent(installation: Installation) -> int:
    with opened(installation.database) as db:
        return store.mails.waiting(db)
