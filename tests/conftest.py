"""The fixtures of most tests: a fresh installation, its database and pages, a game that has just
started, and a clock that stands still.
"""

import hashlib
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import time_machine
from flask import Flask
from hypothesis import settings

from gm import clock, store
from gm.installation import Installation, open_installation
from gm.store.db import Database
from gm.store.games import Game
from gm.web import create_app
from gm.web.limits import new_limits
from tests.dates import NOON
from tests.faster import cheap_password_hashes, no_waiting_for_the_disk
from tests.postbox import Postbox, running
from tests.postgres import SERVER, move_to_server
from tests.second_game import duo, turns
from tests.steps import seat_game, sign_in, start

__all__ = ["cheap_password_hashes", "duo", "no_waiting_for_the_disk", "turns"]  # fixtures

settings.register_profile("repeatable", max_examples=200, deadline=None, derandomize=True)
settings.load_profile("repeatable")

FIRST = ("rules", "store", "service", "mail", "web", "bad_inputs")
LAST = ("browser", "crash", "sabotage")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A run fails early: rules and service first, browsers and crashes last."""

    def place(item: pytest.Item) -> int:
        order = (*FIRST, "tests", *LAST)
        return order.index(
            next((name for name in (*FIRST, *LAST) if name in item.path.parts), "tests")
        )

    items.sort(key=place)


def pytest_report_teststatus(report: pytest.TestReport) -> tuple[str, str, str] | None:
    """A red test is named when it fails, not only at the end of the run."""
    if not report.failed:
        return None
    category, word = ("failed", "FAILED") if report.when == "call" else ("error", "ERROR")
    return category, f"\n{word} {report.nodeid}\n", word


@pytest.fixture(autouse=True)
def fixed_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every game of a test is shuffled by the same secret, so its rows are always the same."""
    fixed = hashlib.sha256(b"a deck 7").digest()
    monkeypatch.setattr(
        "gm.games.create.secrets", SimpleNamespace(token_bytes=lambda size: fixed[:size])
    )


@pytest.fixture
def frozen_time(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A clock that stands still at noon; `frozen_time.move_to` moves it."""
    # the boot clock goes with it: time passes, nothing jumps
    monkeypatch.setattr(clock, "boot", clock.now)
    with time_machine.travel(NOON, tick=False) as traveller:
        yield traveller


@pytest.fixture(scope="session")
def fresh_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a fresh installation, to be copied: creating the schema takes a while."""
    home = tmp_path_factory.mktemp("fresh") / "home"
    with time_machine.travel(NOON, tick=False):
        open_installation(home, {}, create=True)
    return home


@pytest.fixture(scope="session")
def server_database() -> str | None:
    """The address of a database of this process on the server that `make postgres` has started."""
    if SERVER is None:
        return None
    return SERVER.create(f"test_{os.environ.get('PYTEST_XDIST_WORKER', 'alone')}")


@pytest.fixture
def installation(
    tmp_path: Path,
    fresh_home: Path,
    frozen_time: Any,
    server_database: str | None,
    monkeypatch: pytest.MonkeyPatch,
) -> Installation:
    """A fresh installation."""
    home = Path(shutil.copytree(fresh_home, tmp_path / "home"))
    if server_database is not None:
        move_to_server(home, server_database)
        monkeypatch.setenv("BOHNENPOST_DATABASE", server_database)  # if a test writes settings
        monkeypatch.setattr("gm.config._check_database", lambda _: None)  # mails may be files
    return open_installation(home, {})


@pytest.fixture
def db(installation: Installation) -> Iterator[Database]:
    """A connection to its database."""
    with installation.connection() as connection:
        yield connection


@pytest.fixture
def ackerwinde(installation: Installation, db: Database) -> Game:
    """A game that has just started, with Anna, Bert and Cem; Bert reads English, the others German.
    The first deadline is on Sunday, 20:00 in Berlin.
    """
    seat_game(installation)
    start(installation)
    return store.games.existing(db, "ackerwinde")


@pytest.fixture(scope="session")
def site(fresh_home: Path) -> Flask:
    """The Flask application, created once: that takes longer than most requests."""
    return create_app(open_installation(fresh_home, {}))


@pytest.fixture
def web(installation: Installation, site: Flask) -> Any:
    """Flask test client with fresh rate limits."""
    site.extensions |= {"installation": installation, "limits": new_limits(lambda: 0.0)}
    return site.test_client()


@pytest.fixture
def uli(installation: Installation, db: Database) -> Any:
    """A browser of the game master Uli, signed in at the desk."""
    return sign_in(installation, db)


@pytest.fixture
def link(installation: Installation, ackerwinde: Game) -> dict[str, str]:
    """The paths of the personal links, by name."""
    names = ("Anna", "Bert", "Cem", "Dörte")
    return {name: installation.path("seat", "ackerwinde", name, 1) for name in names}


@pytest.fixture
def postbox() -> Iterator[tuple[Postbox, int]]:
    """A real SMTP server and its port."""
    with running() as both:
        yield both
