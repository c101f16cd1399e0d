"""Reading, checking and writing a list: field work, wishes, and whether they stay."""

from collections.abc import Callable
from typing import Any, NamedTuple

from msgspec.structs import replace

from rounds.classic.check import check
from rounds.classic.deals import MOST_DEALS, Trader, read_wish, tradable, trader
from rounds.classic.events import Proposed, Stays
from rounds.classic.notation import AUTO, KEEP, Alternatives, Deal, Problem, Typed, grammar, write
from rounds.classic.stand_in import auto
from rounds.classic.state import State, start
from rounds.classic.table import LAST, Table
from rounds.engine.notation import MAX_CHARACTERS, Order, Orders, Read, Refused, in_text_order, read
from rounds.engine.notation import Problem as CommonProblem
from rounds.engine.variant import Step
from rounds.family.orders import PASS


class FieldWork(NamedTuple):
    """How the orders for fields are carried out, which differs in games that stand on this one."""

    start: Callable[[Any, str], Any] = start
    """(table, seat) → the state before the first order of a list."""
    check: Callable[[Any, Order], State | Problem] = check
    """(state, order) → the state after it, or the first thing that is wrong."""
    auto: Callable[[Any], Any] = auto
    """The state after what the stand-in plants of all that is due."""
    place: Callable[[Order], int] = lambda _: 0
    """Orders of a greater number are judged and written behind the others, wherever they stand."""


FIELD_WORK = FieldWork()


def read_orders(table: Table, seat: str, text: str, rules: FieldWork = FIELD_WORK) -> Orders:
    """Checked orders from text: field work exactly as it is carried out, wishes, perhaps `keep`;
    () for a pass. Raises Refused with every problem of the list, each order judged as if the
    refused ones before it were not there.
    """
    reading = read(text, grammar(table.seats, table.language))
    if [problem.code for problem in reading.problems] == ["EMPTY"]:
        raise Refused(reading.problems)
    count = max((found.order or 0 for found in reading.problems), default=0)
    count = max([count, *(found.number for found in reading.orders)])
    problems = list(reading.problems)
    state = _field_work(rules, rules.start(table, seat), reading.orders, count, problems)
    keeps = any(found.order == KEEP for found in reading.orders)
    wishes = _wishes(table, trader(table, seat, state, keeps=keeps), reading.orders, problems)
    checked = (*state.orders, *wishes, *([KEEP] if keeps else []))
    problems += _whole(state, wishes, write_orders(table, checked))
    if problems:
        whole = [problem for problem in problems if problem.order is None]
        raise Refused([*in_text_order(p for p in problems if p.order is not None), *whole])
    return checked


def _field_work(
    rules: FieldWork,
    state: State,
    orders: tuple[Read, ...],
    count: int,
    problems: list[CommonProblem],
) -> State:
    """The state after all field work that is right; what is wrong is added to `problems`."""
    for found in sorted(orders, key=lambda found: rules.place(found.order)):
        order = found.order
        if order == PASS:
            problems += [_at(found, Problem(code="PASS"))] if count > 1 else []
        elif order == KEEP or isinstance(order, Typed):
            continue
        elif state.is_call:
            problems.append(_at(found, Problem(code="NOT_NOW")))
        elif order == AUTO:
            state = rules.auto(state)
        else:
            checked = rules.check(state, order)
            problems += [_at(found, checked)] if isinstance(checked, Problem) else []
            state = state if isinstance(checked, Problem) else checked
    return state


def _wishes(
    table: Table, who: Trader, orders: tuple[Read, ...], problems: list[CommonProblem]
) -> tuple[Alternatives, ...]:
    """The wishes that are right, judged after the whole field work; what is wrong is added to
    `problems`.
    """
    wishes = list[Alternatives]()
    for found in orders:
        if not isinstance(found.order, Typed):
            continue
        wish = Problem(code="NOT_NOW") if table.phase == LAST else read_wish(who, found.order)
        if isinstance(wish, Problem):
            problems.append(_at(found, wish))
        else:
            wishes.append(wish)
    return tuple(wishes)


def _at(found: Read, problem: Problem) -> Problem:
    return replace(problem, order=found.number, place=found.place)


def _whole(state: State, wishes: tuple[Alternatives, ...], text: str) -> list[Problem]:
    """What is wrong with the list as a whole. Its canonical text can be longer than what was
    typed.
    """
    deals = sum(len(wish.deals) for wish in wishes)
    problems = [Problem(code="UNPLANTED", cards=state.due)] if state.due else []
    if deals > MOST_DEALS:
        return [*problems, Problem(code="LIMIT", cards=deals, limit=MOST_DEALS)]
    if len(text) > MAX_CHARACTERS:
        return [*problems, Problem(code="LIMIT", cards=len(text), limit=MAX_CHARACTERS)]
    return problems


def write_orders(_: Table, orders: Orders) -> str:
    """The canonical text; a list without an order is a pass."""
    return " ".join(map(write, orders)) or "pass"


def wishes_of(orders: Orders) -> tuple[Alternatives, ...]:
    """The wishes of a checked list."""
    return tuple(order for order in orders if isinstance(order, Alternatives))


def field_work(orders: Orders) -> Orders:
    """The field work of a checked list."""
    return tuple(order for order in orders if not isinstance(order, Alternatives) and order != KEEP)


def preview(
    table: Table, seat: str, orders: Orders, rules: FieldWork = FIELD_WORK
) -> tuple[Step, ...]:
    """What comes of each order; of deals only what is proposed, since nobody knows the others'
    lists.
    """
    state, steps = rules.start(table, seat), list[Step]()
    for order in field_work(orders):
        checked = rules.check(state, order)
        assert isinstance(checked, State), (order, checked)
        state = checked
        steps.append(Step(order, state.last_events, state.farm))
    cards = tradable(table, seat)
    steps += [Step(wish, (proposed(table, seat, wish, cards),), None) for wish in wishes_of(orders)]
    deals = [deal for wish in wishes_of(orders) for deal in wish.deals]
    stays = Stays(seat, sum(not deal.labels for deal in deals), len(deals))
    return (*steps, *([Step(KEEP, (stays,), None)] if KEEP in orders else []))


def proposed(table: Table, seat: str, wish: Alternatives, cards: dict[str, str]) -> Proposed:
    """A wish in varieties: `cards` are those that its labels name."""

    def told(deal: Deal) -> tuple[tuple[str, ...], tuple[str, ...], str | None]:
        partner = None if deal.partner is None else table.seats[deal.partner - 1]
        return tuple(cards.get(part, part) for part in deal.give), deal.get, partner

    return Proposed(seat, tuple(map(told, wish.deals)))
