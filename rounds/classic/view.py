"""What a seat, or everybody, may see (K49 to K51): of all that is hidden its own hand and its
own deals.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

from msgspec import Struct

from rounds.classic.account import drawn
from rounds.classic.deals import tradable
from rounds.classic.events import Crossed, Missed, Traded, Wished
from rounds.classic.notation import KEEP, write, write_deals
from rounds.classic.round import ranks, result
from rounds.classic.table import HouseRules, Moment, Table, awaited
from rounds.engine.beans import VarietyView
from rounds.engine.events import Event
from rounds.engine.farm import FIELDS, FarmView


class SeatView(FarmView, frozen=True):
    """A farm, how many cards the hand has, what lies with it, and whether it may have a third
    field.
    """

    hand: int
    lying: tuple[str, ...]
    open: tuple[str | None, ...]
    received: tuple[str, ...]
    may_buy: bool


class View(Struct, frozen=True):
    """Everything that may be shown to `seat` (None: to anybody). `hand`, `drawn`, `standing`,
    `deals` and `unmatched` are the own ones; `cards`: those of the own that may be traded, by
    label; `final`: the talers once the game is over.
    """

    seat: str | None
    turn: int
    phase: str
    active: tuple[str, ...]
    order: tuple[str, ...]
    awaited: tuple[str, ...]
    over: bool
    farms: tuple[SeatView, ...]
    ranking: tuple[SeatView, ...]
    """The farms by rank."""
    varieties: tuple[VarietyView, ...]
    discard: dict[str, int]
    draw_pile: int
    run_outs: int
    last_run_out: int
    hand: tuple[str, ...] | None
    drawn: tuple[str, ...]
    cards: dict[str, str]
    standing: str
    deals: str
    unmatched: tuple[str, ...]
    final: dict[str, int] | None
    house_rules: HouseRules
    price: int | None
    """The price of a third field; None if none is for sale."""

    @property
    def moment(self) -> Moment:
        """Where the game stands."""
        return Moment(
            self.turn, self.phase, self.active[0] if self.house_rules.turns == "single" else None
        )

    def told(self, wishes: Sequence[str]) -> tuple[Wished, ...]:
        """Own wishes in canonical form, in varieties: a single card is the one that had this
        name when the seat saw this.
        """
        return tuple(
            Wished(self.seat or "", tuple(map(self._way, wish.split("|")))) for wish in wishes
        )

    def missed(self, after: "View", events: Sequence[Event]) -> tuple[Missed, ...]:
        """What came to nothing of the own deals in the round between this view and the next. It
        hangs on nothing but the own list, cards and trades.
        """
        trades = [
            (event.cards[at], event.cards[1 - at], event.seats[1 - at])
            for event in events
            if isinstance(event, Traded) and self.seat in event.seats
            for at in [event.seats.index(self.seat)]
        ]
        held, given = (
            Counter(self.cards.values()),
            Counter(card for one in trades for card in one[0]),
        )
        left, found = Counter(after.unmatched), list[Missed]()
        for wish in after.deals.split():
            ways = tuple(map(self._way, wish.split("|"))) if wish != KEEP.text else ()
            if ways and left[wish]:
                left[wish] -= 1
                give = ways[0][0]
                is_gone = bool(give) and all(given[card] >= held[card] for card in give)
                found.append(Missed(self.seat or "", ways, "gone" if is_gone else "nobody"))
                continue
            for at, way in enumerate(ways):
                trade = next((one for one in trades if _is_of(one, way)), None)
                if trade is None:
                    continue
                trades.remove(trade)
                if at:
                    _, got, other = trade
                    why = "later" if got else "gift"
                    found.append(Missed(self.seat or "", ways[:at], why, got, other))
                break
        return tuple(found)

    @staticmethod
    def near_miss(
        opened: Sequence[tuple["View", "View"]], events: Sequence[Event]
    ) -> Crossed | None:
        """Of what each seat saw before and after a call: the two seats, one of them active, whose
        deals crossed with the most cards, those that sit first where several did.
        """
        missed = [(before, before.missed(after, events)) for before, after in opened]
        found = (
            crossed
            for (one, mine), (other, theirs) in combinations(missed, 2)
            if {one.seat, other.seat} & set(one.active)
            and (crossed := _crossed(one.seat or "", mine, other.seat or "", theirs))
        )
        return max(found, key=lambda crossed: sum(map(len, crossed.cards)), default=None)

    def _way(self, deal: str) -> tuple[tuple[str, ...], tuple[str, ...], str | None]:
        sides, _, partner = deal.partition("@")
        give, _, get = sides.partition("=")
        return (
            self._named(give),
            self._named(get),
            self.farms[int(partner) - 1].seat if partner else None,
        )

    def _named(self, side: str) -> tuple[str, ...]:
        """The cards of one side: `h3+2blue` are three, `0` is none."""
        counted = (re.fullmatch("([2-9]?)(.+)", part) for part in side.split("+") if part != "0")
        return tuple(
            self.cards.get(m[2], m[2]) for m in counted if m for _ in range(int(m[1] or 1))
        )

    def farm(self, seat: str) -> SeatView:
        """The farm of a seat. Raises StopIteration if nobody of that name sits here."""
        return next(farm for farm in self.farms if farm.seat == seat)

    def growers(self, variety: str) -> tuple[str, ...]:
        """The seats on whose fields a variety grows."""
        return tuple(
            farm.seat
            for farm in self.farms
            if any(field.variety == variety for field in farm.fields)
        )


def _crossed(
    one: str, mine: Sequence[Missed], other: str, theirs: Sequence[Missed]
) -> Crossed | None:
    """None if only one asked for what the other offered."""
    (offered, asked), (they_offered, they_asked) = _sides(mine, other), _sides(theirs, one)
    given, got = offered & they_asked, they_offered & asked
    sides = tuple(given.elements()), tuple(got.elements())
    return Crossed((one, other), sides) if all(sides) else None


def _sides(missed: Sequence[Missed], other: str) -> tuple[Counter[str], Counter[str]]:
    """What deals that found nobody offer to another seat and ask of it: of each variety the most
    in one deal.
    """
    offered, asked = Counter[str](), Counter[str]()
    for one in missed:
        for give, get, partner in one.deals if one.why == "nobody" else ():
            if partner in (None, other):
                offered |= Counter(give)
                asked |= Counter(get)
    return offered, asked


def _is_of(
    trade: tuple[Sequence[str], Sequence[str], str],
    way: tuple[Sequence[str], Sequence[str], str | None],
) -> bool:
    """Whether an own trade (given, got, with whom) is what an alternative asked for."""
    gave, got, other = trade
    give, get, partner = way
    return (sorted(gave), sorted(got)) == (sorted(give), sorted(get)) and partner in (None, other)


def view(table: Table, seat: str | None) -> View:
    """What `seat` may see."""
    end = result(table)
    purse = {one: table.farms[one].talers for one in table.seats}
    places = end.ranks if end else ranks(HouseRules(), purse, dict.fromkeys(table.seats, 0))
    farms = tuple(SeatView(**farm_known(table, one, places[one])) for one in table.seats)
    return View(farms=farms, final=end.talers if end else None, **known(table, seat, farms))


def known(table: Table, seat: str | None, farms: Sequence[SeatView]) -> dict[str, Any]:
    """What `seat` may see besides farms and result."""
    unseen = table.deck.counts(
        (
            *table.draw_pile,
            *(card for one in table.seats if one != seat for card in table.hand(one)),
        )
    )
    return {
        "seat": seat,
        "turn": table.turn,
        "phase": table.phase,
        "active": table.active,
        "order": table.round_order,
        "awaited": awaited(table),
        "over": table.over,
        "ranking": tuple(sorted(farms, key=lambda farm: farm.rank)),
        "varieties": tuple(
            VarietyView(v.id, v.cards, unseen[v.id], v.beanometer) for v in table.deck.varieties
        ),
        "discard": {
            variety: number
            for variety, number in table.deck.counts(table.discard).items()
            if number
        },
        "draw_pile": len(table.draw_pile),
        "run_outs": table.run_outs,
        "last_run_out": table.size.run_outs,
        "hand": None if seat is None else table.hand(seat),
        "drawn": () if seat is None else drawn(table, seat),
        "cards": {} if seat is None else tradable(table, seat),
        "standing": "" if seat is None else write_deals(table.standing.get(seat, ()), keep=True),
        "deals": "" if seat is None else table.deals.get(seat, ""),
        "unmatched": () if seat is None else tuple(map(write, table.unmatched.get(seat, ()))),
        "house_rules": table.rules,
        "price": table.size.price,
    }


def farm_known(table: Table, seat: str, rank: int) -> dict[str, Any]:
    """What everybody may see of a farm and what lies with it."""
    farm, is_sold = table.farms[seat], table.size.price is not None and not table.over
    return {
        "seat": seat,
        "fields": farm.shown(table.deck),
        "talers": farm.talers,
        "on_fields": farm.worth(table.deck) - farm.talers,
        "rank": rank,
        "hand": len(table.hands[seat]),
        "lying": table.lying[seat],
        "open": table.open.get(seat, ()),
        "received": table.received.get(seat, ()),
        "may_buy": is_sold and len(farm.fields) < len(FIELDS),
    }


def scores(seen: View) -> Mapping[str, int]:
    """The talers of each seat by rank: in the purse, or after the final harvest."""
    return {farm.seat: (seen.final or {}).get(farm.seat, farm.talers) for farm in seen.ranking}
