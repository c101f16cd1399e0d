"""Headlines of several games, and which of all found are told. Those that follow from talers
alone have their words in `templates/headlines.txt`.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rounds.engine.events import Absent, Event
from rounds.family.events import FinalHarvest, Harvested

Weighed = tuple[int, tuple[str, ...], Event]
"""How much a headline weighs, the seats it is about, and it."""


# what ranks go by: in these three `talers` are points, where a game counts in parts of a taler
class Won(Event, frozen=True, tag="won"):
    """The end: who won with how many talers, how far ahead, and who comes next, if anybody does.
    `others`: seats with who played for them in the end, filled in by whoever tells it.
    """

    seats: tuple[str, ...]
    talers: int
    ahead: int
    behind: tuple[str, ...]
    others: tuple[tuple[str, Any], ...] = ()


class LeadShared(Event, frozen=True, tag="lead_shared"):
    """Several lead that did not lead together before."""

    seats: tuple[str, ...]
    talers: int


class Led(Event, frozen=True, tag="led"):
    """A seat leads alone that did not before."""

    seat: str
    talers: int


class Reaped(Event, frozen=True, tag="reaped"):
    """The harvest that earned most; `absent`: the stand-in's."""

    seat: str
    variety: str
    beans: int
    talers: int
    absent: bool


class ThirdField(Event, frozen=True, tag="third_field"):
    """A seat has bought its third field."""

    seat: str


def reaped(events: Sequence[Event], least: int) -> Reaped | None:
    """The harvest of a round that earned most, if it earned at least `least` talers."""
    absent = {event.seat for event in events if isinstance(event, Absent)}
    paid = [
        event
        for event in events
        if isinstance(event, Harvested | FinalHarvest) and event.talers >= least
    ]
    if not paid:
        return None
    best = max(paid, key=lambda event: event.talers)
    return Reaped(best.seat, best.variety, best.beans, best.talers, best.seat in absent)


def weightiest(found: Iterable[Weighed], most: int) -> tuple[Event, ...]:
    """At most `most` headlines, the weightiest first (of equal ones the first found), and never
    two about the same seat.
    """
    chosen: list[Event] = []
    named: set[str] = set()
    for _, about, headline in sorted(found, key=lambda weighed: -weighed[0]):
        if len(chosen) < most and named.isdisjoint(about):
            chosen.append(headline)
            named |= set(about)
    return tuple(chosen)


def leaders(talers: Mapping[str, int]) -> tuple[str, ...]:
    """Who has most."""
    return tuple(seat for seat in talers if talers[seat] == max(talers.values()))


def won(talers: Mapping[str, int], winners: tuple[str, ...]) -> Won:
    """That these have won, and who comes next."""
    most = talers[winners[0]]
    rest = {seat: own for seat, own in talers.items() if seat not in winners}
    return Won(
        winners, most, most - max(rest.values(), default=most), leaders(rest) if rest else ()
    )
