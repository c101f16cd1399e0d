"""The public account of a round, fixed for ever, and what is added when the game is over."""

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from rounds.classic.events import Planted, Reshuffled, Traded
from rounds.classic.notation import Plant
from rounds.classic.orders import write_orders
from rounds.classic.table import Table
from rounds.engine.events import Absent, Event
from rounds.engine.notation import Order
from rounds.family.events import Bought, Harvested
from rounds.family.orders import BUY, Harvest


def order_of(event: Event) -> Order | None:
    """The order that an event came from; None for what nobody ordered."""
    match event:
        case Planted():
            return Plant(event.card, event.field)
        case Harvested():
            return Harvest(event.field)
        case Bought():
            return BUY
    return None


def tell(before: Table, events: tuple[Event, ...], after: Table) -> dict[str, Any]:
    """The public account of a round as `replay --json` prints it; the fields of the last round
    are not harvested yet.
    """
    absent = {event.seat for event in events if isinstance(event, Absent)}
    return {
        "turn": before.turn,
        "phase": before.phase,
        "active": list(before.active),
        "open": {
            seat: [card for card in before.open.get(seat, ()) if card] for seat in before.active
        },
        "discard": before.deck.counts(before.discard),
        "draw_pile": len(before.draw_pile),
        "run_outs": before.run_outs,
        "farms": {
            seat: {
                "fields": msgspec.to_builtins(after.farms[seat].fields),
                "talers": after.farms[seat].talers,
                "lying": list(after.lying[seat]),
                "orders": played(before, seat, events),
                "absent": seat in absent,
            }
            for seat in after.seats
        },
        "trades": [
            {"seats": list(event.seats), "cards": [list(side) for side in event.cards]}
            for event in events
            if isinstance(event, Traded)
        ],
    }


def secrets(_: Table, events: tuple[Event, ...], after: Table) -> dict[str, Any]:
    """What is added once the game is over: the hands after the round, what was drawn, the deals
    in force, later piles.
    """
    later = sum(isinstance(event, Reshuffled) for event in events)
    return {
        "hands": {seat: list(after.hand(seat)) for seat in after.seats},
        "drawn": {seat: list(drawn(after, seat)) for seat in after.drawn},
        "deals": {seat: after.deals.get(seat, "") for seat in after.seats},
        "reshuffled": [list(pile) for pile in piles(after)[len(after.reshuffled) - later :]],
    }


def drawn(table: Table, seat: str) -> tuple[str, ...]:
    """What a seat drew at the end of the round before this one."""
    number = table.drawn.get(seat, 0)
    return table.hand(seat)[-number:] if number else ()


def piles(table: Table) -> list[tuple[str, ...]]:
    """The piles that were shuffled later, each as it was, top first."""
    found, end = list[tuple[str, ...]](), len(table.cards)
    for pile in reversed(table.reshuffled):
        found.insert(0, table.cards[end - len(pile) : end])
        end -= len(pile)
    return found


def played(
    before: Table,
    seat: str,
    events: Sequence[Event],
    order_of: Callable[[Event], Order | None] = order_of,
) -> str:
    """The field work of a seat, as it was carried out. `order_of`: the order that an event came
    from; None for what nobody ordered.
    """
    orders = (
        order
        for event in events
        if getattr(event, "seat", None) == seat and (order := order_of(event))
    )
    return write_orders(before, tuple(orders))
