"""Rule cases of the classic game, in the exchange format `bohnenpost-classic-cases/1`: small situations with one expected result.

Orders are text as players write it, or null for no list; a seat that is not named passes. `errors` names every refusal: per seat
`[[number of the order, 0 for the list, code], …]`.
"""

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from rounds.beans import RESHUFFLE_LABEL, Deck
from rounds.classic.account import tell
from rounds.classic.case_tables import CAST, Body, Seen, read_table, rules_of, show, told
from rounds.classic.notation import write
from rounds.classic.orders import read_orders
from rounds.classic.play import adjudicate, ranks, set_up
from rounds.classic.table import SIZES, HouseRules, Table, deck_for
from rounds.events import Event
from rounds.notation import Orders, Refused
from rounds.shuffle import listed_chance
from rounds.variant import Case, Failure, read_exchange

SCHEMA = "bohnenpost-classic-cases/1"


def read_cases(document: Mapping[str, Any]) -> tuple[Case, ...]:
    """The cases of a document in the exchange format. Raises ValueError for any other."""
    return read_exchange(document, SCHEMA)


def check_case(case: Case, deck: Deck) -> Failure | None:
    """Run a case; None if everything it expects comes true. What it does not expect is not looked at."""
    kind = case.body["kind"]
    if kind not in _KINDS:
        raise ValueError(f"case {case.id}: no kind {kind!r}; there are: {', '.join(_KINDS)}")
    seen, before, after = _KINDS[kind](case.body, deck)
    expected = case.body["expect"]
    differences = list(_differences("", expected, seen))
    if "errors" in seen and "errors" not in expected:
        differences.append(f"errors: nothing expected, found {seen['errors']}")
    if not differences:
        return None
    return Failure(show(before), str(case.body.get("orders", "")), show(after), tuple(differences))


def _differences(where: str, expected: Mapping[str, Any], seen: Mapping[str, Any]) -> list[str]:
    """What is expected and not so, a line each; of seats only what is named is looked at."""
    found = list[str]()
    for key, wanted in expected.items():
        if key not in seen:
            found.append(f"{where}{key}: expected {wanted}, found nothing that this kind of case tells")
        elif key in CAST and isinstance(wanted, Mapping) and not where:
            found += _differences(f"{key}, ", wanted, seen[key])
        elif wanted != seen[key]:
            found.append(f"{where}{key}: expected {wanted}, found {seen[key]}")
    return found


# --- the kinds of cases: what is seen, the table before and the one after


def _round(body: Body, deck: Deck) -> tuple[Seen, Table, Table]:
    given = body["given"]
    table = read_table(body, deck)
    lists, errors = _read_lists(table, body.get("orders", {}))
    if errors:
        return {"errors": errors}, table, table
    piles = {RESHUFFLE_LABEL.format(number): pile for number, pile in enumerate(given.get("reshuffles", ()), start=1)}
    after, events = adjudicate(table, lists, listed_chance(piles, table.deck))
    return _seen(table, events, after), table, after


def _read_lists(table: Table, texts: Mapping[str, str | None]) -> tuple[dict[str, Orders | None], dict[str, list[list[Any]]]]:
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
        seat: told(after, seat) | {
            "orders": account["farms"][seat]["orders"],
            "absent": account["farms"][seat]["absent"],
            "deals": after.deals.get(seat, ""),
            "standing": [write(wish) for wish in after.standing.get(seat, ())],
        }
        for seat in after.seats
    }  # fmt: skip
    return seats | told(after) | {"trades": account["trades"]}


def _setup(body: Body, deck: Deck) -> tuple[Seen, Table, Table]:
    players = body["given"]["players"]
    size, playing = SIZES[players], deck_for(deck, players)
    table, _ = set_up(playing, rules_of(body["given"]), CAST[:players], lambda _, cards: range(cards))
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
    return {bean: [deck[bean].talers(n) for n in range(len(row))] for bean, row in body["expect"].items()}, None, None


_KINDS: dict[str, Callable[[Body, Deck], tuple[Seen, Table | None, Table | None]]] = {
    "round": _round, "setup": _setup, "rank": _rank, "yield": _yield,
}  # fmt: skip
