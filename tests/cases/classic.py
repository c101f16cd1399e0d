"""Rule cases of the classic game, in the exchange format `bohnenpost-classic-cases/1`: small
situations with one expected result.

Orders are text as players write it, or null for no list; a seat that is not named passes.
`errors` names every refusal: per seat `[[number of the order, 0 for the list, code], …]`.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import msgspec
from msgspec.structs import replace

from rounds.classic.account import drawn, tell
from rounds.classic.deals import read_wish, trader
from rounds.classic.notation import Alternatives, Problem, Typed, grammar, write
from rounds.classic.orders import read_orders
from rounds.classic.pile import in_base_order
from rounds.classic.round import adjudicate, ranks, result, set_up
from rounds.classic.state import start
from rounds.classic.table import FIELD, SIZES, HouseRules, T, Table, awaited, deck_for
from rounds.engine.beans import RESHUFFLE_LABEL, Deck
from rounds.engine.events import Event
from rounds.engine.farm import Farm, Stack
from rounds.engine.notation import Orders, Refused, read
from rounds.engine.shuffle import listed_chance
from tests.cases import Body, Cases, Kind, Seen, read_exchange

# --- the kinds of cases: what is seen, the table before and the one after


def _round(body: Body, deck: Deck) -> tuple[Seen, Table, Table]:
    given = body["given"]
    table = read_table(body, deck)
    lists, errors = read_lists(table, body.get("orders", {}))
    if errors:
        return {"errors": errors}, table, table
    piles = {
        RESHUFFLE_LABEL.format(number): pile
        for number, pile in enumerate(given.get("reshuffles", ()), start=1)
    }
    after, events = adjudicate(table, lists, listed_chance(piles, table.deck))
    return _seen(table, events, after), table, after


def read_lists(
    table: T,
    texts: Mapping[str, str | None],
    read_orders: Callable[[T, str, str], Orders] = read_orders,
) -> tuple[dict[str, Orders | None], dict[str, list[list[Any]]]]:
    """The lists of a case, and per seat what is refused."""
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
    seats = {seat: told_of_seat(after, seat, account["farms"][seat]) for seat in after.seats}
    return seats | told(after) | {"trades": account["trades"]}


def told_of_seat(after: Table, seat: str, farm: Mapping[str, Any]) -> Seen:
    """What a case may expect of a seat after a round; `farm`: as the account of it tells."""
    return told(after, seat) | {
        "orders": farm["orders"],
        "absent": farm["absent"],
        "deals": after.deals.get(seat, ""),
        "standing": [write(wish) for wish in after.standing.get(seat, ())],
    }


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


def yields(body: Body, deck: Deck) -> tuple[Seen, None, None]:
    """What fields of 0, 1, 2 … cards earn."""
    return (
        {
            bean: [deck[bean].talers(n) for n in range(len(row))]
            for bean, row in body["expect"].items()
        },
        None,
        None,
    )


CAST = ("Anna", "Bert", "Cem", "Dora", "Emil", "Fritz", "Gül")


PILE = ("blue",) * 60
"""The draw pile of a case that does not say."""


def rules_of(given: Body) -> HouseRules:
    """The house rules of a case."""
    return msgspec.convert(dict(given.get("rules", {})), HouseRules)


def read_table(body: Body, deck: Deck) -> Table:
    """The table a case begins with: it need not hold all cards of the deck."""
    given = body["given"]
    players = given.get("players", 4)
    if players not in SIZES:
        raise ValueError(f"no game for {players}")
    size = SIZES[players]
    table = Table(
        **given_table(given, rules_of(given), partial(_farm, size.fields)),
        deck=deck_for(deck, players),
    )
    return finished(
        replace(table, ending=given.get("ending", table.run_outs >= size.run_outs)), given
    )


def given_table(given: Body, rules: HouseRules, farm: Callable[[Body], Farm]) -> dict[str, Any]:
    """The table of a case, as far as it does not hang on the deck, by the names of its fields."""
    seats = CAST[: given.get("players", 4)]
    at = {seat: given.get("seats", {}).get(seat, {}) for seat in seats}
    cards, hands = list[str](), dict[str, tuple[int, ...]]()
    for seat in seats:
        hand = at[seat].get("hand", ())
        hands[seat] = tuple(range(len(cards), len(cards) + len(hand)))
        cards += hand
    coins = {seat: tuple(at[seat].get("coins", ())) for seat in seats}
    return {
        "rules": rules,
        "seats": seats,
        "hands": hands,
        "gone": len(cards),
        "farms": {seat: farm(at[seat]) for seat in seats},
        "coins": coins,
        "open": {seat: tuple(at[seat].get("open", ())) for seat in seats},
        "lying": {seat: tuple(at[seat].get("lying", ())) for seat in seats},
        "received": {seat: tuple(at[seat].get("got", ())) for seat in seats},
        "run_outs": given.get("runs", 0),
        "turn": given.get("turn", 1),
        "phase": given.get("phase", FIELD),
        "cards": (*cards, *given.get("pile", PILE)),
    }


def finished(table: T, given: Body) -> T:
    """The table of a case with what is written in the words of its deck: discard pile, standing
    deals.
    """
    at = given.get("seats", {})
    return replace(
        table,
        discard=in_base_order(table, tuple(given.get("discard", ()))),
        standing={
            seat: _standing(table, seat, at[seat]["standing"])
            for seat in table.seats
            if at.get(seat, {}).get("standing")
        },
    )


def _farm(number: int, given: Body) -> Farm:
    fields = given.get("fields", [None] * number)
    return Farm(tuple(field and Stack(*field) for field in fields), len(given.get("coins", ())))


def _standing(table: Table, seat: str, text: str) -> tuple[Alternatives, ...]:
    """Standing deals, as they were ordered with `keep`. Raises ValueError for others."""
    who = trader(table, seat, start(table, seat), keeps=True)
    orders = (found.order for found in read(text, grammar(table.seats, table.language)).orders)
    wishes = [read_wish(who, order) for order in orders if isinstance(order, Typed)]
    if any(isinstance(wish, Problem) for wish in wishes):
        raise ValueError(f"no standing deals: {text}")
    return tuple(wish for wish in wishes if isinstance(wish, Alternatives))


def told(table: Table, seat: str | None = None) -> Seen:
    """What a case may expect of a table, or of one of its seats."""
    if seat:
        return {
            "fields": [
                grown and [grown.variety, grown.cards] for grown in table.farms[seat].fields
            ],
            "talers": table.farms[seat].talers,
            "coins": list(table.coins[seat]),
            "hand": list(table.hand(seat)),
            "lying": list(table.lying[seat]),
            "received": list(table.received.get(seat, ())),
            "open": [card for card in table.open.get(seat, ()) if card],
        }
    end = result(table)
    return {
        "drawn": {one: list(drawn(table, one)) for one in table.drawn},
        "discard": {
            variety: number
            for variety, number in table.deck.counts(table.discard).items()
            if number
        },
        "pile": list(table.draw_pile),
        "run_outs": table.run_outs,
        "phase": table.phase,
        "turn": table.turn,
        "active": list(table.active),
        "waited": list(awaited(table)),
        "over": table.over,
        "talers": end and end.talers,
        "ranks": end and end.ranks,
    }


def show(table: Table) -> str:
    """A table in lines."""
    lines = [f"{key:10} {value}" for key, value in told(table).items() if key != "pile"]
    return "\n".join([*lines, *(f"{seat:10} {told(table, seat)}" for seat in table.seats)])


KINDS: dict[str, Kind] = {"round": _round, "setup": _setup, "rank": _rank, "yield": yields}
CASES = Cases(KINDS, show, partial(read_exchange, schema="bohnenpost-classic-cases/1"), seats=CAST)
