"""Rule cases of the postal game: small situations with one expected result, as data.

Two formats, one runner. The exchange format `bohnenpost-postal-cases/1` is JSON for other
programs; our own, in `seeds/postal/cases/`, writes a table as text that can be read and pasted
(piles top first, `-` for an empty field, the purse as the last number):

    row = "bush climbing*3 magic"     farms.Anna = "bush*3 - - 2"     orders.Anna = "1>A HA"     refused.Anna = "3 ORDER"
"""  # an example

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from rounds.engine.beans import Deck
from rounds.engine.farm import Farm, Stack
from rounds.engine.notation import Orders, Refused, read
from rounds.family.orders import Harvest
from rounds.postal.events import Discarded
from rounds.postal.notation import GRAMMAR, Plant, Plow, write
from rounds.postal.orders import read_orders
from rounds.postal.round import adjudicate, ranks, result
from rounds.postal.table import ROW, HouseRules, Table, deal
from tests.cases import Body, Case, Cases, Kind, Seen
from tests.cases.stacks import read_stacks, write_stacks

SCHEMA = "bohnenpost-postal-cases/1"
NMR = "NMR"
MOST_CARDS = 1000
"""On one position or field of a case: each card is played one by one."""


def read_cases(document: Mapping[str, Any]) -> tuple[Case, ...]:
    """The cases of a document in either format. Raises ValueError if it is neither."""
    if document.get("schema") == SCHEMA:
        return tuple(_from_exchange(case) for case in document["cases"])
    if "case" not in document:
        raise ValueError(f'neither "schema": "{SCHEMA}" nor a list of [[case]]')
    return tuple(_own(case) for case in document["case"])


def expected(body: Body, seen: Seen) -> Body:
    """What a case expects: of a whole game that of each round, else whatever it has of what was
    seen.
    """
    if body.get("kind") != "game":
        return {key: body[key] for key in seen if key in body}
    rounds = enumerate(body["rounds"], start=1)
    of_rounds = {
        f"round {number}: {key}": value
        for number, wanted in rounds
        for key, value in wanted.items()
    }
    return {key: value for key, value in (dict(body) | of_rounds).items() if key in seen}


# --- the kinds of cases: what is seen, the table before and the one after


def _round(body: Body, deck: Deck) -> tuple[Seen, Table, Table]:
    table = _table(body, deck)
    return _played(table, body, "")


def _played(table: Table, body: Body, where: str) -> tuple[Seen, Table, Table]:
    """One round on a given table. `where`: what stands before each key."""
    lists = {seat: _read(table, seat, body["orders"][seat]) for seat in table.seats}
    refused = {seat: codes for seat, (_, codes) in lists.items()}
    after, events = adjudicate(table, {seat: orders for seat, (orders, _) in lists.items()})
    laid = next(event.cards for event in events if isinstance(event, Discarded))
    seen: Seen = {
        "refused": {seat: refused[seat] for seat in body.get("refused", {})},
        "after": {seat: _write_farm(after.farm(seat)) for seat in body.get("after", {})},
        "discard_after": " ".join((*reversed(laid), *table.discard)),
        "next_row": write_stacks(after.row),
        "next_discard": " ".join(after.discard),
        **_ending(after),
        **{
            f"refused of {seat}": codes
            for seat, codes in refused.items()
            if codes and seat not in body.get("refused", {})
        },
    }
    return {f"{where}{key}": value for key, value in seen.items()}, table, after


def _deal(body: Body, _deck: Deck) -> tuple[Seen, None, None]:
    row, left, _ = deal(1, tuple(body["deck"].split()), tuple(body.get("discard", "").split()))
    return {"next_row": write_stacks(row), "next_discard": " ".join(left)}, None, None


def _game(body: Body, deck: Deck) -> tuple[Seen, Table, Table]:
    """Rounds one after the other, each on the table the last one left."""
    start = _table({**body, "row": ""}, deck)
    row, discard, _ = deal(1, start.draw_pile, start.discard)
    table, seen = replace(start, row=row, discard=discard, draw_pile=start.draw_pile[ROW:]), Seen()
    for number, wanted in enumerate(body["rounds"], start=1):
        seen[f"round {number}: row"] = write_stacks(table.row)
        played, _, table = _played(table, wanted, f"round {number}: ")
        seen |= played
    return seen | _ending(table), start, table


def _yield(body: Body, deck: Deck) -> tuple[Seen, None, None]:
    expected = body["talers_by_count"]
    talers = {
        variety: [deck[variety].talers(beans) for beans in range(len(row))]
        for variety, row in expected.items()
    }
    return {"talers_by_count": talers}, None, None


def _rank(body: Body, _: Deck) -> tuple[Seen, None, None]:
    return {"ranks": ranks(body["talers"])}, None, None


def _deck_count(body: Body, deck: Deck) -> tuple[Seen, None, None]:
    rounds = range(1, len(body["deck_after_deal"]) + 1)
    return {"deck_after_deal": [deck.size - ROW * number for number in rounds]}, None, None


# --- tables and orders as text


def _table(body: Mapping[str, Any], deck: Deck) -> Table:
    """The table a case begins with. Without a deck there is nothing to deal, so its round is the
    last one.
    """
    cards = tuple(body.get("deck", "").split())
    rules = msgspec.convert(dict(body.get("house_rules", {})), HouseRules)
    if not cards:
        rules = replace(rules, rounds=1)
    row = tuple(stack for stack in read_stacks(body["row"]) if stack)
    discard = tuple(body.get("discard", "").split())
    seats, farms = tuple(body["farms"]), tuple(_read_farm(text) for text in body["farms"].values())
    if any(
        stack.cards > MOST_CARDS
        for stack in (*row, *(grown for farm in farms for grown in farm.fields if grown))
    ):
        raise ValueError(f"more than {MOST_CARDS} cards on one place")
    return Table(deck, rules, 1, row, discard, cards, seats, farms)


