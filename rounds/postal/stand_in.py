"""NMR: what is played for a seat that sent nothing, in the players' own orders (rules 1.7)."""

from rounds.engine.farm import FIELDS, Farm, Stack
from rounds.engine.notation import Order, Orders
from rounds.family.orders import Harvest
from rounds.postal.notation import Plant
from rounds.postal.orders import merged
from rounds.postal.table import Table


def stand_in(table: Table, seat: str) -> Orders:
    """Go through the row card by card: plant what grows, harvest what is full, let the next
    possible bean follow (P23-P29).

    Always a legal list (T9) that never makes two fields of one variety (T8), never plows, never
    harvests below four talers.
    """
    farm, eager = table.farm(seat), table.rules.nmr_harvest == "eager"
    waiting = [field for field in FIELDS if farm.at(field) is None] if table.rules.nmr_empty else []
    orders: list[Order] = []

    def harvest(field: str) -> None:
        nonlocal farm
        farm = farm.with_field(field, None)
        orders.append(Harvest(field))
        waiting.append(field)
        waiting.sort()

    for letter in FIELDS:
        if eager and _is_full(table, farm, letter):
            harvest(letter)
    for position, stack in enumerate(table.row, start=1):
        for _ in range(stack.cards):
            field = farm.growing(stack.variety)
            if field is not None and _is_full(table, farm, field):
                harvest(field)
            if field is None or field in waiting:
                field = field or (waiting[0] if waiting else None)
                if field is None:
                    continue
                waiting.remove(field)
            grown = farm.at(field)
            farm = farm.with_field(field, Stack(stack.variety, 1 + (grown.cards if grown else 0)))
            orders.append(Plant(position, 1, field))
            if eager and _is_full(table, farm, field):
                harvest(field)
    return merged(orders)


def _is_full(table: Table, farm: Farm, field: str) -> bool:
    grown = farm.at(field)
    return grown is not None and grown.cards >= table.deck[grown.variety].full
