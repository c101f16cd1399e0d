"""The headlines of a round: those of the classic game, and what happens at sea."""

from collections.abc import Iterator, Sequence

from rounds.classic.headlines import MOST, found
from rounds.engine.events import Event
from rounds.family.headlines import Weighed, weightiest
from rounds.isla.events import Bought, Raided, Sailed, Sold, Visited
from rounds.isla.sea import MOST_PREY
from rounds.isla.view import View, scores

DEAR = 4
"""A load that is sold for so many talers is a headline."""


class SoldDear(Event, frozen=True, tag="sold_dear"):
    """The load that earned most was sold."""

    seat: str
    variety: str
    beans: int
    talers: int


class BoughtShip(Event, frozen=True, tag="bought_ship"):
    """A seat has bought its second trading ship T, or its pirate ship X."""

    seat: str
    what: str


class EmergencySale(Event, frozen=True, tag="emergency_sale"):
    """A ship that pirates attacked was sold for talers."""

    seat: str
    pirates: str
    variety: str
    talers: int


class Robbed(Event, frozen=True, tag="robbed"):
    """Pirates took as many beans as they may."""

    seat: str
    pirates: str
    variety: str
    cards: int


class InVain(Event, frozen=True, tag="in_vain"):
    """Pirates lay in wait where nobody came, and found nobody elsewhere either."""

    seats: tuple[str, ...]


class Raced(Event, frozen=True, tag="raced"):
    """A ship came too late: another one had taken the cards."""

    seat: str
    other: str
    variety: str


def headlines(
    before: View, events: Sequence[Event], after: View, _: Sequence[Sequence[Event]]
) -> tuple[Event, ...]:
    """The headlines of a round, the weightiest first: three at most, never two about the same
    seat.
    """
    plain = [one for one in events if not isinstance(one, Bought) or one.what == "C"]
    return weightiest((*found(before, plain, after, scores), *_at_sea(events)), MOST)


def _at_sea(events: Sequence[Event]) -> Iterator[Weighed]:
    """Sales, raids, and races for the same cards."""
    for event in events:
        if isinstance(event, Bought) and event.what != "C":
            yield 66, (event.seat,), BoughtShip(event.seat, event.what)
    sold = [event for event in events if isinstance(event, Sold) and event.talers >= DEAR]
    if sold:
        best = max(sold, key=lambda event: event.talers)
        yield 67 + best.talers, (best.seat,), SoldDear(*_of(best), best.beans, best.talers)
    raids = [event for event in events if isinstance(event, Raided)]
    for raid in raids:
        about = raid.victim, raid.seat
        if raid.talers:
            yield 76, about, EmergencySale(*about, raid.variety, raid.talers)
        elif raid.cards == MOST_PREY:
            yield 72, about, Robbed(*about, raid.variety, raid.cards)
    if raids and not any(raid.victim for raid in raids):
        seats = tuple(raid.seat for raid in raids)
        yield 42, seats, InVain(seats)
    yield from _races(events)


def _of(event: Sold) -> tuple[str, str]:
    return event.seat, event.variety


def _races(events: Sequence[Event]) -> Iterator[Weighed]:
    """Who came to a harbour for what somebody else had just taken there."""
    wanted = {(e.seat, e.ship): e.wanted for e in events if isinstance(e, Sailed)}
    visits = [event for event in events if isinstance(event, Visited)]
    for number, late in enumerate(visits):
        if late.variety:
            continue
        before = [
            one
            for one in visits[:number]
            if one.harbour == late.harbour
            and one.seat != late.seat
            and one.variety in wanted[late.seat, late.ship]
        ]
        if before:
            first = before[-1]
            yield 58, (late.seat, first.seat), Raced(late.seat, first.seat, first.variety)
