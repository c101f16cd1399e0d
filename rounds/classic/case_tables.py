"""Tables of rule cases, and what a case may expect of one."""

from typing import Any

import msgspec

from rounds.classic.account import drawn
from rounds.classic.deals import read_wish, trader
from rounds.classic.grammar import grammar
from rounds.classic.notation import Alternatives, Problem, Typed
from rounds.classic.pile import in_base_order
from rounds.classic.play import result
from rounds.classic.state import start
from rounds.classic.table import FIELD, SIZES, HouseRules, Table, awaited, deck_for
from rounds.engine.beans import Deck
from rounds.engine.cases import Body, Seen
from rounds.engine.farm import Farm, Stack
from rounds.engine.notation import read

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
    seats, size = CAST[:players], SIZES[players]
    at = {seat: given.get("seats", {}).get(seat, {}) for seat in seats}
    cards, hands = list[str](), dict[str, tuple[int, ...]]()
    for seat in seats:
        hand = at[seat].get("hand", ())
        hands[seat] = tuple(range(len(cards), len(cards) + len(hand)))
        cards += hand
    runs, phase = given.get("runs", 0), given.get("phase", FIELD)
    playing = deck_for(deck, players)
    coins = {seat: tuple(at[seat].get("coins", ())) for seat in seats}
    table = Table(
        rules_of(given),
        seats,
        hands,
        len(cards),
        {
            seat: Farm(_fields(at[seat].get("fields", [None] * size.fields)), len(coins[seat]))
            for seat in seats
        },
        coins,
        {seat: tuple(at[seat].get("open", ())) for seat in seats},
        {seat: tuple(at[seat].get("lying", ())) for seat in seats},
        {seat: tuple(at[seat].get("got", ())) for seat in seats},
        run_outs=runs,
        ending=given.get("ending", runs >= size.run_outs),
        turn=given.get("turn", 1),
        phase=phase,
        deck=playing,
        cards=(*cards, *given.get("pile", PILE)),
    )
    discard = in_base_order(table, tuple(given.get("discard", ())))
    standing = {
        seat: _standing(table, seat, at[seat]["standing"])
        for seat in seats
        if at[seat].get("standing")
    }
    return msgspec.structs.replace(table, discard=discard, standing=standing)


def _fields(fields: Any) -> tuple[Stack | None, ...]:
    return tuple(field and Stack(*field) for field in fields)


def _standing(table: Table, seat: str, text: str) -> tuple[Alternatives, ...]:
    """Standing deals, as they were ordered with `keep`. Raises ValueError for others."""
    who = trader(table, seat, start(table, seat), keeps=True)
    orders = (found.order for found in read(text, grammar(table.seats)).orders)
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
