"""One order after the other: what is wrong with it, or how the table stands after it. Exact
orders and plans share all this.
"""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from rounds.duel.events import FromHand, HandDiscarded, OfferDiscarded, Planted
from rounds.duel.notation import MATCH, THEN, Drop, Lay, Plant, Plow, Problem, Take
from rounds.duel.state import Checked, State
from rounds.duel.table import AFTER, BEFORE, PRICE
from rounds.engine.farm import FIELDS, Farm, Stack
from rounds.engine.notation import Order
from rounds.family.events import Bought, Harvested
from rounds.family.fields import letters, may_harvest
from rounds.family.orders import BUY, Bare, Harvest

MOST_PLANTED = 2
"""Cards of the hand in a turn (D14)."""


def check(state: State, order: Order) -> Checked:
    """An order on the table that those before it have left: the state after it, or the first
    thing that is wrong.
    """
    kind = _KINDS.get(type(order))
    if kind is None:
        raise TypeError(f"no order of this game: {order!r}")
    return kind(state, order)


def finish_offer(state: State) -> State:
    """Step 1 is over: what nobody named is discarded, in the order of the offer (D11)."""
    for stack in state.left if state.phase == BEFORE and not state.is_past_offer else ():
        state = _lay(state, Lay(stack.variety), stack.cards)
    return replace(state, is_past_offer=True)


def matching(state: State) -> State:
    """Plant what matches, card by card (D46)."""
    for stack in state.left:
        for _ in range(stack.cards):
            state = plant_where_it_grows(state, stack.variety)
    return state


def plant_where_it_grows(state: State, variety: str) -> State:
    """Plant one card of the table on its variety's field; nothing if it has none."""
    field, orders = field_of(state, variety)
    return carried_out(state, *orders, Take(variety, 1, field)) if field else state


def carried_out(state: State, *orders: Order) -> State:
    """The state after orders that are known to be allowed."""
    for order in orders:
        checked = check(state, order)
        assert isinstance(checked, State), (order, checked)
        state = checked
    return state


# --- the orders


def _hand(state: State, order: Plant) -> Checked:
    card, hand = order.card, state.table.hand(state.seat)
    if state.phase == AFTER or (state.dropped and state.table.rules.discard == "after"):
        return Problem(code="STEP", position=card)
    if not 1 <= card <= len(hand):
        return Problem(code="RANGE", position=card, limit=len(hand))
    if len(state.planted) == MOST_PLANTED:
        return Problem(code="THIRD", position=card)
    if card != state.front:
        return Problem(code="ORDER", position=card, limit=state.front)
    variety = hand[card - 1]
    field = chosen_field(state.farm, variety, order)
    if isinstance(field, Problem):
        return field
    state = _cleared(finish_offer(state), variety, field)
    farm, beans = planted_on(state.farm, field, variety, 1)
    event = FromHand(state.seat, card, variety, field, beans)
    return state.then(Plant(card, field), event, farm, planted=(*state.planted, card))


def _drop(state: State, order: Drop) -> Checked:
    card, hand = order.card, state.table.hand(state.seat)
    if state.phase == AFTER or (not state.planted and state.table.rules.discard == "after"):
        return Problem(code="STEP", position=card)
    if not 1 <= card <= len(hand):
        return Problem(code="RANGE", position=card, limit=len(hand))
    if state.dropped:
        return Problem(code="SECOND", position=card)
    if card in state.planted:
        return Problem(code="GONE", position=card)
    state = finish_offer(state)
    event = HandDiscarded(state.seat, card, hand[card - 1])
    return state.then(Drop(card), event, dropped=card, discard=(hand[card - 1], *state.discard))


def _table_fault(state: State, order: Take | Lay) -> Problem | int:
    """How many cards of the table the order means, or why it can't have them."""
    there = state.lies(order.variety)
    if state.phase == BEFORE and state.is_past_offer:
        return Problem(code="STEP", variety=order.variety)
    if there is None:
        return Problem(code="NOT_THERE", variety=order.variety)
    cards = there.cards if order.cards is None else order.cards
    if not 1 <= cards <= there.cards:
        return Problem(code="COUNT", variety=order.variety, cards=cards, limit=there.cards)
    return cards


def _take(state: State, order: Take) -> Checked:
    cards = _table_fault(state, order)
    if isinstance(cards, Problem):
        return cards
    variety = order.variety
    field = chosen_field(state.farm, variety, order)
    if isinstance(field, Problem):
        return field
    state = _cleared(state, variety, field)
    lying = _number(state, variety)
    farm, beans = planted_on(state.farm, field, variety, cards)
    event = Planted(state.seat, variety, cards, lying, field, beans)
    written = Take(variety, None if cards == lying else cards, field)
    return state.then(written, event, farm, lying=_taken(state, variety, cards))


