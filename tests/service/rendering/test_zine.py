"""Rounds for a printed zine: which ones, and their words (as a page: desk/test_desk.py)."""

from datetime import date, timedelta

import pytest
from msgspec.structs import replace

from gm.config import Config
from gm.installation import Installation
from gm.rendering.reports import report
from gm.rendering.zine import Item, as_sections, as_text, zine
from gm.service import close_due
from gm.store.db import Database
from gm.store.games import Game
from tests.dates import SUNDAY

DAY = date(2026, 11, 22)
"""The day of the first deadline in Berlin."""


@pytest.fixture
def closed(db: Database, ackerwinde: Game) -> None:
    assert close_due(db, Config(), SUNDAY)


@pytest.mark.parametrize(
    ("first", "found"), [(DAY, [1]), (DAY - timedelta(900), [1]), (DAY + timedelta(1), [])]
)
@pytest.mark.usefixtures("closed")
def test_a_round_stands_on_the_day_it_was_closed(
    db: Database, first: date, found: list[int]
) -> None:
    assert [item.report.number for item in zine(db, first)] == found


def test_the_start_of_a_game_is_no_round(db: Database, ackerwinde: Game) -> None:
    assert zine(db, date(2026, 1, 1)) == []


@pytest.mark.usefixtures("closed")
@pytest.mark.parametrize("language", ["de", "en"])
def test_an_issue_is_text_of_72_columns_that_ends_nobodys_secret(
    installation: Installation, db: Database, language: str
) -> None:
    text = as_text(db, installation, zine(db, DAY), language)
    assert "Ackerwinde" in text
    assert all(len(line) <= 72 or line.startswith("http") for line in text.splitlines())
    assert f"{installation.config.base_url}/z/" not in text
    assert as_text(db, installation, [], language) == ""


@pytest.mark.usefixtures("closed")
def test_the_words_of_a_round_are_named_by_all_they_depend_on(
    db: Database, ackerwinde: Game
) -> None:
    (item,) = zine(db, DAY)
    assert item.key == zine(db, DAY)[0].key
    assert item.key != Item(replace(item.game, name="Beinwell"), item.report).key
    assert item.key != Item(item.game, report(db, ackerwinde, 0)).key


def test_a_round_closed_at_midnight_stands_on_the_day_that_begins(
    db: Database, ackerwinde: Game
) -> None:
    midnight = SUNDAY + 4 * 3600  # in Berlin, where the game is played
    assert close_due(db, Config(), midnight)
    assert [len(zine(db, DAY + timedelta(days))) for days in (1, 2)] == [1, 0]


def test_a_round_that_cannot_be_written_takes_no_other_from_the_zine(
    db: Database, closed: None, installation: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    (item,) = zine(db, DAY)
    broken = Item(item.game, replace(item.report, number=2, before=None, after=None))
    assert as_text(db, installation, [broken, item], "en").count("Report on round 1") == 1
    assert len(as_sections([broken, item], "en")) == 1
