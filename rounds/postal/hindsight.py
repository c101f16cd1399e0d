"""What could have been made of the rows as they were: exactly, by one farm that knew them all.

Walks through the cards one by one and keeps, for every set of fields, the way to it with most
talers: with equal fields more talers are never worse. It is enough to clear a field when room is
needed, to harvest a growing variety before its next card, and to sell a full field at once (T6:
one bean never pays). What can't catch up with a rival any more is dropped.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations, pairwise

from msgspec import Struct
from msgspec.structs import replace

from rounds.engine.beans import Deck
from rounds.engine.farm import FIELDS, Farm
from rounds.engine.notation import Order
from rounds.family.orders import Harvest
from rounds.postal.notation import Plant, Plow
from rounds.postal.orders import carry_out, merged, read_orders, write_orders
from rounds.postal.robot import robot
from rounds.postal.round import result
from rounds.postal.table import PLOW_FEE, Table
from rounds.postal.view import view

Fields = tuple[int, ...]
"""Up to three fields, sorted, since their letters do not matter. One is 16 times the place of
its variety in the deck, and its beans: a number is found faster than a name.
"""
Way = tuple[int, "Way | None", "Step | None"]
"""Talers, the way before, and what was done with the last card (None: it was left)."""
Step = tuple[int, int, int]
"""The number of the card, its variety, and the variety that was cleared before it was planted."""
NOTHING = -1
PRUNE_EVERY = 4
SUBSETS = {
    size: [
        (kept, tuple(i for i in range(size) if i not in kept))
        for count in range(size - 1, -1, -1)
        for kept in combinations(range(size), count)
    ]
    for size in range(len(FIELDS) + 1)
}
"""By the number of fields: which of them a rival has, and which it has not."""


class SeatHindsight(Struct, frozen=True):
    """What a seat made of the rows: its talers, the round in which it gave most away (0: none)
    and how many talers.

    `rounds`: for each row, looked at alone, (the most that its farm could gain, what it gained),
    fields at their worth.
    """

    talers: int
    worst_round: int
    lost: int
    rounds: tuple[tuple[int, int], ...]


class Hindsight(Struct, frozen=True):
    """What could have been made of a finished game's rows: the most talers one farm could have
    earned, by which orders round by round, what a simple robot made of them, and each seat.
    """

    best: int
    plan: tuple[str, ...]
    robot: int
    seats: Mapping[str, SeatHindsight]


def hindsight(tables: Sequence[Table]) -> Hindsight:
    """Of a finished game; `tables`: the one before each round, and the one at the end. Raises
    ValueError if it is not over.
    """
    end = result(tables[-1])
    if end is None:
        raise ValueError("the game is not over")
    rounds = tables[:-1]
    total, plan = best(rounds, Farm())
    return Hindsight(
        best=total,
        plan=plan,
        robot=robots_talers(rounds),
        seats={s: _seat(tables, s, end.talers[s]) for s in end.talers},
    )


def best(tables: Sequence[Table], farm: Farm) -> tuple[int, tuple[str, ...]]:
    """(talers after a final harvest, the orders of each round) of the best play of these rows
    from this farm.
    """
    ways, pays = _walk(tables, farm), _pays(tables[0].deck)
    fields, way = max(ways.items(), key=lambda item: (_total(pays, item), item[0]))
    return _total(pays, (fields, way)), _told(tables, farm, way)


def best_talers(tables: Sequence[Table], farm: Farm) -> int:
    """The same without the orders."""
    pays = _pays(tables[0].deck)
    return max(_total(pays, item) for item in _walk(tables, farm).items())


def best_gain(table: Table, seat: str) -> int:
    """The most this row alone could bring this seat's farm, its fields at their worth."""
    farm = table.farm(seat)
    return best_talers([table], farm) - farm.worth(table.deck)


def robots_talers(tables: Sequence[Table]) -> int:
    """What a simple robot would have earned from the same rows."""
    farm = Farm()
    for table in tables:
        alone = replace(table, seats=("robot",), farms=(farm,))
        done = carry_out(alone, "robot", read_orders(alone, "robot", robot(view(alone, "robot"))))
        farm = done[-1][2] if done else farm
    return farm.worth(tables[0].deck)


def _seat(tables: Sequence[Table], seat: str, talers: int) -> SeatHindsight:
    """Each row looked at alone: the most this farm could have gained, its fields at their worth,
    and what it did gain.
    """
    rounds = []
    for table, after in pairwise(tables):
        rounds.append(
            (
                best_gain(table, seat),
                after.farm(seat).worth(table.deck) - table.farm(seat).worth(table.deck),
            )
        )
    lost = [possible - gained for possible, gained in rounds]
    worst = max(range(len(lost)), key=lambda index: lost[index])
    return SeatHindsight(
        talers=talers,
        worst_round=worst + 1 if lost[worst] else 0,
        lost=lost[worst],
        rounds=tuple(rounds),
    )


