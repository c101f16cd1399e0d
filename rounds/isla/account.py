"""The public account of a round, fixed for ever."""

from typing import Any

import msgspec

from rounds.classic import account as classic
from rounds.classic.account import played
from rounds.engine.events import Event
from rounds.engine.notation import Order
from rounds.family.orders import Harvest
from rounds.isla.events import Bought, Holds, Loaded, Moved, Raided, Sailed, Sold, Visited
from rounds.isla.notation import HOLD, Buy, Load, Move, Voyage
from rounds.isla.table import Table


def tell(before: Table, events: tuple[Event, ...], after: Table) -> dict[str, Any]:
    """The public account of a round as `replay --json` prints it (part 4 of the rules)."""
    account = classic.tell(before, events, after)
    farms = {
        seat: farm
        | {
            "ships": msgspec.to_builtins(after.ships[seat]),
            "away": dict(after.away[seat]),
            "orders": played(before, seat, events, order_of),
        }
        for seat, farm in account["farms"].items()
    }
    return account | {
        "farms": farms,
        "bay": list(before.bay),
        "visits": [_visit(event) for event in events if isinstance(event, Visited)],
        "raids": [_raid(event) for event in events if isinstance(event, Raided)],
    }


def _visit(event: Visited) -> dict[str, Any]:
    return {
        "seat": event.seat,
        "ship": event.ship,
        "harbour": event.harbour,
        "bean": event.variety or None,
        "cards": event.cards,
    }


def _raid(event: Raided) -> dict[str, Any]:
    return {
        "seat": event.seat,
        "harbour": event.harbour,
        "victim": event.victim or None,
        "ship": event.ship or None,
        "bean": event.variety or None,
        "cards": event.cards,
        "talers": event.talers,
    }


def order_of(event: Event) -> Order | None:
    """The order that an event came from; None for what nobody ordered."""
    match event:
        case Bought():
            return Buy(event.what)
        case Loaded():
            return Load(event.field, event.ship)
        case Sold():
            return Harvest(event.ship)
        case Moved():
            return Move(event.ship, event.to, event.beans if event.left else None)
        case Sailed():
            return Voyage(event.ship, event.harbour, event.wanted)
        case Holds():
            return HOLD
    return classic.order_of(event)
