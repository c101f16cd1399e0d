"""A second game `duo` beside the postal one, for the time of a test."""

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import rounds
from gm import paths
from gm.paths import SEEDS
from rounds.engine.variant import find

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
    """The folders of a second game, which sorts before the postal one and plays by its rules:
    for exactly two, ordered as text, each round closed at once, without a demo.
    """
    yield from second_game(tmp_path, monkeypatch, DUO)


@pytest.fixture
def turns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The same game, ordered by turns: the first seat has the odd rounds."""
    yield from second_game(tmp_path, monkeypatch, TURNS)


def second_game(folder: Path, monkeypatch: pytest.MonkeyPatch, code: str) -> Iterator[None]:
    """While this lasts there is a game `duo` of this code, with a folder in `rounds/` and one in
    `seeds/`.
    """
    (folder / "second" / "rounds" / "duo").mkdir(parents=True)
    (folder / "second" / "rounds" / "duo" / "__init__.py").write_text(code, encoding="utf-8")
    shutil.copytree(SEEDS, folder / "second" / "seeds")
    (folder / "second" / "seeds" / "duo").mkdir()
    shutil.copy(SEEDS / "postal" / "deck.toml", folder / "second" / "seeds" / "duo")
    monkeypatch.setattr(paths, "SEEDS", folder / "second" / "seeds")
    monkeypatch.setattr(rounds, "__path__", [*rounds.__path__, str(folder / "second" / "rounds")])
    find.cache_clear()
    yield
    sys.modules.pop("rounds.duo", None)
    find.cache_clear()