def _walk(tables: Sequence[Table], farm: Farm) -> dict[Fields, Way]:
    """Every set of fields worth having at the end, and the best way to it."""
    deck = tables[0].deck
    pays = _pays(deck)
    cards = [
        deck.ids.index(stack.variety)
        for table in tables
        for stack in table.row
        for _ in range(stack.cards)
    ]
    full = [variety.full for variety in deck.varieties]
    coming = Counter(cards)
    grown = [(deck.ids.index(stack.variety), stack.cards) for stack in farm.fields if stack]
    start = tuple(sorted(16 * variety + min(beans, full[variety]) for variety, beans in grown))
    ways: dict[Fields, Way] = {start: (farm.talers, None, None)}
    for number, variety in enumerate(cards):
        ways = _next(pays, ways, number, variety, full[variety])
        coming[variety] -= 1
        if number % PRUNE_EVERY == PRUNE_EVERY - 1:
            hope = [
                pays[16 * v + min(beans + coming[v], full[v])]
                for v in range(len(full))
                for beans in range(16)
            ]
            ways = {
                fields: way
                for fields, way in ways.items()
                if not _is_matched(ways, fields, way[0], hope)
            }
    return ways


def _next(
    pays: list[int], ways: dict[Fields, Way], number: int, variety: int, full: int
) -> dict[Fields, Way]:
    """All that one more card can lead to."""
    reached = dict(ways)  # the card is left
    known, anew = reached.get, 16 * variety + 1

    def reach(new: Fields, talers: int, way: Way, cleared: int) -> None:
        old = known(new)
        if old is None or old[0] < talers:
            reached[new] = (talers, way, (number, variety, cleared))

    for fields, way in ways.items():
        talers, at = way[0], -1
        for place, field in enumerate(fields):
            if field >> 4 == variety:
                at = place
        if at >= 0:
            field, before, behind = fields[at], fields[:at], fields[at + 1 :]
            if (field & 15) + 1 >= full:
                reach(before + behind, talers + pays[anew - 1 + full], way, NOTHING)
            else:
                reach((*before, field + 1, *behind), talers, way, NOTHING)
            if gain := pays[field]:
                reach((*before, anew, *behind), talers + gain, way, variety)
        elif len(fields) < len(FIELDS):
            reach(tuple(sorted((*fields, anew))), talers, way, NOTHING)
        else:
            a, b, c = fields
            for field, low, high in ((a, b, c), (b, a, c), (c, a, b)):
                gain = pays[field] or -PLOW_FEE
                if talers + gain >= 0:  # put in order by hand: here is where the time goes
                    new = (
                        (anew, low, high)
                        if anew < low
                        else (low, anew, high)
                        if anew < high
                        else (low, high, anew)
                    )
                    reach(new, talers + gain, way, field >> 4)
    return reached


def _is_matched(ways: dict[Fields, Way], fields: Fields, talers: int, hope: list[int]) -> bool:
    """Whether a rival with some of these fields empty is sure to do as well.

    It can leave what the other plants there until its next harvest, and so loses no more than
    that harvest.
    """
    for kept, dropped in SUBSETS[len(fields)]:
        rival = ways.get(tuple([fields[i] for i in kept]))
        if rival is not None and rival[0] >= talers + sum([hope[fields[i]] for i in dropped]):
            return True
    return False


def _pays(deck: Deck) -> list[int]:
    """What a harvest pays, by the number that stands for the contents of a field in `Fields`."""
    return [variety.talers(beans) for variety in deck.varieties for beans in range(16)]


def _total(pays: list[int], item: tuple[Fields, Way]) -> int:
    """Talers after the final harvest."""
    fields, way = item
    return way[0] + sum(pays[field] for field in fields)


def _told(tables: Sequence[Table], farm: Farm, way: Way) -> tuple[str, ...]:
    """The way as the orders of each round."""
    steps: dict[int, Step] = {}
    at: Way | None = way
    while at is not None:
        if at[2] is not None:
            steps[at[2][0]] = at[2]
        at = at[1]
    number, told = 0, []
    for table in tables:
        orders: list[Order] = []
        for position, stack in enumerate(table.row, start=1):
            for _ in range(stack.cards):
                if number in steps:
                    farm = _carry_out(table, farm, position, steps[number], orders)
                number += 1
        told.append(write_orders(table, merged(orders)))
    return tuple(told)


def _carry_out(table: Table, farm: Farm, position: int, step: Step, orders: list[Order]) -> Farm:
    """The orders of one step, and the farm after it."""
    variety = table.deck.ids[step[1]]
    new: list[Order] = []
    if step[2] != NOTHING:
        cleared = table.deck.ids[step[2]]
        field = farm.growing(cleared) or ""
        grown = farm.at(field)
        pays = grown is not None and table.deck[cleared].talers(grown.cards) > 0
        new.append(Harvest(field) if pays else Plow(field))
        farm = _after(table, farm, new)
    field = farm.growing(variety) or farm.first_empty() or ""
    planted: list[Order] = [Plant(position, 1, field)]
    grown = farm.at(field)
    if (grown.cards if grown else 0) + 1 >= table.deck[variety].full:
        planted.append(Harvest(field))
    orders += [*new, *planted]
    return _after(table, farm, planted)


def _after(table: Table, farm: Farm, orders: list[Order]) -> Farm:
    """The farm after orders that are known to be legal, each card of a stack looked at alone."""
    loose = replace(table, seats=("",), farms=(farm,))
    return carry_out(loose, "", tuple(orders))[-1][2]
