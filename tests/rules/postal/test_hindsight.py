"""The most that could have been made of the rows: equal to trying everything, and legal when
played.
"""

from functools import cache
from random import Random

import pytest

from rounds.engine.farm import Farm, Stack
from rounds.postal import variant as postal
from rounds.postal.hindsight import (
    SeatHindsight,
    best,
    best_gain,
    best_talers,
    hindsight,
    robots_talers,
)
from rounds.postal.orders import read_orders
from rounds.postal.round import adjudicate, play
from rounds.postal.table import Table
from tests.postal_tables import CAST, DECK, new_game, random_game, table

METER = {variety.id: variety.beanometer for variety in DECK.varieties}


EMPTY = ("", 0)


@cache
def earns(bean: str, beans: int) -> int:
    return max(
        (talers for talers, needed in enumerate(METER[bean], start=1) if 0 < needed <= beans),
        default=0,
    )


def by_trying_everything(cards: list[str], farm: Farm) -> int:
    """Every card left or planted, before each any field harvested or plowed, whether that helps
    or not.

    Fields are sorted: it is all one on which of them a bean grows.
    """
    start = sorted((stack.variety, stack.cards) if stack else EMPTY for stack in farm.fields)

    @cache
    def most(index: int, fields: tuple[tuple[str, int], ...], talers: int) -> int:
        found = 0

        def then(after: int, place: int, field: tuple[str, int], gain: int = 0) -> int:
            return most(
                after, tuple(sorted((*fields[:place], field, *fields[place + 1 :]))), talers + gain
            )

        for place, field in enumerate(fields):
            if field != EMPTY:
                gain = earns(*field) or -3
                if talers + gain >= 0:
                    found = max(found, then(index, place, EMPTY, gain))
        if index == len(cards):
            return max(found, talers + sum(earns(*field) for field in fields if field != EMPTY))
        found = max(found, most(index + 1, fields, talers))
        bean = cards[index]
        grown = [place for place, field in enumerate(fields) if field[0] == bean]
        for place in grown or [place for place, field in enumerate(fields) if field == EMPTY]:
            found = max(found, then(index + 1, place, (bean, fields[place][1] + 1)))
        return found

    return most(0, tuple(start), farm.talers)


def small(rng: Random) -> tuple[list[Table], Farm]:
    """Two or three rows of a few cards of a few varieties, and some farm to begin with."""
    beans = rng.sample(sorted(METER), rng.randint(2, 5))
    rows = [
        [f"{rng.choice(beans)}*{rng.choice([1, 1, 1, 2, 3])}" for _ in range(rng.randint(1, 4))]
        for _ in range(rng.randint(1, 3))
    ]
    names = rng.sample(beans, rng.randint(0, min(3, len(beans))))
    fields = [Stack(name, rng.randint(1, 6)) for name in names] + [None] * (3 - len(names))
    return [table(" ".join(row)) for row in rows], Farm(
        (fields[0], fields[1], fields[2]), rng.choice([0, 0, 2, 3, 5])
    )


@pytest.mark.long
@pytest.mark.parametrize("block", range(10))
def test_three_hundred_small_games_equal_brute_force(block: int) -> None:
    for seed in range(block * 30, block * 30 + 30):
        tables, farm = small(Random(seed))
        cards = [stack.variety for at in tables for stack in at.row for _ in range(stack.cards)]
        assert best_talers(tables, farm) == by_trying_everything(cards, farm), seed


@pytest.mark.long
@pytest.mark.parametrize("seed", range(12))
def test_the_printed_orders_replay_legally_to_the_same_total(seed: int) -> None:
    if seed < 6:
        rounds = [before for before, _, _, _ in random_game(seed)]
        farm = Farm()
    else:
        rounds, farm = small(Random(seed))
    total, plan = best(rounds, farm)
    for at, text in zip(rounds, plan, strict=True):
        alone = Table(
            at.deck, at.rules, at.round, at.row, at.discard, at.draw_pile, ("Anna",), (farm,)
        )
        orders = read_orders(alone, "Anna", text)
        assert postal.write_orders(alone, orders) == text
        farm, _ = play(alone, "Anna", orders)
    assert (
        farm.worth(rounds[0].deck)
        == total
        == best_talers(rounds, small(Random(seed))[1] if seed >= 6 else Farm())
    )


