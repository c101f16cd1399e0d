"""What a seat, or everybody, may see; what is said of a round at once, and what once the game is
over; and the robots.
"""

from collections.abc import Mapping, Set
from typing import Any

import msgspec
from msgspec import Struct

from rounds.engine.events import Absent, Event
from rounds.engine.farm import Farm

from .events import Left, Planted, Taken
from .notation import Leave, Plant, Take
from .orders import write_orders
from .round import worth
from .table import Moment, Table


class View(Struct, frozen=True):
    """Everything that may be shown to `seat` (None: to anybody). `hand`: its own, front first;
    `hands`: how many cards each has; `talers`: what its fields would earn now, or have earned.
    """

    seat: str | None
    moment: Moment
    active: str | None
    over: bool
    revealed: str | None
    hand: tuple[str, ...]
    hands: dict[str, int]
    farms: dict[str, Farm]
    talers: dict[str, int]
    draw_pile: int
    discard: tuple[str, ...]


def view(table: Table, seat: str | None) -> View:
    """What `seat` may see: of all hidden cards its own hand."""
    return View(
        seat=seat,
        moment=table.moment,
        active=None if table.over else table.active,
        over=table.over,
        revealed=table.revealed,
        hand=table.hand(seat) if seat else (),
        hands=_sizes(table),
        farms=table.farms,
        talers=worth(table),
        draw_pile=len(table.cards) - table.gone,
        discard=table.discard,
    )


def _sizes(table: Table) -> dict[str, int]:
    """So many cards each hand has."""
    return {seat: len(hand) for seat, hand in table.hands.items()}


def scores(seen: View) -> Mapping[str, int]:
    """The talers of each seat, by rank."""
    return dict(sorted(seen.talers.items(), key=lambda pair: -pair[1]))


def readers(before: Table, after: Table) -> Set[str]:
    """In the middle of a turn only who goes on with it is told; at its end both."""
    return {before.active} if before.moment.phase == 1 and not after.over else set(before.seats)


def tell(before: Table, events: tuple[Event, ...], after: Table) -> dict[str, Any]:
    """The public account of a round: of the hands only how many cards they have."""
    return {
        "turn": before.moment.turn,
        "phase": before.moment.phase,
        "seat": before.active,
        "absent": any(isinstance(event, Absent) for event in events),
        "played": write_orders(
            before, tuple(order for event in events for order in _carried_out(event))
        ),
        "revealed": before.revealed or after.revealed,
        "discard": list(before.discard),
        "draw_pile": len(before.cards) - before.gone,
        "hand_cards": _sizes(before),
        "fields": {seat: msgspec.to_builtins(farm.fields) for seat, farm in after.farms.items()},
    }


def _carried_out(event: Event) -> list[Plant | Take | Leave]:
    match event:
        case Planted():
            return [Plant(event.card)]
        case Taken():
            return [Take()]
        case Left():
            return [Leave()]
    return []


def secrets(before: Table, _: tuple[Event, ...], after: Table) -> dict[str, Any]:
    """What is added once the game is over: the hands before the round, what was drawn, the piles
    that were shuffled.
    """
    is_new = after.reshuffled != before.reshuffled
    return {
        "hands": {seat: list(before.hand(seat)) for seat in before.seats},
        "drawn": None if before.over or before.moment.phase == 1 else after.cards[before.gone],
        "reshuffled": [list(after.cards[len(before.cards) :])] if is_new else [],
    }


def robot(seen: View) -> str:
    """Plants what grows already, else what it has most of; takes what finds a field."""
    farm = seen.farms[seen.seat or ""]
    if seen.moment.phase == 2:
        return "take" if farm.growing(seen.revealed or "") or farm.first_empty() else "leave"
    growing = [stack.variety for stack in farm.fields if stack]
    others = sorted(
        set(seen.hand) - set(growing), key=lambda variety: (-seen.hand.count(variety), variety)
    )
    wanted = growing + others[: farm.fields.count(None)]
    return (
        " ".join([str(card) for card, variety in enumerate(seen.hand, 1) if variety in wanted][:2])
        or "pass"
    )


def sleepy(seen: View) -> str:
    """Plants nothing and takes nothing."""
    return "leave" if seen.moment.phase == 2 else "pass"
