"""Robots of three strengths. They know what their seat knows, and never exchange a bonus card: it
costs more than any pays.

The weak one plants where it comes first and makes no deals; the medium one weighs what is lost, but
lets no field mutate; the strong one builds chains, for talers and for its bonus cards.
"""

from collections.abc import Callable, Iterator

from rounds.classic.notation import Plant, write
from rounds.classic.robot import HOPE, Worth, begun, list_of
from rounds.classic.table import LAST
from rounds.engine.beans import Variety
from rounds.engine.farm import Farm
from rounds.family.fields import letters, may_harvest
from rounds.family.orders import Harvest
from rounds.mutabohn.bonus import begun as letters_begun
from rounds.mutabohn.check import carried_out
from rounds.mutabohn.state import State
from rounds.mutabohn.table import FULL, ChainFarm, chain_of
from rounds.mutabohn.view import View

MUTATES = 0.5
"""What counts of what a field would gain by mutating, if the beans for it can still come."""
BEGUN = 0.5
"""What a bonus card counts when all of its letters but one are there."""
LEAST_GAIN = 0.05
"""Talers that a card of the hand must promise which need not be planted."""


def weak(seen: View) -> str:
    """Order text for the seat whose view this is: each card goes on the first field where it
    grows or that is empty, else the first one is harvested; no deals.
    """
    state, worth = _start(seen), ChainWorth(seen)
    while not state.is_call and (due := (*state.still_lying, *state.due_of_hand)):
        ways = [*_ways(state, due[0], worth)]
        state = min(ways, key=lambda after: len(after.done))
    return " ".join(map(write, state.orders)) or "pass"


def medium(seen: View) -> str:
    """Order text: cards go where they grow already, or where least is lost; honest deals."""
    worth = ChainWorth(seen)
    return list_of(seen, _planted(seen, worth), worth)


def strong(seen: View) -> str:
    """Order text: chains are built, for talers and for bonus cards."""
    worth = BonusWorth(seen)
    return list_of(seen, _planted(seen, worth), worth)


STRENGTHS: dict[str, Callable[[View], str]] = {"weak": weak, "medium": medium, "strong": strong}


def _start(seen: View) -> State:
    me = seen.farm(seen.seat or "")
    fields = tuple(chain_of(field.runs) if field.runs else None for field in me.fields)
    held = seen.held or ()
    return State(
        **begun(seen),
        farm=ChainFarm(fields, me.talers),
        chain=seen.chain,
        values=seen.values,
        bonus_cards=tuple(card.code if card else "" for card in held),
        held=tuple(place if card else None for place, card in enumerate(held)),
        pile=None,
        has_pile=bool(seen.bonus_pile),
        may_feed=seen.feeds,
        is_last=seen.phase == LAST,
    )


def _planted(seen: View, worth: "ChainWorth") -> State:
    """What must be planted where it promises most: of the cards that lie the best one first."""
    state = _start(seen)
    while not state.is_call and (due := state.still_lying or state.due_of_hand[:1]):
        ways = (after for card in due for after in _ways(state, card, worth))
        state = max(ways, key=worth.of_state)
    third = f"h{state.must_plant + 1}"
    if state.plants_hand and not state.due and len(state.hand) > state.must_plant:
        now = worth.of_state(state)
        others = [*_ways(state, third, worth)]
        best = max(others, key=worth.of_state, default=state)
        if worth.of_state(best) > now + LEAST_GAIN:
            state = best
    return state


def _ways(state: State, card: str, worth: "ChainWorth") -> Iterator[State]:
    """The state after a card is planted on each field, harvested before where it must be."""
    for field in letters(state.farm):
        if worth.takes(state.farm, field, state.variety(card)):
            yield carried_out(state, Plant(card, field))
        elif may_harvest(state.farm, field):
            yield carried_out(state, Harvest(field), Plant(card, field))


class ChainWorth(Worth):
    """What cards and fields are worth to a robot that lets no field mutate."""

    def __init__(self, seen: View) -> None:
        super().__init__(seen)
        again = seen.discard if seen.feeds or seen.run_outs + 1 < seen.last_run_out else {}
        self.to_come = {v.id: v.unseen + again.get(v.id, 0) for v in seen.varieties}

    def of_state(self, state: State) -> float:
        """What a farm is worth in the middle of a list, with the bonus cards that were cashed."""
        cashed = sum(state.values[code] for code, _ in state.cashed)
        return self.worth_of_farm(state.farm) + cashed / FULL

    def takes(self, farm: Farm, field: str, variety: str) -> bool:
        """Whether a card is planted on a field as it is."""
        there = farm.at(field)
        return there is None or there.variety == variety

    def with_card(self, farm: Farm, variety: str) -> Farm:
        """The best of all fields."""
        return max(self._ways(farm, variety), key=self.worth_of_farm)

    def _ways(self, farm: Farm, variety: str) -> Iterator[Farm]:
        for field in letters(farm):
            if self.takes(farm, field, variety):
                yield farm.with_card(field, variety)
            elif may_harvest(farm, field):
                yield self.harvested(farm, field).with_card(field, variety)


class BonusWorth(ChainWorth):
    """What cards and fields are worth to a robot that builds chains for bonus cards."""

    def __init__(self, seen: View) -> None:
        super().__init__(seen)
        self.following = dict(zip(seen.chain, seen.chain[1:], strict=False))
        self.held = [(card.code, card.value / FULL) for card in seen.held or () if card]

    def takes(self, farm: Farm, field: str, variety: str) -> bool:
        """Whether a card is planted on a field as it is, also to let it mutate."""
        there = farm.at(field)
        return there is None or variety in (there.variety, self.following.get(there.variety))

    def worth_of_farm(self, farm: Farm) -> float:
        """Purse, fields, and what has been begun of bonus cards."""
        fields = [one for one in farm.fields if one] if isinstance(farm, ChainFarm) else []
        hoped = 0.0
        for code, value in self.held:
            done = max((letters_begun(code, one.runs) for one in fields), default=0)
            hoped += value * BEGUN * (done / len(code)) ** 2 if done < len(code) else 0.0
        return super().worth_of_farm(farm) + hoped

    def hoped_for(self, variety: Variety, beans: int) -> float:
        """By its own beans, or by those it mutates to."""
        own, following = super().hoped_for(variety, beans), self.following.get(variety.id)
        if following is None:
            return own
        there = super().hoped_for(self.deck[following], beans + 1)
        chance = min(1.0, self.to_come[following] / 4)
        return own + max(0.0, there - own) * MUTATES * HOPE * chance
