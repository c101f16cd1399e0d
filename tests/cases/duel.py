"""Rule cases of the duel, in the exchange format `bohnenpost-duel-cases/1`: small situations
with one expected result, as data.

Orders are text as players write it, or null for no list. Cards and stacks are text too: `blue*3
soy`, `-` for an empty field; hands front first, piles top first. `refused` names every problem:
`[[number of the order, 0 for the list, code], …]`.
"""

from collections.abc import Mapping
from functools import partial
from typing import Any

import msgspec

from rounds.duel.account import tell
from rounds.duel.orders import read_orders, write_orders
from rounds.duel.round import adjudicate, ranks, result
from rounds.duel.table import HouseRules, Table, begin
from rounds.duel.view import view
from rounds.engine.beans import Deck
from rounds.engine.farm import Farm
from rounds.engine.notation import Orders, Refused
from tests.cases import Body, Cases, Kind, Seen, read_exchange, shown
from tests.cases.stacks import read_stacks, write_stacks

# --- the kinds of cases: what is seen, the table before and the one after


def _list(body: Body, deck: Deck) -> tuple[Seen, Table, Table]:
    table = read_table(body, deck)
    seat = table.active
    orders, refused = read_list(table, seat, body["orders"])
    if refused:
        return {"refused": refused}, table, table
    after, events = adjudicate(table, {seat: orders})
    mine = tell(table, events, after)["farms"][seat]
    seen = {
        "fields": write_stacks(after.farms[seat].fields),
        "talers": after.farms[seat].talers,
        "hand": " ".join(after.hand(seat)),
        "played": mine["orders"],
        "absent": mine["absent"],
        "canonical": None if orders is None else write_orders(table, orders),
    }
    return seen | told(after), table, after


def _game(body: Body, deck: Deck) -> tuple[Seen, Table, Table]:
    start = table = read_table(body, deck)
    refused: list[list[Any]] = []
    for seat, text in body["lists"]:
        if seat != table.active or table.over:
            raise ValueError(f"a list of {seat}, who is not awaited")
        orders, refused = read_list(table, seat, text)
        if not refused:
            table, _ = adjudicate(table, {seat: orders})
    return {"refused_last": refused} | _of_all(table) | told(table), start, table


def _whole(body: Body, deck: Deck) -> tuple[Seen, Table, Table]:
    given = body["given"]
    if given["deck"] != "sorted" or given["list"] is not None:
        raise ValueError("only from a deck in base order, and without a list")
    start = table = begin(deck, rules_of(body), given["seats"], deck.base_order())
    turns = dict.fromkeys(table.seats, 0)
    while not table.over:
        turns[table.active] += 1
        table, _ = adjudicate(table, {table.active: None})
    return told(table) | {"rounds": table.round - 1, "turns": turns}, start, table


def _deal(body: Body, deck: Deck) -> tuple[Seen, Table, Table]:
    table = begin(deck, rules_of(body), body["given"]["seats"], read_cards(body["given"]["deck"]))
    return _of_all(table) | told(table), table, table


def _view(body: Body, deck: Deck) -> tuple[Seen, Table, Table]:
    table = read_table(body, deck)
    seen = view(table, body["seat"])
    told = {
        name: getattr(seen, name)
        for name in ("turn", "phase", "active", "over", "draw_pile", "hands", "unseen")
    }
    told |= {
        "offer": write_stacks(seen.offer),
        "row": write_stacks(seen.row),
        "discard": " ".join(seen.discard),
    }
    return told | {"hand": None if seen.hand is None else " ".join(seen.hand)}, table, table


def _rank(body: Body, _: Deck) -> tuple[Seen, None, None]:
    return {"ranks": ranks(body["given"]["talers"], body["given"]["hands"])}, None, None


def _yield(body: Body, deck: Deck) -> tuple[Seen, None, None]:
    expected = body["expect"]["talers_by_count"]
    talers = {
        variety: [deck[variety].talers(beans) for beans in range(len(row))]
        for variety, row in expected.items()
    }
    return {"talers_by_count": talers}, None, None


def _of_all(table: Table) -> Seen:
    return {
        "hands": {seat: " ".join(table.hand(seat)) for seat in table.seats},
        "fields": {seat: write_stacks(table.farms[seat].fields) for seat in table.seats},
        "talers": {seat: table.farms[seat].talers for seat in table.seats},
    }


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


KINDS: dict[str, Kind] = {
    "list": _list,
    "game": _game,
    "whole": _whole,
    "deal": _deal,
    "view": _view,
    "rank": _rank,
    "yield": _yield,
}
CASES = Cases(KINDS, show, partial(read_exchange, schema="bohnenpost-duel-cases/1"), plain=plain)
