"""The statements T1 to T9 that hold in every game, on random games and random lists."""

from itertools import permutations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rounds.engine.farm import FIELDS
from rounds.engine.notation import Refused
from rounds.family.events import Harvested
from rounds.postal.events import Discarded
from rounds.postal.notation import write
from rounds.postal.orders import carry_out, read_orders, write_orders
from rounds.postal.round import adjudicate, planted, play
from rounds.postal.stand_in import stand_in
from rounds.postal.table import Table
from tests.postal_tables import (
    DECK,
    new_game,
    random_game,
    random_order,
    random_orders,
    random_rules,
)
from tests.rules.reference import Illegal, Naive, worth

SEEDS = st.integers(min_value=0, max_value=2**32)


def a_table(seed: int) -> tuple[Random, Table]:
    """A table from the middle of some game."""
    rng = Random(seed)
    at = new_game(seed, ("Anna", "Bert"), **random_rules(rng))
    for _ in range(rng.randrange(at.rules.rounds)):
        at, _ = adjudicate(at, {seat: random_orders(rng, at, seat) for seat in at.seats})
    return rng, at


def naive(at: Table, seat: str) -> Naive:
    farm = at.farm(seat)
    fields = [[stack.variety] * stack.cards if stack else [] for stack in farm.fields]
    return Naive([(stack.variety, stack.cards) for stack in at.row], fields, farm.talers)


def same_farm(model: Naive, at: Table, seat: str, farm: object) -> bool:
    fields = tuple((field[0], len(field)) if field else None for field in model.fields)
    found = tuple((stack.variety, stack.cards) if stack else None for stack in farm.fields)  # type: ignore[attr-defined]
    return (fields, model.purse) == (found, farm.talers)  # type: ignore[attr-defined]


@pytest.mark.long
@pytest.mark.parametrize("part", range(8))
def test_two_thousand_random_games_hold_t1_to_t9(part: int) -> None:
    for seed in range(part * 250, part * 250 + 250):
        out = 0
        for before, lists, after, events in random_game(seed):
            for seat in before.seats:
                assert play(before, seat, lists[seat])[0] == after.farm(seat)  # T2
                check_stand_in(before, seat)  # T8, T9
            check_refusals(Random(seed), before)  # T7
            # T1, after the deal of this round
            assert len(before.draw_pile) == 100 - 8 * before.round
            laid = next(event.cards for event in events if isinstance(event, Discarded))
            used = [
                max(column)
                for column in zip(
                    *(_used(before, seat, lists[seat]) for seat in before.seats), strict=True
                )
            ]
            out += sum(used)
            assert len(laid) == sum(stack.cards for stack in before.row) - sum(used)
            in_play = (
                len(after.draw_pile) + sum(stack.cards for stack in after.row) + len(after.discard)
            )
            assert in_play + out == 100  # T5
            pile = (*reversed(laid), *before.discard)
            if not after.over:
                check_deal(before.draw_pile, pile, after)  # T3
            # T5: below, the pile is unchanged
            assert pile[len(pile) - len(after.discard) :] == after.discard
            varieties = [stack.variety for stack in after.row]
            for position, stack in enumerate(after.row):
                assert stack.cards == 1 or stack.variety not in varieties[:position]  # T4
            assert not after.discard or after.over or after.discard[0] not in varieties  # T4
            for farm in after.farms:
                growing = [stack.variety for stack in farm.fields if stack]
                assert len(set(growing)) == len(growing)  # P22 and T8


def _used(at: Table, seat: str, orders: object) -> list[int]:
    _, events = play(at, seat, orders)  # type: ignore[arg-type]
    return planted(at, events)


@given(SEEDS)
def test_a_farm_does_not_depend_on_the_others(seed: int) -> None:
    rng, at = a_table(seed)
    lists = {seat: random_orders(rng, at, seat) for seat in at.seats}
    together, _ = adjudicate(at, lists)
    for seat in at.seats:
        assert play(at, seat, lists[seat])[0] == together.farm(seat)
    for others in (None, ()):
        changed, _ = adjudicate(at, {**lists, "Bert": others})
        assert changed.farm("Anna") == together.farm("Anna")


