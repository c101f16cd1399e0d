"""Which field a card goes on, and which may be harvested."""

from rounds.duel.notation import Plant, Problem, Take
from rounds.duel.state import State
from rounds.engine.farm import FIELDS, Farm, Stack
from rounds.engine.notation import Order
from rounds.family.fields import letters, may_harvest
from rounds.family.orders import Harvest


def field_of(state: State, variety: str) -> tuple[str | None, tuple[Order, ...]]:
    """The field of a variety, and how room is made there: the lowest that is not full; are all
    full, the lowest is harvested.
    """
    fields = zip(FIELDS, state.farm.fields, strict=False)
    grown = [(letter, stack) for letter, stack in fields if stack and stack.variety == variety]
    full = state.table.deck[variety].full
    free = next((letter for letter, stack in grown if stack.cards < full), None)
    if free or not grown:
        return free, ()
    return grown[0][0], (Harvest(grown[0][0]),)


def chosen_field(farm: Farm, variety: str, order: Plant | Take) -> str | Problem:
    """The field a card goes on (D19 to D21), or why there is none."""
    named = order.field
    if named is None:
        if order.clear:
            return Problem(code="NEEDS_FIELD", hint="1>A!")
        return (
            farm.growing(variety) or farm.first_empty() or Problem(code="NO_FIELD", variety=variety)
        )
    if named not in letters(farm):
        return Problem(code="BAD_FIELD", field=named, limit=len(farm.fields))
    there = farm.at(named)
    if there is None or there.variety == variety:
        return named
    if not order.clear:
        return Problem(code="OCCUPIED", field=named, variety=there.variety)
    return (
        named
        if may_harvest(farm, named)
        else Problem(code="SINGLE", field=named, variety=there.variety)
    )


def planted_on(farm: Farm, field: str, variety: str, cards: int) -> tuple[Farm, int]:
    """The farm with cards on a field that can take them, and how many beans it has then."""
    there = farm.at(field)
    beans = cards + (there.cards if there else 0)
    return farm.with_field(field, Stack(variety, beans)), beans
