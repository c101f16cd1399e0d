"""Orders one after the other: those of the classic game, and what ships can do."""

from msgspec.structs import asdict, replace

from rounds.classic import check as classic
from rounds.classic.check import MOST_FIELDS
from rounds.engine.farm import Farm, Stack
from rounds.engine.notation import Order
from rounds.family.fields import letters
from rounds.family.orders import Harvest
from rounds.isla.events import Bought, Holds, Loaded, Moved, Sailed, Sold
from rounds.isla.notation import ACO, BAY, HOLD, Buy, Load, Move, Problem, Voyage
from rounds.isla.state import State
from rounds.isla.table import PIRATES, SHIPS, TRADING


def check(state: State, order: Order) -> State | Problem:
    """An order on what those before it have left: the state after it, or the first thing that is
    wrong.
    """
    match order:
        case Load():
            return _load_fault(state, order) or _loaded(state, order)
        case Move():
            return _move_fault(state, order) or _moved(state, order)
        case Buy():
            return _buy_fault(state, order.what) or _bought(state, order)
        case Voyage():
            return _voyage_fault(state, order) or _sent(state, order)
        case Harvest() if order.field in SHIPS:
            return _sale_fault(state, order) or _sold(state, order)
        case _ if order == HOLD:
            return _held(state)
    checked = classic.check(state, order)
    return checked if isinstance(checked, State) else Problem(**asdict(checked))


def carried_out(state: State, *orders: Order) -> State:
    """The state after orders that are known to be allowed."""
    return classic.carried_out(state, *orders, check=check)


# --- fields and ships


def _trading(state: State, ship: str) -> bool:
    """Whether the seat has this trading ship."""
    return ship in TRADING and ship in state.ships


def _cargo_fault(state: State, ship: str, variety: str) -> Problem | None:
    """What keeps beans from joining those on a ship."""
    load = state.ships[ship]
    if load is None or load.variety == variety:
        return None
    return Problem(code="CARGO", ship=ship, variety=load.variety)


def _load_fault(state: State, order: Load) -> Problem | None:
    """What keeps a field from being loaded (I5)."""
    if order.field not in letters(state.farm):
        return Problem(code="BAD_FIELD", field=order.field, limit=len(state.farm.fields))
    if not _trading(state, order.ship):
        return Problem(code="BAD_SHIP", ship=order.ship)
    grown = state.farm.at(order.field)
    if grown is None:
        return Problem(code="EMPTY_FIELD", field=order.field)
    if order.cards is not None:
        return Problem(
            code="PARTIAL_HARVEST",
            field=order.field,
            cards=order.cards,
            limit=grown.cards,
            hint=order.text,
        )
    return _cargo_fault(state, order.ship, grown.variety)


def _loaded(state: State, order: Load) -> State:
    grown = state.farm.at(order.field)
    assert grown is not None, order
    ships = state.with_load(order.ship, grown.variety, grown.cards)
    now = _beans(ships[order.ship])
    event = Loaded(state.seat, order.field, order.ship, grown.variety, grown.cards, now)
    return state.then(order, event, state.farm.with_field(order.field, None), ships=ships)


def _beans(load: Stack | None) -> int:
    return load.cards if load else 0


def _move_fault(state: State, order: Move) -> Problem | None:
    """What keeps beans from going from ship to ship (I7)."""
    if order.ship not in state.ships:
        return Problem(code="BAD_SHIP", ship=order.ship)
    if not _trading(state, order.to) or order.to == order.ship:
        return Problem(code="BAD_SHIP", ship=order.to)
    load = state.ships[order.ship]
    if load is None:
        return Problem(code="EMPTY_SHIP", ship=order.ship)
    if order.cards and order.cards > load.cards:
        return Problem(code="RANGE", card=f"{order.cards}{order.ship}", limit=load.cards)
    return _cargo_fault(state, order.to, load.variety)


def _moved(state: State, order: Move) -> State:
    load = state.ships[order.ship]
    assert load is not None, order
    beans = order.cards or load.cards
    ships = state.with_load(order.ship, load.variety, -beans)
    ships |= {order.to: state.with_load(order.to, load.variety, beans)[order.to]}
    left, now = load.cards - beans, _beans(ships[order.to])
    event = Moved(state.seat, order.ship, order.to, load.variety, beans, left, now)
    canonical = replace(order, cards=beans if left else None)
    return state.then(canonical, event, state.farm, ships=ships)


