"""How far the field work of a list has come, and what was carried out of it."""

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from rounds.classic.table import CALL, Table
from rounds.engine.beans import Deck
from rounds.engine.events import Event
from rounds.engine.farm import Farm
from rounds.engine.notation import Order
from rounds.family.orders import Done


class State(Struct, frozen=True):
    """One farm in the middle of a list. `hand`: front first, with what is planted already;
    `discarded`: by this list.
    """

    seat: str
    deck: Deck
    price: int | None
    farm: Farm
    coins: tuple[str, ...]
    lying: tuple[str, ...]
    hand: tuple[str, ...]
    plants_hand: bool
    is_call: bool = False
    planted: tuple[str, ...] = ()
    """The cards that are: `2`, `h1`."""
    discarded: tuple[str, ...] = ()
    done: tuple[Done, ...] = ()

    @property
    def still_lying(self) -> tuple[str, ...]:
        """The lying cards that are not planted, by their numbers."""
        return tuple(
            card for card in map(str, range(1, len(self.lying) + 1)) if card not in self.planted
        )

    @property
    def due(self) -> int:
        """How many cards must still be planted (K15, K16)."""
        if self.is_call:
            return 0
        return len(self.still_lying) + (
            self.plants_hand and bool(self.hand) and "h1" not in self.planted
        )

    def variety(self, card: str) -> str:
        """The variety of a card by its number."""
        return self.hand[int(card[1:]) - 1] if card[0] == "h" else self.lying[int(card) - 1]

    def place_for(self, variety: str) -> str | None:
        """The field of a card for which none is named (K21)."""
        return self.farm.growing(variety) or self.farm.first_empty()

    def then(self, order: Order, event: Event, farm: Farm, **changed: Any) -> "State":
        """The state after this order."""
        return replace(self, farm=farm, done=(*self.done, Done(order, event, farm)), **changed)


def start(table: Table, seat: str) -> State:
    """Before the first order of a list."""
    return State(
        seat,
        table.deck,
        table.size.price,
        table.farms[seat],
        table.coins[seat],
        table.lying[seat],
        table.hand(seat),
        table.plants_hand(seat),
        table.phase == CALL,
    )
