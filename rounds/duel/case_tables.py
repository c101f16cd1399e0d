"""Tables of rule cases as text, and what a case may expect of one."""

from collections.abc import Mapping
from typing import Any

import msgspec

from rounds.duel.orders import read_orders
from rounds.duel.play import result
from rounds.duel.table import HouseRules, Table
from rounds.engine.beans import Deck
from rounds.engine.cases import Body, Seen, shown
from rounds.engine.farm import Farm
from rounds.engine.notation import Orders, Refused, read_stacks, write_stacks

STACKS, CARDS = ("fields", "offer", "row"), ("hand", "hands", "discard")
"""What of an expected result is stacks, and what is cards, as text."""
MOST_CARDS = 1000
"""In one text of a case."""


def told(table: Table) -> Seen:
    """What a case may expect of a table; a list changes nothing of it before the final harvest."""
    end = result(table)
    return {
        "offer": write_stacks(table.offer),
        "row": write_stacks(table.row),
        "discard": " ".join(table.discard),
        "draw_pile": len(table.draw_pile),
        "turn": table.turn,
        "phase": table.phase,
        "active": None if table.over else table.active,
        "over": table.over,
        "result": end and {"talers": end.talers, "ranks": end.ranks},
    }


def read_table(body: Body, deck: Deck) -> Table:
    """The table a case begins with: it need not hold all cards. Who begins follows from the turn
    and who is awaited.
    """
    given, rules = body["given"], rules_of(body)
    cards, hands = list[str](), dict[str, tuple[int, ...]]()
    for seat, text in given["hands"].items():
        hand = read_cards(text)
        hands[seat] = tuple(range(len(cards), len(cards) + len(hand)))
        cards += hand
    farms = {
        seat: Farm(read_stacks(text), given["talers"][seat])
        for seat, text in given["fields"].items()
    }
    gone = len(cards)
    table = Table(
        rules,
        tuple(hands),
        1,
        given["turn"],
        given["phase"],
        hands,
        gone,
        _stacks(given["offer"]),
        _stacks(given["row"]),
        read_cards(given["discard"]),
        farms,
        deck=deck,
        cards=(*cards, *read_cards(given["deck"])),
    )
    if table.active != given["active"]:
        return msgspec.structs.replace(
            table, rules=msgspec.structs.replace(rules, start=3 - rules.start)
        )
    return table


def rules_of(body: Body) -> HouseRules:
    """The house rules of a case."""
    return msgspec.convert(dict(body.get("options", {})), HouseRules)


def read_list(table: Table, seat: str, text: str | None) -> tuple[Orders | None, list[list[Any]]]:
    """Checked orders, None for no list; or every problem as `[number, code]`, those of the list
    as a whole last.
    """
    try:
        return (None if text is None else read_orders(table, seat, text)), []
    except Refused as error:
        found = [[problem.order or 0, problem.code] for problem in error.problems]
        return None, sorted(found, key=lambda pair: pair[0] == 0)


def _stacks(text: str) -> Any:
    return tuple(stack for stack in read_stacks(text) if stack)


def read_cards(text: str) -> tuple[str, ...]:
    """Cards from text: `blue*2 soy`. Raises ValueError for a bad number."""
    stacks = _stacks(text)
    if sum(stack.cards for stack in stacks) > MOST_CARDS:
        raise ValueError(f"more than {MOST_CARDS} cards")
    return tuple(stack.variety for stack in stacks for _ in range(stack.cards))


def plain(key: str, value: Any) -> Any:
    """A value in the one way to write it."""
    if isinstance(value, Mapping):
        return {name: plain(key, inner) for name, inner in value.items()}
    if isinstance(value, str) and key in STACKS:
        return write_stacks(read_stacks(value))
    return (
        read_cards(value) if isinstance(value, str) and key in CARDS else msgspec.to_builtins(value)
    )


def show(table: Table) -> str:
    """A table in lines."""
    lines = [f"{key:10} {shown(value)}" for key, value in told(table).items() if key != "result"]
    seats = [
        (
            f"{seat:10} {write_stacks(table.farms[seat].fields)} {table.farms[seat].talers}, "
            f"hand: {' '.join(table.hand(seat))}"
        )
        for seat in table.seats
    ]
    return "\n".join([*lines, *seats])
