"""A robot: it plants where least is lost and trades honestly, for what it may expect of a deal.
It knows what its seat knows.

What cards are worth is what they bring when they are planted: those that lie at once, those of
the hand later, where they must.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from rounds.classic.check import carried_out
from rounds.classic.notation import write
from rounds.classic.stand_in import auto, planted
from rounds.classic.state import State
from rounds.classic.table import CALL, FIELD, LAST
from rounds.classic.view import View
from rounds.engine.beans import Deck, Variety
from rounds.engine.farm import Farm, Stack
from rounds.family.fields import letters, may_harvest
from rounds.family.orders import BUY

MOST_DEALS = 30
LEAST_GAIN = 0.1
"""Talers that a deal must promise: several may be carried out, and each was weighed alone."""
HOPE = 0.7
"""How much of a field's next taler is counted in advance, if the missing beans can still be drawn.
"""
FADING = 0.4
"""What a card of the hand counts of the one before it, since it may be traded away until then."""


def robot(seen: View) -> str:
    """Order text for the seat whose view this is, always legal."""
    worth = Worth(seen)
    me = seen.farm(seen.seat or "")
    fields = tuple(
        Stack(field.variety, field.beans) if field.variety else None for field in me.fields
    )
    state = State(farm=Farm(fields, me.talers), **begun(seen))
    return list_of(seen, _planted(state, worth, buys=seen.run_outs == 0), worth)


def list_of(seen: View, state: State, worth: "Worth") -> str:
    """Order text of the field work that has led to this state, and of the deals that promise
    most.
    """
    deals = [] if seen.phase == LAST else _deals(seen, state, worth)
    return " ".join([*map(write, state.orders), *deals]) or "pass"


def begun(seen: View) -> dict[str, Any]:
    """What a state is before the first order of a list, besides its farm."""
    me = seen.farm(seen.seat or "")
    return {
        "seat": me.seat,
        "deck": deck_of(seen),
        "price": seen.price,
        "coins": ("",) * me.talers,
        "lying": me.lying,
        "hand": seen.hand or (),
        "plants_hand": seen.phase == FIELD and me.seat in seen.active,
        "is_call": seen.phase == CALL,
    }


def deck_of(seen: View) -> Deck:
    """The varieties of the game."""
    return Deck(tuple(Variety(v.id, v.cards, v.beanometer) for v in seen.varieties))


def _planted(state: State, worth: "Worth", *, buys: bool) -> State:
    """Field work: a third field while it pays, what grows already, and then what costs a
    harvest.
    """
    if state.is_call or not (state.lying or state.plants_hand):
        return state
    if (
        buys
        and state.price
        and len(state.farm.fields) < 3
        and state.farm.talers >= state.price
        and not state.farm.first_empty()
    ):
        state = carried_out(state, BUY)
    order = worth.in_order(state.farm, state.lying)
    for card in sorted(state.still_lying, key=lambda card: order.index(state.variety(card))):
        state = planted(state, card, worth.cleared)
    return auto(state, worth.cleared)


def _deals(seen: View, state: State, worth: "Worth") -> list[str]:
    """Every card of its own for every variety, or for nothing, and what it would take for
    nothing; what promises most first.
    """
    cards = {label: card for label, card in seen.cards.items() if label not in state.planted}
    received = seen.farm(state.seat).received

    def promise(given: str | None, taken: tuple[str, ...]) -> float:
        left = {label: card for label, card in cards.items() if label != given}
        shown, hand = ([card for label, card in left.items() if label[0] == pile] for pile in "rh")
        return worth.of(state.farm, (*shown, *received, *taken), hand)

    now, found = promise(None, ()), list[tuple[float, str]]()
    for given in (*cards, None):
        for taken in (None, *state.deck.ids):
            if taken != cards.get(given or ""):
                gain = promise(given, (taken,) if taken else ()) - now
                found += [(gain, f"{given or 0}={taken or 0}")] if gain > LEAST_GAIN else []
    return [deal for _, deal in sorted(found, key=lambda one: -round(one[0], 6))[:MOST_DEALS]]


class Worth:
    """What cards and fields are worth to a seat, in talers that it may expect."""

    def __init__(self, seen: View) -> None:
        again = seen.discard if seen.run_outs + 1 < seen.last_run_out else {}
        self.deck = deck_of(seen)
        self.to_come = {v.id: v.unseen + again.get(v.id, 0) for v in seen.varieties}
        self._fields: dict[tuple[str, int], float] = {}
        self._farms: dict[tuple[Farm, str], Farm] = {}

    def of(self, farm: Farm, lying: Sequence[str], hand: Iterable[str]) -> float:
        """What a farm gains by the cards that lie, those first that grow, and then by those of a
        hand.
        """
        for variety in self.in_order(farm, lying):
            farm = self.planted(farm, variety)
        total = before = self.worth_of_farm(farm)
        counts = 1.0
        for variety in hand:
            farm = self.planted(farm, variety)
            after = self.worth_of_farm(farm)
            total += counts * (after - before)
            before, counts = after, counts * FADING
        return total

    def in_order(self, farm: Farm, lying: Sequence[str]) -> list[str]:
        """Cards that lie, as they are best planted: what grows, then what is worth least, since
        it may be harvested again.
        """

        def key(variety: str) -> tuple[bool, float, str]:
            return (
                farm.growing(variety) is None,
                self.of_field(variety, lying.count(variety)),
                variety,
            )

        return sorted(lying, key=key)

    def planted(self, farm: Farm, variety: str) -> Farm:
        """The farm with one more card, where it grows, or on an empty field, or on one that is
        harvested for it.
        """
        if (farm, variety) not in self._farms:
            self._farms[farm, variety] = self.with_card(farm, variety)
        return self._farms[farm, variety]

    def with_card(self, farm: Farm, variety: str) -> Farm:
        """As `planted`, worked out."""
        field = farm.growing(variety) or farm.first_empty()
        if field is None:
            field = self.cleared(farm)
            farm = self.harvested(farm, field)
        return farm.with_card(field, variety)

    def harvested(self, farm: Farm, field: str) -> Farm:
        """The farm without what grows on a field, but with what it pays."""
        grown = farm.at(field)
        return farm.with_field(
            field, None, self.deck[grown.variety].talers(grown.cards) if grown else 0
        )

    def cleared(self, farm: Farm) -> str:
        """The field whose harvest loses least."""
        return min(
            (field for field in letters(farm) if may_harvest(farm, field)),
            key=lambda field: self._lost(farm, field),
        )

    def _lost(self, farm: Farm, field: str) -> float:
        grown = farm.at(field)
        return (
            self.of_field(grown.variety, grown.cards) - self.deck[grown.variety].talers(grown.cards)
            if grown
            else 0.0
        )

    def worth_of_farm(self, farm: Farm) -> float:
        """The purse and the fields."""
        return farm.talers + sum(
            self.of_field(grown.variety, grown.cards) for grown in farm.fields if grown
        )

    def of_field(self, variety: str, beans: int) -> float:
        """What a field would earn, and of the next tier as much as there is of its beans, if the
        others can still come.
        """
        if (variety, beans) not in self._fields:
            self._fields[variety, beans] = self.hoped_for(self.deck[variety], beans)
        return self._fields[variety, beans]

    def hoped_for(self, variety: Variety, beans: int) -> float:
        """As `of_field`, worked out."""
        talers, tier = variety.talers(beans), variety.next_tier(beans)
        if tier is None:
            return talers
        missing, then = tier
        reached = max((needed for needed in variety.beanometer if 0 < needed <= beans), default=0)
        grown = (beans - reached) / (beans - reached + missing)
        return talers + (then - talers) * grown * HOPE * min(
            1.0, self.to_come[variety.id] / missing
        )
