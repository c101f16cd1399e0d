"""Reading, checking and carrying out one farm's orders. Farms are independent (T2), so a list
accepted here can't fail later.
"""

from typing import NamedTuple

from msgspec.structs import replace

from rounds.engine.farm import FIELDS, Farm, Stack
from rounds.engine.notation import Order, Orders, Refused, in_text_order, read
from rounds.engine.notation import Problem as CommonProblem
from rounds.engine.variant import Step
from rounds.family.events import Harvested
from rounds.family.orders import Harvest
from rounds.postal.events import AnyEvent, Planted, Plowed
from rounds.postal.notation import GRAMMAR, Plant, Plow, Problem, write
from rounds.postal.table import PLOW_FEE, Table


class Progress(NamedTuple):
    """How far a list has come: the farm, the highest position planted from, and how many cards
    were taken there.
    """

    farm: Farm
    position: int = 0
    taken: int = 0

    def left(self, table: Table, position: int) -> int:
        """How many cards this player still finds on a position of the row."""
        return table.row[position - 1].cards - (self.taken if position == self.position else 0)


def read_orders(table: Table, seat: str, text: str) -> Orders:
    """Checked orders from text, every one with its field and number; () for a pass.

    Raises Refused with every problem of the list: what can't be read, and what is not allowed,
    each order judged as if the refused ones before it were not there (P37, P38).
    """
    reading = read(text, GRAMMAR)
    problems: list[CommonProblem] = list(reading.problems)
    progress, orders = Progress(table.farm(seat)), []
    for item in reading.orders:
        checked = check(table, seat, progress, item.order)
        if isinstance(checked, Problem):
            problems.append(replace(checked, order=item.number, place=item.place))
        else:
            order, progress, _ = checked
            orders.append(order)
    if problems:
        raise Refused(in_text_order(problems))
    return merged(orders)


def preview(table: Table, seat: str, orders: Orders) -> tuple[Step, ...]:
    """The farm after each order. Raises Refused if an order is not allowed: those of
    `read_orders` and `stand_in` always are.
    """
    return tuple(
        Step(order, (event,), farm) for order, event, farm in carry_out(table, seat, orders)
    )


def carry_out(table: Table, seat: str, orders: Orders) -> list[tuple[Order, AnyEvent, Farm]]:
    """Each order as understood, what happens, and the farm after it. Raises Refused as `preview`
    does.
    """
    progress, done = Progress(table.farm(seat)), list[tuple[Order, AnyEvent, Farm]]()
    for number, order in enumerate(orders, start=1):
        checked = check(table, seat, progress, order)
        if isinstance(checked, Problem):
            raise Refused([replace(checked, order=number)])
        order, progress, event = checked
        done.append((order, event, progress.farm))
    return done


def write_orders(table: Table, orders: Orders) -> str:
    """The canonical text: always the field, the number only where cards of the stack stay (P39,
    P40). No orders are `pass` (P31).
    """
    position, taken, words = 0, 0, []
    for order in orders:
        if isinstance(order, Plant):
            taken = (order.cards or 0) + (taken if order.position == position else 0)
            position = order.position
            if taken == table.row[position - 1].cards:
                order = replace(order, cards=None)
        words.append(write(order))
    return " ".join(words) or "pass"


def merged(orders: list[Order]) -> Orders:
    """Neighbouring plantings of one position on one field as one order."""
    result: list[Order] = []
    for order in orders:
        last = result[-1] if result else None
        if (
            isinstance(order, Plant)
            and isinstance(last, Plant)
            and (order.position, order.field) == (last.position, last.field)
        ):
            result[-1] = replace(last, cards=(last.cards or 0) + (order.cards or 0))
        else:
            result.append(order)
    return tuple(result)


Checked = tuple[Order, Progress, Planted | Harvested | Plowed]


def check(table: Table, seat: str, progress: Progress, order: Order) -> Checked | Problem:
    """The order with everything spelled out, the progress after it and what happened; or the
    first problem that fits, without its place.
    """
    match order:
        case Plant():
            return _plant(table, seat, progress, order)
        case Harvest():
            return _harvest(table, seat, progress, order)
        case Plow():
            return _plow(table, seat, progress, order)
    raise TypeError(f"no order of this game: {order!r}")


