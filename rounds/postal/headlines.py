"""What is most worth telling of a round: facts that follow from its events and the public tables
before and after it.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import takewhile

from rounds.engine.events import Absent, Event
from rounds.family.events import FinalHarvest, Harvested
from rounds.family.headlines import LeadShared, Weighed, leaders, weightiest, won
from rounds.postal.events import Cascaded, Discarded, Planted, Plowed
from rounds.postal.view import View, scores

MOST = 3
"""The most headlines of a round."""
BIG = 4
"""From this number of talers on a harvest is a headline."""
RECORDS_FROM = 3
"""Before this round nothing is the best so far."""
RUN = 3
"""From this number of cards of one variety on top of the discard pile on they are a headline."""
FEW = 3
"""The most varieties left lying that are named; more are no headline."""

Sheaf = tuple[str, int]
"""What was harvested from one field: variety and beans."""


class Led(Event, frozen=True, tag="led"):
    """A seat leads alone that did not before, by these harvests."""

    seat: str
    harvests: tuple[Sheaf, ...]


class Overtook(Event, frozen=True, tag="overtook"):
    """A seat had fewer talers than these, and has more now, by these harvests."""

    seat: str
    passed: tuple[str, ...]
    harvests: tuple[Sheaf, ...]


class NobodySent(Event, frozen=True, tag="nobody_sent"):
    """The stand-in played for all."""


class MostBeans(Event, frozen=True, tag="most_beans"):
    """More beans than in any harvest of the game before."""

    seat: str
    variety: str
    beans: int


class BigHarvest(Event, frozen=True, tag="big_harvest"):
    """A harvest of four talers or more; `absent`: the stand-in's."""

    seat: str
    variety: str
    beans: int
    talers: int
    absent: bool


class BestRound(Event, frozen=True, tag="best_round"):
    """A seat earned more in this round than anybody in any round before."""

    seat: str
    talers: int


class FirstTalers(Event, frozen=True, tag="first_talers"):
    """The first harvest of the game that earned something."""

    seat: str
    talers: int


class Slid(Event, frozen=True, tag="slid"):
    """Several cards came from the discard pile; the highest stack of them."""

    cards: int
    variety: str
    position: int
    lying: int


class PlowedUnder(Event, frozen=True, tag="plowed_under"):
    """A field was emptied for a fee."""

    seat: str
    variety: str
    beans: int


class TakenByAll(Event, frozen=True, tag="taken_by_all"):
    """Every farm planted of one position."""

    variety: str
    position: int


class LastRow(Event, frozen=True, tag="last_row"):
    """The row that lies open now is the last."""


class NothingLeft(Event, frozen=True, tag="nothing_left"):
    """Every card of the row was used."""


class Waiting(Event, frozen=True, tag="waiting"):
    """A run of one variety lies on top of the discard pile."""

    variety: str
    cards: int


class Left(Event, frozen=True, tag="left"):
    """Of these varieties cards were used by nobody, and of no other."""

    varieties: tuple[str, ...]


class Quiet(Event, frozen=True, tag="quiet"):
    """Nothing else is to be told."""


def headlines(
    before: View, events: Sequence[Event], after: View, earlier: Sequence[Sequence[Event]]
) -> tuple[Event, ...]:
    """The headlines of a round, the weightiest first: at most three, never two about the same
    seat, never none.

    `before`, `after`: what everybody sees; `earlier`: what happened in each round before this
    one.
    """
    found = [
        *_standing(before, events, after),
        *_harvests(before, events, earlier),
        *_row(after, events),
        *_piles(after, events),
    ]
    return weightiest(found, MOST) or (Quiet(),)


def _standing(before: View, events: Sequence[Event], after: View) -> Iterator[Weighed]:
    """Who won, leads, or passed somebody."""
    had, have, paid = scores(before), scores(after), _paid(events)
    first, led = leaders(have), leaders(had)
    if after.over:
        yield 200, first, won(have, first)
    elif len(first) > 1 and set(first) != set(led) and have[first[0]] > 0:
        yield 90, first, LeadShared(first, have[first[0]])
    for seat in had:
        passed = tuple(
            other for other in had if had[seat] < had[other] and have[seat] > have[other]
        )
        gain = have[seat] - had[seat]
        if first == (seat,) and led != first:
            yield 100 + gain, (seat,), Led(seat, _best(seat, paid))
        elif passed:
            yield 80 + gain, (seat,), Overtook(seat, passed, _best(seat, paid))


