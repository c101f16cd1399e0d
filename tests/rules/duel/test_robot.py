"""Robots: always legal, stronger than the stand-in, and each stronger than the one before."""

from importlib import import_module
from random import Random

import pytest

from rounds.duel import variant
from rounds.duel.table import HouseRules, begin
from tests.rules.duel.tables import DECK, table

robots = import_module("rounds.duel.robot")
SEATS = ("Anna", "Bert")
GAMES = 24


def wins(one: int, other: int) -> float:
    """The share of games that Anna's robot wins; strength 0 is the stand-in. Both begin equally
    often.
    """
    won = 0
    for seed in range(GAMES):
        order = Random(seed).sample(range(DECK.size), DECK.size)
        rules = HouseRules(
            start=2 if seed % 2 else 1,
            three_fields=seed % 5 == 4,
            discard="either" if seed % 3 else "after",
        )
        found = begin(DECK, rules, SEATS, tuple(DECK.base_order()[place] for place in order))
        while not found.over:
            seat = found.active
            strength = one if seat == "Anna" else other
            orders = None
            if strength:
                orders = variant.read_orders(
                    found, seat, robots.robot(variant.view(found, seat), strength)
                )
            found, _ = variant.adjudicate(found, {seat: orders}, lambda label, size: ())
        end = variant.result(found)
        assert end is not None
        won += end.ranks == {"Anna": 1, "Bert": 2}
    return won / GAMES


@pytest.mark.long
@pytest.mark.parametrize(
    ("one", "other", "least"), [(1, 0, 0.85), (3, 0, 0.85), (2, 1, 0.55), (3, 2, 0.55)]
)
def test_each_is_stronger_than_the_one_before(one: int, other: int, least: float) -> None:
    assert wins(one, other) >= least


def test_the_strongest_is_the_one_that_plays() -> None:
    seen = variant.view(
        table("soy red eyed green", "blue*4 wax", offer="blue soy", talers=5), "Anna"
    )
    assert variant.robot(seen) == robots.robot(seen, max(robots.STRENGTHS))
    assert list(variant.strengths) == ["weak", "medium", "strong"]
    said = [robot(seen) for robot in variant.strengths.values()]
    assert said == [robots.robot(seen, strength) for strength in robots.STRENGTHS]


def test_an_empty_hand_and_nothing_to_plant_is_a_pass() -> None:
    seen = variant.view(table("", "blue*4 wax*3"), "Anna")
    assert [robots.robot(seen, strength) for strength in robots.STRENGTHS] == ["pass"] * 3


def test_what_grows_is_planted_where_it_pays() -> None:
    seen = variant.view(table("", "wax soy*3", row="soy"), "Anna")
    assert {robots.robot(seen, strength) for strength in robots.STRENGTHS} == {"soy>B!"}
