"""The headlines of a list of the duel: facts that follow from its events and the public tables."""

from collections.abc import Iterator, Sequence
from typing import Any

from rounds.duel.events import Cascaded, Offered, Resigned
from rounds.duel.view import View, scores
from rounds.engine.events import Event
from rounds.family.events import Bought
from rounds.family.headlines import Led, ThirdField, Weighed, leaders, reaped, weightiest, won

MOST = 2
"""Most headlines of a list."""
BIG = 4
"""A harvest of this many talers weighs more."""
MANY = 4
"""This many cards left for the other are a headline."""


class GaveUp(Event, frozen=True, tag="gave_up"):
    """The end: a seat gave up, so the other won. `others`: as in `Won`."""

    seat: str
    winner: str
    others: tuple[tuple[str, Any], ...] = ()


class Level(Event, frozen=True, tag="level"):
    """Both have as many talers now, and had not before."""

    seats: tuple[str, ...]
    talers: int


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


def headlines(
    before: View, events: Sequence[Event], after: View, _: Sequence[Sequence[Event]]
) -> tuple[Event, ...]:
    """The headlines of a list, the weightiest first: two at most, or none. `before`, `after`:
    what everybody sees.
    """
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
    best = reaped(events, 1)
    if best is not None:
        yield (70 if best.talers >= BIG else 50) + best.talers, (), best
    for event in events:
        if isinstance(event, Bought):
            yield 68, (), ThirdField(event.seat)


def _cards(before: View, events: Sequence[Event], after: View) -> Iterator[Weighed]:
    for event in events:
        if isinstance(event, Cascaded) and len(event.cards) > 1:
            yield (
                60 + len(event.cards),
                (),
                Slid(len(event.cards), tuple(dict.fromkeys(event.cards))),
            )
        if isinstance(event, Offered) and not after.over:
            cards = sum(stack.cards for stack in event.stacks)
            if cards >= MANY:
                yield 42, (), LeftMany(cards, event.other)
            elif not cards:
                yield 41, (), LeftNothing(event.other)
    if after.turn == after.turns != before.turn and after.active:
        yield 45, (), LastTurn(after.active)