def finished(seed: int) -> list[Table]:
    played = random_game(seed)
    return [played[0][0], *(after for _, _, after, _ in played)]


@pytest.mark.parametrize("seed", range(5))
def test_no_seat_beats_the_best_and_no_round_its_row(seed: int) -> None:
    tables = finished(seed)
    found = hindsight(tables)
    end = postal.result(tables[-1])
    assert end is not None
    assert found.robot <= found.best
    for seat, told in found.seats.items():
        assert told.talers == end.talers[seat] <= found.best
        assert len(told.rounds) == len(tables) - 1
        assert all(gained <= possible for possible, gained in told.rounds)
        lost = [possible - gained for possible, gained in told.rounds]
        assert told.lost == max(lost) >= 0
        assert told.worst_round == (lost.index(told.lost) + 1 if told.lost else 0)


def test_what_pays_more_than_keeping_on_is_found() -> None:
    """Five princesses together pay four; two and three of them pay two and three."""
    total, _ = best([table("princess*3"), table("princess*2")], Farm())
    assert total == 5


def test_a_game_that_is_not_over_has_no_hindsight() -> None:
    with pytest.raises(ValueError, match="not over"):
        hindsight([new_game(1, CAST)])


@pytest.mark.parametrize(
    ("row", "farm", "gain"),
    [
        ("", "- - - 0", 0),
        ("mung", "- - - 0", 0),
        ("mung*2", "- - - 0", 1),
        ("mung*5", "- - - 0", 4),
        ("mung*6", "- - - 0", 4),
        ("bush", "bush*2 - - 0", 1),
        ("bush", "bush*3 - - 0", 0),
        # a harvest moves talers from the field to the purse
        ("mung*5", "bush*3 snap*3 snake*4 0", 4),
        ("mung*5", "bush snap snake 3", 1),  # four talers less the fee
        ("mung*5", "bush snap snake 2", 0),
    ],
)
def test_the_most_that_one_row_brings_a_farm_counts_its_fields_at_their_worth(
    row: str, farm: str, gain: int
) -> None:
    assert best_gain(table(row, farm=farm), "Anna") == gain


def test_rounds_without_a_card_are_passed() -> None:
    assert best([table(""), table("mung*2"), table("")], Farm()) == (1, ("pass", "1>A", "pass"))


def test_the_robot_earns_of_the_rows_what_it_can_and_of_none_nothing() -> None:
    rounds = [before for before, _, _, _ in random_game(3)]
    assert 0 <= robots_talers(rounds) <= best_talers(rounds, Farm())
    assert robots_talers([table("", rounds=1)]) == 0
    assert robots_talers([table("mung*5", rounds=1)]) == 4


def test_a_seat_is_told_its_worst_round_and_none_if_it_lost_nothing() -> None:
    at = table("mung*5", pile="bush " * 8, seats=("Anna", "Bert"), rounds=1)
    after, _ = adjudicate(at, {"Anna": read_orders(at, "Anna", "1"), "Bert": ()})
    found = hindsight([at, after])
    assert (found.best, found.plan, found.robot) == (4, ("1>A HA",), 4)
    assert found.seats == {
        "Anna": SeatHindsight(4, 0, 0, ((4, 4),)),
        "Bert": SeatHindsight(0, 1, 4, ((4, 0),)),
    }


def test_of_two_rounds_as_bad_the_first_is_told() -> None:
    first = table("mung*2", pile="magic magic magic snap snap bush broad princess", rounds=2)
    second, _ = adjudicate(first, {"Anna": ()})
    after, _ = adjudicate(second, {"Anna": ()})
    told = hindsight([first, second, after]).seats["Anna"]
    assert (told.rounds, told.lost, told.worst_round) == (((1, 0), (1, 0)), 1, 1)
