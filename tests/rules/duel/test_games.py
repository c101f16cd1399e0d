"""Whole recorded games: each ends as it is written, in the naive engine too, and is printed with
the keys of the rules alone.
"""

import tomllib

import pytest

from gm.paths import SEEDS
from rounds.duel import variant
from rounds.engine.record import Record, read_record, replay, replay_document
from tests.rules.duel.naive import Duel
from tests.rules.duel.random_games import same
from tests.rules.duel.tables import DECK

GAMES = SEEDS / "duel" / "games"
RESULTS = tomllib.loads((GAMES / "results.toml").read_text(encoding="utf-8"))
KEYS = {
    "orders",
    "turn",
    "phase",
    "seat",
    "offer",
    "discard",
    "draw_pile",
    "row",
    "farms",
    "left",
    "hands",
    "drawn",
}


def record(name: str) -> Record:
    return read_record((GAMES / f"{name}.json").read_bytes())


def test_there_are_ten_and_each_has_its_result() -> None:
    assert {file.stem for file in GAMES.glob("*.json")} == set(RESULTS)
    assert len(RESULTS) == 10


@pytest.mark.parametrize("name", RESULTS)
def test_a_recorded_game_ends_as_it_is_written(name: str) -> None:
    game = record(name)
    document = replay_document(game, replay(game, variant, DECK), variant)
    assert document["result"] == {
        "talers": RESULTS[name]["talers"],
        "ranks": RESULTS[name]["ranks"],
    }
    assert len(document["rounds"]) == RESULTS[name]["rounds"]
    for line in document["rounds"]:
        assert set(line) == KEYS
        seat = line["seat"]
        assert set(line["farms"][seat]) == {"fields", "talers", "orders", "absent"}
        assert all(
            set(farm) == {"fields", "talers"} for one, farm in line["farms"].items() if one != seat
        )
        assert (line["left"] is None) == (line["drawn"] is None)
        assert set(line["hands"]) == set(game.seats)
        assert isinstance(line["draw_pile"], int)


@pytest.mark.parametrize("name", RESULTS)
def test_the_naive_engine_plays_the_same_from_the_carried_out_orders(name: str) -> None:
    game = record(name)
    rounds = replay(game, variant, DECK).rounds
    rules = rounds[0].before.rules
    naive = Duel(
        list(game.deck or ()),
        game.seats,  # type: ignore[arg-type]
        {key: getattr(rules, key) for key in rules.__struct_fields__},
    )
    for sent, played in zip(game.rounds, rounds, strict=True):
        (text,) = sent.orders.values()
        canonical = text and variant.write_orders(
            played.before, variant.read_orders(played.before, played.before.active, text)
        )
        naive.play(canonical)
        same(played.after, naive)
    assert " ".join(rounds[-1].after.discard) == RESULTS[name]["discard"]
