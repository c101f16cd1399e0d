"""The headlines of a round: facts that follow from its events and the public tables before and
after it.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from rounds.classic.events import Planted, RanOut, Traded
from rounds.classic.table import LAST
from rounds.classic.view import View, scores
from rounds.engine.events import Absent, Event
from rounds.family.events import Bought
from rounds.family.headlines import (
    LeadShared,
    Led,
    ThirdField,
    Weighed,
    leaders,
    reaped,
    weightiest,
    won,
)

MOST = 3
"""Most headlines of a round."""
BIG = 3
"""A harvest of this many talers is a headline."""
MANY_TRADES = 3
"""This many trades in one call are a headline."""
MANY_CARDS = 3
"""This many cards of one variety that come to one seat, or in one gift, are a headline; also
twice as many cards moved.
"""


class NobodySent(Event, frozen=True, tag="nobody_sent"):
    """The stand-in planted for all."""


class Full(Event, frozen=True, tag="full"):
    """A field has as many beans now as its last tier takes, and had fewer."""

    seat: str
    variety: str
    beans: int


class Bazaar(Event, frozen=True, tag="bazaar"):
    """Many trades, some of them gifts."""

    trades: int
    gifts: int


class Collected(Event, frozen=True, tag="collected"):
    """Many cards of one variety came to one seat by trades."""

    seat: str
    variety: str
    cards: int


class Busiest(Event, frozen=True, tag="busiest"):
    """The one seat that moved most cards in trades."""

    seat: str
    gave: int
    got: int


class BigGift(Event, frozen=True, tag="big_gift"):
    """Several cards for nothing."""

    seat: str
    other: str
    cards: tuple[str, ...]


class NoTrade(Event, frozen=True, tag="no_trade"):
    """No deal found another that fits."""


class RunOut(Event, frozen=True, tag="run_out"):
    """The draw pile ran out, `times` of `of` times."""

    times: int
    of: int


class LastPlanting(Event, frozen=True, tag="last_planting"):
    """Only what lies is planted now."""


def headlines(
    before: View, events: Sequence[Event], after: View, _: Sequence[Sequence[Event]]
) -> tuple[Event, ...]:
    """The headlines of a round, the weightiest first: three at most, never two about the same
    seat, perhaps none.

    `before`, `after`: what everybody sees.
    """
    return weightiest(found(before, events, after, scores), MOST)


def found(
    before: View, events: Sequence[Event], after: View, scores: Callable[[Any], Mapping[str, int]]
) -> list[Weighed]:
    """All that is worth telling, each with its weight. `scores`: what ranks go by."""
    return [
        *_standing(before, events, after, scores),
        *_harvests(events),
        *_fields(events, after),
        *_trades(before, events),
        *_pile(before, events, after),
    ]


def _standing(
    before: View, events: Sequence[Event], after: View, scores: Callable[[Any], Mapping[str, int]]
) -> Iterator[Weighed]:
    """Who won or leads."""
    had, have = scores(before), scores(after)
    first, led = leaders(have), leaders(had)
    if after.over:
        yield 200, (), won(have, tuple(farm.seat for farm in after.farms if farm.rank == 1))
    elif len(first) > 1 and set(first) != set(led) and have[first[0]] > 0:
        yield 90, first, LeadShared(first, have[first[0]])
    elif len(first) == 1 and led != first:
        yield 100, first, Led(first[0], have[first[0]])
    if {event.seat for event in events if isinstance(event, Absent)} == {
        farm.seat for farm in before.farms
    }:
        yield 95, (), NobodySent()


def _harvests(events: Sequence[Event]) -> Iterator[Weighed]:
    """The best harvest, if it is a good one."""
    best = reaped(events, BIG)
    if best is not None:
        yield 66 + best.talers, (best.seat,), best


def _fields(events: Sequence[Event], after: View) -> Iterator[Weighed]:
    """Fields that were bought, or filled."""
    full = {variety.id: max(variety.beanometer) for variety in after.varieties}
    for event in events:
        if isinstance(event, Bought):
            yield 68, (event.seat,), ThirdField(event.seat)
        elif isinstance(event, Planted) and event.beans == full[event.variety]:
            yield 52, (event.seat,), Full(event.seat, event.variety, event.beans)


def _trades(before: View, events: Sequence[Event]) -> Iterator[Weighed]:
    """How much was traded, and what stands out."""
    trades = [event for event in events if isinstance(event, Traded)]
    if before.phase == LAST:
        return
    if not trades:
        yield 10, (), NoTrade()
    if len(trades) >= MANY_TRADES:
        yield 50 + len(trades), (), Bazaar(len(trades), sum(() in event.cards for event in trades))
    for event in trades:
        if () in event.cards and max(map(len, event.cards)) >= MANY_CARDS:
            giver, other = event.seats if event.cards[0] else event.seats[::-1]
            yield 60, (giver, other), BigGift(giver, other, max(event.cards, key=len))
    yield from _traders(trades)


def _traders(trades: Sequence[Traded]) -> Iterator[Weighed]:
    """Who collected most of a variety, and who moved most cards."""
    gave, got = Counter[str](), defaultdict[str, Counter[str]](Counter)
    for event in trades:
        for seat, given, taken in zip(event.seats, event.cards, reversed(event.cards), strict=True):
            gave[seat] += len(given)
            got[seat].update(taken)
    hoards = [
        (cards, seat, variety)
        for seat, of in got.items()
        for variety, cards in of.items()
        if cards >= MANY_CARDS
    ]
    if hoards:
        cards, seat, variety = max(hoards, key=lambda hoard: hoard[0])
        yield 54 + cards, (seat,), Collected(seat, variety, cards)
    moved = {seat: gave[seat] + got[seat].total() for seat in got}
    busiest = [seat for seat in moved if moved[seat] == max(moved.values()) >= 2 * MANY_CARDS]
    if len(busiest) == 1:
        yield 40, (busiest[0],), Busiest(busiest[0], gave[busiest[0]], got[busiest[0]].total())


def _pile(before: View, events: Sequence[Event], after: View) -> Iterator[Weighed]:
    """That the draw pile ran out, and what comes of it."""
    times = [event.times for event in events if isinstance(event, RanOut)]
    if times and not after.over:
        yield (
            85 if times[-1] == after.last_run_out else 56,
            (),
            RunOut(times[-1], after.last_run_out),
        )
    if after.phase == LAST != before.phase and not after.over:
        yield 45, (), LastPlanting()
