"""The house of most tests: a real installation in a folder of its own, at an hour of our choosing."""

import gc
import hashlib
import shutil
import sys
from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime, time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import time_machine
from flask import Flask
from hypothesis import settings
from msgspec.structs import replace
from sqlite_utils import Database
from werkzeug.routing import Rule as Route
from werkzeug.security import generate_password_hash

import rounds
from gm import clock, seeds, store
from gm.calendar import Rule
from gm.games import create
from gm.installation import Installation, open_installation
from gm.paths import SEEDS
from gm.store.db import PRAGMAS, write
from gm.store.games import Game
from gm.web import create_app
from gm.web.limits import new_limits
from rounds.engine.farm import Farm
from rounds.engine.notation import read_stacks
from rounds.engine.variant import find
from tests.postbox import Postbox, running

settings.register_profile("house", max_examples=200, deadline=None, derandomize=True)
settings.load_profile("house")
gc.disable()  # until all tests are collected: what is loaded is no garbage
gc.set_threshold(10_000, 10, 100)  # hundreds of thousands of objects stay to the end: all of them are looked through seldom

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
    items.sort(key=lambda item: next((place for place, name in enumerate(LONG_ONES) if name in item.nodeid), len(LONG_ONES)))


def pytest_collection_finish() -> None:
    """All that is loaded now stays to the end and is never looked through; from here on there is garbage to be found."""
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


NOON = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
EVERY_SUNDAY = Rule((6,), time(20, 0), "Europe/Berlin", 1, date(2026, 11, 16))
SUNDAY = int(datetime(2026, 11, 22, 19, 0, tzinfo=UTC).timestamp())
"""The first deadline of `ackerwinde`: 20:00 in Berlin."""


@pytest.fixture(autouse=True)
def the_same_decks_every_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """A secret of our own for the games of a test, so that its rows are always the same (but for the game's id)."""
    fixed = hashlib.sha256(b"a deck 7").digest()
    monkeypatch.setattr("gm.games.create.secrets", SimpleNamespace(token_bytes=lambda size: fixed[:size]))


