"""Robots of three strengths. They know what their seat knows.

The weak one ignores ships and the island and makes no deals; the medium one loads its ships and
never sails; the strong one sails, and buys a pirate ship. All buy the third field, and those two
trade honestly, as in the classic game.
"""

from collections.abc import Callable, Iterator

from rounds.classic.notation import Plant, write
from rounds.classic.robot import Worth, begun, list_of
from rounds.classic.table import FIELD, LAST
from rounds.engine.farm import Farm, Stack
from rounds.engine.notation import Orders
from rounds.family.fields import letters, may_harvest
from rounds.family.orders import Harvest
from rounds.isla.check import carried_out, check
from rounds.isla.notation import ACO, BAY, HOLD, Buy, Load, Move, Voyage
from rounds.isla.sea import MOST_PREY
from rounds.isla.state import State
from rounds.isla.table import PIRATES, TRADING
from rounds.isla.view import View

EMPTY_SHIP = 0.12
"""What it counts, in talers, that a ship is not empty any more."""
STILL_TO_COME = 12
"""Something is bought as long as more cards a player than this are still to come."""
FEAR = 0.2
"""How much of what an attack would cost each pirate ship of others counts."""
LEAST_GAIN = 0.05
"""Talers that a voyage must promise."""


def weak(seen: View) -> str:
    """Order text for the seat whose view this is: a farm without ships and deals."""
    return " ".join(map(write, _worked(seen, Worth(seen)).orders)) or "pass"


def medium(seen: View) -> str:
    """Order text: ships are loaded, and stay at home."""
    worth = Worth(seen)
    return list_of(seen, _worked(seen, worth, loads=True), worth)


def strong(seen: View) -> str:
    """Order text: ships are loaded and sail, and pirates lie in wait."""
    worth = Worth(seen)
    return list_of(seen, _worked(seen, worth, loads=True, sails=True), worth)


STRENGTHS: dict[str, Callable[[View], str]] = {"weak": weak, "medium": medium, "strong": strong}


def _worked(seen: View, worth: Worth, *, loads: bool = False, sails: bool = False) -> State:
    """The state after field work and voyages."""
    state = _start(seen)
    if state.is_call:
        return state
    state = _moved_and_sold(state, worth) if loads else state
    state = _bought(seen, state, raids=sails)
    state = _planted(state, worth, loads=loads)
    return _at_sea(seen, state, worth) if sails else state


def _start(seen: View) -> State:
    me = seen.farm(seen.seat or "")
    fields = tuple(Stack(f.variety, f.beans) if f.variety else None for f in me.fields)
    ships = {s.letter: Stack(s.variety, s.beans) if s.variety else None for s in me.ships}
    return State(
        **begun(seen),
        farm=Farm(fields, me.talers),
        ships=ships,
        prices=seen.prices,
        lies={BAY: {card: seen.bay.count(card) for card in seen.bay}, ACO: seen.discard},
        may_sail=seen.phase == FIELD and me.seat in seen.active,
        is_last=seen.phase == LAST,
    )


def _tried(state: State, *orders: object) -> State:
    """The state after orders, each if it is allowed."""
    for order in orders:
        checked = check(state, order)
        state = checked if isinstance(checked, State) else state
    return state


def _worth_of(worth: Worth, load: Stack | None, more: int = 0) -> float:
    """What a load with so many beans more would be worth."""
    return worth.of_field(load.variety, load.cards + more) if load and load.cards + more else 0.0


# --- fields, purchases, ships at home


def _moved_and_sold(state: State, worth: Worth) -> State:
    """Booty goes on a trading ship, a load that can't grow is sold; in the last round what
    belongs together is put together.
    """
    state = _tried(state, Move(PIRATES, "S"), Move(PIRATES, "T"))
    for ship in TRADING:
        load = state.ships.get(ship)
        if load and worth.deck[load.variety].next_tier(load.cards) is None:
            state = _tried(state, Harvest(ship))
    if not state.is_last:
        return state
    for field in letters(state.farm):
        for ship in TRADING:
            grown, load = state.farm.at(field), state.ships.get(ship)
            if grown and load and grown.variety == load.variety:
                talers = worth.deck[load.variety].talers
                if talers(grown.cards + load.cards) > talers(grown.cards) + talers(load.cards):
                    state = _tried(state, Load(field, ship))
    return state


def _bought(seen: View, state: State, *, raids: bool) -> State:
    """The third field, then the pirate ship, as long as they can pay."""
    # each time the pile is shuffled again it has about half of the cards
    again = (seen.last_run_out - seen.run_outs - 1) * sum(v.cards for v in seen.varieties) // 2
    if (seen.draw_pile + again) / len(seen.farms) <= STILL_TO_COME:
        return state
    state = _tried(state, Buy("C"))
    return _tried(state, Buy(PIRATES)) if raids and len(state.farm.fields) > 2 else state


