"""Rule cases of Mutabohn, in the exchange format `bohnenpost-mutabohn-cases/1`: as those of the
classic game; a field is null or its runs from the bottom.
"""

from collections.abc import Mapping
from functools import partial
from typing import Any

import msgspec
from msgspec.structs import replace

from rounds.classic.round import ranks
from rounds.engine.beans import PILE_LABEL, RESHUFFLE_LABEL, Deck
from rounds.engine.farm import Stack
from rounds.engine.record import read_record, replay
from rounds.engine.shuffle import listed_chance
from rounds.engine.variant import find
from rounds.mutabohn.account import tell
from rounds.mutabohn.bonus import PILE, fits
from rounds.mutabohn.orders import read_orders
from rounds.mutabohn.round import adjudicate, bonus_of, result, set_up
from rounds.mutabohn.table import ChainFarm, HouseRules, Table, chain, chain_of, deck_for
from rounds.mutabohn.view import view
from tests.cases import Body, Cases, Kind, Seen, classic, read_exchange
from tests.cases.classic import CAST, finished, given_table

PLAIN_BONUS = ("ABCDD",) * 5
"""The bonus pile of a case that does not say."""


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
        seat: classic.told_of_seat(after, seat, account["farms"][seat])
        | {"fields": account["farms"][seat]["fields"]}
        | _bonus(after, seat)
        for seat in after.seats
    }
    end = result(after)
    seen = classic.told(after) | {
        "trades": account["trades"],
        "cashed": [[one["seat"], one["code"], one["field"]] for one in account["cashed"]],
        "fined": account["fined"],
        "fed": [[one["seat"], one["field"], one["talers"]] for one in account["fed"]],
        "bonus_pile": [after.bonus_cards[place] for place in after.bonus_pile],
        "ending": after.ending,
        "score": end and end.score,
        "talers": end and end.talers,
        "ranks": end and end.ranks,
        "hands": end and end.hands,
    }
    return seats | seen, table, after


def _bonus(table: Table, seat: str) -> Seen:
    return {
        "held": list(table.codes(seat)),
        "codes": [code for code, _ in table.cashed[seat]],
        "bonus": bonus_of(table, seat),
        "fines": table.fines[seat],
        "feed": table.feed.get(seat, ""),
    }


def read_table(body: Body, deck: Deck) -> Table:
    """The table a case begins with: it need not hold all cards of the deck."""
    given = body["given"]
    players = given.get("players", 4)
    plain = given_table(given, _rules(given), _farm)
    at = {seat: given.get("seats", {}).get(seat, {}) for seat in plain["seats"]}
    cards, held = list[str](), dict[str, tuple[int | None, ...]]()
    for seat, one in at.items():
        codes = one.get("held", (None, None))
        held[seat] = tuple(None if c is None else len(cards) + i for i, c in enumerate(codes))
        cards += [code or "" for code in codes]
    pile = given.get("bonus", PLAIN_BONUS)
    table = Table(
        **plain,
        held=held,
        bonus_pile=tuple(range(len(cards), len(cards) + len(pile))),
        cashed={
            seat: tuple((code, 1) for code in one.get("codes", ())) for seat, one in at.items()
        },
        fines={seat: one.get("fines", 0) for seat, one in at.items()},
        feed={seat: one["feed"] for seat, one in at.items() if one.get("feed")},
        deck=deck_for(deck, players),
        bonus_cards=(*cards, *pile),
    )
    ran_out = 0 < table.size.run_outs <= table.run_outs
    ending = given.get("ending", ran_out or table.turn >= table.last_turn)
    return finished(replace(table, ending=ending), given)


def _farm(given: Mapping[str, Any]) -> ChainFarm:
    fields = given.get("fields", (None, None))
    return ChainFarm(tuple(map(_field, fields)), len(given.get("coins", ())))


def _field(runs: Any) -> Any:
    return chain_of([Stack(*run) for run in runs]) if runs else None


def _rules(given: Body) -> HouseRules:
    return msgspec.convert(dict(given.get("rules", {})), HouseRules)


