"""A plan for the row that nobody knows yet: what can be known to be wrong with it, and how far
it goes.
"""

from collections.abc import Sequence
from itertools import takewhile

from msgspec.structs import replace

from rounds.duel.check import check, matching
from rounds.duel.events import Meant
from rounds.duel.notation import MATCH, THEN, Drop, Lay, Plant, Plow, Problem, Take, write
from rounds.duel.state import State
from rounds.engine.farm import FIELDS
from rounds.engine.notation import Order, Orders
from rounds.family.orders import Harvest


def plan_fault(order: Order) -> Problem | None:
    """What can be known to be wrong with an order of a plan, whatever comes."""
    match order:
        case Plant(card) | Drop(card):
            return Problem(code="STEP", position=card)
        case Lay(variety):
            return Problem(code="STEP", variety=variety)
        case Take(variety, 0):
            return Problem(code="COUNT", variety=variety, cards=0)
        case Take(_, _, None, True):
            return Problem(code="NEEDS_FIELD", hint=write(replace(order, field="A")))
        case Take(_, _, field) | Harvest(field) if field not in (None, *FIELDS):
            return Problem(code="BAD_FIELD", field=field, limit=len(FIELDS))
        case Harvest(field, cards) if cards is not None:
            return Problem(code="PARTIAL_HARVEST", field=field, cards=cards, hint=f"H{field}")
        case Plow(field):
            return Problem(code="NO_PLOW", field=field, hint=f"H{field}")
    return None


def split(orders: Orders) -> tuple[Orders, Orders]:
    """The exact orders, and the plan behind `then`."""
    exact = tuple(takewhile(lambda order: order != THEN, orders))
    return exact, orders[len(exact) + 1 :]


def meant(seat: str, order: Order) -> Meant:
    """What an order of a plan wants."""
    match order:
        case Take(variety, cards, field, clear):
            return Meant(seat, "plant", variety, cards, field, clear)
        case Harvest(field):
            return Meant(seat, "harvest", field=field)
    return Meant(seat, order.text)


def carry_out_plan(state: State, plan: Sequence[Order]) -> State:
    """The state after a plan for the row: each order as far as it goes (D53)."""
    for order in plan:
        if order == MATCH:
            state = matching(state)
            continue
        if isinstance(order, Take) and order.cards is not None:
            there = state.lies(order.variety)
            order = replace(order, cards=min(order.cards, there.cards if there else 0))
        checked = check(state, order)
        state = state if isinstance(checked, Problem) else checked
    return state
