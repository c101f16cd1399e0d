"""A robot that is fun to play against: plants what grows, harvests in time, looks along the row.
It knows what its seat knows.
"""

from collections.abc import Callable
from functools import cache, partial
from itertools import pairwise
from typing import NamedTuple

from rounds.engine.farm import FIELDS, Farm, Stack
from rounds.postal.view import VarietyView, View

BREADTH = 24
"""Number of ways through the row that are followed at once."""
Promise = Callable[[Stack | None], float]


class Temper:
    """What makes one robot differ from the next: how many rounds it looks ahead, and which
    varieties it is fond of.
    """

    def __init__(self, number: int, varieties: list[str]) -> None:
        self.patience = 1 + number % 3
        self.fondness = {
            variety: 0.12 * ((number * 3 + i * 5) % len(varieties))
            for i, variety in enumerate(varieties)
        }


class Way(NamedTuple):
    """A way through the row so far: the orders and the farm they lead to."""

    farm: Farm
    orders: tuple[str, ...] = ()


def robot(view: View) -> str:
    """Order text for the seat whose view this is, always legal. Robots on different seats differ
    in how patient they are.
    """
    me = view.farm(view.seat or "")
    fields = tuple(
        Stack(field.variety, field.beans) if field.variety else None for field in me.fields
    )
    temper = Temper(
        [farm.seat for farm in view.farms].index(me.seat),
        [variety.id for variety in view.varieties],
    )
    promise = cache(partial(_promise, view, temper))
    ways = [Way(Farm((fields[0], fields[1], fields[2]), me.talers))]
    for position, stack in enumerate(view.row, start=1):
        for _ in range(stack.cards):
            ways = _best(
                promise,
                [onward for way in ways for onward in _onward(view, way, position, stack.variety)],
            )
    final = [_harvest_all(view, way) if view.round == view.rounds else way for way in ways]
    return " ".join(_best(promise, final)[0].orders) or "pass"


def _onward(view: View, way: Way, position: int, variety: str) -> list[Way]:
    """What can be done with one card: leave it, plant it where it grows or on a free field, or
    clear a field for it first.
    """
    grown = way.farm.growing(variety)
    ways = [way]
    if spot := grown or way.farm.first_empty():
        ways.append(_plant(way, position, variety, spot))
    for field in FIELDS:
        cleared = _clear(view, way, field) if field == grown or not grown else None
        if cleared:
            ways.append(_plant(cleared, position, variety, field))
    return ways


def _plant(way: Way, position: int, variety: str, field: str) -> Way:
    there = way.farm.at(field)
    stack = Stack(variety, 1 + (there.cards if there else 0))
    return Way(way.farm.with_field(field, stack), (*way.orders, f"{position}x1>{field}"))


def _clear(view: View, way: Way, field: str) -> Way | None:
    """The field harvested, or plowed if it earns nothing and the fee is there."""
    there = way.farm.at(field)
    if there is None:
        return None
    if talers := view.variety(there.variety).talers(there.cards):
        return Way(way.farm.with_field(field, None, talers), (*way.orders, f"H{field}"))
    if way.farm.talers < view.plow_fee:
        return None
    return Way(way.farm.with_field(field, None, -view.plow_fee), (*way.orders, f"P{field}"))


def _harvest_all(view: View, way: Way) -> Way:
    for field in FIELDS:
        there = way.farm.at(field)
        if there and view.variety(there.variety).talers(there.cards):
            way = _clear(view, way, field) or way
    return way


def _best(promise: Promise, ways: list[Way]) -> list[Way]:
    """The most promising ways, one for each farm they lead to: talers in the purse and what the
    fields may bring.
    """
    by_farm: dict[Farm, Way] = {}
    for way in ways:
        if way.farm not in by_farm or len(way.orders) < len(by_farm[way.farm].orders):
            by_farm[way.farm] = way

    def hope(way: Way) -> float:
        first, second, third = map(promise, way.farm.fields)
        return way.farm.talers + first + second + third

    return sorted(by_farm.values(), key=hope, reverse=True)[:BREADTH]


def _promise(view: View, temper: Temper, stack: Stack | None) -> float:
    """What a field may bring, by what still lies in the draw pile."""
    rounds = min(view.rounds - view.round, temper.patience)
    if stack is None:
        return 0.3 if rounds else 0.0
    variety = view.variety(stack.variety)
    coming = 8 * rounds * variety.in_draw_pile / max(view.draw_pile, 1)
    now, later = variety.talers(stack.cards), _between(variety, stack.cards + coming)
    return max(now, 0.85 * later) + (temper.fondness[stack.variety] if rounds else 0)


def _between(variety: VarietyView, beans: float) -> float:
    """Talers for a number of beans that is only expected: straight lines between the tiers."""
    tiers = [
        (0, 0),
        *((needed, talers) for talers, needed in enumerate(variety.beanometer, 1) if needed),
    ]
    for (low, few), (high, more) in pairwise(tiers):
        if beans < high:
            return few + (more - few) * (beans - low) / (high - low)
    return float(tiers[-1][1])