def _setup(body: Body, deck: Deck) -> tuple[Seen, Table, Table]:
    given, players = body["given"], body["given"]["players"]
    playing = deck_for(deck, players)
    piles = {PILE_LABEL.format(PILE): given.get("bonus", playing.pile(PILE))}
    drawn = listed_chance(piles, playing)

    def chance(label: str, size: int) -> Any:
        return drawn(label, size) if label in piles else range(size)

    table, _ = set_up(playing, _rules(given), CAST[:players], chance)
    seen = {
        "deck": playing.size,
        "chain": list(chain(playing)),
        "numbers": [playing[variety].cards for variety in chain(playing)],
        "fields": table.size.fields,
        "draws": table.draws(CAST[0]),
        "last": table.size.run_outs or None,
        "hands": [len(hand) for hand in table.hands.values()],
        "held": [list(table.codes(seat)) for seat in table.seats],
        "pile": len(table.draw_pile),
        "bonus_pile": len(table.bonus_pile),
    }
    return seen, table, table


def _bonus_list(_: Body, deck: Deck) -> tuple[Seen, None, None]:
    paid = {card.id: [card.value, card.cards] for card in deck.piles[PILE]}
    return {"order": list(deck.pile(PILE)), "values": paid}, None, None


def _fit(body: Body, _: Deck) -> tuple[Seen, None, None]:
    given = body["given"]
    fields = [_field(runs) for runs in given["fields"]]
    found = [bool(f) and fits(given["code"], f.runs) for f in fields]
    return {"fits": found}, None, None


def _rank(body: Body, _: Deck) -> tuple[Seen, None, None]:
    given = body["given"]
    score, hands = (dict(zip(CAST, given[key], strict=False)) for key in ("score", "hands"))
    rules = _rules({"rules": {"tie": given.get("tie", "hand")}})
    return {"ranks": list(ranks(rules, score, hands).values())}, None, None


def _view(body: Body, deck: Deck) -> tuple[Seen, Table, Table]:
    table = read_table(body, deck)
    found = view(table, body["given"].get("seat"))
    farms = {
        farm.seat: {
            "held": farm.held,
            "bonus": farm.bonus,
            "codes": list(farm.codes),
            "fines": farm.fines,
            "hand": farm.hand,
            "fields": [
                (field.runs and [[run.variety, run.cards] for run in field.runs]) or None
                for field in farm.fields
            ],
        }
        for farm in found.farms
    }
    seen = farms | {
        "held": found.held and [card and card.code for card in found.held],
        "bonus_unseen": found.bonus_unseen,
        "bonus_pile": found.bonus_pile,
    }
    return seen, table, table


def _whole(body: Body, deck: Deck) -> tuple[Seen, Table, Table]:
    record = read_record(msgspec.json.encode(body["given"]["record"]))
    variant = find(record.variant)
    played = replay(record, variant, deck)
    told = [tell(one.before, one.events, one.after) for one in played.rounds]
    last = played.rounds[-1].after
    seen = {
        "rounds": len(told),
        "turn": told[-1]["turn"],
        "trades": sum(len(one["trades"]) for one in told),
        "fed": sum(len(one["fed"]) for one in told),
        "fined": sum(len(one["fined"]) for one in told),
        "cashed": [[cashed["seat"], cashed["code"]] for one in told for cashed in one["cashed"]],
        "fields": {seat: farm["fields"] for seat, farm in told[-1]["farms"].items()},
        "bonus_hands": {seat: list(last.codes(seat)) for seat in last.seats},
        "result": msgspec.to_builtins(played.result),
    }
    return seen, played.start, last


def show(table: Table) -> str:
    """A table in lines."""
    lines = classic.show(table).splitlines()
    return "\n".join([*lines, *(f"{seat:10} {_bonus(table, seat)}" for seat in table.seats)])


KINDS: dict[str, Kind] = {
    "round": _round,
    "setup": _setup,
    "bonus": _bonus_list,
    "fit": _fit,
    "rank": _rank,
    "view": _view,
    "yield": classic.yields,
    "whole": _whole,
}
CASES = Cases(KINDS, show, partial(read_exchange, schema="bohnenpost-mutabohn-cases/1"), seats=CAST)
