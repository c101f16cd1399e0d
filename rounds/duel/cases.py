"""Rule cases of the duel, in the exchange format `bohnenpost-duel-cases/1`: small situations
with one expected result, as data.

Orders are text as players write it, or null for no list. Cards and stacks are text too: `blue*3
soy`, `-` for an empty field; hands front first, piles top first. `refused` names every problem:
`[[number of the order, 0 for the list, code], …]`.
"""

from functools import partial
from typing import Any

from rounds.duel.account import tell
from rounds.duel.case_tables import plain, read_cards, read_list, read_table, rules_of, show, told
from rounds.duel.orders import write_orders
from rounds.duel.play import adjudicate, ranks
from rounds.duel.table import Table, begin
from rounds.duel.view import view
from rounds.engine.beans import Deck
from rounds.engine.cases import Body, Cases, Kind, Seen, read_exchange
from rounds.engine.notation import write_stacks

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


KINDS: dict[str, Kind] = {
    "list": _list,
    "game": _game,
    "whole": _whole,
    "deal": _deal,
    "view": _view,
    "rank": _rank,
    "yield": _yield,
}


def _of_all(table: Table) -> Seen:
    return {
        "hands": {seat: " ".join(table.hand(seat)) for seat in table.seats},
        "fields": {seat: write_stacks(table.farms[seat].fields) for seat in table.seats},
        "talers": {seat: table.farms[seat].talers for seat in table.seats},
    }


CASES = Cases(KINDS, show, partial(read_exchange, schema="bohnenpost-duel-cases/1"), plain=plain)
