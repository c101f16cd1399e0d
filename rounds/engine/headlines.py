"""Headlines that follow from talers alone, with words in `templates/headlines.txt`; and which of all found are told."""

from collections.abc import Iterable, Mapping

from rounds.engine.events import Event

Weighed = tuple[int, tuple[str, ...], Event]
"""How much a headline weighs, the seats it is about, and it."""


class Won(Event, frozen=True, tag="won"):
    """The end: who won with how many talers, and how far ahead of whom (nobody where all won)."""

    seats: tuple[str, ...]
    talers: int
    ahead: int
    behind: tuple[str, ...]


class LeadShared(Event, frozen=True, tag="lead_shared"):
    """Several lead that did not lead together before."""

    seats: tuple[str, ...]
    talers: int


def weightiest(found: Iterable[Weighed], most: int) -> tuple[Event, ...]:
    """So many headlines at most, the weightiest first (of equal ones the first found), and never two about the same seat."""
    told: list[Event] = []
    named: set[str] = set()
    for _, about, headline in sorted(found, key=lambda weighed: -weighed[0]):
        if len(told) < most and named.isdisjoint(about):
            told.append(headline)
            named |= set(about)
    return tuple(told)


def leaders(talers: Mapping[str, int]) -> tuple[str, ...]:
    """Who has most."""
    return tuple(seat for seat in talers if talers[seat] == max(talers.values()))


def won(talers: Mapping[str, int], winners: tuple[str, ...]) -> Won:
    """That these have won, and who comes next."""
    most = talers[winners[0]]
    rest = {seat: own for seat, own in talers.items() if seat not in winners}
    return Won(winners, most, most - max(rest.values(), default=most), leaders(rest) if rest else ())
