"""Reading, checking and carrying out a list: exact orders, and behind `then` a plan for the row that nobody knows yet."""

from collections.abc import Iterable, Sequence
from itertools import takewhile

from msgspec.structs import replace

from rounds.duel.check import Done, State, carried_out, check, end_of_offer, matching, start
from rounds.duel.events import Discarded, Meant, Planted, Resigned
from rounds.duel.notation import (
    GRAMMAR,
    HAND,
    MATCH,
    PASS,
    RESIGN,
    THEN,
    Drop,
    Harvest,
    Lay,
    Plant,
    Plow,
    Problem,
    Take,
    write,
)  # fmt: skip
from rounds.duel.table import BEFORE, Table
from rounds.farm import FIELDS
from rounds.notation import Order, Orders, Read, Reading, Refused, in_text_order, read
from rounds.notation import Problem as CommonProblem
from rounds.variant import Step


def read_orders(table: Table, seat: str, text: str) -> Orders:
    """Checked orders from text: every exact one as it is carried out, then perhaps `then` and the plan as it was said; () for a
    pass. Raises Refused with every problem of the list, each order judged as if the refused ones before it were not there.
    """
    reading = read(text, GRAMMAR)
    count = max((found.number for found in reading.orders), default=0)
    count = max([count, *(problem.order or 0 for problem in reading.problems)])
    problems, plan = list(reading.problems), list[Order]()
    state, then = start(table, seat), 0
    for found in reading.orders:
        order = found.order
        wrong = _word_fault(found, reading, count, then, table.phase)
        if wrong is None and order == THEN:
            then = found.number
        elif wrong is None and then:
            wrong = plan_fault(order)
            plan += [] if wrong or order == PASS else [order]
        elif wrong is None and order not in (PASS, RESIGN):
            checked = check(state, order)
            wrong = checked if isinstance(checked, Problem) else None
            state = state if isinstance(checked, Problem) else checked
        if wrong:
            problems.append(replace(wrong, order=found.number, place=found.place))
    whole = _must_plant(state, reading, then)
    if problems or whole:
        raise Refused([*in_text_order(problems), *([whole] if whole else [])])
    if [found.order for found in reading.orders] == [RESIGN]:
        return (RESIGN,)
    return (*(one.order for one in merged(end_of_offer(state).done)), *([THEN, *plan] if then else []))


def _word_fault(found: Read, reading: Reading, count: int, then: int, phase: int) -> Problem | None:
    """What is wrong with an order that hangs on what stands beside it."""
    order = found.order
    if order == THEN:
        return Problem(code="THEN") if phase != BEFORE or then or found.number == count else None
    if order == PASS:
        is_alone = count == 1 or (then == found.number - 1 == count - 1 and then > 0)
        return None if is_alone else Problem(code="PASS")
    return Problem(code="ALONE") if order == RESIGN and count > 1 else None


def plan_fault(order: Order) -> Problem | None:
    """What can be known to be wrong with an order of a plan, whatever comes."""
    match order:
        case Plant(card) | Drop(card):
            return Problem(code="STEP", position=card)
        case Lay(variety):
            return Problem(code="STEP", variety=variety)
        case Take(variety, 0):
            return Problem(code="COUNT", variety=variety, cards=0)
        case Take(_, _, None, True):
            return Problem(code="NEEDS_FIELD", hint=write(replace(order, field="A")))
        case Take(_, _, field) | Harvest(field) if field not in (None, *FIELDS):
            return Problem(code="BAD_FIELD", field=field, limit=len(FIELDS))
        case Harvest(field, cards) if cards is not None:
            return Problem(code="PARTIAL_HARVEST", field=field, cards=cards, hint=f"H{field}")
        case Plow(field):
            return Problem(code="NO_PLOW", field=field, hint=f"H{field}")
    return None


def _must_plant(state: State, reading: Reading, then: int) -> Problem | None:
    """The front card must be planted (D13), unless an order reads as planting one or the list can't be read as a whole."""
    if state.phase != BEFORE or state.front is None or state.planted:
        return None
    if [found.order for found in reading.orders] == [RESIGN] or any(found.order is None for found in reading.problems):
        return None
    is_before = [found for found in reading.orders if not then or found.number < then]
    if any(isinstance(found.order, Plant) for found in is_before) or any(map(_reads_as_planting, reading.problems)):
        return None
    return Problem(code="MUST_PLANT", variety=state.table.hand(state.seat)[state.front - 1])


def _reads_as_planting(problem: CommonProblem) -> bool:
    return problem.code == "NUMBER" and HAND.match(problem.place.text) is not None


def write_orders(_: Table, orders: Orders) -> str:
    """The canonical text; a list without an order is a pass, and so is a plan without one."""
    if THEN not in orders:
        return " ".join(map(write, orders)) or "pass"
    exact, plan = split(orders)
    return " ".join([*map(write, exact), "then", " ".join(map(write, plan)) or "pass"])


def split(orders: Orders) -> tuple[Orders, Orders]:
    """The exact orders, and the plan behind `then`."""
    exact = tuple(takewhile(lambda order: order != THEN, orders))
    return exact, orders[len(exact) + 1 :]


def merged(done: Iterable[Done]) -> tuple[Done, ...]:
    """Neighbouring plantings of one variety on one field, and neighbouring discards of one variety, as one."""
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
    assert isinstance(before, Planted | Discarded)
    assert isinstance(event, Planted | Discarded)
    cards = before.cards + event.cards
    order = replace(other, cards=None if cards == before.lying else cards)
    return Done(order, replace(event, cards=cards, lying=before.lying), second.farm)


def preview(table: Table, seat: str, orders: Orders) -> tuple[Step, ...]:
    """What comes of each order; of a plan only that it was said, since the row is not known."""
    if orders == (RESIGN,):
        return (Step(RESIGN, (Resigned(seat),), None),)
    exact, plan = split(orders)
    done = carried_out(start(table, seat), *exact).done
    steps = [Step(step.order, (step.event,), step.farm) for step in done]
    if THEN in orders:
        steps.append(Step(THEN, () if plan else (Meant(seat, "nothing"),), None))
    return (*steps, *(Step(order, (_meant(seat, order),), None) for order in plan))


def _meant(seat: str, order: Order) -> Meant:
    """What an order of a plan wants."""
    match order:
        case Take(variety, cards, field, clear):
            return Meant(seat, "plant", variety, cards, field, clear)
        case Harvest(field):
            return Meant(seat, "harvest", field=field)
    return Meant(seat, order.text)


def carry_out_plan(state: State, plan: Sequence[Order]) -> State:
    """The state after a plan for the row: each order as far as it goes (D53)."""
    for order in plan:
        if order == MATCH:
            state = matching(state)
            continue
        if isinstance(order, Take) and order.cards is not None:
            there = state.lies(order.variety)
            order = replace(order, cards=min(order.cards, there.cards if there else 0))
        checked = check(state, order)
        state = state if isinstance(checked, Problem) else checked
    return state