def _read(table: Table, seat: str, text: str) -> tuple[Orders | None, str]:
    """(checked orders without the refused ones, the refused ones as `3 ORDER, 4 COUNT`) of one
    list (T7).
    """
    if text == NMR:
        return None, ""
    try:
        return read_orders(table, seat, text), ""
    except Refused as error:
        refused = {problem.order for problem in error.problems}
        rest = [
            write(item.order) for item in read(text, GRAMMAR).orders if item.number not in refused
        ]
        codes = ", ".join(f"{problem.order} {problem.code}" for problem in error.problems)
        return read_orders(table, seat, " ".join(rest) or "pass"), codes


def _read_farm(text: str) -> Farm:
    a, b, c, talers = text.split()
    fields = read_stacks(f"{a} {b} {c}")
    return Farm((fields[0], fields[1], fields[2]), int(talers))


def _write_farm(farm: Farm) -> str:
    return f"{write_stacks(farm.fields)} {farm.talers}"


def _show(table: Table) -> str:
    farms = [
        f"{seat:10} {_write_farm(farm)}"
        for seat, farm in zip(table.seats, table.farms, strict=True)
    ]
    return "\n".join(
        [f"row        {write_stacks(table.row)}", f"discard    {' '.join(table.discard)}", *farms]
    )


def _ending(table: Table) -> dict[str, Any]:
    end = result(table)
    return {"final": end.talers, "ranks": end.ranks} if end else {}


# --- reading the two formats


def _own(case: Mapping[str, Any]) -> Case:
    body = {
        key: value for key, value in case.items() if key not in ("id", "title", "reason", "rulings")
    }
    return Case(case["id"], case["title"], case["reason"], tuple(case.get("rulings", ())), body)


def _from_exchange(case: Mapping[str, Any]) -> Case:
    """A case of the JSON schema in our own words."""
    given, expect, kind = case.get("given", {}), case.get("expect", {}), case["kind"]
    body: dict[str, Any] = {
        "kind": "round" if kind == "final" else kind,
        "house_rules": case.get("options", {}),
    }
    body |= _given(given)
    if kind == "final":
        body |= {"row": "", "orders": dict.fromkeys(given["players"], "pass")}
    if kind == "rank":
        body["talers"] = given["final_talers"]
    if "orders" in case:
        body["orders"] = _orders(case["orders"])
    if "rounds" in case:
        body["rounds"] = [
            _given(r) | {"orders": _orders(r["orders"])} | _expected(r["expect"])
            for r in case["rounds"]
        ]
    body |= _expected(expect)
    return Case(
        case["id"], case["title"], case.get("rests_on", ""), tuple(case.get("rulings", ())), body
    )


def _given(given: Mapping[str, Any]) -> dict[str, Any]:
    body: dict[str, Any] = {}
    if "row" in given:
        body["row"] = _stacks(given["row"])
    if "players" in given:
        body["farms"] = {seat: _farm(player) for seat, player in given["players"].items()}
    return body | {key: " ".join(given[key]) for key in ("deck", "discard") if key in given}


def _expected(expect: Mapping[str, Any]) -> dict[str, Any]:
    same = ("ranks", "talers_by_count", "deck_after_deal")
    body: dict[str, Any] = {key: expect[key] for key in same if key in expect}
    body |= {
        key: " ".join(expect[key]) for key in ("discard_after", "next_discard") if key in expect
    }
    if "next_row" in expect:
        body["next_row"] = _stacks(expect["next_row"])
    if "final_talers" in expect:
        body["final"] = expect["final_talers"]
    if players := expect.get("players"):
        body["after"] = {
            seat: _farm(player) for seat, player in players.items() if "fields" in player
        }
        errors = {
            seat: player["errors"] for seat, player in players.items() if player.get("errors")
        }
        body["refused"] = {
            s: ", ".join(f"{number} {code}" for number, code in codes)
            for s, codes in errors.items()
        }
    return body


def _orders(orders: Mapping[str, Any]) -> dict[str, str]:
    return {
        seat: NMR if ops == NMR else " ".join(map(_order, ops)) or "pass"
        for seat, ops in orders.items()
    }


def _order(op: Mapping[str, Any]) -> str:
    match op["op"]:
        case "plant":
            return write(Plant(op["pos"], op["n"], op.get("field")))
        case "harvest":
            part = f"x{op['n']}" if "n" in op else ""
            return write(Harvest(op["field"])) + part
        case "plow":
            return write(Plow(op["field"]))
        case other:
            raise ValueError(f"no order {other!r}")


def _stacks(stacks: Iterable[Iterable[Any] | None]) -> str:
    return write_stacks(None if stack is None else Stack(*stack) for stack in stacks)


def _farm(player: Mapping[str, Any]) -> str:
    return f"{_stacks(player['fields'])} {player['talers']}"


KINDS: dict[str, Kind] = {
    "round": _round,
    "deal": _deal,
    "game": _game,
    "yield": _yield,
    "rank": _rank,
    "deckcount": _deck_count,
}
CASES = Cases(KINDS, _show, read_cases, expected)
