"""A call: the deals of all seats are matched (1.5)."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from typing import NamedTuple

from rounds.classic.deals import MOST_DEALS
from rounds.classic.notation import Alternatives, Deal, is_label

Cards = Mapping[str, str]
"""What a seat can trade, by label, in the order in which cards are taken for a variety (K33)."""
Side = tuple[str, ...]


Equal = tuple[Side, Side, int | None]
"""What is alike in equal alternatives: both sides, and the partner."""


class Offer(NamedTuple):
    """An alternative: its seat by the place in round order, its rank (K31), its wish, and its
    sides in varieties, sorted.
    """

    place: int
    rank: int
    wish: int
    deal: Deal
    give: Side
    get: Side


class Trade(NamedTuple):
    """Two seats, the one earlier in round order first, and what each of them gave."""

    seats: tuple[str, str]
    cards: tuple[Side, Side]


class Call:
    """One call: who trades what, and what is left then."""

    def __init__(
        self,
        seats: Sequence[str],
        order: Sequence[str],
        active: Sequence[str],
        cards: Mapping[str, Cards],
    ) -> None:
        """`seats` as they are numbered, `order` as they come in this round; `cards`: of each
        seat.
        """
        self.order = order
        self._numbers = [seats.index(seat) + 1 for seat in order]
        self._active = {order.index(seat) for seat in active}
        self.left = {seat: dict(cards[seat]) for seat in order}
        self._held = Counter(card for seat in order for card in cards[seat].values())
        self.used: set[tuple[str, int]] = set()
        """The wishes that were granted: seat, and number among its wishes from 0."""

    def match(self, wishes: Mapping[str, Sequence[Alternatives]]) -> list[Trade]:
        """Go once through all pairs that fit (K31)."""
        giving = {
            seat
            for seat in self.order
            if any(not deal.get for wish in wishes.get(seat, ()) for deal in wish.deals)
        }
        offers = [
            list(self._offers(place, wishes.get(seat, ()), giving))
            for place, seat in enumerate(self.order)
        ]
        return [
            trade
            for one, other in sorted(self._fitting(offers), key=_precedence)
            if (trade := self._trade(one, other))
        ]

    def _offers(
        self, place: int, wishes: Sequence[Alternatives], giving: Set[str]
    ) -> Iterator[Offer]:
        """The alternatives that can be carried out; of equal ones no more than there can be
        trades. `giving`: who makes gifts.

        The others would never be: once all before them are used, the seat has no card for them
        left.
        """
        rank, cards = 0, self.left[self.order[place]]
        held, alone, all_equal = Counter(cards.values()), Counter[Equal](), Counter[Equal]()
        trades = sum(len(self.left[seat]) for seat in {*giving, self.order[place]})
        for number, wish in enumerate(wishes):
            in_wish = set[Equal]()
            for deal in wish.deals:
                rank += 1
                if not all(part in cards for part in deal.labels):
                    continue
                give, get = (
                    sorted(cards[part] if is_label(part) else part for part in deal.give),
                    sorted(deal.get),
                )
                equal = tuple(sorted(deal.give)), tuple(get), deal.partner
                most = 1 if deal.labels else min(_times(held, give), _times(self._held, get))
                if equal not in in_wish and alone[equal] < most and all_equal[equal] < trades:
                    in_wish.add(equal)
                    all_equal[equal] += 1
                    alone[equal] += len(wish.deals) == 1
                    yield Offer(place, rank, number, deal, tuple(give), tuple(get))

    def _fitting(self, offers: Sequence[Sequence[Offer]]) -> Iterator[tuple[Offer, Offer]]:
        """All pairs in which each gives exactly what the other takes (K27, K28), the seat that
        comes earlier first.
        """
        waiting: dict[tuple[Side, Side], list[Offer]] = defaultdict(list)
        for of_seat in offers:
            for offer in of_seat:
                mirrored = waiting.get((offer.get, offer.give), ())
                yield from ((other, offer) for other in mirrored if self._may_trade(other, offer))
            for offer in of_seat:
                waiting[offer.give, offer.get].append(offer)

    def _may_trade(self, one: Offer, other: Offer) -> bool:
        return (
            bool({one.place, other.place} & self._active)
            and one.deal.partner in (None, self._numbers[other.place])
            and other.deal.partner in (None, self._numbers[one.place])
        )

    def _trade(self, one: Offer, other: Offer) -> Trade | None:
        """Carry a pair out, if neither wish has been granted and both sides' cards are still
        there.
        """
        seats = self.order[one.place], self.order[other.place]
        wishes = (seats[0], one.wish), (seats[1], other.wish)
        if not self.used.isdisjoint(wishes):
            return None
        first, second = (
            taken(self.left[seats[0]], one.deal.give),
            taken(self.left[seats[1]], other.deal.give),
        )
        if first is None or second is None:
            return None
        self.used.update(wishes)
        return Trade(seats, (self._given(seats[0], first), self._given(seats[1], second)))

    def _given(self, seat: str, labels: Sequence[str]) -> Side:
        return tuple(self.left[seat].pop(label) for label in labels)


def _times(held: Mapping[str, int], side: Sequence[str]) -> int:
    """How often the cards of one side of a deal are there; of no cards as often as there may be
    deals.
    """
    return min((held[card] // number for card, number in Counter(side).items()), default=MOST_DEALS)


def _precedence(pair: tuple[Offer, Offer]) -> tuple[int, ...]:
    """What comes first (K31)."""
    one, other = pair
    return one.rank + other.rank, max(one.rank, other.rank), one.place, other.place, one.rank


def taken(cards: Cards, give: Side) -> list[str] | None:
    """The labels of the cards that one side of a deal means now (K33); None if they are not
    there.
    """
    labels = [part for part in give if is_label(part)]
    if not all(label in cards for label in labels):
        return None
    if len(labels) == len(give):
        return labels
    missing = Counter(part for part in give if not is_label(part))
    for label, card in cards.items():
        if missing[card] > 0 and label not in labels:
            missing[card] -= 1
            labels.append(label)
    return None if missing.total() else labels
