"""How far the list of a seat has come, ships included."""

from collections.abc import Mapping
from typing import Any

from rounds.classic import state as classic
from rounds.classic.state import beginning
from rounds.classic.table import FIELD, LAST
from rounds.engine.farm import Stack
from rounds.isla.notation import ACO, BAY, Voyage
from rounds.isla.table import Ships, Table


class State(classic.State, frozen=True, kw_only=True):
    """One farm in the middle of a list, with its ships."""

    ships: Ships
    prices: Mapping[str, int]
    lies: Mapping[str, Mapping[str, int]]
    """How many cards of each variety lie in each harbour when the round begins (I18, I19)."""
    may_sail: bool
    """Whether the seat is active in this round."""
    is_last: bool
    voyages: tuple[Voyage, ...] = ()
    holds: bool = False

    def with_load(self, ship: str, variety: str, beans: int) -> Ships:
        """The ships with so many beans more, or less, on one of them."""
        load = self.ships[ship]
        number = (load.cards if load else 0) + beans
        return self.ships | {ship: Stack(variety, number) if number else None}


def start(table: Table, seat: str) -> State:
    """Before the first order of a list."""
    return State(**beginning(table, seat), **of_ships(table, seat))


def of_ships(table: Table, seat: str) -> dict[str, Any]:
    """What a state is besides that of the classic game."""
    beach = {card: number for card, number in table.deck.counts(table.discard).items() if number}
    return {
        "ships": table.ships[seat],
        "prices": table.prices,
        "lies": {BAY: {card: table.bay.count(card) for card in table.bay}, ACO: beach},
        "may_sail": table.phase == FIELD and seat in table.active,
        "is_last": table.phase == LAST,
    }