def _plant(table: Table, seat: str, progress: Progress, order: Plant) -> Checked | Problem:
    position, farm = order.position, progress.farm
    if not 1 <= position <= len(table.row):
        return Problem(
            code="RANGE",
            position=position,
            limit=len(table.row),
            hint=_split(position, len(table.row)),
        )
    if position < progress.position:
        return Problem(code="ORDER", position=position, limit=progress.position)
    variety, left = table.row[position - 1].variety, progress.left(table, position)
    cards = left if order.cards is None else order.cards
    if not 1 <= cards <= left:
        return Problem(code="COUNT", position=position, cards=cards, variety=variety, limit=left)
    grown, field = farm.growing(variety), order.field
    if field is None:
        field = grown or farm.first_empty()
        if field is None:
            return _no_field(
                table, farm, Problem(code="NO_FIELD", position=position, variety=variety)
            )
    elif field not in FIELDS:
        return Problem(code="BAD_FIELD", field=field)
    elif grown not in (None, field):
        return Problem(code="DUPLICATE", position=position, variety=variety, field=grown)
    there = farm.at(field)
    if there is not None and there.variety != variety:
        advice = _way_out(table, farm, there) or ("other" if farm.first_empty() else "leave")
        return Problem(
            code="OCCUPIED", position=position, variety=there.variety, field=field, advice=advice
        )
    stack = Stack(variety, cards + (there.cards if there else 0))
    taken = cards + (progress.taken if position == progress.position else 0)
    event = Planted(
        seat, position, variety, cards, table.row[position - 1].cards, field, stack.cards
    )
    return (
        Plant(position, cards, field),
        Progress(farm.with_field(field, stack), position, taken),
        event,
    )


def _split(position: int, last: int) -> str | None:
    """`12` was perhaps meant as `1 2`; `0` as a pass."""
    if position == 0:
        return "pass"
    digits = str(position)
    return (
        " ".join(digits)
        if len(digits) <= last and all("1" <= d <= str(last) for d in digits) and position > 9
        else None
    )


def _way_out(table: Table, farm: Farm, there: Stack) -> str | None:
    """How a field on which this grows can be cleared now: by a harvest, a plow, or not at all."""
    if table.deck[there.variety].talers(there.cards):
        return "harvest"
    return "plow" if farm.talers >= PLOW_FEE else None


def _no_field(table: Table, farm: Farm, problem: Problem) -> Problem:
    """With what would make room: the first field that earns something, a plow of any, or
    nothing.
    """
    ways = [
        (_way_out(table, farm, there), field)
        for field, there in zip(FIELDS, farm.fields, strict=True)
        if there
    ]
    for way, field in ways:
        if way == "harvest":
            return replace(problem, advice=way, field=field)
    return replace(problem, advice=ways[0][0] or "leave")


def _growing(farm: Farm, field: str) -> Stack | Problem:
    """What stands on a field that is to be cleared."""
    if field not in FIELDS:
        return Problem(code="BAD_FIELD", field=field)
    return farm.at(field) or Problem(code="EMPTY_FIELD", field=field)


def _harvest(table: Table, seat: str, progress: Progress, order: Harvest) -> Checked | Problem:
    field, farm = order.field, progress.farm
    there = _growing(farm, field)
    if isinstance(there, Problem):
        return there
    if order.cards is not None:
        return Problem(
            code="PARTIAL_HARVEST",
            field=field,
            cards=order.cards,
            limit=there.cards,
            hint=f"H{field}",
        )
    variety = table.deck[there.variety]
    if not (talers := variety.talers(there.cards)):
        problem = Problem(
            code="HARVEST_ZERO",
            field=field,
            variety=variety.id,
            cards=there.cards,
            limit=variety.first,
        )
        return replace(problem, advice=_way_out(table, farm, there) or "leave")
    event = Harvested(seat, field, variety.id, there.cards, talers)
    return order, progress._replace(farm=farm.with_field(field, None, talers)), event


def _plow(table: Table, seat: str, progress: Progress, order: Plow) -> Checked | Problem:
    field, farm = order.field, progress.farm
    there = _growing(farm, field)
    if isinstance(there, Problem):
        return there
    if talers := table.deck[there.variety].talers(there.cards):
        return Problem(
            code="PLOW_YIELDING",
            field=field,
            variety=there.variety,
            talers=talers,
            hint=f"H{field}",
        )
    if farm.talers < PLOW_FEE:
        return Problem(
            code="TALERS", field=field, talers=farm.talers, limit=PLOW_FEE, advice="leave"
        )
    event = Plowed(seat, field, there.variety, there.cards, PLOW_FEE)
    return order, progress._replace(farm=farm.with_field(field, None, -PLOW_FEE)), event