@pytest.fixture(autouse=True)
def nothing_waits_for_the_disk(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """No power fails while tests run, and nobody is killed in the middle of a change, but where a test is `durable` or has
    processes of its own: there all is stored as in use. The rest keeps in memory what would undo a change.
    """
    if "durable" not in request.keywords:
        monkeypatch.setitem(PRAGMAS, "synchronous", 0)
        monkeypatch.setitem(PRAGMAS, "journal_mode", "memory")


@pytest.fixture(autouse=True)
def passwords_are_hashed_in_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Really hashed, but with a 32nd of the work that keeps guessers busy in use: here people sign in all day."""

    def with_less_work(password: str) -> str:
        return generate_password_hash(password, "scrypt:1024:8:1")

    monkeypatch.setattr("gm.people.accounts.generate_password_hash", with_less_work)


@pytest.fixture
def hour(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A clock that stands still at noon; `hour.move_to` moves it."""
    monkeypatch.setattr(clock, "boot", clock.now)  # the machine's other clock goes with it: time passes, nothing jumps
    with time_machine.travel(NOON, tick=False) as traveller:
        yield traveller


@pytest.fixture(scope="session")
def fresh_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of an installation that nobody has used: to be copied, since all steps of the schema take a while."""
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


PLAYERS = {"Anna": "de", "Bert": "en", "Cem": "de"}


def seat_game(
    house: Installation, game: str = "ackerwinde", players: Iterable[str] = PLAYERS, variant: str = "postal", **rules: Any
) -> None:
    """A game that is open, with the cast at the table."""
    with house.connection() as db:
        create.new_game(
            db, game=game, name=game.capitalize(), variant=variant, house_rules=rules, gm=("Uli", "uli@example.org"),
            rule=EVERY_SUNDAY, now=clock.now(),
        )  # fmt: skip
        create.open_game(db, game)
        for name in players:
            address = f"{name.lower()}@{game}.example.org"
            create.add_seat(db, house.link_key, game=game, name=name, address=address, language=PLAYERS[name])


def start(house: Installation, game: str = "ackerwinde") -> None:
    """Deal its first row."""
    with house.connection() as db:
        create.start_game(db, game, clock.now())


def cards_of(db: Database, game: Game) -> tuple[str, ...]:
    """The shuffled deck of a game, top first."""
    return store.rounds.deck(game).shuffled(store.rounds.chance(db, game))


def lay_row(db: Database, game: str, row: str, farm: str | None = None) -> str:
    """Another row for the open round, like `bush*33 magic climbing mung snap snake broad princess`; the row that lay there.

    With a farm, like `bush*3 magic*2 - 2` (fields and talers), everybody has that.
    """
    found = store.games.existing(db, game)
    table = store.rounds.open_table(db, found)
    changed: dict[str, Any] = {"row": tuple(stack for stack in read_stacks(row) if stack)}
    if farm is not None:
        fields, _, talers = farm.rpartition(" ")
        changed["farms"] = tuple(Farm(tuple(read_stacks(fields)), int(talers)) for _ in table.farms)
    with write(db):
        state = {"state": found.engine.storage.pack(replace(table, **changed)).decode()}
        db.table("round").update((game, found.round - 1), state)
    return " ".join(f"{stack.variety}*{stack.cards}" for stack in table.row)


@pytest.fixture
def ackerwinde(house: Installation, db: Database) -> Game:
    """A game that has just started: Anna and Cem read German, Bert English; the first deadline is on Sunday, 20:00 in Berlin."""
    seat_game(house)
    start(house)
    return store.games.existing(db, "ackerwinde")


DUO = """
from dataclasses import replace
from rounds.postal import variant as postal
variant = replace(postal, name="duo", seats=range(2, 3), closes_at_once=True, form=None, hindsight=None)
"""


TURNS = """
from dataclasses import replace
from rounds.postal import variant as postal

def awaited(table):
    return () if table.over else (table.seats[(table.round + 1) % 2],)

def adjudicate(table, orders, chance):
    return postal.adjudicate(table, {seat: orders.get(seat, ()) for seat in table.seats}, chance)

variant = replace(
    postal, name="duo", seats=range(2, 3), awaited=awaited, may_order=awaited, adjudicate=adjudicate, closes_at_once=True,
    form=None, hindsight=None,
)
"""


@pytest.fixture
def duo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The folders of a second game, which sorts before the postal one and plays by its rules: for exactly two, ordered as text,
    each round closed at once, without a demo.
    """
    yield from second_game(tmp_path, monkeypatch, DUO)


@pytest.fixture
def turns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The same game, ordered by turns: the first seat has the odd rounds."""
    yield from second_game(tmp_path, monkeypatch, TURNS)


def second_game(folder: Path, monkeypatch: pytest.MonkeyPatch, code: str) -> Iterator[None]:
    """While this lasts there is a game `duo` of this code, with a folder in `rounds/` and one in `seeds/`."""
    (folder / "second" / "rounds" / "duo").mkdir(parents=True)
    (folder / "second" / "rounds" / "duo" / "__init__.py").write_text(code, encoding="utf-8")
    shutil.copytree(SEEDS, folder / "second" / "seeds")
    (folder / "second" / "seeds" / "duo").mkdir()
    shutil.copy(SEEDS / "postal" / "deck.toml", folder / "second" / "seeds" / "duo")
    monkeypatch.setattr(seeds, "SEEDS", folder / "second" / "seeds")
    monkeypatch.setattr(rounds, "__path__", [*rounds.__path__, str(folder / "second" / "rounds")])
    find.cache_clear()
    yield
    sys.modules.pop("rounds.duo", None)
    find.cache_clear()


@pytest.fixture(scope="session")
def site(fresh_home: Path) -> Flask:
    """The pages, put together once: it takes as long as some answers of theirs."""
    return create_app(open_installation(fresh_home, {}))


@pytest.fixture
def web(house: Installation, site: Flask) -> Any:
    """A browser of the poor: the pages without a network, as a program shows them that has just begun."""
    site.extensions |= {"installation": house, "limits": new_limits(lambda: 0.0)}
    return site.test_client()


@pytest.fixture
def link(house: Installation, ackerwinde: Game) -> dict[str, str]:
    """The paths of the personal links, by name."""
    base = house.config.base_url
    return {name: house.url("seat", "ackerwinde", name, 1).removeprefix(base) for name in ("Anna", "Bert", "Cem", "Dörte")}


@pytest.fixture
def postbox() -> Iterator[tuple[Postbox, int]]:
    """A real SMTP server and its port."""
    with running() as both:
        yield both
