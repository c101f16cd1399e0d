"""What is most worth telling of a list of the duel: facts that follow from its events and the public tables."""

from collections.abc import Iterator, Sequence

from rounds.duel.events import Bought, Cascaded, FinalHarvest, Harvested, Offered, Resigned
from rounds.duel.view import View, scores
from rounds.engine.events import Absent, Event
from rounds.engine.headlines import Weighed, leaders, weightiest, won

MOST = 2
"""So many headlines a list has at most."""
BIG = 4
"""A harvest of so many talers is more than a harvest."""
MANY = 4
"""So many cards left for the other are a headline."""


class GaveUp(Event, frozen=True, tag="gave_up"):
    """The end: a seat gave up, so the other won."""

    seat: str
    winner: str


class Led(Event, frozen=True, tag="led"):
    """A seat leads that did not before."""

    seat: str
    talers: int


class Level(Event, frozen=True, tag="level"):
    """Both have as many talers now, and had not before."""

    seats: tuple[str, ...]
    talers: int


class ThirdField(Event, frozen=True, tag="third_field"):
    """A seat has bought its third field."""

    seat: str


class Reaped(Event, frozen=True, tag="reaped"):
    """The harvest that earned most; `absent`: the stand-in's."""

    seat: str
    variety: str
    beans: int
    talers: int
    absent: bool


class Slid(Event, frozen=True, tag="slid"):
    """Several cards came from the discard pile into the row."""

    cards: int
    varieties: tuple[str, ...]


class LastTurn(Event, frozen=True, tag="last_turn"):
    """The turn that begins now is the last."""

    seat: str


class LeftMany(Event, frozen=True, tag="left_many"):
    """Many cards are offered to the other."""

    cards: int
    other: str


class LeftNothing(Event, frozen=True, tag="left_nothing"):
    """Nothing of the row is offered to the other."""

    other: str


def headlines(before: View, events: Sequence[Event], after: View, _: Sequence[Sequence[Event]]) -> tuple[Event, ...]:
    """The headlines of a list, the weightiest first: two at most, or none. `before`, `after`: what everybody sees."""
    found = [*_standing(before, events, after), *_deeds(events), *_cards(before, events, after)]
    return weightiest(found, MOST)


def _standing(before: View, events: Sequence[Event], after: View) -> Iterator[Weighed]:
    had, have = scores(before), scores(after)
    first, led = leaders(have), leaders(had)
    for event in events:
        if isinstance(event, Resigned):
            yield 210, (), GaveUp(event.seat, next(seat for seat in have if seat != event.seat))
            return
    if after.over:
        yield 200, (), won(have, tuple(farm.seat for farm in after.standing if farm.rank == 1))
    elif len(first) == 1 and led != first:
        yield 100, (), Led(first[0], have[first[0]])
    elif len(led) == 1 and len(first) > 1:
        yield 90, (), Level(tuple(farm.seat for farm in after.farms), have[first[0]])


def _deeds(events: Sequence[Event]) -> Iterator[Weighed]:
    absent = {event.seat for event in events if isinstance(event, Absent)}
    paid = [event for event in events if isinstance(event, Harvested | FinalHarvest) and event.talers > 0]
    if paid:
        best = max(paid, key=lambda event: event.talers)
        headline = Reaped(best.seat, best.variety, best.beans, best.talers, best.seat in absent)
        yield (70 if best.talers >= BIG else 50) + best.talers, (), headline
    for event in events:
        if isinstance(event, Bought):
            yield 68, (), ThirdField(event.seat)


def _cards(before: View, events: Sequence[Event], after: View) -> Iterator[Weighed]:
    for event in events:
        if isinstance(event, Cascaded) and len(event.cards) > 1:
            yield 60 + len(event.cards), (), Slid(len(event.cards), tuple(dict.fromkeys(event.cards)))
        if isinstance(event, Offered) and not after.over:
            cards = sum(stack.cards for stack in event.stacks)
            if cards >= MANY:
                yield 42, (), LeftMany(cards, event.other)
            elif not cards:
                yield 41, (), LeftNothing(event.other)
    if after.turn == after.turns != before.turn and after.active:
        yield 45, (), LastTurn(after.active)
