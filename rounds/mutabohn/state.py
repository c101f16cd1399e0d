"""How far the field work of a list has come, bonus cards included."""

from typing import Any, ClassVar, Self

from msgspec.structs import replace

from rounds.classic import state as classic
from rounds.classic.state import beginning
from rounds.classic.table import LAST
from rounds.engine.events import Event
from rounds.engine.farm import FIELDS, Farm
from rounds.engine.notation import Order, Orders
from rounds.mutabohn.bonus import fits, values
from rounds.mutabohn.events import Cashed, Planted
from rounds.mutabohn.notation import Feed
from rounds.mutabohn.table import ChainFarm, Table, chain


class State(classic.State, frozen=True, kw_only=True):
    """One farm in the middle of a list, with its bonus cards.

    `pile`: places among `bonus_cards`, top first, None where nobody may know it yet; then a
    place that is emptied stays empty.
    """

    farm: ChainFarm
    chain: tuple[str, ...]
    values: dict[str, int]
    bonus_cards: tuple[str, ...]
    held: tuple[int | None, ...]
    pile: tuple[int, ...] | None
    has_pile: bool
    """Whether there was a bonus card to be drawn when the round began."""
    may_feed: bool
    is_last: bool = False
    swapped: bool = False
    feed: str = ""
    cashed: tuple[tuple[str, int], ...] = ()
    brought: tuple[tuple[Event, ...], ...] = ()
    """All that happened, order by order."""
    must_plant: ClassVar[int] = 2
    most_planted: ClassVar[int] = 3

    @property
    def orders(self) -> Orders:
        """The orders that were carried out; what is to be fed is the last of them."""
        return (*super().orders, *([Feed(self.feed)] if self.feed else []))

    @property
    def last_events(self) -> tuple[Event, ...]:
        """What the last order brought."""
        return self.brought[-1]

    def before(self, variety: str) -> str | None:
        """The variety that mutates into this one; None for the first of the chain (M2)."""
        place = self.chain.index(variety)
        return self.chain[place - 1] if place else None

    def takes(self, field: str, variety: str) -> bool:
        """Whether a card may go on a field: an empty one, or one that ends with its variety or
        the one before it (M9).
        """
        there = self.farm.at(field)
        return there is None or there.variety in (variety, self.before(variety))

    def planting(self, card: str, field: str) -> Planted:
        """What happens when a card goes on a field that takes it."""
        plain, there = super().planting(card, field), self.farm.at(field)
        had = there.variety if there and there.variety != plain.variety else None
        return Planted(self.seat, card, plain.variety, field, plain.beans, had)

    def then(self, order: Order, event: Event, farm: Farm, **changed: Any) -> Self:
        """The state after this order; a planting may complete codes."""
        if isinstance(event, Planted):
            return super().then(order, event, farm, **changed).told(event)
        brought = (*self.brought, (event,))
        return super().then(order, event, farm, brought=brought, **changed)

    def told(self, event: Event) -> Self:
        """The state in which an event that may complete codes has happened: what fits is cashed,
        dearest first, then alphabetically, and replaced at once (M16).
        """
        state, events = self, [event]
        while found := state._fitting():
            _, code, place, field = min(found)
            events.append(Cashed(state.seat, code, state.values[code], field, place + 1))
            cashed = (*state.cashed, (code, place + 1))
            state = replace(state.replaced(place), cashed=cashed)
        return replace(state, brought=(*self.brought, tuple(events)))

    def _fitting(self) -> list[tuple[int, str, int, str]]:
        """The own bonus cards that fit a field, the one to be cashed first is the least."""
        held = [(place, self.bonus_cards[n]) for place, n in enumerate(self.held) if n is not None]
        fields = zip(FIELDS, self.farm.fields, strict=False)
        return [
            (-self.values[code], code, place, field)
            for field, there in fields
            if there
            for place, code in held
            if fits(code, there.runs)
        ]

    def replaced(self, place: int) -> Self:
        """The state with the top of the bonus pile in this place, if there is one."""
        top = self.pile[0] if self.pile else None
        held = (*self.held[:place], top, *self.held[place + 1 :])
        return replace(self, held=held, pile=self.pile and self.pile[1:])


def start(table: Table, seat: str, pile: tuple[int, ...] | None = None) -> State:
    """Before the first order of a list. `pile`: the bonus cards that are left when it is carried
    out; None while nobody may know.
    """
    return State(
        **beginning(table, seat),
        chain=chain(table.deck),
        values=values(table.deck),
        bonus_cards=table.bonus_cards,
        held=table.held[seat],
        pile=pile,
        has_pile=bool(table.bonus_pile),
        may_feed=not table.size.run_outs,
        is_last=table.phase == LAST,
    )
