"""Reading, checking and carrying out a list."""

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from rounds.engine.farm import Farm, Stack
from rounds.engine.notation import Order, Orders, Refused, in_text_order, read
from rounds.engine.variant import Step

from .events import Left, Planted, Taken
from .notation import GRAMMAR, Leave, Plant, Problem, Take, write
from .table import Table

MOST = {1: 2, 2: 1}
"""So many orders are carried out in a phase."""


def read_orders(table: Table, seat: str, text: str) -> Orders:
    """Checked orders from text, cards in the order of the hand; a pass after the reveal is
    `leave`. Raises Refused with every problem.
    """
    reading = read(text, GRAMMAR)
    judged = judge(table, seat, (item.order for item in reading.orders))
    refused = [
        replace(found, order=item.number, place=item.place)
        for item, found in zip(reading.orders, judged, strict=True)
        if isinstance(found, Problem)
    ]
    if refused or reading.problems:
        raise Refused(in_text_order([*reading.problems, *refused]))
    if table.moment.phase == 1:
        return tuple(sorted((item.order for item in reading.orders), key=lambda order: order.card))
    return tuple(item.order for item in reading.orders) or (Leave(),)


def write_orders(_: Table, orders: Orders) -> str:
    """The canonical text."""
    return " ".join(map(write, orders)) or "pass"


def preview(table: Table, seat: str, orders: Orders) -> tuple[Step, ...]:
    """What comes of each order. The next card is not known."""
    return tuple(step for step in judge(table, seat, orders) if isinstance(step, Step))


def judge(table: Table, seat: str, orders: Iterable[Order]) -> Iterator[Step | Problem]:
    """Each order carried out, or what is wrong with it, as if those refused before it were not
    there.
    """
    farm, done = table.farms[seat], list[Order]()
    for order in orders:
        found = check(table, seat, farm, done, order)
        if isinstance(found, Step):
            farm, done = found.farm or farm, [*done, order]
        yield found


def check(table: Table, seat: str, farm: Farm, done: list[Order], order: Order) -> Step | Problem:
    """One order on the farm that those before it have left."""
    phase, hand, card = (
        table.moment.phase,
        table.hand(seat),
        order.card if isinstance(order, Plant) else None,
    )
    if (card is None) == (phase == 1):
        return Problem(code="PHASE", card=card)
    if order in done:
        return Problem(code="TWICE", card=card)
    if len(done) == MOST[phase]:
        return Problem(code="MANY", limit=MOST[phase])
    if card is not None and card > len(hand):
        return Problem(code="CARD", card=card, limit=len(hand))
    variety = hand[card - 1] if card else table.revealed or ""
    if isinstance(order, Leave):
        return Step(order, (Left(seat, variety),), farm)
    field = farm.growing(variety) or farm.first_empty()
    if field is None:
        return Problem(code="NO_FIELD", card=card, variety=variety)
    grown = farm.at(field)
    beans = 1 + (grown.cards if grown else 0)
    event = (
        Planted(seat, card, variety, field, beans) if card else Taken(seat, variety, field, beans)
    )
    return Step(order, (event,), farm.with_field(field, Stack(variety, beans)))


def stand_in(table: Table, seat: str) -> Orders:
    """The first card of the hand that has a field; the revealed card if its variety grows
    already.
    """
    if table.moment.phase == 2:
        return (Take(),) if table.farms[seat].growing(table.revealed or "") else (Leave(),)
    plantings = (Plant(card) for card in range(1, len(table.hand(seat)) + 1))
    return next(((order,) for order in plantings if preview(table, seat, (order,))), ())
