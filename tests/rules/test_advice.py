"""A refusal says what would work at this point, and only that; whoever follows it is not refused
again.
"""

from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from gm.rendering.sentences import sentence
from rounds.engine.notation import Order
from rounds.family.orders import Harvest
from rounds.postal.notation import Plant, Plow, Problem
from rounds.postal.orders import Progress, check
from rounds.postal.round import adjudicate
from rounds.postal.table import Table
from tests.postal_tables import new_game, random_order, random_orders, table

ROW = "bush magic climbing mung snap snake broad princess"


def refused(at: Table, order: Order) -> Problem:
    found = check(at, "Anna", Progress(at.farms[0]), order)
    assert isinstance(found, Problem)
    return found


@pytest.mark.parametrize(
    ("farm", "order", "code", "says"),
    [
        (
            "snap*3 snake broad 0",
            Plant(1, None, "A"),
            "OCCUPIED",
            "Snap beans grow on field A here. Harvest it first.",
        ),
        (
            "snap snake broad 3",
            Plant(1, None, "A"),
            "OCCUPIED",
            "Snap beans grow on field A here. Plow it first.",
        ),
        (
            "snap snake - 2",
            Plant(1, None, "A"),
            "OCCUPIED",
            "Snap beans grow on field A here. Another field is free.",
        ),
        (
            "snap snake broad 2",
            Plant(1, None, "A"),
            "OCCUPIED",
            "Snap beans grow on field A here. It can be neither harvested nor plowed now: leave the card.",
        ),
        (
            "snap snake*4 broad 0",
            Plant(1),
            "NO_FIELD",
            "No field is free for Bush beans. Harvest field B first.",
        ),
        (
            "snap snake broad 3",
            Plant(1),
            "NO_FIELD",
            "No field is free for Bush beans. Plow one first.",
        ),
        (
            "snap snake broad 0",
            Plant(1),
            "NO_FIELD",
            "No field is free for Bush beans. None can be harvested or plowed now: leave this card.",
        ),
        (
            "snap - - 3",
            Harvest("A"),
            "HARVEST_ZERO",
            "Field A is not worth a taler yet at this point: 1 of 3 Snap beans. You can plow it.",
        ),
        (
            "snap - - 0",
            Harvest("A"),
            "HARVEST_ZERO",
            "Field A is not worth a taler yet at this point: 1 of 3 Snap beans. "
            "It can be neither harvested nor plowed now: leave the card.",
        ),
        (
            "snap - - 2",
            Plow("A"),
            "TALERS",
            "Plowing field A costs 3 talers, you have 2 here. It can be neither harvested nor plowed now: leave the card.",
        ),
    ],
)
def test_the_advice_fits_the_farm(farm: str, order: Order, code: str, says: str) -> None:
    problem = refused(table(ROW, farm=farm), order)
    assert problem.code == code
    assert sentence("en", problem) == says


def follow(at: Table, order: Any, problem: Problem) -> list[Order]:
    """The orders that a piece of advice comes to."""
    if problem.advice == "other":
        return [replace(order, field=at.farms[0].first_empty())]
    if problem.advice == "harvest":
        return [Harvest(problem.field or "A"), order]
    if problem.code == "HARVEST_ZERO":
        return [Plow(order.field)]
    return [Plow(problem.field or "A"), order]


def test_whoever_follows_the_advice_is_not_refused_again() -> None:
    rng, seen = Random(26), set()
    for _ in range(150):
        at = new_game(rng.randrange(10**9), ("Anna", "Bert"))
        for _ in range(rng.randrange(9)):
            at, _ = adjudicate(at, {seat: random_orders(rng, at, seat) for seat in at.seats})
        for _ in range(20):
            order, progress = random_order(rng, at), Progress(at.farms[0])
            problem = check(at, "Anna", progress, order)
            if not isinstance(problem, Problem) or problem.advice is None:
                continue
            seen.add((problem.code, problem.advice))
            if problem.advice == "leave":
                fields = ("A", "B", "C") if problem.code == "NO_FIELD" else (problem.field,)
                tried = [
                    check(at, "Anna", progress, clear(f or ""))
                    for f in fields
                    for clear in (Harvest, Plow)
                ]
                assert all(isinstance(found, Problem) for found in tried)
                continue
            for step in follow(at, order, problem):
                done = check(at, "Anna", progress, step)
                assert not isinstance(done, Problem), (order, problem)
                progress = done[1]
    assert {advice for _, advice in seen} == {"harvest", "plow", "other", "leave"}
    assert {code for code, _ in seen} == {"OCCUPIED", "NO_FIELD", "HARVEST_ZERO", "TALERS"}