def _best(seat: str, paid: Iterable[Harvested | FinalHarvest]) -> tuple[Sheaf, ...]:
    """The two best harvests of a seat, of those of a round that earned something."""
    own = [event for event in paid if event.seat == seat]
    own.sort(key=lambda event: (-event.talers, -event.beans))
    return tuple((event.variety, event.beans) for event in own[:2])


def _paid(events: Iterable[Event]) -> list[Harvested | FinalHarvest]:
    """The harvests that earned something."""
    return [
        event
        for event in events
        if isinstance(event, Harvested | FinalHarvest) and event.talers > 0
    ]


def _harvests(
    before: View, events: Sequence[Event], earlier: Sequence[Sequence[Event]]
) -> Iterator[Weighed]:
    """Harvests that stand out, and what nobody likes to do."""
    absent = {event.seat for event in events if isinstance(event, Absent)}
    if absent == {farm.seat for farm in before.farms} and len(absent) > 1:
        yield 95, (), NobodySent()
    paid = _paid(events)
    for event in paid:
        if event.talers >= BIG:
            asleep = event.seat in absent
            headline = BigHarvest(event.seat, event.variety, event.beans, event.talers, asleep)
            yield 72 if asleep else 70, (event.seat,), headline
    if before.round >= RECORDS_FROM:
        yield from _records(paid, events, earlier)
    if len({event.seat for event in paid}) == 1 and not any(map(_paid, earlier)):
        yield 64, (paid[0].seat,), FirstTalers(paid[0].seat, sum(event.talers for event in paid))
    for plowed in events:
        if isinstance(plowed, Plowed):
            yield 50, (plowed.seat,), PlowedUnder(plowed.seat, plowed.variety, plowed.beans)


def _records(
    paid: Sequence[Harvested | FinalHarvest],
    events: Sequence[Event],
    earlier: Sequence[Sequence[Event]],
) -> Iterator[Weighed]:
    """What was never done before in the game, and by one seat alone."""
    most = max(
        (
            event.beans
            for one in earlier
            for event in one
            if isinstance(event, Harvested | FinalHarvest)
        ),
        default=0,
    )
    now_most = max((event.beans for event in paid), default=0)
    records = [event for event in paid if event.beans == now_most > most]
    if len(records) == 1 and most:
        yield (
            74,
            (records[0].seat,),
            MostBeans(records[0].seat, records[0].variety, records[0].beans),
        )
    best = max((talers for one in earlier for talers in _earned(one).values()), default=0)
    now = _earned(events)
    now_best = max(now.values(), default=0)
    first = [seat for seat in now if now[seat] == now_best > best]
    if len(first) == 1 and best:
        yield 66, (first[0],), BestRound(first[0], now[first[0]])


def _earned(events: Iterable[Event]) -> Mapping[str, int]:
    """What each seat earned in a round, less what plowing cost."""
    talers: defaultdict[str, int] = defaultdict(int)
    for event in events:
        if isinstance(event, Harvested | FinalHarvest):
            talers[event.seat] += event.talers
        elif isinstance(event, Plowed):
            talers[event.seat] -= event.talers
    return talers


def _row(after: View, events: Sequence[Event]) -> Iterator[Weighed]:
    """What slid onto the next row, and what all took of this one."""
    slid = [event for event in events if isinstance(event, Cascaded)]
    if len(slid) > 1:
        high = max(slid, key=lambda event: (after.row[event.position - 1].cards, -event.position))
        lying = after.row[high.position - 1].cards
        yield 60 + len(slid), (), Slid(len(slid), high.variety, high.position, lying)
    took: defaultdict[tuple[int, str], set[str]] = defaultdict(set)
    for event in events:
        if isinstance(event, Planted):
            took[event.position, event.variety].add(event.seat)
    by_all = [taken for taken, seats in took.items() if len(seats) == len(after.farms) > 2]
    if by_all and not after.over:
        position, variety = min(by_all)
        yield 35, (), TakenByAll(variety, position)
    if after.round == after.rounds and not after.over:
        yield 45, (), LastRow()


def _piles(after: View, events: Sequence[Event]) -> Iterator[Weighed]:
    """What nobody used, and what lies on top now."""
    left = [card for event in events if isinstance(event, Discarded) for card in event.cards]
    run = list(takewhile(lambda card: card == after.discard[0], after.discard))
    if after.over:
        return
    if len(run) >= RUN:
        yield 42, (), Waiting(run[0], len(run))
    elif not left:
        yield 44, (), NothingLeft()
    elif len(set(left)) <= FEW:
        yield 40, (), Left(tuple(dict.fromkeys(left)))
