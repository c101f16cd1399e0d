"""What is played for an absent seat, in the players' own orders."""

from rounds.duel.check import carried_out, field_of, plant_where_it_grows
from rounds.duel.check import matching as match
from rounds.duel.notation import MATCH, THEN, Lay, Plant
from rounds.duel.state import State, merged, start
from rounds.duel.table import AFTER, Table
from rounds.engine.notation import Orders
from rounds.family.fields import best_harvest
from rounds.family.orders import Harvest


def stand_in(table: Table, seat: str) -> Orders:
    """The whole turn (D47), or after the reveal what matches. Always a legal list; never buys,
    never discards from the hand.
    """
    state = start(table, seat)
    if table.phase == AFTER:
        return tuple(one.order for one in merged(match(state).done))
    for stack in table.offer:
        for _ in range(stack.cards):
            state = _offered(state, stack.variety)
    for card in range(1, min(2, len(table.hands[seat])) + 1):
        state = _from_hand(state, card)
    return (*(one.order for one in merged(state.done)), THEN, MATCH)


def _offered(state: State, variety: str) -> State:
    """One card on offer: planted where its variety grows, else discarded (D43)."""
    planted = plant_where_it_grows(state, variety)
    return carried_out(state, Lay(variety, 1)) if planted is state else planted


def _from_hand(state: State, card: int) -> State:
    """The front card is always planted (D44), the second one only where its variety grows (D45)."""
    field, room = field_of(state, state.table.hand(state.seat)[card - 1])
    if field is None and card > 1:
        return state
    if field is None:
        field = state.farm.first_empty()
    if field is None:
        field = best_harvest(state.table.deck, state.farm)
        room = (Harvest(field),)
    return carried_out(state, *room, Plant(card, field))