def _sale_fault(state: State, order: Harvest) -> Problem | None:
    """What keeps a load from being sold (I6)."""
    ship = order.field
    if not _trading(state, ship):
        return Problem(code="BAD_SHIP", ship=ship)
    load = state.ships[ship]
    if load is None:
        return Problem(code="EMPTY_SHIP", ship=ship)
    if order.cards is not None:
        cards, hint = order.cards, f"H{ship}"
        return Problem(code="PARTIAL_HARVEST", field=ship, cards=cards, limit=load.cards, hint=hint)
    variety = state.deck[load.variety]
    if variety.talers(load.cards):
        return None
    missing, _ = variety.next_tier(load.cards) or (0, 0)
    return Problem(
        code="WORTHLESS", variety=variety.id, beans=load.cards, need=load.cards + missing
    )


def _sold(state: State, order: Harvest) -> State:
    """Sold like a field: the topmost cards become coins, the others are discarded."""
    load = state.ships[order.field]
    assert load is not None, order
    talers = state.deck[load.variety].talers(load.cards)
    coins, others = load.divided(talers)
    return state.then(
        order,
        Sold(state.seat, order.field, load.variety, load.cards, talers),
        replace(state.farm, talers=state.farm.talers + talers),
        ships=state.ships | {order.field: None},
        coins=(*state.coins, *coins),
        discarded=(*state.discarded, *others),
    )


def _buy_fault(state: State, what: str) -> Problem | None:
    """What keeps something from being bought (I3)."""
    if what not in state.prices:
        return Problem(code="NOT_SOLD")
    if what in state.ships or (what == "C" and len(state.farm.fields) == MOST_FIELDS):
        return Problem(code="OWNED")
    price, talers = state.prices[what], state.farm.talers
    return Problem(code="TALERS", limit=price, talers=talers) if talers < price else None


def _bought(state: State, order: Buy) -> State:
    """The topmost coins go on the discard pile."""
    price, fields = state.prices[order.what], state.farm.fields
    is_field = order.what == "C"
    ships = state.ships if is_field else state.ships | {order.what: None}
    return state.then(
        order,
        Bought(state.seat, price, order.what),
        Farm((*fields, None) if is_field else fields, state.farm.talers - price),
        ships={ship: ships[ship] for ship in SHIPS if ship in ships},
        coins=state.coins[:-price],
        discarded=(*state.discarded, *state.coins[-price:]),
    )


# --- the island: judged by the loads after the whole field work (I11)


def _voyage_fault(state: State, order: Voyage) -> Problem | None:
    """What keeps a ship from being sent (I8, I9)."""
    ship = order.ship
    if state.is_last:
        return Problem(code="NOT_NOW")
    if ship not in state.ships:
        return Problem(code="BAD_SHIP", ship=ship)
    if not state.may_sail:
        return Problem(code="NOT_ACTIVE", card=ship)
    if any(sent.ship == ship for sent in state.voyages):
        return Problem(code="ONCE", ship=ship)
    if order.harbour not in (BAY, ACO):
        return Problem(code="BAD_HARBOUR")
    return _goal_fault(state, order)


def _goal_fault(state: State, order: Voyage) -> Problem | None:
    """What is wrong with the varieties that a ship is to fetch."""
    ship, load = order.ship, state.ships[order.ship]
    strange = [variety for variety in order.wanted if variety not in state.deck.ids]
    if strange:
        return Problem(code="UNKNOWN", variety=strange[0])
    if len({*order.wanted}) < len(order.wanted):
        twice = next(one for one in order.wanted if order.wanted.count(one) > 1)
        return Problem(code="DOUBLE", variety=twice)
    if load and order.wanted not in ((), (load.variety,)):
        return Problem(code="CARGO", ship=ship, variety=load.variety)
    if ship == PIRATES:
        return None
    wanted, lies = order.wanted or ((load.variety,) if load else ()), state.lies[order.harbour]
    if not wanted:
        return Problem(code="NO_GOAL", ship=ship)
    gone = [variety for variety in wanted if variety not in lies]
    if not gone:
        return None
    return Problem(
        code="NOT_THERE", variety=gone[0], harbour=order.harbour, there=tuple(sorted(lies))
    )


def _sent(state: State, order: Voyage) -> State:
    """What a loaded ship wants is written out."""
    load = state.ships[order.ship]
    sent = replace(order, wanted=(load.variety,)) if load else order
    event = Sailed(state.seat, sent.ship, sent.harbour, sent.wanted)
    return state.then(sent, event, state.farm, voyages=(*state.voyages, sent))


def _held(state: State) -> State | Problem:
    """Said once or often, it is the same (I24)."""
    if state.is_last:
        return Problem(code="NOT_NOW")
    return state if state.holds else state.then(HOLD, Holds(state.seat), state.farm, holds=True)
