"""The words of the duel: `1>A` plants a card of the hand, `blue>B` some of the table, `D4`
discards, `then` begins a plan.
"""

from msgspec import Struct

from rounds.engine.notation import Order
from rounds.engine.notation import Problem as CommonProblem
from rounds.family.orders import Bare, Harvest


class Plant(Struct, frozen=True):
    """Plant a card of the hand; `clear`: harvest the field first if another variety grows there."""

    card: int
    field: str | None = None
    clear: bool = False


class Drop(Struct, frozen=True):
    """Discard a card of the hand."""

    card: int


class Take(Struct, frozen=True):
    """Plant cards of a variety that lie on the table: all that lie there unless `cards` says how
    many.
    """

    variety: str
    cards: int | None = None
    field: str | None = None
    clear: bool = False


class Lay(Struct, frozen=True):
    """Discard cards of the offer: all of the variety unless `cards` says how many."""

    variety: str
    cards: int | None = None


class Plow(Struct, frozen=True):
    """There is no plowing: read only to be refused."""

    field: str


MATCH, THEN, RESIGN = map(Bare, ("match", "then", "resign"))


class Problem(CommonProblem, frozen=True, kw_only=True):
    """A problem with what the sentences of the duel name; which values are set depends on the
    code.
    """

    position: int | None = None
    field: str | None = None
    variety: str | None = None
    talers: int | None = None


def write(order: Order) -> str:
    """One order in canonical form, as far as it is said."""
    match order:
        case Plant(card):
            return f"{card}{_on(order)}"
        case Drop(card):
            return f"D{card}"
        case Take(variety, cards):
            return f"{variety}{_of(cards)}{_on(order)}"
        case Lay(variety, cards):
            return f"D{variety}{_of(cards)}"
        case Harvest(field):
            return f"H{field}"
        case Bare(text):
            return text
    raise TypeError(f"no order that is carried out: {order!r}")


def _of(cards: int | None) -> str:
    return "" if cards is None else f"x{cards}"


def _on(order: Plant | Take) -> str:
    return f"{'' if order.field is None else f'>{order.field}'}{'!' if order.clear else ''}"
