"""A robot: it plants what fits and offers honestly, by what a card would bring on its fields. It knows what its seat knows."""

from collections import Counter

from rounds.beans import Deck, Variety
from rounds.classic.check import carried_out
from rounds.classic.notation import BUY, write
from rounds.classic.stand_in import auto
from rounds.classic.state import State
from rounds.classic.table import CALL, FIELD, LAST
from rounds.classic.view import View
from rounds.farm import Farm, Stack

MOST_WISHES, MOST_TAKEN = 12, 6
"""So many cards it offers, and so many varieties for each of them."""


def robot(seen: View) -> str:
    """Order text for the seat whose view this is, always legal."""
    state = _planted(_start(seen))
    work = [write(one.order) for one in state.done]
    wishes = [] if seen.phase == LAST else _wishes(seen, state)
    return " ".join([*work, *wishes]) or "pass"


def _start(seen: View) -> State:
    me = seen.farm(seen.seat or "")
    deck = Deck(tuple(Variety(v.id, v.cards, v.beanometer) for v in seen.varieties))
    fields = tuple(Stack(field.variety, field.beans) if field.variety else None for field in me.fields)
    plants_hand = seen.phase == FIELD and me.seat in seen.active
    coins = ("",) * me.talers
    return State(
        me.seat, deck, seen.price, Farm(fields, me.talers), coins, me.lying, seen.hand or (), plants_hand, seen.phase == CALL
    )


def _planted(state: State) -> State:
    """Field work: a third field if it can be had, then as the stand-in does."""
    if state.is_call or not (state.lying or state.plants_hand):
        return state
    if state.price and len(state.farm.fields) < 3 and state.farm.talers >= state.price and state.farm.first_empty() is None:
        state = carried_out(state, BUY)
    return auto(state)


def _wishes(seen: View, state: State) -> list[str]:
    """What it would give for what: cards that fit nowhere for those that do; open ones, which it must plant, also for nothing."""
    worth = Worth(seen, state)
    cards = {label: card for label, card in seen.cards.items() if label not in state.planted}
    wanted = worth.wanted()[:MOST_TAKEN]
    spare = sorted((label for label, card in cards.items() if worth.of(card) <= 0), key=lambda label: (label[0] != "r", label))
    found = []
    for label in spare[:MOST_WISHES]:
        taken = [variety for variety in wanted if variety != cards[label]]
        nothing = ["0"] if label[0] == "r" else []
        if taken or nothing:
            found.append("|".join(f"{label}={variety}" for variety in (*taken, *nothing)))
    return [*found, *(f"0={variety}" for variety in wanted)]


class Worth:
    """What one more card of a variety would bring a seat."""

    def __init__(self, seen: View, state: State) -> None:
        """With the fields as they are after its list, and what it has received already."""
        me = seen.farm(state.seat)
        self.deck, self.fields, self.received = state.deck, state.farm.fields, Counter(me.received)
        self.growing = {grown.variety: grown.cards for grown in self.fields if grown}

    def of(self, variety: str) -> float:
        """Talers a card: what the next tier brings by the beans that are missing; a full field wants none."""
        beans = self.growing.get(variety, 0) + self.received[variety]
        if not beans:
            return 0.0
        tier = self.deck[variety].next_tier(beans)
        return 0.0 if tier is None else (tier[1] - self.deck[variety].talers(beans)) / tier[0]

    def wanted(self) -> list[str]:
        """The varieties it wants, the best first."""
        return sorted((v for v in self.deck.ids if self.of(v) > 0), key=lambda variety: -self.of(variety))
