"""Field work, one order after the other: that of the classic game, `swap` and `feed`."""

from msgspec.structs import asdict, replace

from rounds.classic import check as classic
from rounds.classic.notation import Plant
from rounds.engine.notation import Order
from rounds.family.orders import Done
from rounds.mutabohn.bonus import HELD
from rounds.mutabohn.events import Swapped, WillFeed
from rounds.mutabohn.notation import Feed, Problem, Swap
from rounds.mutabohn.state import State

FIELDS = ("A", "B")


def check(state: State, order: Order) -> State | Problem:
    """An order on the farm that those before it have left: the state after it, or the first
    thing that is wrong.
    """
    match order:
        case Swap():
            return _swap_fault(state, order) or _swapped(state, order)
        case Feed():
            return _feed_fault(state, order) or _to_be_fed(state, order)
    checked = classic.check(state, order)
    if isinstance(checked, State):
        return checked
    problem = Problem(**asdict(checked))
    if problem.code == "OCCUPIED" and isinstance(order, Plant):
        variety = state.variety(order.card)
        return replace(problem, planted=variety, before=state.before(variety))
    return problem


def carried_out(state: State, *orders: Order) -> State:
    """The state after orders that are known to be allowed."""
    return classic.carried_out(state, *orders, check=check)


def _swap_fault(state: State, order: Swap) -> Problem | None:
    """What keeps bonus cards from being exchanged (M18)."""
    if state.swapped:
        return Problem(code="ONCE")
    if state.planted:
        return Problem(code="LATE")
    if len({*order.places}) < len(order.places):
        return Problem(code="DOUBLE", card=f"b{order.places[0]}")
    for place in order.places:
        if not 0 < place <= HELD or state.held[place - 1] is None:
            return Problem(code="RANGE", card=f"b{place}", limit=HELD)
    if not state.has_pile:
        return Problem(code="NO_BONUS")
    return None if state.farm.talers else Problem(code="TALERS", limit=1, talers=0)


def _swapped(state: State, order: Swap) -> State:
    """The topmost coin goes on the discard pile, the cards under the bonus pile in the order
    written; then as many are drawn. An empty pile: the order lapses.
    """
    if state.pile == ():
        return replace(state, swapped=True)
    places = [place - 1 for place in order.places]
    back = tuple(held for place in places if (held := state.held[place]) is not None)
    farm = replace(state.farm, talers=state.farm.talers - 1)
    event = Swapped(state.seat, order.places)
    state = replace(
        state,
        farm=farm,
        swapped=True,
        pile=None if state.pile is None else (*state.pile, *back),
        coins=state.coins[:-1],
        discarded=(*state.discarded, *state.coins[-1:]),
        done=(*state.done, Done(order, event, farm)),
    )
    for place in places:
        state = state.replaced(place)
    return state.told(event)


def _feed_fault(state: State, order: Feed) -> Problem | None:
    """What keeps fields from being fed (M25, M27)."""
    if state.is_last:
        return Problem(code="NOT_NOW")
    if not state.may_feed:
        return Problem(code="NO_FEED")
    if state.feed:
        return Problem(code="ONCE")
    if len({*order.fields}) < len(order.fields):
        return Problem(code="DOUBLE", card=order.fields[0])
    strange = [field for field in order.fields if field not in FIELDS]
    return Problem(code="BAD_FIELD", field=strange[0], limit=len(FIELDS)) if strange else None


def _to_be_fed(state: State, order: Feed) -> State:
    event = WillFeed(state.seat, order.fields)
    return replace(state, feed=order.fields, brought=(*state.brought, (event,)))
