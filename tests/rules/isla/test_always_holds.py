"""What always holds (docs/rules/isla.md, part 2), in random games for three to seven."""

import os
from collections import Counter
from random import Random
from typing import Any

import pytest

from gm import seeds
from rounds.classic.notation import Plant, write
from rounds.engine.farm import FIELDS
from rounds.engine.notation import Order
from rounds.family.orders import Harvest
from rounds.isla import variant
from rounds.isla.check import check
from rounds.isla.events import Loaded, Moved, Raided, Sold, Visited
from rounds.isla.notation import HOLD, Buy, Load, Move, Voyage
from rounds.isla.sea import MOST_PREY, OF_HELD
from rounds.isla.state import State, start
from rounds.isla.table import ROW, SHIPS, TRADING, HouseRules, Table
from tests.faster import few_first
from tests.rules.isla.naive import Island, Place
from tests.rules.played import CAST, chance

GAMES = 60 if os.environ.get("BOHNENPOST_SOAK") else 4
"""For each number of players."""
ANYWHERE = [
    *(Load(field, ship) for field in FIELDS for ship in TRADING),
    *(Move(ship, to, cards) for ship in SHIPS for to in TRADING for cards in (None, 1, 2)),
    *(Harvest(letter) for letter in (*FIELDS, *TRADING)),
    *map(Buy, "CTX"),
]


def some_list(table: Table, seat: str, random: Random) -> str | None:
    """A list: of a robot, of chance, or none."""
    kind = random.random()
    if kind < 0.1:
        return None
    robots = [*variant.robots.values()]
    if kind < 0.5:
        return random.choice([*robots, variant.robot])(variant.view(table, seat))
    state, work = start(table, seat), list[Order]()
    due = [*random.sample(state.still_lying, len(state.still_lying)), *state.due_of_hand]
    for card in due:
        for order in random.sample(ANYWHERE, 6):
            state = tried(state, work, order, random)
        for field in random.sample(FIELDS, 3):
            for order in (Plant(card, field), Harvest(field), Plant(card, field)):
                state = tried(state, work, order, random, 1)
    if state.due:
        return None
    for ship in random.sample(SHIPS, 3):
        beans = random.sample(table.deck.ids, 2)
        harbour, lies = random.choice([*state.lies.items()])
        wanted = tuple(bean for bean in (*beans, *lies) if bean in lies)[: random.choice((1, 2))]
        state = tried(state, work, Voyage(ship, harbour, wanted), random, 0.8)
        state = tried(state, work, Voyage(ship, harbour), random, 0.8)
    state = tried(state, work, HOLD, random)
    deals = [deal for deal in robots[-1](variant.view(table, seat)).split() if "=" in deal]
    deals = [deal for deal in deals if deal.split("=")[0] not in state.planted]
    return " ".join([*map(write, work), *deals[:10]]) or "pass"


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


def worked_out_again(
    table: Table, lists: dict[str, str], events: tuple[Any, ...], after: Table
) -> None:
    """A second program comes to the same fields, ships, coins and piles."""
    meters = {variety.id: variety.beanometer for variety in table.deck.varieties}
    island = Island(meters, table.prices, list(table.bay), list(table.discard))
    seats = {}
    for name in table.round_order:
        fields = zip(FIELDS, table.farms[name].fields, strict=False)
        stacks = {**dict(fields), **table.ships[name]}
        cards = {one: [held.variety] * held.cards if held else [] for one, held in stacks.items()}
        seats[name] = Place(cards, list(table.coins[name]))
        seats[name].away = dict(table.away[name])
        island.play(seats[name], lists[name], list(table.hand(name)), list(table.lying[name]))
    island.sail(seats)
    assert island.told == [told(event) for event in events if isinstance(event, Visited | Raided)]
    for name, seat in seats.items():
        assert tuple(seat.coins) == after.coins[name]
        for place, held in {
            **dict(zip(FIELDS, after.farms[name].fields, strict=False)),
            **after.ships[name],
        }.items():
            assert seat.cards[place] == ([held.variety] * held.cards if held else [])
        if after.phase == "call":  # no turn has ended
            assert seat.away == after.away[name]
    if after.phase == "call":
        assert (Counter(island.pile), tuple(island.bay)) == (Counter(after.discard), after.bay)
    assert after.bay[: len(island.bay)] == tuple(island.bay)


def told(event: Any) -> tuple[Any, ...]:
    if isinstance(event, Visited):
        return event.seat, event.ship, event.harbour, event.variety, event.cards
    return event.seat, event.harbour, event.victim, event.ship, event.cards, event.talers


def check_table(table: Table) -> None:
    """T1, T10 and T11: every card of the deck once, Bohnbay has its cards, ships are at home."""
    cards = Counter((*table.draw_pile, *table.discard, *table.bay))
    for seat in table.seats:
        cards += Counter((*table.hand(seat), *table.lying[seat], *table.coins[seat]))
        cards += Counter((*table.received.get(seat, ()), *filter(None, table.open.get(seat, ()))))
        for held in filter(None, (*table.farms[seat].fields, *table.ships[seat].values())):
            cards[held.variety] += held.cards
        assert len(table.coins[seat]) == table.farms[seat].talers
        begins = table.phase != "call" and seat in table.active
        assert not begins or not table.away[seat]
    assert cards == Counter(table.deck.base_order())
    assert len(table.bay) <= ROW


def check_raids(events: tuple[Any, ...], lists: dict[str, str]) -> None:
    """T12 and T13."""
    raids = [event for event in events if isinstance(event, Raided) and event.victim]
    attacked = [(raid.victim, raid.ship) for raid in raids]
    assert len(set(attacked)) == len(attacked)
    for raid in raids:
        assert raid.victim != raid.seat
        is_held = "hold" in lists[raid.victim].split()
        assert raid.cards <= MOST_PREY
        assert not (is_held and raid.talers)
        if is_held and not raid.talers and raid.cards != OF_HELD:
            assert raid.cards == min(MOST_PREY, raid.beans)


@pytest.mark.long
@pytest.mark.parametrize("players", few_first([3, 7, 4, 5, 6], 2))
def test_what_always_holds(players: int) -> None:
    kinds = Counter[type]()
    for seed in range(GAMES):
        random, draw = Random(f"{players} {seed}"), chance((players, seed))
        rules = HouseRules(
            turns="single" if seed % 2 else "together",
            calls=random.choice((1, 2)),
            pirates="off" if seed % 4 == 2 else "on",
        )
        deck = variant.deck_for(seeds.deck("isla"), players)
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
                    table, variant.stand_in(table, seat) if orders is None else orders
                )
                for seat, orders in read.items()
            }
            worked_out_again(table, played, events, after)
            check_raids(events, played)
            assert rules.pirates == "on" or not any("X" in of for of in after.ships.values())
            kinds += Counter(type(event) for event in events)
            table = after
        check_table(table)
    assert min(kinds[kind] for kind in (Loaded, Sold, Visited)) > 0
    assert kinds[Raided] > 0 or players > 4
    assert kinds[Moved] > 0 or players > 3
