"""A toy variant: every round one card lies there, and everybody may take it (`1`). Most cards win.

It proves what adding a variant takes.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from rounds.beans import Deck
from rounds.events import Absent, Event, Ranked
from rounds.farm import Farm, Stack
from rounds.notation import Grammar, Orders, Refused, read
from rounds.shuffle import Chance
from rounds.variant import Result, Step, Variant


class Take(Struct, frozen=True):
    pass


class Taken(Event, frozen=True, tag="taken"):
    seat: str
    card: str


class Shown(Event, frozen=True, tag="shown"):
    card: str


GRAMMAR = Grammar(lambda line, at: (Take(), at + 1) if line[at : at + 2].strip() == "1" else None)


class HouseRules(Struct, frozen=True, forbid_unknown_fields=True):
    rounds: Annotated[int, Meta(ge=1, le=6)] = 4


class Table(Struct, frozen=True):
    rules: HouseRules
    round: int
    pile: tuple[str, ...]
    heaps: tuple[tuple[str, int], ...]

    @property
    def over(self) -> bool:
        return self.round > self.rules.rounds


class View(Struct, frozen=True):
    seat: str | None
    round: int
    rounds: int
    card: str | None
    heaps: tuple[tuple[str, int], ...]


def set_up(deck: Deck, rules: HouseRules, seats: Sequence[str], chance: Chance) -> tuple[Table, tuple[Event, ...]]:
    cards = deck.shuffled(chance)
    return Table(rules, 1, tuple(cards), tuple((seat, 0) for seat in seats)), (Shown(cards[0]),)


def read_orders(table: Table, seat: str, text: str) -> Orders:
    reading = read(text, GRAMMAR)
    if reading.problems:
        raise Refused(reading.problems)
    return tuple(o.order for o in reading.orders)


def write_orders(table: Table, orders: Orders) -> str:
    return " ".join("1" for _ in orders) or "pass"


def preview(table: Table, seat: str, orders: Orders) -> tuple[Step, ...]:
    has, card = dict(table.heaps)[seat], table.pile[table.round - 1]
    return tuple(Step(order, (Taken(seat, card),), Farm((Stack(card, has + 1), None, None))) for order in orders[:1])


def adjudicate(table: Table, orders: Mapping[str, Orders | None], _: Chance) -> tuple[Table, tuple[Event, ...]]:
    events: list[Event] = []
    heaps = []
    for seat, has in table.heaps:
        sent = orders[seat]
        if sent is None:
            events.append(Absent(seat))
        steps = preview(table, seat, sent or ())
        events += [event for step in steps for event in step.events]
        heaps.append((seat, has + len(steps)))
    after = Table(table.rules, table.round + 1, table.pile, tuple(heaps))
    end = result(after)
    events += [Ranked(s, end.ranks[s], end.talers[s]) for s in end.ranks] if end else [Shown(table.pile[table.round])]
    return after, tuple(events)


def result(table: Table) -> Result | None:
    if not table.over:
        return None
    heaps = dict(table.heaps)
    return Result(heaps, {seat: 1 + sum(other > has for other in heaps.values()) for seat, has in heaps.items()})


def view(table: Table, seat: str | None) -> View:
    card = None if table.over else table.pile[table.round - 1]
    return View(seat, table.round, table.rules.rounds, card, table.heaps)


def pack(table: Table) -> bytes:
    return msgspec.json.encode((table.rules, table.round, table.heaps))


def unpack(packed: bytes, deck: Deck, chance: Chance) -> Table:
    rules, number, heaps = msgspec.json.decode(packed, type=tuple[HouseRules, int, tuple[tuple[str, int], ...]])
    return Table(rules, number, deck.shuffled(chance), heaps)


def tell(before: Table, events: tuple[Event, ...], after: Table) -> dict[str, Any]:
    return {"card": before.pile[before.round - 1], "heaps": dict(after.heaps)}


variant = Variant(
    name="toy",
    house_rules=HouseRules,
    events=Taken | Shown | Absent | Ranked,
    set_up=set_up,
    round_of=lambda table: table.round,
    awaited=lambda table: () if table.over else tuple(seat for seat, _ in table.heaps),
    read_orders=read_orders,
    write_orders=write_orders,
    stand_in=lambda table, seat: (),
    preview=preview,
    adjudicate=adjudicate,
    result=result,
    view=view,
    robot=lambda seen: "1",
    pack=pack,
    unpack=unpack,
    tell=tell,
)
