"""Rule cases of La Isla Bohnita, in the exchange format `bohnenpost-isla-cases/1`: as those of the
classic game, with ships and the island.
"""

from collections.abc import Mapping
from functools import partial
from typing import Any

import msgspec
from msgspec.structs import replace

from rounds.classic.round import ranks
from rounds.engine.beans import DECK_LABEL, RESHUFFLE_LABEL, Deck
from rounds.engine.farm import Farm, Stack
from rounds.engine.record import read_record, replay
from rounds.engine.shuffle import listed_chance
from rounds.engine.variant import find
from rounds.isla.account import tell
from rounds.isla.orders import read_orders
from rounds.isla.round import adjudicate, result, set_up
from rounds.isla.table import ROW, SHIPS, SIZES, HouseRules, Table, awaited, deck_for
from rounds.isla.view import view
from tests.cases import Body, Cases, Kind, Seen, classic, read_exchange
from tests.cases.classic import CAST, finished, given_table


def _round(body: Body, deck: Deck) -> tuple[Seen, Table, Table]:
    given, table = body["given"], read_table(body, deck)
    lists, errors = classic.read_lists(table, body.get("orders", {}), read_orders)
    if errors:
        return {"errors": errors}, table, table
    piles = enumerate(given.get("reshuffles", ()), start=1)
    listed = {RESHUFFLE_LABEL.format(number): pile for number, pile in piles}
    after, events = adjudicate(table, lists, listed_chance(listed, table.deck))
    account = tell(table, events, after)
    seats = {
        seat: classic.told_of_seat(after, seat, farm)
        | {"ships": farm["ships"], "away": farm["away"]}
        for seat, farm in account["farms"].items()
    }
    seen = classic.told(after) | {
        "waited": list(awaited(after)),
        "trades": account["trades"],
        "bay": list(after.bay),
        "visits": [[*visit.values()] for visit in account["visits"]],
        "raids": [[*raid.values()] for raid in account["raids"]],
        "ending": after.ending,
    }
    end = result(after)
    return seats | seen | {"talers": end and end.talers, "ranks": end and end.ranks}, table, after


def read_table(body: Body, deck: Deck) -> Table:
    """The table a case begins with: it need not hold all cards of the deck."""
    given = body["given"]
    players = given.get("players", 4)
    plain = given_table(given, _rules(given), _farm)
    at = {seat: given.get("seats", {}).get(seat, {}) for seat in plain["seats"]}
    table = Table(
        **plain,
        ships={seat: _ships(one.get("ships", {"S": None})) for seat, one in at.items()},
        away={seat: dict(one.get("away", {})) for seat, one in at.items()},
        bay=tuple(given.get("bay", ())),
        deck=deck_for(deck, players),
    )
    ending = given.get("ending", table.run_outs >= table.size.run_outs)
    return finished(replace(table, ending=ending), given)


def _ships(given: Mapping[str, Any]) -> dict[str, Stack | None]:
    return {ship: Stack(*given[ship]) if given[ship] else None for ship in SHIPS if ship in given}


def _farm(given: Mapping[str, Any]) -> Farm:
    fields = given.get("fields", (None, None))
    return Farm(tuple(field and Stack(*field) for field in fields), len(given.get("coins", ())))


def _rules(given: Body) -> HouseRules:
    return msgspec.convert(dict(given.get("rules", {})), HouseRules)


def _setup(body: Body, deck: Deck) -> tuple[Seen, Table, Table]:
    given = body["given"]
    players = given["players"]
    size, playing = SIZES[players], deck_for(deck, players)
    cards = playing.base_order()
    for card in given.get("top", ()):
        cards = tuple(_without(cards, card))
    chance = listed_chance({DECK_LABEL: (*given.get("top", ()), *cards)}, playing)
    table, _ = set_up(playing, _rules(given), CAST[:players], chance)
    seen = {
        "deck": playing.size,
        "fields": size.fields,
        "ships": list(table.ships[CAST[0]]),
        "prices": table.prices,
        "draws": size.draws,
        "last": size.run_outs,
        "hands": [len(hand) for hand in table.hands.values()],
        "fronts": [table.hand(seat)[0] for seat in table.seats],
        "row": ROW,
        "bay": list(table.bay),
        "open": list(table.open[CAST[0]]),
        "pile": len(table.draw_pile),
        "absent_bean": list(size.left_out),
    }
    return seen, table, table


def _without(cards: tuple[str, ...], card: str) -> list[str]:
    left = list(cards)
    left.remove(card)
    return left


def _rank(body: Body, _: Deck) -> tuple[Seen, None, None]:
    given = body["given"]
    rules = _rules({"rules": {"tie": given.get("tie", "hand")}})
    talers, hands = (dict(zip(CAST, given[key], strict=False)) for key in ("talers", "hands"))
    return {"ranks": list(ranks(rules, talers, hands).values())}, None, None


def _view(body: Body, deck: Deck) -> tuple[Seen, Table, Table]:
    table = read_table(body, deck)
    found = view(table, body["given"].get("seat"))
    farms = {
        farm.seat: {
            "ships": {s.letter: [s.variety, s.beans] if s.variety else None for s in farm.ships},
            "away": {ship.letter: ship.away for ship in farm.ships if ship.away},
            "may_buy": list(farm.may_buy),
            "hand": farm.hand,
            "talers": farm.talers,
        }
        for farm in found.farms
    }
    lies = sorted(card for card, number in found.discard.items() for _ in range(number))
    hand = found.hand and list(found.hand)
    return farms | {"bay": list(found.bay), "discard": lies, "hand": hand}, table, table


def _whole(body: Body, deck: Deck) -> tuple[Seen, Table, Table]:
    record = read_record(msgspec.json.encode(body["given"]["record"]))
    played = replay(record, find(record.variant), deck)
    told = [tell(one.before, one.events, one.after) for one in played.rounds]
    farms = told[-1]["farms"]
    seen = {
        "rounds": len(told),
        "turn": told[-1]["turn"],
        "trades": sum(len(one["trades"]) for one in told),
        "visits": sum(len(one["visits"]) for one in told),
        "landed": sum(visit["cards"] for one in told for visit in one["visits"]),
        "raids": [
            [raid[key] for key in ("seat", "victim", "cards", "talers")]
            for one in told
            for raid in one["raids"]
        ],
        "fields": {seat: list(farm["fields"]) for seat, farm in farms.items()},
        "ships": {seat: farm["ships"] for seat, farm in farms.items()},
        "result": msgspec.to_builtins(played.result),
    }
    return seen, played.start, played.rounds[-1].after


def show(table: Table) -> str:
    """A table in lines."""
    ships = (f"{seat:10} {table.ships[seat]} {table.away[seat]}" for seat in table.seats)
    return "\n".join([*classic.show(table).splitlines(), f"bay        {table.bay}", *ships])


KINDS: dict[str, Kind] = {
    "round": _round,
    "setup": _setup,
    "rank": _rank,
    "view": _view,
    "yield": classic.yields,
    "whole": _whole,
}
CASES = Cases(KINDS, show, partial(read_exchange, schema="bohnenpost-isla-cases/1"), seats=CAST)
