"""Visits and raids, once the field work of all seats is done (I11)."""

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from msgspec.structs import replace

from rounds.classic.pile import in_base_order
from rounds.engine.events import Event
from rounds.engine.farm import Stack
from rounds.isla.events import Raided, Visited
from rounds.isla.notation import BAY, Voyage
from rounds.isla.state import State
from rounds.isla.table import PIRATES, TRADING, Table

MOST_PREY, OF_HELD = 3, 1
"""What pirates take at most, and of a ship that holds (I10)."""


class Target(NamedTuple):
    """A ship that may be attacked."""

    seat: str
    ship: str
    load: Stack


def sail(before: Table, table: Table, states: Mapping[str, State], events: list[Event]) -> Table:
    """The table after all visits, in round order, and then all raids. `before`: as it was when the
    round began; what has been discarded since does not lie on the beach yet (I19).
    """
    table = replace(table, ships={seat: states[seat].ships for seat in table.seats})
    beach = Counter(before.discard)
    sent = [(seat, voyage) for seat in table.round_order for voyage in states[seat].voyages]
    for seat, voyage in sent:
        if voyage.ship != PIRATES:
            table = _visit(table, seat, voyage, beach, events)
    for seat, voyage in sent:
        if voyage.ship == PIRATES:
            table = _raid(table, seat, voyage, states, events)
    return table


def _visit(
    table: Table, seat: str, voyage: Voyage, beach: Counter[str], events: list[Event]
) -> Table:
    """A ship takes of the first variety that still lies there: in Bohnbay all cards, of the beach
    one. It lies in the harbour, whatever it found (I8, I21).
    """
    lies = Counter(table.bay) if voyage.harbour == BAY else beach
    variety = next((one for one in voyage.wanted if lies[one]), "")
    cards = 0 if not variety else lies[variety] if voyage.harbour == BAY else 1
    table = replace(
        table, away=table.away | {seat: table.away[seat] | {voyage.ship: voyage.harbour}}
    )
    if voyage.harbour == BAY:
        table = replace(table, bay=tuple(card for card in table.bay if card != variety))
    elif variety:
        beach[variety] -= 1
        table = replace(table, discard=_without(table.discard, variety))
    if variety:
        table = _with_load(table, seat, voyage.ship, variety, cards)
    load = table.ships[seat][voyage.ship]
    now = load.cards if load else 0
    events.append(Visited(seat, voyage.ship, voyage.harbour, variety, cards, now))
    return table


def _without(cards: tuple[str, ...], variety: str) -> tuple[str, ...]:
    place = cards.index(variety)
    return (*cards[:place], *cards[place + 1 :])


def _with_load(table: Table, seat: str, ship: str, variety: str, more: int) -> Table:
    """The table with so many beans more, or less, on a ship."""
    load = table.ships[seat].get(ship)
    number = (load.cards if load else 0) + more
    ships = table.ships[seat] | {ship: Stack(variety, number) if number else None}
    return replace(table, ships=table.ships | {seat: ships})


def _raid(
    table: Table,
    seat: str,
    voyage: Voyage,
    states: Mapping[str, State],
    events: list[Event],
) -> Table:
    """Pirates attack the ship that they find: it is sold if it earns something and its seat does
    not hold it, and they fish for what is left over; else they take beans of it. Then it flees
    home (I10, I21).
    """
    target = _found(table, seat, voyage)
    if target is None:
        events.append(Raided(seat, voyage.harbour))
        return table
    victim, ship, load = target
    talers = table.deck[load.variety].talers(load.cards)
    is_held = talers > 0 and states[victim].holds
    if is_held or not talers:
        taken, talers = min(load.cards, OF_HELD if is_held else MOST_PREY), 0
        table = _with_load(table, victim, ship, load.variety, -taken)
    else:
        taken = min(load.cards - talers, MOST_PREY)
        table = _sold(table, target, talers, load.cards - talers - taken)
    table = _with_load(table, seat, PIRATES, load.variety, taken) if taken else table
    home = {one: harbour for one, harbour in table.away[victim].items() if one != ship}
    told = Raided(seat, voyage.harbour, victim, ship, load.variety, load.cards, taken, talers)
    events.append(told)
    return replace(table, away=table.away | {victim: home})


def _found(table: Table, seat: str, voyage: Voyage) -> Target | None:
    """Of the loaded ships of others that lie in the harbour, and carry the first wanted variety
    that any carries, the fullest; of equals the first in round order, S before T (I22).
    """
    there = [
        Target(other, ship, load)
        for other in table.round_order
        if other != seat
        for ship, load in table.loads(other, TRADING)
        if table.away[other].get(ship) == voyage.harbour
    ]
    if voyage.wanted:
        carried = {target.load.variety for target in there}
        best = next((one for one in voyage.wanted if one in carried), None)
        there = [target for target in there if target.load.variety == best]
    return max(there, key=lambda target: target.load.cards, default=None)


def _sold(table: Table, target: Target, talers: int, discarded: int) -> Table:
    """An emergency sale, of whose cards so many stay on the discard pile."""
    victim, ship, load = target
    farm = table.farms[victim]
    cards = (load.variety,) * discarded
    return replace(
        table,
        ships=table.ships | {victim: table.ships[victim] | {ship: None}},
        farms=table.farms | {victim: replace(farm, talers=farm.talers + talers)},
        coins=table.coins | {victim: (*table.coins[victim], *(load.variety,) * talers)},
        discard=in_base_order(table, (*table.discard, *cards)),
    )


def at_home(table: Table, seats: tuple[str, ...]) -> Table:
    """The table with all ships of these seats at home (I21)."""
    return replace(table, away=table.away | {seat: {} for seat in seats})
