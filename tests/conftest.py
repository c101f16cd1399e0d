"""The house of most tests: a real installation in a folder of its own, at an hour of our
choosing.
"""

import gc
import hashlib
import shutil
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import time_machine
from flask import Flask
from hypothesis import settings
from sqlite_utils import Database
from werkzeug.routing import Rule as Route
from werkzeug.security import generate_password_hash

from gm import clock, store
from gm.installation import Installation, open_installation
from gm.store.db import PRAGMAS
from gm.store.games import Game
from gm.web import create_app
from gm.web.limits import new_limits
from tests.dates import NOON
from tests.postbox import Postbox, running
from tests.second_game import duo, turns
from tests.steps import seat_game, start

__all__ = ["duo", "turns"]  # fixtures

settings.register_profile("house", max_examples=200, deadline=None, derandomize=True)
settings.load_profile("house")
gc.disable()  # until all tests are collected: what is loaded is no garbage
# hundreds of thousands of objects stay to the end: all of them are looked through seldom
gc.set_threshold(10_000, 10, 100)

LONG_ONES = (
    "test_wheel",
    "test_every_state",
    "tests/crash",
    "test_mail_faults",
    "test_a_year",
    "test_backup",
    "test_closing",
    "tests/browser",
    "tests/sabotage",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What takes long begins first, so that no process works alone at the end."""
    items.sort(
        key=lambda item: next(
            (place for place, name in enumerate(LONG_ONES) if name in item.nodeid), len(LONG_ONES)
        )
    )


def pytest_collection_finish() -> None:
    """All that is loaded now stays to the end and is never looked through; from here on there is
    garbage to be found.
    """
    gc.freeze()
    gc.enable()


def pytest_report_teststatus(report: pytest.TestReport) -> tuple[str, str, str] | None:
    """A red test is named when it fails, not at the end of the run."""
    if not report.failed:
        return None
    category, word = ("failed", "FAILED") if report.when == "call" else ("error", "ERROR")
    return category, f"\n{word} {report.nodeid}\n", word


@pytest.fixture(scope="session", autouse=True)
def routes_are_compiled_once() -> Iterator[None]:
    """Not by each application for itself: compiling those of one takes longer than most tests."""
    compiled, compile_one = dict[tuple[str, str, bool], Any](), Route._compile_builder

    def compile_once(route: Route, append_unknown: bool = True) -> Any:
        key = route.rule, repr(route.defaults), append_unknown
        if key not in compiled:
            compiled[key] = compile_one(route, append_unknown)
        return compiled[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Route, "_compile_builder", compile_once)
        yield


@pytest.fixture(autouse=True)
def the_same_decks_every_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """A secret of our own for the games of a test, so that its rows are always the same (but for
    the game's id).
    """
    fixed = hashlib.sha256(b"a deck 7").digest()
    monkeypatch.setattr(
        "gm.games.create.secrets", SimpleNamespace(token_bytes=lambda size: fixed[:size])
    )


@pytest.fixture(autouse=True)
def nothing_waits_for_the_disk(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No power fails while tests run, and nobody is killed in the middle of a change, but where
    a test is `durable` or has processes of its own: there all is stored as in use. The rest
    keeps in memory what would undo a change.
    """
    if "durable" not in request.keywords:
        monkeypatch.setitem(PRAGMAS, "synchronous", 0)
        monkeypatch.setitem(PRAGMAS, "journal_mode", "memory")


@pytest.fixture(autouse=True)
def passwords_are_hashed_in_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Really hashed, but with a 32nd of the work that keeps guessers busy in use: here people
    sign in all day.
    """

    def with_less_work(password: str) -> str:
        return generate_password_hash(password, "scrypt:1024:8:1")

    monkeypatch.setattr("gm.people.accounts.generate_password_hash", with_less_work)


@pytest.fixture
def hour(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A clock that stands still at noon; `hour.move_to` moves it."""
    # the machine's other clock goes with it: time passes, nothing jumps
    monkeypatch.setattr(clock, "boot", clock.now)
    with time_machine.travel(NOON, tick=False) as traveller:
        yield traveller


@pytest.fixture(scope="session")
def fresh_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of an installation that nobody has used: to be copied, since all steps of the
    schema take a while.
    """
    home = tmp_path_factory.mktemp("fresh") / "house"
    with time_machine.travel(NOON, tick=False):
        open_installation(home, {}, create=True)
    return home


@pytest.fixture
def house(tmp_path: Path, fresh_home: Path, hour: Any) -> Installation:
    """A fresh installation."""
    return open_installation(Path(shutil.copytree(fresh_home, tmp_path / "house")), {})


@pytest.fixture
def db(house: Installation) -> Iterator[Database]:
    """A connection to its database."""
    with house.connection() as connection:
        yield connection


@pytest.fixture
def ackerwinde(house: Installation, db: Database) -> Game:
    """A game that has just started: Anna and Cem read German, Bert English; the first deadline
    is on Sunday, 20:00 in Berlin.
    """
    seat_game(house)
    start(house)
    return store.games.existing(db, "ackerwinde")


@pytest.fixture(scope="session")
def site(fresh_home: Path) -> Flask:
    """The pages, put together once: it takes as long as some answers of theirs."""
    return create_app(open_installation(fresh_home, {}))


@pytest.fixture
def web(house: Installation, site: Flask) -> Any:
    """A browser of the poor: the pages without a network, as a program shows them that has just
    begun.
    """
    site.extensions |= {"installation": house, "limits": new_limits(lambda: 0.0)}
    return site.test_client()


@pytest.fixture
def link(house: Installation, ackerwinde: Game) -> dict[str, str]:
    """The paths of the personal links, by name."""
    base = house.config.base_url
    return {
        name: house.url("seat", "ackerwinde", name, 1).removeprefix(base)
        for name in ("Anna", "Bert", "Cem", "Dörte")
    }


@pytest.fixture
def postbox() -> Iterator[tuple[Postbox, int]]:
    """A real SMTP server and its port."""
    with running() as both:
        yield both
