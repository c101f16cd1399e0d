"""Each benchmark measures something, and a heavy round is not much heavier than any other."""

from pathlib import Path

import pytest

from benchmarks import batch, deadlines, desk, page, rules, start
from benchmarks.__main__ import line
from benchmarks.fixtures import fall_due, furnish
from benchmarks.measure import Figure
from gm import store
from gm.paths import SEEDS
from gm.service import close_due
from rounds.engine.record import read_record
from rounds.engine.variant import find, names


def test_a_line_has_the_figure_its_yardstick_and_their_ratio() -> None:
    assert (
        " ".join(line(Figure("a page", 3.0, "ms", "bare Flask", 1.5)).split())
        == "a page 3 ms 2.00 of bare Flask, 1.5"
    )
    assert " ".join(line(Figure("a page", 3.0, "ms")).split()) == "a page 3 ms"


@pytest.mark.everything
@pytest.mark.long
def test_a_heavy_round_takes_sixty_usual_ones_at_most() -> None:
    (heavy,) = rules.heavy()
    assert heavy.against is not None
    assert heavy.figure / heavy.against < 60
    record = read_record((SEEDS / heavy.name.partition(",")[0] / "heavy.json").read_bytes())
    assert [text and text.count("=") for text in record.rounds[-1].orders.values()] == [100] * 7


@pytest.mark.everything
@pytest.mark.long
def test_everything_measured_is_something(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch, "OTHERS", 2)
    monkeypatch.setattr(page, "ALONE", 5)
    monkeypatch.setattr(page, "GAMES", 2)
    monkeypatch.setattr(desk, "MANY", 2)
    monkeypatch.setattr(desk, "FEW", 1)
    monkeypatch.setattr(deadlines, "EVENING", 2)
    monkeypatch.setattr(deadlines, "AT_ONCE", 2)
    monkeypatch.setattr(deadlines, "AHEAD_SECONDS", 8)
    figures = [*batch.growing(10), *page.alone(), *start.start(), *rules.robots(5)]
    figures += [*rules.standing(), *deadlines.late()]
    games = [find(name) for name in names()]
    steps = sum(max(0, len(game.strengths) - 1) for game in games)
    standing = sum(bool(game.based_on) for game in games)
    assert len(figures) == 5 + 2 + 2 + (2 + steps) + standing + 5
    assert all(figure.figure > 0 for figure in figures if figure.unit != "games")


def test_a_house_is_furnished_with_lists_of_everybody(tmp_path: Path) -> None:
    installation = furnish(tmp_path, 2, 3)
    with installation.connection() as db:
        assert close_due(db, installation.config, fall_due(installation, 1))
        assert not close_due(db, installation.config, fall_due(installation, 0))
        (closed,) = store.rounds.closed(db, "game-0", [1])
    assert None not in closed.lists.values()
