"""Luck and skill in a duel that is over: what lay there, and whom it fitted at that moment.

What cards are worth to a seat is what `match` (D46) would make of them on its fields as they are
just then: the beans it would plant, and the talers by which purse and fields would be worth
more. Nothing is said of what would have been wise.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from msgspec import Struct
from msgspec.structs import replace

from rounds.duel.account import played
from rounds.duel.check import matching
from rounds.duel.events import Offered, Planted
from rounds.duel.orders import read_orders
from rounds.duel.plan import split
from rounds.duel.round import adjudicate, result
from rounds.duel.state import start
from rounds.duel.table import AFTER, BEFORE, Table
from rounds.engine.events import Event
from rounds.engine.farm import Stack


class Worth(Struct, frozen=True):
    """What cards are worth to a seat at a moment: beans that `match` would plant, and the talers
    they would add.
    """

    beans: int = 0
    talers: int = 0

    def __add__(self, other: "Worth") -> "Worth":
        return Worth(self.beans + other.beans, self.talers + other.talers)


class Held(Struct, frozen=True):
    """What a turn of a seat held for it, or all its turns: what it was offered, as its turn
    began; the row, as it was revealed; and what it left for the other at the end. What nobody
    gets, as there is no turn any more, is not counted.
    """

    seat: str
    offer: Worth = Worth()
    row: Worth = Worth()
    left: Worth = Worth()


class Hindsight(Struct, frozen=True):
    """What each turn held, and what all turns of each seat did."""

    turns: tuple[Held, ...]
    seats: tuple[Held, ...]


def hindsight(tables: Sequence[Table], happened: Sequence[Sequence[Event]]) -> Hindsight:
    """Of a finished game: the table before each round and the one at the end, and the events of
    each. Raises ValueError if it is not over.
    """
    if result(tables[-1]) is None:
        raise ValueError("the game is not over")
    turns: list[Held] = []
    for at, after in pairwise(_parts(tables, happened)):
        seat = at.active
        if at.phase == BEFORE:
            turns.append(Held(seat, offer=worth_of(at, seat, at.offer)))
        else:
            left = Worth() if after.over else worth_of(after, seat, after.offer)
            turns[-1] = replace(turns[-1], row=worth_of(at, seat, at.row), left=left)
    return Hindsight(tuple(turns), tuple(_together(turns, seat) for seat in tables[0].seats))


def worth_of(table: Table, seat: str, stacks: tuple[Stack, ...]) -> Worth:
    """What cards are worth to a seat whose fields are as at this table."""
    state = matching(replace(start(table, seat), phase=AFTER, lying=stacks))
    beans = sum(one.event.cards for one in state.done if isinstance(one.event, Planted))
    return Worth(beans, state.farm.worth(table.deck) - table.farms[seat].worth(table.deck))


def _together(turns: Sequence[Held], seat: str) -> Held:
    own = [turn for turn in turns if turn.seat == seat]
    return Held(
        seat,
        *(sum((getattr(turn, what) for turn in own), Worth()) for what in ("offer", "row", "left")),
    )


def _parts(tables: Sequence[Table], happened: Sequence[Sequence[Event]]) -> Iterator[Table]:
    """The table before each part of a turn, and the last one: a turn of one list has two parts
    too (D53).
    """
    for before, events in zip(tables[:-1], happened, strict=True):
        yield before
        if before.phase == BEFORE and any(isinstance(event, Offered) for event in events):
            exact, _ = split(read_orders(before, before.active, played(before, events)))
            yield adjudicate(before, {before.active: exact})[0]
    yield tables[-1]
