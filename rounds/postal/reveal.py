"""A closed round for its page: who took which card, and every farm after each position of the
row.
"""

from collections import Counter
from collections.abc import Sequence

from msgspec import Struct

from rounds.engine.events import Event
from rounds.engine.farm import FIELDS, Farm, FarmView, Stack
from rounds.family.events import FinalHarvest, Harvested
from rounds.postal.events import Planted, Plowed
from rounds.postal.view import View

FEW_FARMS = 8
"""With more farms than this a step shows only those on which something happens."""
Act = Planted | Harvested | Plowed | FinalHarvest


class FarmStep(Struct, frozen=True):
    """A farm after a step: its fields from A, the purse, the letters of the fields that changed,
    and what happened on it.
    """

    seat: str
    fields: tuple[Stack | None, ...]
    talers: int
    earned: int
    changed: frozenset[str]
    events: tuple[Act, ...]


class Step(Struct, frozen=True):
    """A position of the row, what was planted of it in the order of the seats, and the farms then.

    `position` None: what came after the row. `unused`: number of cards on it that nobody took.
    """

    position: int | None
    variety: str | None
    cards: int
    taken: tuple[Planted, ...]
    unused: int
    farms: tuple[FarmStep, ...]


def reveal(before: View, events: Sequence[Event]) -> tuple[Step, ...]:
    """A round step by step: one for each position of the row, and one for what came after it, if
    anything did.

    What a seat did before it planted a card belongs to that card's position.
    """
    farms = {farm.seat: _farm(farm) for farm in before.farms}
    done_by: dict[str, list[Act]] = {seat: [] for seat in farms}
    for event in events:
        if isinstance(event, Act):
            done_by[event.seat].append(event)
    acts = {seat: _by_position(done, len(before.row)) for seat, done in done_by.items()}
    steps: list[Step] = []
    for number in range(len(before.row) + 1):
        shown: list[FarmStep] = []
        for seat, farm in farms.items():
            done = acts[seat][number]
            farms[seat] = _carried_out(farm, done)
            if done or len(farms) <= FEW_FARMS:
                shown.append(_shown(seat, farm, farms[seat], done))
        if number < len(before.row):
            stack = before.row[number]
            taken = tuple(
                act for each in acts.values() for act in each[number] if isinstance(act, Planted)
            )
            used = Counter[str]()
            for act in taken:
                used[act.seat] += act.cards
            most = max(used.values(), default=0)
            steps.append(
                Step(
                    number + 1, stack.variety, stack.cards, taken, stack.cards - most, tuple(shown)
                )
            )
        elif any(step.events for step in shown):
            steps.append(Step(None, None, 0, (), 0, tuple(shown)))
    return tuple(steps)


def _farm(farm: FarmView) -> Farm:
    a, b, c = (
        Stack(field.variety, field.beans) if field.variety else None for field in farm.fields
    )
    return Farm((a, b, c), farm.talers)


def _by_position(done: Sequence[Act], row: int) -> list[tuple[Act, ...]]:
    """What a seat did at each position, and last what it did after the row."""
    by_position: list[list[Act]] = [[] for _ in range(row + 1)]
    waiting: list[Act] = []
    for act in done:
        waiting.append(act)
        if isinstance(act, Planted):
            by_position[act.position - 1] += waiting
            waiting = []
    by_position[row] += waiting
    return [tuple(acts) for acts in by_position]


def _carried_out(farm: Farm, acts: Sequence[Act]) -> Farm:
    for act in acts:
        match act:
            case Planted():
                farm = farm.with_field(act.field, Stack(act.variety, act.beans))
            case Harvested() | FinalHarvest():
                farm = farm.with_field(act.field, None, act.talers)
            case Plowed():
                farm = farm.with_field(act.field, None, -act.talers)
    return farm


def _shown(seat: str, before: Farm, after: Farm, acts: tuple[Act, ...]) -> FarmStep:
    return FarmStep(
        seat=seat,
        fields=after.fields,
        talers=after.talers,
        earned=after.talers - before.talers,
        changed=frozenset(letter for letter in FIELDS if any(act.field == letter for act in acts)),
        events=acts,
    )
