"""What is played for an absent seat (M29), and `auto`."""

from rounds.classic.notation import KEEP, Plant
from rounds.classic.table import LAST
from rounds.engine.notation import Orders
from rounds.family.fields import best_harvest, letters
from rounds.family.orders import Harvest
from rounds.mutabohn.check import carried_out
from rounds.mutabohn.state import State, start
from rounds.mutabohn.table import Table


def stand_in(table: Table, seat: str) -> Orders:
    """Field work by M29, and the standing deals stay (K45). Always a legal list."""
    standing = () if table.phase == LAST else table.standing.get(seat, ())
    return (*auto(start(table, seat)).orders, *standing, *([KEEP] if standing else []))


def auto(state: State) -> State:
    """The state after everything that is due is planted."""
    if state.is_call:
        return state
    for card in (*state.still_lying, *state.due_of_hand):
        field = default_field(state, state.variety(card))
        orders = [] if field else [Harvest(best_harvest(state.deck, state.farm))]
        place = field or orders[0].field
        state = carried_out(state, *orders, Plant(card, place))
    return state


def default_field(state: State, variety: str) -> str | None:
    """The field that ends with the variety, else the one that gains most by mutating, else an
    empty one.
    """
    own = state.farm.growing(variety)
    gains = {
        field: gain(state, field, variety)
        for field in letters(state.farm)
        if state.farm.at(field) and state.takes(field, variety)
    }
    # of equal gains the first, which is the lowest letter
    return own or max(gains, key=gains.__getitem__, default=None) or state.farm.first_empty()


def gain(state: State, field: str, variety: str) -> int:
    """How many talers more a field pays with one more card."""
    there = state.farm.at(field)
    beans = there.cards if there else 0
    had = state.deck[there.variety].talers(beans) if there else 0
    return state.deck[variety].talers(beans + 1) - had
