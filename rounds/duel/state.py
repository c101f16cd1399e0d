"""How far a list has come, and what was carried out of it."""

from collections.abc import Iterable
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from rounds.duel.events import OfferDiscarded, Planted
from rounds.duel.notation import Lay, Problem, Take
from rounds.duel.table import BEFORE, Table
from rounds.engine.events import Event
from rounds.engine.farm import Farm, Stack
from rounds.engine.notation import Order
from rounds.family.orders import Done


class State(Struct, frozen=True):
    """How far a list has come. `lying`: of the offer before the reveal, of the row after it; no
    card left is a stack of 0.
    """

    table: Table
    seat: str
    phase: int
    farm: Farm
    lying: tuple[Stack, ...]
    discard: tuple[str, ...]
    planted: tuple[int, ...] = ()
    dropped: int | None = None
    is_past_offer: bool = False
    done: tuple[Done, ...] = ()

    @property
    def front(self) -> int | None:
        """The number of the front card of the hand; None if all are gone."""
        size = len(self.table.hands[self.seat])
        return next(
            (
                card
                for card in range(1, size + 1)
                if card not in self.planted and card != self.dropped
            ),
            None,
        )

    @property
    def left(self) -> tuple[Stack, ...]:
        """The stacks that still lie on the table."""
        return tuple(stack for stack in self.lying if stack.cards)

    def lies(self, variety: str) -> Stack | None:
        """What lies there of a variety, perhaps 0 cards by now; None if it never did."""
        return next((stack for stack in self.lying if stack.variety == variety), None)

    def then(self, order: Order, event: Event, farm: Farm | None = None, **changed: Any) -> "State":
        """The state after this order."""
        farm = farm or self.farm
        return replace(self, farm=farm, done=(*self.done, Done(order, event, farm)), **changed)


Checked = State | Problem


def start(table: Table, seat: str) -> State:
    """Before the first order of a list."""
    lying = table.offer if table.phase == BEFORE else table.row
    return State(table, seat, table.phase, table.farms[seat], lying, table.discard)


def merged(done: Iterable[Done]) -> tuple[Done, ...]:
    """Neighbouring plantings of one variety on one field, and neighbouring discards of one
    variety, as one.
    """
    result: list[Done] = []
    for one in done:
        together = _together(result[-1], one) if result else None
        result = [*result[:-1], together] if together else [*result, one]
    return tuple(result)


def _together(first: Done, second: Done) -> Done | None:
    """Two that are one, or None."""
    one, other = first.order, second.order
    if (
        not isinstance(one, Take | Lay)
        or not isinstance(other, Take | Lay)
        or replace(one, cards=None) != replace(other, cards=None)
    ):
        return None
    before, event = first.event, second.event
    assert isinstance(before, Planted | OfferDiscarded)
    assert isinstance(event, Planted | OfferDiscarded)
    cards = before.cards + event.cards
    order = replace(other, cards=None if cards == before.lying else cards)
    return Done(order, replace(event, cards=cards, lying=before.lying), second.farm)
