"""The order form: plantings and deals as in the classic game, and besides

| control | values | meaning |
|---|---|---|
| `field_A`, `field_B`, `field_C` | empty, HA, S, T | sell this field, or load it on that ship, before anything is planted |
| `ship_S`, `ship_T`, `ship_X` | empty, HS, S, T | sell this load, or move all of it to that ship |
| `buy_C`, `buy_T`, `buy_X` | yes | buy this, after what is sold |
| `sail_S`, `sail_T` | empty, bay:soy … | send the ship there for this variety |
| `else_S`, `else_T` | empty, soy … | what it takes there if that is gone |
| `raid` | empty, bay, aco | where the pirates lie in wait |
| `only` | empty, soy … | they want this variety only |
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
from rounds.family.forms import CHOICES, Sent, one, refuse_strangers
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
    work = [*_field_work(table, seat, controls), *_sea(controls)]
    return put_together(table, controls, work, offerable(table, seat))


def _offered(table: Table, seat: str) -> dict[str, tuple[str, ...]]:
    """Every control of the page that is sent once, with its values."""
    found = deal_controls(table, seat)
    if table.phase == CALL:
        return found
    found |= {f"plant_{card}": CHOICES for card in plantable(table, seat)}
    found |= {f"field_{field}": ("", f"H{field}", *TRADING) for field in FIELDS}
    found |= {f"ship_{ship}": ("", f"H{ship}", *TRADING) for ship in SHIPS}
    found |= {f"buy_{what}": ("yes",) for what in table.prices}
    if table.phase != FIELD:
        return found
    varieties = ("", *table.deck.ids)
    goals = ("", *(f"{harbour}:{bean}" for harbour in ISLAND for bean in table.deck.ids))
    for ship in TRADING:
        found |= {f"sail_{ship}": goals, f"else_{ship}": varieties}
    return found | {"raid": ("", *ISLAND), "only": varieties, "hold": ("yes",)}


def _field_work(table: Table, seat: str, controls: Sent) -> Iterator[Said]:
    """What is sold, bought, moved and loaded, then each card, and before it the harvest that its
    field needs.
    """
    state = start(table, seat)
    for name, order in _before_planting(table, seat, controls):
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


def _before_planting(table: Table, seat: str, controls: Sent) -> Iterator[tuple[str, Order]]:
    fields = dict(zip(FIELDS, table.farms[seat].fields, strict=False))
    choices = {
        name: value
        for name in (*(f"field_{field}" for field in FIELDS), *(f"ship_{ship}" for ship in SHIPS))
        if (value := one(controls, name))
    }
    sales = [(name, value[1]) for name, value in choices.items() if value[0] == "H"]
    for name, letter in sorted(  # a single bean after those that have more
        sales, key=lambda sale: -(grown.cards if (grown := fields.get(sale[1])) else 0)
    ):
        yield name, Harvest(letter)
    for what in GOODS:
        if controls.get(f"buy_{what}"):
            yield f"buy_{what}", Buy(what)
    for name, value in reversed(choices.items()):  # what pirates took, ships, then fields
        if value[0] != "H":
            kind, _, letter = name.partition("_")
            yield name, Move(letter, value) if kind == "ship" else Load(letter, value)


def _sea(controls: Sent) -> Iterator[Said]:
    """Voyages, the raid, and whether ships are held."""
    for ship in TRADING:
        harbour, _, bean = one(controls, f"sail_{ship}").partition(":")
        if harbour:
            other = one(controls, f"else_{ship}")
            yield f"sail_{ship}", Voyage(ship, harbour, (bean, *([other] if other else []))).text
    if harbour := one(controls, "raid"):
        only = one(controls, "only")
        yield "raid", Voyage(PIRATES, harbour, (only,) if only else ()).text
    if controls.get("hold"):
        yield "hold", HOLD.text


def _after(state: State, order: Order) -> State:
    """The state after an order; the same if it is refused, which the page says at its control."""
    checked = check(state, order)
    return checked if isinstance(checked, State) else state


def fill_form(table: Table, seat: str, orders: Orders) -> Controls:
    """The form that says these checked orders: by its choices if they can, else as text."""
    return filled(table, seat, orders, _guess(orders), read_form, read_orders)


def _guess(orders: Orders) -> Controls:
    """The choices that say a list if any do."""
    chosen, planting = of_wishes(wishes_of(orders)), False
    for order in field_work(orders):
        match order:
            case Plant(card, field):
                chosen[f"plant_{card}"], planting = field or "", True
            case Harvest(letter) if not planting:
                chosen[f"{'ship' if letter in SHIPS else 'field'}_{letter}"] = write(order)
            case Buy(what):
                chosen[f"buy_{what}"] = "yes"
            case Move(ship, to):
                chosen[f"ship_{ship}"] = to
            case Load(field, ship):
                chosen[f"field_{field}"] = ship
            case Voyage(ship, harbour, wanted) if ship == PIRATES:
                chosen |= {"raid": harbour, "only": "".join(wanted[:1])}
            case Voyage(ship, harbour, wanted):
                chosen |= {f"sail_{ship}": f"{harbour}:{wanted[0]}"}
                chosen |= {f"else_{ship}": wanted[1]} if len(wanted) > 1 else {}
    chosen |= {"hold": "yes"} if HOLD in orders else {}
    chosen |= {"keep": "yes"} if KEEP in orders else {}
    return Controls(chosen, passed=not orders)


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
        "price": sea["prices"]["C"],
        "lies": sea["lies"],
        "sails": sea["may_sail"],
        "absent": {"chosen": absent.chosen, "ticked": absent.ticked},
    }
