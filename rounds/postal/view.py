"""What a seat, or everybody, may see; and what the record says of a round.

In this game only the order of the draw pile is hidden (P43, P48).
"""

from collections import defaultdict
from collections.abc import Mapping
from math import comb
from typing import Any

import msgspec
from msgspec import Struct

from rounds.engine.beans import talers_for
from rounds.engine.events import Absent, Event
from rounds.engine.farm import Farm, FarmView, Stack
from rounds.engine.notation import Order
from rounds.family.events import Harvested
from rounds.family.orders import Harvest
from rounds.postal.events import Discarded, Planted, Plowed
from rounds.postal.notation import Plant, Plow
from rounds.postal.orders import write_orders
from rounds.postal.round import ranks, result
from rounds.postal.table import PLOW_FEE, ROW, HouseRules, Table


class VarietyView(Struct, frozen=True):
    """A variety: its cards in the game, those still in the draw pile (P47), and how many beans
    earn one taler, two, three, four; 0 if no number does.
    """

    id: str
    cards: int
    in_draw_pile: int
    beanometer: tuple[int, ...]
    chances: tuple[float, float, float]
    """That at least one, two, three of the next eight cards drawn are of this variety."""

    def talers(self, beans: int) -> int:
        """What a field of this many beans earns."""
        return talers_for(self.beanometer, beans)


class View(Struct, frozen=True):
    """Everything that may be shown to `seat` (None: to anybody)."""

    seat: str | None
    round: int
    rounds: int
    over: bool
    row: tuple[Stack, ...]
    discard: tuple[str, ...]
    draw_pile: int
    varieties: tuple[VarietyView, ...]
    farms: tuple[FarmView, ...]
    standing: tuple[FarmView, ...]
    """The farms by rank."""
    final: dict[str, int] | None
    """Talers after the final harvest, once the game is over."""
    house_rules: HouseRules
    plow_fee: int

    def variety(self, name: str) -> VarietyView:
        """The variety with this id. Raises StopIteration for any other."""
        return next(variety for variety in self.varieties if variety.id == name)

    def farm(self, seat: str) -> FarmView:
        """The farm of a seat. Raises StopIteration if nobody of that name sits here."""
        return next(farm for farm in self.farms if farm.seat == seat)


def view(table: Table, seat: str | None) -> View:
    """What `seat` may see. The draw pile is counted, never listed."""
    in_pile = table.deck.counts(table.draw_pile)
    end = result(table)
    purses = dict(zip(table.seats, (farm.talers for farm in table.farms), strict=True))
    places = end.ranks if end else ranks(purses)
    farms = tuple(
        farm_view(table, s, f, places[s]) for s, f in zip(table.seats, table.farms, strict=True)
    )
    return View(
        seat=seat,
        round=table.round,
        rounds=table.rules.rounds,
        over=table.over,
        row=table.row,
        discard=table.discard,
        draw_pile=len(table.draw_pile),
        varieties=tuple(
            VarietyView(
                v.id,
                v.cards,
                in_pile[v.id],
                v.beanometer,
                chances(in_pile[v.id], len(table.draw_pile)),
            )
            for v in table.deck.varieties
        ),
        farms=farms,
        standing=tuple(sorted(farms, key=lambda farm: farm.rank)),
        final=end.talers if end else None,
        house_rules=table.rules,
        plow_fee=PLOW_FEE,
    )


def farm_view(table: Table, seat: str, farm: Farm, rank: int) -> FarmView:
    """One farm with the worth of its fields."""
    return FarmView(
        seat, farm.shown(table.deck), farm.talers, farm.worth(table.deck) - farm.talers, rank
    )


def scores(seen: View) -> Mapping[str, int]:
    """The talers of each seat, by rank: in the purse, or after the final harvest."""
    return {farm.seat: (seen.final or {}).get(farm.seat, farm.talers) for farm in seen.standing}


def concerns(seen: View) -> Any:
    """What a seat would miss if it was not told of a round that was played again: its farm and
    rank, the row, the piles.
    """
    return seen.farm(seen.seat or ""), seen.row, seen.discard


def tell(before: Table, events: tuple[Event, ...], after: Table) -> dict[str, Any]:
    """One round as `replay --json` prints it; the farms of the last round stand before the final
    harvest.
    """
    absent = {event.seat for event in events if isinstance(event, Absent)}
    carried_out = _orders_of(events)
    farms = {
        seat: {
            "fields": msgspec.to_builtins(farm.fields),
            "talers": farm.talers,
            "orders": write_orders(before, tuple(carried_out[seat])),
            "absent": seat in absent,
        }
        for seat, farm in zip(after.seats, after.farms, strict=True)
    }
    return {
        "row": msgspec.to_builtins(before.row),
        "discard": list(before.discard),
        "draw_pile": before.deck.counts(before.draw_pile),
        "farms": farms,
        "unused": [
            card for event in events if isinstance(event, Discarded) for card in event.cards
        ],
    }


def _orders_of(events: tuple[Event, ...]) -> Mapping[str, list[Order]]:
    """What was carried out for each seat."""
    orders: defaultdict[str, list[Order]] = defaultdict(list)
    for event in events:
        match event:
            case Planted():
                orders[event.seat].append(Plant(event.position, event.cards, event.field))
            case Harvested():
                orders[event.seat].append(Harvest(event.field))
            case Plowed():
                orders[event.seat].append(Plow(event.field))
    return orders


def chances(in_pile: int, pile: int, drawn: int = ROW) -> tuple[float, float, float]:
    """The probabilities that at least one, two, three of `in_pile` cards are among the next
    `drawn` of a pile of `pile` cards.
    """
    drawn = min(drawn, pile)
    ways = comb(pile, drawn)
    exactly = [
        comb(in_pile, k) * comb(pile - in_pile, drawn - k) / ways if k <= drawn else 0
        for k in range(3)
    ]
    return 1 - exactly[0], 1 - exactly[0] - exactly[1], max(0.0, 1 - sum(exactly))
