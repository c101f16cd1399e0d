"""`serve` and `demo` as processes: they answer, they do their work, and SIGTERM ends them
cleanly.
"""

import http.client
import re
import signal
import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

import pytest

from gm.installation import Installation
from gm.store.db import write
from gm.store.games import Game
from gm.web.serve import new_server
from tests.steps import free_port, process


def get(url: str, fields: dict[str, str] | None = None) -> tuple[int, str]:
    where = urlsplit(url)
    connection = http.client.HTTPConnection("127.0.0.1", where.port, timeout=120)
    path = f"{where.path}?{where.query}"
    headers = {"Host": where.netloc, "Content-Type": "application/x-www-form-urlencoded"}
    connection.request("GET" if fields is None else "POST", path, urlencode(fields or {}), headers)
    answer = connection.getresponse()
    body = answer.read().decode()
    connection.close()
    return answer.status, body


@pytest.mark.long
def test_serve_answers_closes_what_is_due_and_ends_cleanly(
    installation: Installation, ackerwinde: Game
) -> None:
    """The clock of the process is the real one: the deadline of the test lies in its past or its
    future, so it is set by hand.
    """
    with installation.connection() as db, write(db):
        db.execute("UPDATE game SET deadline = 1700000000")
    port = free_port()
    home = str(installation.home)
    with process("--home", home, "serve", "--port", str(port)) as running:
        assert running.stdout is not None
        assert "serving http://localhost:8080 on 127.0.0.1" in running.stdout.readline()
        assert "links in mails lead to http://localhost:8080" in running.stdout.readline()
        # mail has a pass of its own, after the one that closes
        for _ in range(400):
            with installation.connection() as db:
                sent = db.execute(
                    "SELECT count(*) FROM mail WHERE kind = 'report' AND sent_at IS NOT NULL"
                ).fetchone()[0]
            if sent == 3:
                break
            time.sleep(0.1)
        assert sent == 3
        status, page = get(f"http://localhost:{port}/p/ackerwinde")
        assert (status, "Ackerwinde" in page) == (200, True)
        running.send_signal(signal.SIGTERM)
        assert running.wait(20) == 0


def test_worker_does_the_same_without_pages_and_ends_cleanly(
    installation: Installation, ackerwinde: Game
) -> None:
    with installation.connection() as db, write(db):
        db.execute("UPDATE game SET deadline = 1700000000")
    with process("--home", str(installation.home), "worker") as running:
        assert running.stdout is not None
        assert "working" in running.stdout.readline()
        # mail has a pass of its own, after the one that closes
        for _ in range(400):
            if len(list(installation.mail_folder.glob("*-report-*.eml"))) == 3:
                break
            time.sleep(0.1)
        running.send_signal(signal.SIGTERM)
        assert running.wait(20) == 0
    with installation.connection() as db:
        assert db.execute("SELECT round FROM game").fetchone() == (2,)
        assert db.execute("SELECT count(*) FROM beat").fetchone() == (0,)


def test_a_taken_port_is_told_in_one_line(installation: Installation) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with process(
            "--home", str(installation.home), "serve", "--host", "localhost", "--port", str(port)
        ) as running:
            out, _ = running.communicate(timeout=300)
    assert running.returncode == 1
    assert f"localhost:{port}: " in out
    assert "in use" in out
    assert "Traceback" not in out


def hello(_: Any, start_response: Any) -> list[bytes]:
    start_response("200 OK", [("Content-Type", "text/plain"), ("Content-Length", "2")])
    return [b"ok"]


@contextmanager
def listening() -> Iterator[Any]:
    server = new_server(hello, "127.0.0.1", 0)  # type: ignore[arg-type]  # any application does
    try:
        yield server
    finally:
        server.task_dispatcher.shutdown()
        server.asyncore.close_all(server._map)


def test_slow_connections_by_the_hundred_stop_nobody_else() -> None:
    with listening() as server, ExitStack() as slow, ThreadPoolExecutor(1) as somebody:
        where = ("127.0.0.1", int(server.effective_port))
        for _ in range(150):
            slow.enter_context(socket.create_connection(where)).sendall(b"GET / HTTP/1.1\r\nHost: ")
        answer = somebody.submit(get, f"http://localhost:{where[1]}/")
        while not answer.done():
            server.asyncore.loop(
                timeout=0.1, use_poll=server.adj.asyncore_use_poll, map=server._map, count=1
            )
        assert answer.result() == (200, "ok")


@pytest.mark.parametrize(("path", "word"), [("/p/x/state?round=1", "close"), ("/p/x", None)])
def test_a_page_that_asks_for_news_keeps_no_connection(path: str, word: str | None) -> None:
    with listening() as server, ThreadPoolExecutor(1) as somebody:
        port = int(server.effective_port)

        def ask() -> str | None:
            with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=120)) as connection:
                connection.request("GET", path)
                with connection.getresponse() as answer:
                    return answer.getheader("Connection")

        answer = somebody.submit(ask)
        while not answer.done():
            server.asyncore.loop(
                timeout=0.1, use_poll=server.adj.asyncore_use_poll, map=server._map, count=1
            )
        assert answer.result() == word


@pytest.mark.everything
@pytest.mark.parametrize("language", ["de", "en"])
def test_the_demo_is_played_to_its_final_ranking_by_links_alone(language: str) -> None:
    with process("demo", "--port", "0", "--lang", language) as running:
        assert running.stdout is not None
        lines = [running.stdout.readline() for _ in range(5)]
        link = re.findall(r"http\S+/z/\S+", lines[0])[0]
        base = link.partition("/z/")[0]
        folder = Path(lines[2].split(":", 1)[1].strip())
        for number in range(1, 11):
            assert get(link)[0] == 200
            fields = {
                "round": str(number),
                "rev": "0",
                "pass": "yes",
                "action": "submit",
                "whole": "yes",
            }
            assert get(link, fields)[0] == 303
            assert get(f"{base}/demo/close?lang={language}", {})[0] == 303
            newest = sorted(folder.glob("*.eml"))[-1].name
            status, mailbox = get(f"{base}/demo?lang={language}&mail={newest}")
            assert status == 200
            assert newest in mailbox
        assert get(f"{base}/demo/mail/{newest}")[0] == 200
        assert get(f"{base}/demo/mail/..%2fbohnenpost.db")[0] == 404
        assert "-final-" in newest
        _, end = get(f"{base}/p/ackerwinde?lang={language}")
        assert re.search("gewinn(t|en)" if language == "de" else " wins? ", end)
        running.send_signal(signal.SIGTERM)
        assert running.wait(20) == 0
    assert not folder.exists()
