"""The order form that says a list, and what a script plans with."""

from typing import Any

from rounds.duel.form import read_form
from rounds.duel.notation import MATCH, RESIGN, Drop, Plant, Take
from rounds.duel.orders import read_orders, write_orders
from rounds.duel.plan import split
from rounds.duel.stand_in import stand_in
from rounds.duel.table import BEFORE, PRICE, Table
from rounds.engine.notation import Orders, Refused
from rounds.engine.variant import BadForm, Controls
from rounds.family.orders import BUY, Harvest


def fill_form(table: Table, seat: str, orders: Orders) -> Controls:
    """The form that says these checked orders: by its choices if they can, else as text."""
    if orders == (RESIGN,):
        return Controls(chosen={"resign": "yes"})
    controls = _guess(orders, table)
    try:
        if read_orders(table, seat, read_form(table, seat, controls.sent).text) == orders:
            return controls
    except (BadForm, Refused):
        pass  # two orders want the same control
    return Controls(chosen={"text": write_orders(table, orders)})


def _guess(orders: Orders, table: Table) -> Controls:
    """The choices that say a list if any do: harvests at its beginning are ticks, others come
    with a planting.
    """
    exact, plan = split(orders)
    chosen: dict[str, str] = {}
    first = [f"H{order.field}" for order in exact[: _leading(exact)] if isinstance(order, Harvest)]
    for order in exact:
        match order:
            case Take(variety, cards, field):
                chosen["offer_" + variety if table.phase == BEFORE else "row_" + variety] = (
                    field or ""
                )
                chosen |= {f"number_{variety}": str(cards)} if cards else {}
            case Plant(card, field):
                chosen[f"hand_{card}"] = field or ""
            case Drop(card):
                chosen["drop"] = str(card)
            case _ if order == BUY:
                chosen["buy"] = "yes"
    if len(orders) > len(exact):
        chosen["plan"] = "yes"
    for order in plan:
        if isinstance(order, Take):
            chosen[f"want_{order.variety}"] = order.field or ""
        elif order == MATCH:
            chosen["match"] = "yes"
    return Controls(chosen, {"first": tuple(sorted(first))} if first else {}, passed=not orders)


def _leading(orders: Orders) -> int:
    """How many orders at the beginning are harvests and purchases."""
    return next(
        (at for at, order in enumerate(orders) if not isinstance(order, Harvest) and order != BUY),
        len(orders),
    )


def planner_data(table: Table, seat: str) -> dict[str, Any]:
    """What a planner plays with: what lies there, the own hand and farm, beanometers, and what
    the stand-in would do.
    """
    farm, absent = table.farms[seat], fill_form(table, seat, stand_in(table, seat))
    return {
        "phase": table.phase,
        "offer": [[stack.variety, stack.cards] for stack in table.offer],
        "row": [[stack.variety, stack.cards] for stack in table.row],
        "hand": list(table.hand(seat)),
        "fields": [grown and [grown.variety, grown.cards] for grown in farm.fields],
        "talers": farm.talers,
        "price": PRICE,
        "discard": table.rules.discard,
        "meters": {variety.id: list(variety.beanometer) for variety in table.deck.varieties},
        "absent": {"chosen": absent.chosen, "ticked": absent.ticked},
    }
