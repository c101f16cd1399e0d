"""What programs are told of games, rounds and seats: plain JSON, the same as people see on pages and no more."""

from typing import Any

import msgspec
from msgspec import Struct
from sqlite_utils import Database

from gm import clock, errors, store
from gm.game.awaited import lists_in
from gm.game.orders import Receipt, in_time
from gm.installation import Installation
from gm.proof.early import early_closing
from gm.rendering.reports import report
from gm.store import Game, Seat
from rounds.notation import Orders
from rounds.variant import Step, Table


def deadline(game: Game) -> str | None:
    """When the open round ends, as programs are told it; None for a round that is closed by hand."""
    return _written(game.deadline)


def _written(instant: int | None) -> str | None:
    return None if instant is None else clock.written(instant)


def public_games(home: Installation, db: Database) -> list[dict[str, Any]]:
    """All public games. One of which something cannot be read is left out."""
    found = []
    for game in store.games(db):
        if not game.is_public:
            continue
        with errors.passed_over(f"{game.id} in the list of games"):
            found.append(game_line(home, db, game))
    return found


def game_line(home: Installation, db: Database, game: Game) -> dict[str, Any]:
    """A game as it stands in a list."""
    seats = store.seats(db, game.id)
    return {
        "game": game.id,
        "name": game.name,
        "variant": game.variant,
        "status": game.status,
        "seats": [seat.name for seat in seats],
        "robots": [seat.name for seat in seats if seat.robot],
        "max_seats": game.seats,
        "round": game.round,
        "deadline": deadline(game),
        "page": home.game_url(game),
    }


def whole_game(home: Installation, db: Database, game: Game) -> dict[str, Any]:
    """A game as anybody may see it: house rules, the promise behind the deck, the table, how many lists are in."""
    seats = store.seats(db, game.id)
    newest, lists = store.closed_round(db, game.id, game.round - 1) if game.round else None, lists_in(db, game)
    return game_line(home, db, game) | {
        "description": game.description,
        "house_rules": msgspec.json.decode(game.house_rules),
        "commitment": game.commitment,
        "lists_in": lists.number,
        "lists_awaited": len(lists.awaited),
        "closes_early_at": _written(early_closing(db, game)),
        "awaited": [seat.name for seat in seats if game.is_open and game.awaits(seat.name)],
        "chain": newest.chain if newest else None,
        "table": _plain(game.engine.view(store.open_table(db, game), None)) if newest else None,
        "record": f"{home.game_url(game)}/record.json",
    }


def closed_round(db: Database, game: Game, number: int) -> dict[str, Any]:
    """A closed round: row, piles, farms and lists as in a record played again, what was written, and what proves it.

    Raises LookupError if it is not closed.
    """
    told = report(db, game, number)
    receipts: dict[str, Any] = _plain(told.receipts)
    if game.status != "finished":
        receipts = {seat: used and {key: used[key] for key in ("revision", "receipt")} for seat, used in receipts.items()}
    before, after = store.table_after(db, game, number - 1), store.table_after(db, game, number)
    played: dict[str, Any] = _plain(game.engine.tell(before, told.events, after))
    if game.status == "finished":
        played |= _plain(game.engine.secrets(before, told.events, after))
    return {
        "game": game.id,
        "round": number,
        "version": told.version,
        "closed": clock.written(told.closed_at),
        **played,
        "press": [{"seat": name, "text": text} for name, text in told.press],
        "notes": [{"kind": n.kind, "at": clock.written(n.at), "seat": n.seat, "text": n.text} for n in told.notes],
        "receipts": receipts,
        "sources": told.sources,
        "chain": told.chain,
    }


class Own(Struct, frozen=True):
    """A seat with what only its player may see: the list that counts, press and words for the open round."""

    game: Game
    seat: Seat
    press: str
    to_gm: str


def own_seat(home: Installation, db: Database, own: Own) -> dict[str, Any]:
    """What the order page shows."""
    game, seat = own.game, own.seat
    newest = store.newest_revisions(db, game.id, game.round).get(seat.number)
    table = store.open_table(db, game) if game.round else None
    orders = table is not None and game.status != "finished" and game.takes(seat.name)
    stand_in = game.engine.write_orders(table, game.engine.stand_in(table, seat.name)) if orders else None
    return game_line(home, db, game) | {
        "seat": seat.name,
        "closes_early_at": _written(early_closing(db, game)),
        "takes_orders": in_time(game, clock.now()) and game.takes(seat.name),
        "table": _plain(game.engine.view(table, seat.name)) if table is not None else None,
        "list": None if newest is None else listed(newest, seat),
        "press": own.press,
        "note": own.to_gm,
        "if_absent": stand_in,
    }


def checked(game: Game, table: Table, seat: Seat, orders: Orders) -> dict[str, Any]:
    """A list that would be accepted: canonical, with what each order does."""
    steps = game.engine.preview(table, seat.name, orders)
    return {
        "round": game.round,
        "orders": game.engine.write_orders(table, orders),
        "steps": [_step(step) for step in steps],
    }


def _step(step: Step) -> dict[str, Any]:
    """`event`: the first of its events, the only one in most games."""
    events = [_plain(event.named) for event in step.events]
    return {"event": events[0] if events else None, "events": events, "farm": _plain(step.farm)}


def receipt(given: Receipt, seat: Seat) -> dict[str, Any]:
    """The answer to a stored list."""
    return listed(given.revision, seat) | {"new": given.is_new}


def listed(revision: store.Revision, seat: Seat) -> dict[str, Any]:
    """A stored list, with the digest that its receipt and the report print; what it says only for the link that sent it."""
    return {
        "round": revision.round,
        "revision": revision.number,
        "orders": revision.orders if revision.is_of(seat) else None,
        "source": revision.source,
        "at": clock.written(revision.at),
        "digest": revision.digest(seat.name),
    }


def _plain(value: Any) -> Any:
    return msgspec.to_builtins(value)