def _discard(state: State, order: Lay) -> Checked:
    if state.phase == AFTER:
        return Problem(code="STEP", variety=order.variety)
    cards = _table_fault(state, order)
    return cards if isinstance(cards, Problem) else _lay(state, order, cards)


def _lay(state: State, order: Lay, cards: int) -> State:
    variety, lying = order.variety, _number(state, order.variety)
    event = OfferDiscarded(state.seat, variety, cards, lying)
    written = Lay(variety, None if cards == lying else cards)
    return state.then(
        written,
        event,
        lying=_taken(state, variety, cards),
        discard=(*(variety,) * cards, *state.discard),
    )


def _harvest(state: State, order: Harvest) -> Checked:
    field = order.field
    if field not in FIELDS[: len(state.farm.fields)]:
        return Problem(code="BAD_FIELD", field=field, limit=len(state.farm.fields))
    there = state.farm.at(field)
    if there is None:
        return Problem(code="EMPTY_FIELD", field=field)
    if order.cards is not None:
        return Problem(
            code="PARTIAL_HARVEST",
            field=field,
            cards=order.cards,
            limit=there.cards,
            hint=f"H{field}",
        )
    if not may_harvest(state.farm, field):
        return Problem(code="SINGLE", field=field, variety=there.variety)
    talers = state.table.deck[there.variety].talers(there.cards)
    event = Harvested(state.seat, field, there.variety, there.cards, talers)
    discard = (*(there.variety,) * (there.cards - talers), *state.discard)
    return state.then(order, event, state.farm.with_field(field, None, talers), discard=discard)


def _bare(state: State, order: Bare) -> Checked:
    if order == MATCH:
        return matching(state) if state.phase == AFTER else Problem(code="STEP")
    if order != BUY:
        return Problem(code="THEN" if order == THEN else "ALONE")
    farm = state.farm
    if len(farm.fields) == len(FIELDS):
        return Problem(code="OWNED")
    if farm.talers < PRICE:
        return Problem(code="TALERS", talers=farm.talers, limit=PRICE)
    return state.then(
        BUY, Bought(state.seat, PRICE), Farm((*farm.fields, None), farm.talers - PRICE)
    )


def _plow(_: State, order: Plow) -> Checked:
    return Problem(code="NO_PLOW", field=order.field, hint=f"H{order.field}")


_KINDS: dict[type, Callable[[State, Any], Checked]] = {
    Plant: _hand,
    Drop: _drop,
    Take: _take,
    Lay: _discard,
    Harvest: _harvest,
    Bare: _bare,
    Plow: _plow,
}


def _cleared(state: State, variety: str, field: str) -> State:
    """The state with room for a variety on a field: what else grows there is harvested."""
    there = state.farm.at(field)
    return (
        state if there is None or there.variety == variety else carried_out(state, Harvest(field))
    )


def _number(state: State, variety: str) -> int:
    there = state.lies(variety)
    return there.cards if there else 0


def _taken(state: State, variety: str, cards: int) -> tuple[Stack, ...]:
    """What lies on the table without so many cards of a variety."""
    return tuple(
        Stack(s.variety, s.cards - cards) if s.variety == variety else s for s in state.lying
    )


def field_of(state: State, variety: str) -> tuple[str | None, tuple[Order, ...]]:
    """The field of a variety, and how room is made there: the lowest that is not full; are all
    full, the lowest is harvested.
    """
    fields = zip(FIELDS, state.farm.fields, strict=False)
    grown = [(letter, stack) for letter, stack in fields if stack and stack.variety == variety]
    full = state.table.deck[variety].full
    free = next((letter for letter, stack in grown if stack.cards < full), None)
    if free or not grown:
        return free, ()
    return grown[0][0], (Harvest(grown[0][0]),)


def chosen_field(farm: Farm, variety: str, order: Plant | Take) -> str | Problem:
    """The field a card goes on (D19 to D21), or why there is none."""
    named = order.field
    if named is None:
        if order.clear:
            return Problem(code="NEEDS_FIELD", hint="1>A!")
        return (
            farm.growing(variety) or farm.first_empty() or Problem(code="NO_FIELD", variety=variety)
        )
    if named not in letters(farm):
        return Problem(code="BAD_FIELD", field=named, limit=len(farm.fields))
    there = farm.at(named)
    if there is None or there.variety == variety:
        return named
    if not order.clear:
        return Problem(code="OCCUPIED", field=named, variety=there.variety)
    return (
        named
        if may_harvest(farm, named)
        else Problem(code="SINGLE", field=named, variety=there.variety)
    )


def planted_on(farm: Farm, field: str, variety: str, cards: int) -> tuple[Farm, int]:
    """The farm with cards on a field that can take them, and how many beans it has then."""
    there = farm.at(field)
    beans = cards + (there.cards if there else 0)
    return farm.with_field(field, Stack(variety, beans)), beans
