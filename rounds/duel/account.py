"""The public account of a round, fixed for ever, and what is added when the game is over."""

from collections.abc import Sequence
from typing import Any

import msgspec

from rounds.duel.events import (
    Cascaded,
    FromHand,
    HandDiscarded,
    OfferDiscarded,
    Offered,
    Planted,
    Resigned,
)
from rounds.duel.notation import RESIGN, THEN, Drop, Lay, Plant, Take
from rounds.duel.orders import write_orders
from rounds.duel.table import AFTER, Table
from rounds.engine.events import Absent, Event
from rounds.engine.notation import Order
from rounds.family.events import Bought, Drew, Harvested, Revealed
from rounds.family.orders import BUY, Harvest


def tell(before: Table, events: tuple[Event, ...], after: Table) -> dict[str, Any]:
    """The public account of a round as `replay --json` prints it; the fields of the last round
    are not harvested yet.
    """
    farms = {
        seat: {"fields": msgspec.to_builtins(farm.fields), "talers": farm.talers}
        for seat, farm in after.farms.items()
    }
    absent = any(isinstance(event, Absent) for event in events)
    farms[before.active] |= {"orders": played(before, events), "absent": absent}
    left = next((event.stacks for event in events if isinstance(event, Offered)), None)
    return {
        "turn": before.turn,
        "phase": before.phase,
        "seat": before.active,
        "offer": [] if before.phase == AFTER else msgspec.to_builtins(before.offer),
        "discard": list(before.discard),
        "draw_pile": len(before.draw_pile),
        "row": msgspec.to_builtins(_row(before, events)),
        "farms": farms,
        "left": msgspec.to_builtins(left),
    }


def _row(before: Table, events: Sequence[Event]) -> Any:
    """The row of this turn: as it lay before, or as it was revealed, with its cascade."""
    if before.phase == AFTER:
        return before.row
    shown = next((event.cards for event in events if isinstance(event, Revealed)), ())
    moved = next((event.cards for event in events if isinstance(event, Cascaded)), ())
    return [(variety, (*shown, *moved).count(variety)) for variety in dict.fromkeys(shown)]


def secrets(before: Table, events: tuple[Event, ...], after: Table) -> dict[str, Any]:
    """What is added once the game is over: the hands before the round, and what the seat drew at
    the end of its turn.
    """
    number = next((event.cards for event in events if isinstance(event, Drew)), None)
    return {
        "hands": {seat: list(before.hand(seat)) for seat in before.seats},
        "drawn": None if number is None else list(after.cards[after.gone - number : after.gone]),
    }


def played(before: Table, events: Sequence[Event]) -> str:
    """What was carried out of a list, in orders: exact on both sides of `then`."""
    has_plan = before.phase != AFTER and any(isinstance(event, Offered) for event in events)
    orders = []
    for event in events:
        if isinstance(event, Revealed) and has_plan:
            orders.append(THEN)
        elif (order := order_of(event)) is not None:
            orders.append(order)
    return write_orders(before, tuple(orders))


def order_of(event: Event) -> Order | None:
    """The order that an event came from; None for what nobody ordered."""
    match event:
        case FromHand():
            return Plant(event.card, event.field)
        case HandDiscarded():
            return Drop(event.card)
        case Planted():
            return Take(
                event.variety, None if event.cards == event.lying else event.cards, event.field
            )
        case OfferDiscarded():
            return Lay(event.variety, None if event.cards == event.lying else event.cards)
        case Harvested():
            return Harvest(event.field)
        case Bought():
            return BUY
        case Resigned():
            return RESIGN
    return None
