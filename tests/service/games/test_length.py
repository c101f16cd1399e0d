"""How long a game takes: known beforehand, or as games of robots were on average."""

from datetime import date, time
from typing import Any

import pytest
from msgspec.structs import replace

from gm import clock, seeds
from gm.calendar import Rule
from gm.paths import of_game
from gm.rendering.sentences import environment
from gm.store.games import Game
from gm.timetable.length import Length, length, length_of
from rounds.engine.variant import ANY_NUMBER, find, names

WEEK = 7 * 24 * 3600
SUNDAYS = Rule((6,), time(20), "Europe/Berlin", 2, date(2026, 11, 16))


@pytest.mark.parametrize("variant", names())
def test_the_length_of_every_game_is_known(variant: str) -> None:
    engine = find(variant)
    table = set() if engine.seats == ANY_NUMBER else set(engine.seats)
    if engine.length(engine.house_rules()) is None:
        means = seeds.load(of_game("seeds", variant) / "length.toml")
        assert {int(number) for number in means} == table
    found = length(variant, "{}", SUNDAYS, None, (max(table, default=5),) * 2, clock.now())
    assert found is not None
    assert found.rounds > 1


def test_ten_rounds_of_a_fortnight_take_about_four_months(frozen_time: Any) -> None:
    found = length("postal", "{}", SUNDAYS, None, (5, 5), clock.now())
    assert found is not None
    assert found == Length(10, None, True, found.seconds, False)
    assert 18 * WEEK < (found.seconds or 0) <= 20 * WEEK
    assert _said(found, "en") == "10 rounds, about 4 months"
    assert _said(found, "de") == "10 Runden, etwa 4 Monate"


@pytest.mark.parametrize(
    ("rule", "early", "words"),
    [
        (Rule((), time(20), "UTC", 1, date(2026, 11, 16), hours=1), 0, "at most 10 hours"),
        (Rule((), time(20), "UTC", 1, date(2026, 11, 16), hours=24), None, "about 10 days"),
        (Rule((), time(20), "UTC", 1, date(2026, 11, 16)), None, ""),
    ],
)
def test_words_for_how_long_a_game_lasts(rule: Rule, early: int | None, words: str) -> None:
    said = _said(length("postal", '{"rounds": 10}', rule, early, (5, 5), clock.now()), "en")
    assert said == ", ".join(filter(None, ["10 rounds", words]))


def test_people_count_turns_where_a_game_has_them() -> None:
    duel = length("duel", "{}", SUNDAYS, None, (2, 2), clock.now())
    assert duel is not None
    assert (duel.turns, duel.is_fixed) == (27, True)
    assert _said(duel, "en").startswith("27 turns, at most")
    four = _said(length("classic", "{}", SUNDAYS, None, (4, 4), clock.now()), "en")
    assert four.startswith("about 11 turns, about ")
    seven = _said(length("classic", "{}", SUNDAYS, None, (2, 7), clock.now()), "en")
    assert seven.startswith("about 5 to 14 turns, at most ")
    assert length("classic", '{"calls": 1}', SUNDAYS, None, (4, 4), clock.now()) is None


def test_the_length_of_a_game_stays_while_it_is_played(ackerwinde: Game, frozen_time: Any) -> None:
    first = length_of(ackerwinde, 3, clock.now())
    assert first is not None
    assert first.rounds == 10
    frozen_time.shift(3 * WEEK)
    assert length_of(ackerwinde, 3, clock.now()) == first
    assert length_of(replace(ackerwinde, aborted=1, status="finished"), 3, clock.now()) is None
    assert length_of(replace(ackerwinde, house_rules="{"), 3, clock.now()) is None


def _said(found: Length | None, language: str) -> str:
    said: str = environment(language).filters["lasts"](found)
    return said