def _planted(state: State, worth: Worth, *, loads: bool) -> State:
    """What is due, where least is lost; the second card of the hand where it grows."""
    order = worth.in_order(state.farm, state.lying)
    lying = sorted(state.still_lying, key=lambda card: order.index(state.variety(card)))
    for card in (*lying, *state.due_of_hand):
        if not state.default_field(state.variety(card)):
            _, orders = min(_ways(state, worth, loads=loads), key=lambda way: way[0])
            state = carried_out(state, *orders)
        state = carried_out(state, Plant(card, state.default_field(state.variety(card))))
    if state.plants_hand and len(state.hand) > 1 and state.farm.growing(state.hand[1]):
        state = _tried(state, Plant("h2"))
    return state


def _ways(state: State, worth: Worth, *, loads: bool) -> Iterator[tuple[float, Orders]]:
    """How a field can be cleared, each with what is lost by it: it is sold, or loaded, perhaps on
    a ship whose load is sold before.
    """
    for field in letters(state.farm):
        grown = state.farm.at(field)
        if grown is None:
            continue
        here = _worth_of(worth, grown)
        if may_harvest(state.farm, field):
            talers = worth.deck[grown.variety].talers(grown.cards)
            yield here - talers, (Harvest(field),)
        for ship in TRADING if loads else ():
            if ship not in state.ships:
                continue
            load = state.ships[ship]
            if load is None:
                yield EMPTY_SHIP, (Load(field, ship),)
            elif load.variety == grown.variety:
                there = _worth_of(worth, load)
                yield here + there - _worth_of(worth, load, grown.cards), (Load(field, ship),)
            elif talers := worth.deck[load.variety].talers(load.cards):
                lost = _worth_of(worth, load) - talers + EMPTY_SHIP
                yield lost, (Harvest(ship), Load(field, ship))


# --- the island


def _at_sea(seen: View, state: State, worth: Worth) -> State:
    """Ships sail where they gain most, pirates lie in wait where most may come."""
    if not state.may_sail:
        return state
    others = sum(owner != seen.seat for owner in seen.pirates)
    taken = set[tuple[str, str]]()
    after = list[Stack]()
    for ship in TRADING:
        if ship not in state.ships:
            continue
        gain, voyage, load = max(
            _voyages(state, worth, ship, others, taken),
            key=lambda found: found[0],
            default=(0.0, None, None),
        )
        if voyage and load and gain > LEAST_GAIN:
            state = _tried(state, voyage)
            taken.add((voyage.harbour, load.variety))
            after.append(load)
    if PIRATES in state.ships:
        state = _tried(state, Voyage(PIRATES, _best_harbour(seen, state, worth)))
    sale = sum(worth.deck[load.variety].talers(load.cards) for load in after)
    if others and sale and sum(_worth_of(worth, load, -1) for load in after) > sale:
        state = _tried(state, HOLD)
    return state


def _voyages(
    state: State, worth: Worth, ship: str, others: int, taken: set[tuple[str, str]]
) -> Iterator[tuple[float, Voyage | None, Stack | None]]:
    """Where a ship may go: what it gains, the order, and its load then."""
    load = state.ships[ship]
    for harbour, lies in state.lies.items():
        liked = list[tuple[float, Stack]]()
        for variety, number in lies.items():
            if (harbour, variety) in taken or (load and load.variety != variety):
                continue
            then = Stack(variety, (load.cards if load else 0) + (number if harbour == BAY else 1))
            cost = FEAR * others * _cost_of_attack(worth, then)
            liked.append((_worth_of(worth, then) - _worth_of(worth, load) - cost, then))
        liked.sort(key=lambda one: -one[0])
        if liked:
            wanted = tuple(then.variety for gain, then in liked[:3] if gain > LEAST_GAIN)
            yield liked[0][0], Voyage(ship, harbour, wanted), liked[0][1]


def _cost_of_attack(worth: Worth, load: Stack) -> float:
    """What an attack takes of what a load is worth."""
    talers = worth.deck[load.variety].talers(load.cards)
    left = talers or _worth_of(worth, load, -min(MOST_PREY, load.cards))
    return _worth_of(worth, load) - left


def _best_harbour(seen: View, state: State, worth: Worth) -> str:
    """Where the prey that may come is worth most; of equals Bohnbay in odd turns."""
    own, found = state.ships[PIRATES], dict.fromkeys((BAY, ACO), 0.0)
    for farm in seen.farms:
        for ship in farm.ships if farm.seat != seen.seat else ():
            if ship.letter == PIRATES or ship.variety is None:
                continue
            if own and own.variety != ship.variety:
                continue
            for harbour in {*ship.goals, *([ship.away] if ship.away else [])}:
                beans = ship.beans + (seen.bay.count(ship.variety) if harbour == BAY else 1)
                talers = worth.deck[ship.variety].talers(beans)
                prey = min(MOST_PREY, beans - talers)
                gain = worth.of_field(ship.variety, (own.cards if own else 0) + prey) if prey else 0
                found[harbour] = max(found[harbour], gain)
    first = BAY if seen.turn % 2 else ACO
    return max((first, BAY, ACO), key=lambda harbour: found[harbour])
