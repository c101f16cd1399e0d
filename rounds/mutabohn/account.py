"""The public account of a round, and what is added when the game is over."""

from typing import Any

from rounds.classic import account as classic
from rounds.classic.account import played
from rounds.engine.events import Event
from rounds.engine.notation import Order
from rounds.mutabohn.events import Cashed, Fed, Fined, Swapped, WillFeed
from rounds.mutabohn.notation import Feed, Swap
from rounds.mutabohn.round import bonus_of
from rounds.mutabohn.table import Table


def tell(before: Table, events: tuple[Event, ...], after: Table) -> dict[str, Any]:
    """The public account of a round as `replay --json` prints it (part 4 of the rules)."""
    account = classic.tell(before, events, after)
    farms = {
        seat: farm
        | {
            "fields": [
                field and [[run.variety, run.cards] for run in field.runs]
                for field in after.farms[seat].fields
            ],
            "bonus": bonus_of(after, seat),
            "held": sum(card is not None for card in after.held[seat]),
            "fines": after.fines[seat],
            "feed": after.feed.get(seat, ""),
            "orders": played(before, seat, events, order_of),
        }
        for seat, farm in account["farms"].items()
    }
    return account | {
        "farms": farms,
        "bonus_pile": len(before.bonus_pile),
        "cashed": [
            {"seat": event.seat, "code": event.code, "field": event.field}
            for event in events
            if isinstance(event, Cashed)
        ],
        "fined": [event.seat for event in events if isinstance(event, Fined)],
        "fed": [
            {"seat": event.seat, "field": event.field, "talers": event.talers}
            for event in events
            if isinstance(event, Fed)
        ],
    }


def secrets(before: Table, events: tuple[Event, ...], after: Table) -> dict[str, Any]:
    """What the account of a round tells in addition once the game is over: what the classic game
    tells then, and the bonus cards in the hands.
    """
    hands = {seat: list(after.codes(seat)) for seat in after.seats}
    return classic.secrets(before, events, after) | {"bonus_hands": hands}


def order_of(event: Event) -> Order | None:
    """The order that an event came from; None for what nobody ordered."""
    match event:
        case Swapped():
            return Swap(event.places)
        case WillFeed():
            return Feed(event.fields)
    return classic.order_of(event)
