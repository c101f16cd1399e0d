"""Field work, one order after the other: what is wrong with it, or how the farm stands after it."""

from collections.abc import Callable
from typing import TypeVar

from rounds.classic.notation import Plant, Problem
from rounds.classic.state import State
from rounds.engine.farm import Farm
from rounds.engine.notation import Order
from rounds.family.events import Bought, Harvested
from rounds.family.fields import letters, may_harvest
from rounds.family.orders import BUY, Harvest

MOST_FIELDS = 3


S = TypeVar("S", bound=State)
"""How far a list has come in this game, or in one that stands on it."""


def check(state: S, order: Order) -> S | Problem:
    """An order on the farm that those before it have left: the state after it, or the first
    thing that is wrong.
    """
    match order:
        case Plant():
            return _plant(state, order)
        case Harvest():
            return _harvest(state, order)
        case _ if order == BUY:
            return _buy(state)
    raise TypeError(f"no field work: {order!r}")


def carried_out(state: S, *orders: Order, check: Callable[[S, Order], S | Problem] = check) -> S:
    """The state after orders that are known to be allowed."""
    for order in orders:
        checked = check(state, order)
        assert not isinstance(checked, Problem), (order, checked)
        state = checked
    return state


def _plant(state: S, order: Plant) -> S | Problem:
    wrong = _card_fault(state, order)
    if wrong:
        return wrong
    variety = state.variety(order.card)
    field = _field_for(state, order, variety)
    if isinstance(field, Problem):
        return field
    event, farm = state.planting(order.card, field), state.farm.with_card(field, variety)
    return state.then(Plant(order.card, field), event, farm, planted=(*state.planted, order.card))


def _card_fault(state: State, order: Plant) -> Problem | None:
    """What keeps a card from being planted now, wherever it goes."""
    card, cards = order.card, state.hand if order.is_of_hand else state.lying
    if order.is_of_hand and not state.plants_hand:
        return Problem(code="NOT_ACTIVE", card=card)
    if order.number > len(cards):
        return Problem(code="RANGE", card=card, limit=len(cards))
    if card in state.planted:
        return Problem(code="TAKEN", card=card)
    if not order.is_of_hand:
        return None
    if order.number > state.most_planted:
        return Problem(code="TOO_MANY", card=card)
    is_early = order.number > 1 and f"h{order.number - 1}" not in state.planted
    if state.still_lying or is_early:
        return Problem(code="ORDER", card=card, limit=len(state.still_lying))
    return None


def _field_for(state: State, order: Plant, variety: str) -> str | Problem:
    """The field a card goes on, or why there is none (K17, K21)."""
    field = order.field
    if field is None:
        return state.default_field(variety) or Problem(code="NO_FIELD", variety=variety)
    if field not in letters(state.farm):
        return _no_such_field(state, field)
    there = state.farm.at(field)
    if there and not state.takes(field, variety):
        return Problem(code="OCCUPIED", field=field, variety=there.variety)
    return field


def _no_such_field(state: State, field: str) -> Problem:
    return Problem(code="BAD_FIELD", field=field, limit=len(state.farm.fields))


def _harvest(state: S, order: Harvest) -> S | Problem:
    field = order.field
    if field not in letters(state.farm):
        return _no_such_field(state, field)
    grown = state.farm.at(field)
    if grown is None:
        return Problem(code="EMPTY_FIELD", field=field)
    if order.cards is not None:
        return Problem(
            code="PARTIAL_HARVEST",
            field=field,
            cards=order.cards,
            limit=grown.cards,
            hint=f"H{field}",
        )
    if not may_harvest(state.farm, field):
        return Problem(code="SINGLE", field=field, variety=grown.variety)
    talers = state.deck[grown.variety].talers(grown.cards)
    coins, others = grown.divided(talers)
    return state.then(
        order,
        Harvested(state.seat, field, grown.variety, grown.cards, talers),
        state.farm.with_field(field, None, talers),
        coins=(*state.coins, *coins),
        discarded=(*state.discarded, *others),
    )


def _buy(state: S) -> S | Problem:
    """The topmost coins go on the discard pile (K22)."""
    price = state.price
    if price is None:
        return Problem(code="NOT_SOLD")
    if len(state.farm.fields) == MOST_FIELDS:
        return Problem(code="OWNED")
    if state.farm.talers < price:
        return Problem(code="TALERS", limit=price, talers=state.farm.talers)
    return state.then(
        BUY,
        Bought(state.seat, price),
        Farm((*state.farm.fields, None), state.farm.talers - price),
        coins=state.coins[:-price],
        discarded=(*state.discarded, *state.coins[-price:]),
    )
