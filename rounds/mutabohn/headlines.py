"""The headlines of a round: those of the classic game, and what bonus cards, fines and feeding
are worth.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby

from rounds.classic.headlines import MOST, found
from rounds.engine.events import Event
from rounds.family.headlines import Weighed, weightiest
from rounds.mutabohn.events import Cashed, Fed, Fined, Planted
from rounds.mutabohn.view import View, scores

DEAR = 70
"""From this value on, in hundredths of a taler, cashing a bonus card is a headline."""


class CashedDear(Event, frozen=True, tag="cashed_dear"):
    """A seat cashed a bonus card of the dearest kind."""

    seat: str
    code: str
    value: int


class CashedAtOnce(Event, frozen=True, tag="cashed_at_once"):
    """One planting completed several bonus cards."""

    seat: str
    codes: tuple[str, ...]


class LastBonus(Event, frozen=True, tag="last_bonus"):
    """The bonus pile is empty now."""

    seat: str


class FedThePile(Event, frozen=True, tag="fed_the_pile"):
    """Fields went into the pile when it ran out, each with its variety and number of beans."""

    seat: str
    fields: tuple[tuple[str, int], ...]


class FinedSeats(Event, frozen=True, tag="fined_seats"):
    """These had fewer than two cards to plant."""

    seats: tuple[str, ...]


def headlines(
    before: View, events: Sequence[Event], after: View, _: Sequence[Sequence[Event]]
) -> tuple[Event, ...]:
    """The headlines of a round, the weightiest first: three at most, never two about the same
    seat.
    """
    own = (*_cashed(before, events, after), *_fed_and_fined(events))
    return weightiest((*found(before, events, after, scores), *own), MOST)


def _cashed(before: View, events: Sequence[Event], after: View) -> Iterator[Weighed]:
    """Bonus cards that stand out."""
    last: Event | None = None
    for is_cashed, together in groupby(events, lambda event: isinstance(event, Cashed)):
        run = [*together]
        cards = [event for event in run if isinstance(event, Cashed)]
        if is_cashed and len(cards) > 1 and isinstance(last, Planted):
            codes = tuple(card.code for card in cards)
            yield 74 + len(cards), (cards[0].seat,), CashedAtOnce(cards[0].seat, codes)
        for card in cards:
            if card.value >= DEAR:
                yield 70, (card.seat,), CashedDear(card.seat, card.code, card.value)
        last = run[-1]
    cashed = [event for event in events if isinstance(event, Cashed)]
    if before.bonus_pile and not after.bonus_pile:  # exchanges leave the pile as large as it was
        seat = cashed[before.bonus_pile - 1].seat
        yield 72, (seat,), LastBonus(seat)


def _fed_and_fined(events: Sequence[Event]) -> Iterator[Weighed]:
    """What was fed, and who was fined."""
    fed: dict[str, list[tuple[str, int]]] = {}
    for event in events:
        if isinstance(event, Fed):
            fed.setdefault(event.seat, []).append((event.variety, event.beans))
    for seat, fields in fed.items():
        yield 58, (seat,), FedThePile(seat, tuple(fields))
    fined = tuple(event.seat for event in events if isinstance(event, Fined))
    if fined:
        yield 48, fined, FinedSeats(fined)
