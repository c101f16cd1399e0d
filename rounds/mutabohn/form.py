"""The order form: deals as in the classic game, and besides

| control | values | meaning |
|---|---|---|
| `swap_b1`, `swap_b2` | yes | exchange this bonus card |
| `first` | HA HB, several | harvest these fields before all else |
| `plant_<card>` | empty, A, B | plant this card there, harvesting first what it can't go on |
| `clear_<card>` | yes | harvest that field before, also if the card could go on it |
| `at_<card>` | empty, 1, 2 … | this lying card comes as the first, second … of them |
| `feed_A`, `feed_B` | yes | let the pile have this field when it runs out |
"""

from collections.abc import Iterator
from typing import Any

from rounds.classic.form import (
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
from rounds.classic.table import CALL, FIELD
from rounds.engine.notation import Order, Orders
from rounds.engine.variant import Controls, FormOrders
from rounds.family.forms import HARVESTS, Sent, one, refuse_strangers
from rounds.family.orders import Harvest
from rounds.mutabohn.bonus import HELD, values
from rounds.mutabohn.check import FIELDS, check
from rounds.mutabohn.notation import Feed, Swap
from rounds.mutabohn.orders import read_orders
from rounds.mutabohn.stand_in import stand_in
from rounds.mutabohn.state import State, start
from rounds.mutabohn.table import Table, chain

TEXTS = ("special", "text")


def read_form(table: Table, seat: str, controls: Sent) -> FormOrders:
    """The order text of a form and the control each order came from. Raises BadForm for what the
    page does not offer.
    """
    refuse_strangers(controls, _offered(table, seat), TEXTS)
    work = _field_work(table, seat, controls)
    return put_together(table, controls, work, offerable(table, seat))


def _offered(table: Table, seat: str) -> dict[str, tuple[str, ...]]:
    """Every control of the page that is sent once, with its values."""
    found = deal_controls(table, seat)
    if table.phase == CALL:
        return found
    lying = [card for card in plantable(table, seat) if card[0] != "h"]
    for card in plantable(table, seat):
        found |= {f"plant_{card}": ("", *FIELDS), f"clear_{card}": ("yes",)}
    found |= {f"at_{card}": ("", *lying) for card in lying}
    found |= {f"swap_b{place}": ("yes",) for place in range(1, HELD + 1)}
    return found | ({f"feed_{field}": ("yes",) for field in FIELDS} if table.phase == FIELD else {})


def _field_work(table: Table, seat: str, controls: Sent) -> Iterator[Said]:
    """Harvests, what is exchanged, then each card, and before it the harvest that it needs."""
    state = start(table, seat)
    for order in [Harvest(word[1]) for word in HARVESTS if word in controls.get("first", ())]:
        yield "first", write(order)
        state = _after(state, order)
    swapped = [place for place in range(1, HELD + 1) if controls.get(f"swap_b{place}")]
    if swapped:  # a harvest may pay it
        swap = Swap(tuple(swapped))
        yield f"swap_b{swapped[0]}", write(swap)
        state = _after(state, swap)
    for card in _in_order(table, seat, controls):
        field = one(controls, f"plant_{card}")
        clears = bool(controls.get(f"clear_{card}"))
        for step in _needed(state, Plant(card, field), clears=clears):
            yield f"plant_{card}", write(step)
            state = _after(state, step)
    fed = [field for field in FIELDS if controls.get(f"feed_{field}")]
    if fed:
        yield f"feed_{fed[0]}", write(Feed("".join(fed)))


def _in_order(table: Table, seat: str, controls: Sent) -> list[str]:
    """The cards that are planted: those that lie by the numbers they were given, then the hand."""
    cards = [card for card in plantable(table, seat) if one(controls, f"plant_{card}")]

    def key(card: str) -> tuple[bool, int]:
        return card[0] == "h", int(one(controls, f"at_{card}") or card.removeprefix("h"))

    return sorted(cards, key=key)


def _needed(state: State, order: Plant, *, clears: bool = False) -> list[Order]:
    """A planting, and before it the harvest that it needs or that is asked for."""
    field = order.field or ""
    needs = clears or not state.takes(field, state.variety(order.card))
    return [*([Harvest(field)] if needs and state.farm.at(field) else []), order]


def _after(state: State, *orders: Order) -> State:
    """The state after some orders; what is refused, the page says at its control."""
    for order in orders:
        checked = check(state, order)
        state = checked if isinstance(checked, State) else state
    return state


def fill_form(table: Table, seat: str, orders: Orders) -> Controls:
    """The form that says these checked orders: by its choices if they can, else as text."""
    return filled(table, seat, orders, _guess(table, seat, orders), read_form, read_orders)


def _guess(table: Table, seat: str, orders: Orders) -> Controls:
    """The choices that say a list if any do: harvests before the first planting are ticks, others
    come with a planting.
    """
    chosen, first, lying = of_wishes(wishes_of(orders)), list[str](), list[str]()
    state, harvested = start(table, seat), list[str]()
    for order in field_work(orders):
        match order:
            case Swap(places):
                chosen |= {f"swap_b{place}": "yes" for place in places}
            case Feed(fields):
                chosen |= {f"feed_{field}": "yes" for field in fields}
            case Harvest(field):
                harvested.append(field)
            case Plant(card, field):
                chosen[f"plant_{card}"] = field or ""
                if field and harvested[-1:] == [field]:
                    harvested.pop()
                    # the field as it was before the harvest
                    chosen |= (
                        {f"clear_{card}": "yes"} if state.takes(field, state.variety(card)) else {}
                    )
                first += harvested if not state.planted else []
                lying += [card] if not order.is_of_hand else []
                state = _after(state, *map(Harvest, harvested), *_needed(state, order))
                harvested = []
    first += harvested
    if lying != sorted(lying, key=int):
        chosen |= {f"at_{card}": str(place) for place, card in enumerate(lying, start=1)}
    chosen |= {"keep": "yes"} if KEEP in orders else {}
    ticks = tuple(f"H{field}" for field in sorted(first))
    return Controls(chosen, {"first": ticks} if ticks else {}, passed=not orders)


def planner_data(table: Table, seat: str) -> dict[str, Any]:
    """What a planner plays with: own cards by their names, fields as chains, bonus cards."""
    absent = fill_form(table, seat, stand_in(table, seat))
    return deal_data(table, seat) | {
        "due": list(plantable(table, seat)),
        "must": table.must_plant,
        "chain": list(chain(table.deck)),
        "fields": [grown and list(grown.planted) for grown in table.farms[seat].fields],
        "held": list(table.codes(seat)),
        "values": values(table.deck),
        "absent": {"chosen": absent.chosen, "ticked": absent.ticked},
    }
