"""What is played for an absent seat, in the players' own orders; and `auto`, which does the same
from there on.
"""

from collections.abc import Callable

from rounds.classic.check import carried_out
from rounds.classic.notation import KEEP, Plant
from rounds.classic.state import State, start
from rounds.classic.table import LAST, Table
from rounds.engine.farm import Farm
from rounds.engine.notation import Orders
from rounds.family.fields import best_harvest
from rounds.family.orders import Harvest


def stand_in(table: Table, seat: str) -> Orders:
    """Field work by K46 and K47, and the standing deals stay (K45). Always a legal list; never
    buys.
    """
    standing = () if table.phase == LAST else table.standing.get(seat, ())
    return (*auto(start(table, seat)).orders, *standing, *([KEEP] if standing else []))


def auto(state: State, cleared: Callable[[Farm], str] | None = None) -> State:
    """The state after everything that is due is planted, and the second card of the hand where
    it grows (K48).

    `cleared`: the field that is harvested where a card has none; plain: by K46.
    """
    if state.is_call:
        return state
    for card in (*state.still_lying, *state.due_of_hand):
        state = planted(state, card, cleared)
    if (
        "h1" in state.planted
        and "h2" not in state.planted
        and len(state.hand) > 1
        and state.farm.growing(state.hand[1])
    ):
        state = planted(state, "h2", cleared)
    return state


def planted(state: State, card: str, cleared: Callable[[Farm], str] | None) -> State:
    """Plant one card on its K21 field, else harvest one first."""
    field = state.default_field(state.variety(card))
    if field:
        return carried_out(state, Plant(card, field))
    field = cleared(state.farm) if cleared else best_harvest(state.deck, state.farm)
    return carried_out(state, Harvest(field), Plant(card, field))
