"""What a seat, or everybody, may see (D55): of all hidden cards its own hand, and how many of
each variety it does not see.
"""

from collections.abc import Mapping, Sequence, Set

from msgspec import Struct

from rounds.duel.round import ranks, result
from rounds.duel.steps import TurnStep, steps
from rounds.duel.table import AFTER, DEALT, DRAWN, PRICE, REVEALED, HouseRules, Moment, Table
from rounds.engine.beans import VarietyView
from rounds.engine.events import Event
from rounds.engine.farm import FarmView, Stack


class SeatView(FarmView, frozen=True):
    """A farm, and how many cards the hand has."""

    hand: int


class View(Struct, frozen=True):
    """Everything that may be shown to `seat` (None: to anybody). `offer`: before the reveal, for
    the awaited seat; at last what lapsed. `hand`: its own, front first; `hands`: how many cards
    each has; `final`: the talers once the game is over.
    """

    seat: str | None
    turn: int
    turns: int
    phase: int
    active: str | None
    over: bool
    offer: tuple[Stack, ...]
    row: tuple[Stack, ...]
    discard: tuple[str, ...]
    draw_pile: int
    hand: tuple[str, ...] | None
    drawn: tuple[str, ...]
    """The back of it, if the turn that ended last was the own one."""
    hands: dict[str, int]
    unseen: dict[str, int]
    varieties: tuple[VarietyView, ...]
    farms: tuple[SeatView, ...]
    standing: tuple[SeatView, ...]
    """The farms by rank."""
    final: dict[str, int] | None
    resigned: str | None
    house_rules: HouseRules
    price: int
    """The price of a third field."""

    @property
    def moment(self) -> Moment:
        """Where the game stands."""
        return Moment(self.turn, self.turns, self.phase)

    def steps(self, events: Sequence[Event]) -> tuple[TurnStep, ...]:
        """What happened from here on to the end of the turn, or of its first part."""
        return steps(events, is_revealed=self.phase == AFTER)

    def variety(self, name: str) -> VarietyView:
        """The variety with this id. Raises StopIteration for any other."""
        return next(variety for variety in self.varieties if variety.id == name)

    def farm(self, seat: str) -> SeatView:
        """The farm of a seat. Raises StopIteration if nobody of that name sits here."""
        return next(farm for farm in self.farms if farm.seat == seat)


def view(table: Table, seat: str | None) -> View:
    """What `seat` may see. What it does not see is counted together: the draw pile alone would
    tell the other hand.
    """
    others = [card for other in table.seats if other != seat for card in table.hand(other)]
    unseen = table.deck.counts((*table.draw_pile, *others))
    hands = {one: len(table.hands[one]) for one in table.seats}
    end = result(table)
    places = (
        end.ranks
        if end
        else ranks(
            {one: farm.talers for one, farm in table.farms.items()}, dict.fromkeys(table.seats, 0)
        )
    )
    farms = tuple(_seat_view(table, one, places[one]) for one in table.seats)
    return View(
        seat=seat,
        turn=table.moment.turn,
        turns=table.moment.turns,
        phase=table.phase,
        active=None if table.over else table.active,
        over=table.over,
        offer=table.offer,
        row=table.row,
        discard=table.discard,
        draw_pile=len(table.draw_pile),
        hand=None if seat is None else table.hand(seat),
        drawn=() if seat is None else _drawn(table, seat),
        hands=hands,
        unseen=unseen,
        varieties=tuple(
            VarietyView(v.id, v.cards, unseen[v.id], v.beanometer) for v in table.deck.varieties
        ),
        farms=farms,
        standing=tuple(sorted(farms, key=lambda farm: farm.rank)),
        final=end.talers if end else None,
        resigned=table.resigned,
        house_rules=table.rules,
        price=PRICE,
    )


def _seat_view(table: Table, seat: str, rank: int) -> SeatView:
    farm = table.farms[seat]
    on_fields = farm.worth(table.deck) - farm.talers
    return SeatView(
        seat, farm.shown(table.deck), farm.talers, on_fields, rank, len(table.hands[seat])
    )


def _drawn(table: Table, seat: str) -> tuple[str, ...]:
    """What the seat drew at the end of the turn before the open one; nothing if that was the
    other's.
    """
    first = table.gone - DRAWN - (REVEALED if table.phase == AFTER and not table.over else 0)
    return tuple(
        table.cards[place] for place in table.hands[seat] if place >= max(first, 2 * DEALT)
    )


def scores(seen: View) -> Mapping[str, int]:
    """The talers of each seat by rank: in the purse, or after the final harvest."""
    return {farm.seat: (seen.final or {}).get(farm.seat, farm.talers) for farm in seen.standing}


def readers(before: Table, after: Table) -> Set[str]:
    """Nobody is told in the middle of a turn; at its end the seat whose turn begins, at the end of
    the game both.
    """
    if after.over:
        return set(before.seats)
    return {after.active} if after.turn != before.turn else set()
