"""The order form: plantings and deals as in the classic game, and besides

| control | values | meaning |
|---|---|---|
| `first` | HA HB HC, several | sell these fields before all else |
| `sell_S`, `sell_T` | yes | sell this load, before all else |
| `buy_C`, `buy_T`, `buy_X` | yes | buy this, after what is sold |
| `move_S`, `move_T`, `move_X` | empty, S, T | move the whole load of this ship to that one |
| `load_A`, `load_B`, `load_C` | empty, S, T | load this field, before anything is planted |
| `sail_<ship>_<harbour>_<variety>` | empty, 1, 2 … | send the ship there for that variety; 1 is liked best |
| `raid` | empty, bay, aco | where the pirates lie in wait |
| `raid_<variety>` | empty, 1, 2 … | they want this variety only |
| `hold` | yes | own ships that are attacked are not sold |
"""  # noqa: E501  # a table

from collections.abc import Iterator
from typing import Any

from rounds.classic.form import (
    TEXTS,
    Said,
    deal_controls,
    deal_data,
    filled,
    of_wishes,
    offerable,
    plantable,
    put_together,
)
from rounds.classic.notation import KEEP, Plant, write
from rounds.classic.orders import field_work, wishes_of
from rounds.classic.stand_in import stand_in
from rounds.classic.table import CALL, FIELD
from rounds.engine.farm import FIELDS
from rounds.engine.notation import Order, Orders
from rounds.engine.variant import Controls, FormOrders
from rounds.family.fields import letters
from rounds.family.forms import CHOICES, HARVESTS, Sent, one, refuse_strangers
from rounds.family.orders import Harvest
from rounds.isla.check import check
from rounds.isla.notation import ACO, BAY, HOLD, Buy, Load, Move, Voyage
from rounds.isla.orders import read_orders
from rounds.isla.state import State, of_ships, start
from rounds.isla.table import PIRATES, SHIPS, TRADING, Table

ISLAND = (BAY, ACO)
GOODS = ("C", *SHIPS[1:])
"""What may be for sale."""


def read_form(table: Table, seat: str, controls: Sent) -> FormOrders:
    """The order text of a form and the control each order came from. Raises BadForm for what the
    page does not offer.
    """
    refuse_strangers(controls, _offered(table, seat), TEXTS)
    work = [*_field_work(table, seat, controls), *_sea(table, controls)]
    return put_together(table, controls, work, offerable(table, seat))


def _offered(table: Table, seat: str) -> dict[str, tuple[str, ...]]:
    """Every control of the page that is sent once, with its values."""
    found = deal_controls(table, seat)
    if table.phase == CALL:
        return found
    found |= {f"plant_{card}": CHOICES for card in plantable(table, seat)}
    found |= {f"sell_{ship}": ("yes",) for ship in TRADING}
    found |= {f"buy_{what}": ("yes",) for what in table.prices}
    found |= {f"move_{ship}": ("", *TRADING) for ship in SHIPS}
    found |= {f"load_{field}": ("", *TRADING) for field in FIELDS}
    return found | (_island_controls(table) if table.phase == FIELD else {})


def _island_controls(table: Table) -> dict[str, tuple[str, ...]]:
    ranks = ("", *map(str, range(1, len(table.deck.ids) + 1)))
    found = {
        f"sail_{ship}_{harbour}_{variety}": ranks
        for ship in TRADING
        for harbour in ISLAND
        for variety in table.deck.ids
    }
    found |= {f"raid_{variety}": ranks for variety in table.deck.ids}
    return found | {"raid": ("", *ISLAND), "hold": ("yes",)}


def _field_work(table: Table, seat: str, controls: Sent) -> Iterator[Said]:
    """What is sold, bought, moved and loaded, then each card, and before it the harvest that its
    field needs.
    """
    state = start(table, seat)
    for name, order in _before_planting(controls):
        yield name, write(order)
        state = _after(state, order)
    for card in plantable(table, seat):
        field = one(controls, f"plant_{card}")
        if not field:
            continue
        there = state.farm.at(field) if field in letters(state.farm) else None
        needs = there is not None and there.variety != state.variety(card)
        for order in [*([Harvest(field)] if needs else []), Plant(card, field)]:
            yield f"plant_{card}", write(order)
            state = _after(state, order)


