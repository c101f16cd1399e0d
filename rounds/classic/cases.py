"""Rule cases of the classic game, in the exchange format `bohnenpost-classic-cases/1`: small
situations with one expected result.

Orders are text as players write it, or null for no list; a seat that is not named passes.
`errors` names every refusal: per seat `[[number of the order, 0 for the list, code], …]`.
"""

from collections.abc import Mapping
from functools import partial
from typing import Any

import msgspec

from rounds.classic.account import tell
from rounds.classic.case_tables import CAST, read_table, rules_of, show, told
from rounds.classic.notation import write
from rounds.classic.orders import read_orders
from rounds.classic.play import adjudicate, ranks, set_up
from rounds.classic.table import SIZES, HouseRules, Table, deck_for
from rounds.engine.beans import RESHUFFLE_LABEL, Deck
from rounds.engine.cases import Body, Cases, Kind, Seen, read_exchange
from rounds.engine.events import Event
from rounds.engine.notation import Orders, Refused
from rounds.engine.shuffle import listed_chance

# --- the kinds of cases: what is seen, the table before and the one after


def _round(body: Body, deck: Deck) -> tuple[Seen, Table, Table]:
    given = body["given"]
    table = read_table(body, deck)
    lists, errors = _read_lists(table, body.get("orders", {}))
    if errors:
        return {"errors": errors}, table, table
    piles = {
        RESHUFFLE_LABEL.format(number): pile
        for number, pile in enumerate(given.get("reshuffles", ()), start=1)
    }
    after, events = adjudicate(table, lists, listed_chance(piles, table.deck))
    return _seen(table, events, after), table, after


def _read_lists(
    table: Table, texts: Mapping[str, str | None]
) -> tuple[dict[str, Orders | None], dict[str, list[list[Any]]]]:
    lists, errors = dict[str, Orders | None](), dict[str, list[list[Any]]]()
    for seat in table.seats:
        text = texts.get(seat, "pass")
        is_silent = seat not in texts and bool(table.due(seat))
        try:
            lists[seat] = None if text is None or is_silent else read_orders(table, seat, text)
        except Refused as error:
            errors[seat] = sorted([problem.order or 0, problem.code] for problem in error.problems)
    return lists, errors


def _seen(before: Table, events: tuple[Event, ...], after: Table) -> Seen:
    account = tell(before, events, after)
    seats = {
        seat: told(after, seat)
        | {
            "orders": account["farms"][seat]["orders"],
            "absent": account["farms"][seat]["absent"],
            "deals": after.deals.get(seat, ""),
            "standing": [write(wish) for wish in after.standing.get(seat, ())],
        }
        for seat in after.seats
    }
    return seats | told(after) | {"trades": account["trades"]}


def _setup(body: Body, deck: Deck) -> tuple[Seen, Table, Table]:
    players = body["given"]["players"]
    size, playing = SIZES[players], deck_for(deck, players)
    table, _ = set_up(
        playing, rules_of(body["given"]), CAST[:players], lambda _, cards: range(cards)
    )
    seen = {
        "deck": playing.size,
        "fields": size.fields,
        "price": size.price,
        "draws": size.draws,
        "last": size.run_outs,
        "hands": [len(hand) for hand in table.hands.values()],
        "pile": len(table.draw_pile),
        "absent_bean": list(size.left_out),
    }
    return seen, table, table


def _rank(body: Body, _: Deck) -> tuple[Seen, None, None]:
    given = body["given"]
    rules = msgspec.convert({"tie": given.get("tie", "hand")}, HouseRules)
    talers, hands = (dict(zip(CAST, given[key], strict=False)) for key in ("talers", "hands"))
    return {"ranks": list(ranks(rules, talers, hands).values())}, None, None


def _yield(body: Body, deck: Deck) -> tuple[Seen, None, None]:
    return (
        {
            bean: [deck[bean].talers(n) for n in range(len(row))]
            for bean, row in body["expect"].items()
        },
        None,
        None,
    )


KINDS: dict[str, Kind] = {"round": _round, "setup": _setup, "rank": _rank, "yield": _yield}
CASES = Cases(KINDS, show, partial(read_exchange, schema="bohnenpost-classic-cases/1"), seats=CAST)
