"""What always holds (docs/rules/mutabohn.md, part 2), in random games for three to seven."""

import os
from collections import Counter
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from gm import seeds
from rounds.classic.notation import Plant, write
from rounds.engine.notation import Order
from rounds.family.orders import Harvest
from rounds.mutabohn import variant
from rounds.mutabohn.bonus import PILE, fits
from rounds.mutabohn.check import check
from rounds.mutabohn.events import Cashed, Fed, Planted, Swapped
from rounds.mutabohn.notation import Feed, Swap
from rounds.mutabohn.state import State, start
from rounds.mutabohn.table import HouseRules, Table, chain
from tests.faster import few_first
from tests.rules.mutabohn.naive import Farm, Work
from tests.rules.played import CAST, chance

GAMES = 60 if os.environ.get("BOHNENPOST_SOAK") else 2
"""For each number of players."""


def some_list(table: Table, seat: str, random: Random) -> str | None:
    """A list: of a robot, of chance, or none."""
    kind = random.random()
    if kind < 0.1:
        return None
    robots = [*variant.robots.values()]
    if kind < 0.6:
        return random.choice([*robots, variant.robot])(variant.view(table, seat))
    state, work = start(table, seat), list[Order]()
    state = tried(state, work, Swap(random.choice([(1,), (2,), (1, 2), (2, 1)])), random)
    lying = random.sample(state.still_lying, len(state.still_lying))
    hand = [f"h{number}" for number in range(1, random.choice((3, 4)))] if state.plants_hand else []
    for card in [*lying, *hand] if table.phase != "call" else []:
        if random.random() < 0.2:
            state = tried(state, work, Harvest(random.choice("AB")), random, 1)
        for field in random.sample("AB", 2):
            for order in (Plant(card, field), Harvest(field)):
                state = tried(state, work, order, random, 1)
            state = tried(state, work, Plant(card, field), random, 1)
    if table.phase == "field":
        state = tried(state, work, Feed(random.choice(("A", "B", "AB", "BA"))), random, 1)
    deals = [deal for deal in robots[-1](variant.view(table, seat)).split() if "=" in deal]
    planted = set(state.planted)
    deals = [deal for deal in deals if deal.split("=")[0] not in planted]
    text = " ".join([*map(write, work), *deals[:10]])
    return text or ("pass" if not state.due else None)


def tried(
    state: State, work: list[Order], order: Order, random: Random, likely: float = 0.3
) -> State:
    """The state after an order, if it is allowed and chance wants it."""
    if random.random() > likely or state.is_call:
        return state
    checked = check(state, order)
    if not isinstance(checked, State):
        return state
    work.append(order)
    return checked


def field_work_again(
    table: Table, lists: dict[str, str], events: tuple[Any, ...], after: Table
) -> None:
    """A second program comes to the same fields, coins, bonus cards and codes."""
    deck = table.deck
    work = Work(
        {v.id: v.cards for v in deck.varieties},
        {v.id: v.beanometer for v in deck.varieties},
        {card.id: card.value for card in deck.piles[PILE]},
    )
    work.pile = [table.bonus_cards[place] for place in table.bonus_pile]
    farms = {}
    for seat in table.round_order:
        fields = [list(field.planted) if field else [] for field in table.farms[seat].fields]
        farms[seat] = Farm(fields, list(table.coins[seat]), list(table.codes(seat)))
        work.play(farms[seat], lists[seat], list(table.hand(seat)), list(table.lying[seat]))
    fed = {event.seat for event in events if isinstance(event, Fed)}
    assert work.pile == [after.bonus_cards[place] for place in after.bonus_pile]
    for seat, farm in farms.items():
        assert farm.held == list(after.codes(seat))
        assert farm.cashed == [
            (event.code, event.field)
            for event in events
            if isinstance(event, Cashed) and event.seat == seat
        ]
        if seat not in fed:
            assert tuple(farm.coins) == after.coins[seat]
            found = [list(field.planted) if field else [] for field in after.farms[seat].fields]
            assert farm.fields == found


def check_table(table: Table) -> None:
    """T10 to T12, and every card of the deck once."""
    bonus = Counter(table.bonus_cards[place] for place in table.bonus_pile)
    varieties = chain(table.deck)
    cards = Counter(table.draw_pile) + Counter(table.discard)
    for seat in table.seats:
        bonus.update(code for code in table.codes(seat) if code)
        bonus.update(code for code, _ in table.cashed[seat])
        cards += Counter((*table.hand(seat), *table.lying[seat], *table.coins[seat]))
        cards += Counter((*table.received.get(seat, ()), *filter(None, table.open.get(seat, ()))))
        assert len(table.coins[seat]) == table.farms[seat].talers
        for field in filter(None, table.farms[seat].fields):
            cards.update(field.planted)
            places = [varieties.index(run.variety) for run in field.runs]
            assert places == [*range(places[0], places[0] + len(places))]
            assert not any(code and fits(code, field.runs) for code in table.codes(seat))
    assert bonus == Counter(table.deck.pile(PILE))
    assert cards == Counter(table.deck.base_order())


def check_view(table: Table, random: Random) -> None:
    """T14: two bonus cards that a seat does not see exchanged, and its view stays as it is."""
    seat = random.choice(table.seats)
    hidden = [*table.bonus_pile]
    hidden += [
        n for other in table.seats if other != seat for n in table.held[other] if n is not None
    ]
    if len(hidden) > 1:
        one, other = random.sample(hidden, 2)
        cards = list(table.bonus_cards)
        cards[one], cards[other] = cards[other], cards[one]
        changed = replace(table, bonus_cards=tuple(cards))
        assert variant.view(changed, seat) == variant.view(table, seat)
        assert variant.storage.pack(changed) == variant.storage.pack(table)


@pytest.mark.long
@pytest.mark.parametrize("players", few_first([3, 7, 4, 5, 6], 2))
def test_what_always_holds(players: int) -> None:
    kinds = Counter[type]()
    for seed in range(GAMES):
        random, draw = Random(f"{players} {seed}"), chance((players, seed))
        rules = HouseRules(
            turns="single" if seed % 2 else "together", calls=random.choice((1, 2)), most_turns=20
        )
        deck = variant.deck_for(seeds.deck("mutabohn"), players)
        table, _ = variant.set_up(deck, rules, CAST[:players], draw)
        while not variant.is_over(table):
            check_table(table)
            texts = {seat: some_list(table, seat, random) for seat in table.seats}
            read = {
                seat: None if text is None else variant.read_orders(table, seat, text)
                for seat, text in texts.items()
            }
            after, events = variant.adjudicate(table, read, draw)
            played = {
                seat: variant.write_orders(
                    table, orders if orders is not None else variant.stand_in(table, seat)
                )
                for seat, orders in read.items()
            }
            field_work_again(table, played, events, after)
            check_view(table, random)
            kinds += Counter(type(event) for event in events)
            table = after
        check_table(table)
        assert rules.turns == "single" or not any(table.fines.values())  # T13
    assert min(kinds[Planted], kinds[Cashed], kinds[Swapped]) > 0
    assert not kinds[Fed] or players < 5
