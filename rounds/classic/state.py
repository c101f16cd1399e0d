"""How far the field work of a list has come, and what was carried out of it."""

from typing import Any, ClassVar, Self

from msgspec import Struct
from msgspec.structs import replace

from rounds.classic.events import Planted
from rounds.classic.table import CALL, Table
from rounds.engine.beans import Deck
from rounds.engine.events import Event
from rounds.engine.farm import Farm
from rounds.engine.notation import Order, Orders
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
    must_plant: ClassVar[int] = 1
    """Cards of the hand that are due (K15)."""
    most_planted: ClassVar[int] = 2
    """Cards of the hand that may be planted in a turn (K15)."""

    @property
    def orders(self) -> Orders:
        """The orders that were carried out, each as it was understood."""
        return tuple(one.order for one in self.done)

    @property
    def last_events(self) -> tuple[Event, ...]:
        """What the last order brought."""
        return (self.done[-1].event,)

    @property
    def due_of_hand(self) -> tuple[str, ...]:
        """The cards of the hand that must still be planted."""
        number = min(self.must_plant, len(self.hand)) if self.plants_hand else 0
        due = (f"h{place}" for place in range(1, number + 1))
        return tuple(card for card in due if card not in self.planted)

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
        return len(self.still_lying) + len(self.due_of_hand)

    def variety(self, card: str) -> str:
        """The variety of a card by its number."""
        return self.hand[int(card[1:]) - 1] if card[0] == "h" else self.lying[int(card) - 1]

    def default_field(self, variety: str) -> str | None:
        """The field of a card for which none is named (K21)."""
        return self.farm.growing(variety) or self.farm.first_empty()

    def takes(self, field: str, variety: str) -> bool:
        """Whether a card may go on a field: on an empty one, or to its own variety (K17)."""
        there = self.farm.at(field)
        return there is None or there.variety == variety

    def planting(self, card: str, field: str) -> Planted:
        """What happens when a card goes on a field that takes it."""
        there = self.farm.at(field)
        beans = 1 + (there.cards if there else 0)
        return Planted(self.seat, card, self.variety(card), field, beans)

    def then(self, order: Order, event: Event, farm: Farm, **changed: Any) -> Self:
        """The state after this order."""
        return replace(self, farm=farm, done=(*self.done, Done(order, event, farm)), **changed)


def start(table: Table, seat: str) -> State:
    """Before the first order of a list."""
    return State(**beginning(table, seat))


def beginning(table: Table, seat: str) -> dict[str, Any]:
    """What a state is before the first order of a list."""
    return {
        "seat": seat,
        "deck": table.deck,
        "price": table.size.price,
        "farm": table.farms[seat],
        "coins": table.coins[seat],
        "lying": table.lying[seat],
        "hand": table.hand(seat),
        "plants_hand": table.plants_hand(seat),
        "is_call": table.phase == CALL,
    }
