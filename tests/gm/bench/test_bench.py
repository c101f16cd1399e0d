"""`bench` measures the program itself: what it prints, and when a target holds."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from gm.bench import batch, benches, measure, sending
from gm.bench.batch import run
from gm.bench.fixtures import fall_due, furnish
from gm.bench.measure import Figure, Options
from gm.cli import main
from gm.paths import SEEDS
from rounds.record import read_record
from rounds.variant import names
from tests.steps import bohnenpost


@pytest.mark.parametrize(
    ("line", "ratio", "holds"),
    [
        (Figure("x", 2.0, "us"), None, None),
        (Figure("x", 2.1, "us", limit=2), None, None),
        (Figure("x", 2.0, "us", "y", 2.0), 1.0, None),
        (Figure("x", 3.0, "us", "y", 2.0, 1.5), 1.5, True),
        (Figure("x", 3.0, "us", "y", 1.0, 1.5), 3.0, False),
    ],
)
def test_a_target_is_a_ratio_and_fails_nothing_without_a_yardstick(line: Figure, ratio: float | None, holds: bool | None) -> None:
    assert (line.ratio, line.holds) == (ratio, holds)


@pytest.mark.long
def test_one_line_of_json_for_each_figure_and_an_unknown_name_is_a_wrong_call() -> None:
    lines = [json.loads(line) for line in bohnenpost("bench", "engine", "--json").stdout.splitlines()]
    assert [(line["bench"], line["unit"]) for line in lines] == [("engine", "us")] * 2 * len(names())
    assert all(line["figure"] > 0 and line["against"] is None and "not measured" in line["note"] for line in lines)
    assert "there are: engine, hindsight, close" in bohnenpost("bench", "engien", status=2).output


def test_a_heavy_round_is_measured_in_rounds_of_the_usual_game() -> None:
    (line,) = [json.loads(line) for line in CliRunner().invoke(main, ["bench", "heavy", "--json"]).stdout.splitlines()]
    assert "a heavy round of 7" in line["name"]
    assert (line["limit"], line["ratio"]) == (60, line["figure"] / line["against"])
    record = read_record((SEEDS / line["name"].partition(",")[0] / "heavy.json").read_bytes())
    assert [text and text.count("=") for text in record.rounds[-1].orders.values()] == [100] * 7


@pytest.mark.parametrize(("unit", "loop"), [("us", 5000), ("ms", 5), ("s", 0.005)])
def test_a_time_without_a_target_stands_beside_a_loop_of_fixed_work(
    unit: str, loop: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(measure, "typically", lambda _: measure.Took(5000, 5000))
    line = measure.beside_loop("x", 1, unit)
    assert (line.yardstick, line.holds) == ("a loop of fixed work", None)
    assert line.against == pytest.approx(loop)


@pytest.mark.long
def test_what_others_took_is_a_yardstick_once_it_was_measured(tmp_path: Path) -> None:
    file = tmp_path / "peers.json"
    file.write_text('{"peer": "diplomacy", "what": "a phase", "us": 1e9}\n{"peer": "boardgame.io", "us": 0.001}\n')
    asked = ("bench", "engine", "--json", "--seats", "5", "--peers", str(file))
    first, second = [json.loads(line) for line in bohnenpost(*asked, status=1).stdout.splitlines()][-2:]
    assert (first["against"], first["holds"], second["holds"]) == (1e9, True, False)
    file.write_text('{"peer": "diplomacy"}')
    assert "--peers: Object missing required field `us`" in bohnenpost(*asked, status=2).output


@pytest.mark.long
def test_a_batch_is_closed_and_written_by_two_processes_once(tmp_path: Path) -> None:
    house = furnish(tmp_path, 20, 3)
    now = fall_due(house)
    for part in ("close", "write"):
        took = run(part, house, now, 20, processes=2)
        assert took.a_game > 0
    with house.connection() as db:
        assert db.execute("SELECT count(*) FROM round WHERE number = 1").fetchone() == (20,)
        written = "SELECT count(*), count(written_at) FROM mail WHERE kind = 'report'"
        assert db.execute(written).fetchone() == (60, 60)
        lists = db.execute("SELECT orders FROM round WHERE number = 1 LIMIT 1").fetchone()[0]
    assert None not in json.loads(lists).values()


@pytest.mark.long
@pytest.mark.parametrize("name", ["close", "write", "storage", "send"])
def test_each_figure_is_something(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch, "SAMPLE", 10)
    monkeypatch.setattr(sending, "GAMES", 5)
    for line in benches()[name](Options(10, 2)):
        assert line.figure > 0
        assert line.against