def check_deal(cards: tuple[str, ...], discard: tuple[str, ...], after: Table) -> None:
    """T3: comparing after each revealed card gives the same row as comparing after all eight."""
    pile = list(discard)
    stacks: list[list[str]] = []
    for card in cards[:8]:
        stacks.append([card])
        while pile and (places := [i for i, stack in enumerate(stacks) if stack[0] == pile[0]]):
            stacks[places[0]].append(pile.pop(0))
    assert [(stack.variety, stack.cards) for stack in after.row] == [
        (stack[0], len(stack)) for stack in stacks
    ]
    assert after.discard == tuple(pile)


def test_no_variety_pays_for_one_bean() -> None:
    assert [variety.first for variety in DECK.varieties] == [2, 2, 2, 3, 3, 3, 4, 3]
    assert all(variety.talers(1) == 0 for variety in DECK.varieties)


def test_the_beanometers_are_those_of_the_second_engine() -> None:
    for variety in DECK.varieties:
        assert [variety.talers(n) for n in range(20)] == [
            worth([variety.id] * n) for n in range(20)
        ]


@given(SEEDS)
def test_refused_orders_are_as_if_they_were_not_there(seed: int) -> None:
    rng, at = a_table(seed)
    check_refusals(rng, at)


def check_refusals(rng: Random, at: Table) -> None:
    """T7, with a list of orders legal and not, against the second engine."""
    words = [write(random_order(rng, at)) for _ in range(rng.randint(1, 20))]
    model, kept = naive(at, at.seats[0]), []
    for word in words:
        try:
            model.do(word)
            kept.append(word)
        except Illegal:
            pass
    try:
        orders = read_orders(at, at.seats[0], " ".join(words))
    except Refused as error:
        refused = {problem.order for problem in error.problems}
        assert [word for number, word in enumerate(words, start=1) if number not in refused] == kept
        orders = read_orders(at, at.seats[0], " ".join(kept) or "pass")
    else:
        assert kept == words
    assert same_farm(model, at, at.seats[0], play(at, at.seats[0], orders)[0])


@given(SEEDS)
def test_the_stand_in_plays_a_legal_list_by_the_rule(seed: int) -> None:
    _, at = a_table(seed)
    check_stand_in(at, "Anna")


def check_stand_in(at: Table, seat: str) -> None:
    """T8 and T9: a legal list, with the result of the rule as the second engine plays it."""
    orders = stand_in(at, seat)
    assert read_orders(at, seat, write_orders(at, orders)) == orders
    model = naive(at, seat)
    model.nmr(empty=at.rules.nmr_empty, lazy=at.rules.nmr_harvest == "lazy")
    farm, events = play(at, seat, None)
    assert same_farm(model, at, seat, farm)
    assert all(event.talers == 4 for event in events if isinstance(event, Harvested))


@given(SEEDS)
def test_the_canonical_text_says_the_same_orders(seed: int) -> None:
    rng, at = a_table(seed)
    orders = random_orders(rng, at, "Anna") or ()
    text = write_orders(at, orders)
    assert read_orders(at, "Anna", text) == orders
    assert write_orders(at, read_orders(at, "Anna", text)) == text


@given(SEEDS)
def test_fields_are_alike_but_for_their_letters(seed: int) -> None:
    """Renaming the fields renames them in the result and changes no taler."""
    rng, at = a_table(seed)
    text = write_orders(at, random_orders(rng, at, "Anna") or ())
    farm = play(at, "Anna", read_orders(at, "Anna", text))[0]
    swap = rng.choice(list(permutations(range(3))))
    names = str.maketrans("ABC", "".join(FIELDS[swap.index(i)] for i in range(3)))
    renamed = at.farms[0].with_field("A", None)
    fields = tuple(at.farms[0].fields[i] for i in swap)
    renamed = type(renamed)((fields[0], fields[1], fields[2]), at.farms[0].talers)
    other = Table(
        at.deck,
        at.rules,
        at.round,
        at.row,
        at.discard,
        at.draw_pile,
        at.seats,
        (renamed, at.farms[1]),
    )
    plain = "pass" if text == "pass" else text.translate(names)
    turned = carry_out(other, "Anna", read_orders(other, "Anna", plain))
    result = turned[-1][2] if turned else renamed
    assert result.talers == farm.talers
    assert result.fields == tuple(farm.fields[i] for i in swap)