def _before_planting(controls: Sent) -> Iterator[tuple[str, Order]]:
    for ship in TRADING:
        if controls.get(f"sell_{ship}"):
            yield f"sell_{ship}", Harvest(ship)
    for word in HARVESTS:
        if word in controls.get("first", ()):
            yield "first", Harvest(word[1])
    for what in GOODS:
        if controls.get(f"buy_{what}"):
            yield f"buy_{what}", Buy(what)
    for ship in (PIRATES, *TRADING):
        if to := one(controls, f"move_{ship}"):
            yield f"move_{ship}", Move(ship, to)
    for field in FIELDS:
        if ship := one(controls, f"load_{field}"):
            yield f"load_{field}", Load(field, ship)


def _sea(table: Table, controls: Sent) -> Iterator[Said]:
    """Voyages, the raid, and whether ships are held."""
    for ship in TRADING:
        for harbour in ISLAND:
            if wanted := _liked(table, controls, f"sail_{ship}_{harbour}"):
                name = f"sail_{ship}_{harbour}_{wanted[0]}"
                yield name, Voyage(ship, harbour, wanted).text
    if harbour := one(controls, "raid"):
        yield "raid", Voyage(PIRATES, harbour, _liked(table, controls, "raid")).text
    if controls.get("hold"):
        yield "hold", HOLD.text


def _liked(table: Table, controls: Sent, name: str) -> tuple[str, ...]:
    """The varieties that have a rank, the best first."""
    ranks = {variety: one(controls, f"{name}_{variety}") for variety in table.deck.ids}
    liked = (variety for variety in table.deck.ids if ranks[variety])
    return tuple(sorted(liked, key=lambda variety: int(ranks[variety])))


def _after(state: State, order: Order) -> State:
    """The state after an order; the same if it is refused, which the page says at its control."""
    checked = check(state, order)
    return checked if isinstance(checked, State) else state


def fill_form(table: Table, seat: str, orders: Orders) -> Controls:
    """The form that says these checked orders: by its choices if they can, else as text."""
    return filled(table, seat, orders, _guess(orders), read_form, read_orders)


def _guess(orders: Orders) -> Controls:
    """The choices that say a list if any do: harvests before the first planting are ticks, others
    come with a planting.
    """
    chosen, first, planting = of_wishes(wishes_of(orders)), list[str](), False
    for order in field_work(orders):
        match order:
            case Plant(card, field):
                chosen[f"plant_{card}"], planting = field or "", True
            case Harvest(field) if field in TRADING:
                chosen[f"sell_{field}"] = "yes"
            case Harvest():
                first += [] if planting else [write(order)]
            case Buy(what):
                chosen[f"buy_{what}"] = "yes"
            case Move(ship, to):
                chosen[f"move_{ship}"] = to
            case Load(field, ship):
                chosen[f"load_{field}"] = ship
            case Voyage(ship, harbour, wanted):
                chosen |= {"raid": harbour} if ship == PIRATES else {}
                name = "raid" if ship == PIRATES else f"sail_{ship}_{harbour}"
                chosen |= {f"{name}_{one}": str(rank) for rank, one in enumerate(wanted, start=1)}
    chosen |= {"hold": "yes"} if HOLD in orders else {}
    chosen |= {"keep": "yes"} if KEEP in orders else {}
    ticks = tuple(sorted(first))
    return Controls(chosen, {"first": ticks} if ticks else {}, passed=not orders)


def planner_data(table: Table, seat: str) -> dict[str, Any]:
    """What a planner plays with: own cards by their names, fields, ships, what is for sale, what
    lies in the harbours.
    """
    absent, sea = fill_form(table, seat, stand_in(table, seat)), of_ships(table, seat)
    return deal_data(table, seat) | {
        "due": [card for card in plantable(table, seat) if card != "h2"],
        "fields": [field and [field.variety, field.cards] for field in table.farms[seat].fields],
        "ships": {ship: load and [load.variety, load.cards] for ship, load in sea["ships"].items()},
        "prices": sea["prices"],
        "lies": sea["lies"],
        "sails": sea["may_sail"],
        "absent": {"chosen": absent.chosen, "ticked": absent.ticked},
    }
