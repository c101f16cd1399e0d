"""Reading, checking and writing a list: exact orders, and perhaps a plan behind `then`."""

from msgspec.structs import replace

from rounds.duel.check import carried_out, check, finish_offer
from rounds.duel.events import Meant, Resigned
from rounds.duel.notation import GRAMMAR, HAND, RESIGN, THEN, Plant, Problem, write
from rounds.duel.plan import meant, plan_fault, split
from rounds.duel.state import State, merged, start
from rounds.duel.table import BEFORE, Table
from rounds.engine.notation import Order, Orders, Read, Reading, Refused, in_text_order, read
from rounds.engine.notation import Problem as CommonProblem
from rounds.engine.variant import Step
from rounds.family.orders import PASS


def read_orders(table: Table, seat: str, text: str) -> Orders:
    """Checked orders from text: every exact one as it is carried out, then perhaps `then` and
    the plan as it was said; () for a pass. Raises Refused with every problem of the list, each
    order judged as if the refused ones before it were not there.
    """
    reading = read(text, GRAMMAR)
    count = max((found.number for found in reading.orders), default=0)
    count = max([count, *(problem.order or 0 for problem in reading.problems)])
    problems, plan = list(reading.problems), list[Order]()
    state, then = start(table, seat), 0
    for found in reading.orders:
        order = found.order
        wrong = _place_fault(found, reading, count, then, table.phase)
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
    return (
        *(one.order for one in merged(finish_offer(state).done)),
        *([THEN, *plan] if then else []),
    )


def _place_fault(
    found: Read, reading: Reading, count: int, then: int, phase: int
) -> Problem | None:
    """What is wrong with the place of `then`, `pass` or `resign` in the list, if anything."""
    order = found.order
    if order == THEN:
        return Problem(code="THEN") if phase != BEFORE or then or found.number == count else None
    if order == PASS:
        is_alone = count == 1 or (then == found.number - 1 == count - 1 and then > 0)
        return None if is_alone else Problem(code="PASS")
    return Problem(code="ALONE") if order == RESIGN and count > 1 else None


def _must_plant(state: State, reading: Reading, then: int) -> Problem | None:
    """The front card must be planted (D13), unless an order reads as planting one or the list
    can't be read as a whole.
    """
    if state.phase != BEFORE or state.front is None or state.planted:
        return None
    if [found.order for found in reading.orders] == [RESIGN] or any(
        found.order is None for found in reading.problems
    ):
        return None
    is_before = [found for found in reading.orders if not then or found.number < then]
    if any(isinstance(found.order, Plant) for found in is_before) or any(
        map(_reads_as_planting, reading.problems)
    ):
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


def preview(table: Table, seat: str, orders: Orders) -> tuple[Step, ...]:
    """What comes of each order; of a plan only that it was said, since the row is not known."""
    if orders == (RESIGN,):
        return (Step(RESIGN, (Resigned(seat),), None),)
    exact, plan = split(orders)
    done = carried_out(start(table, seat), *exact).done
    steps = [Step(step.order, (step.event,), step.farm) for step in done]
    if THEN in orders:
        steps.append(Step(THEN, () if plan else (Meant(seat, "nothing"),), None))
    return (*steps, *(Step(order, (meant(seat, order),), None) for order in plan))
