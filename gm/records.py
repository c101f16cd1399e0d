"""A stored game as a record that anybody can play again."""

import msgspec
from msgspec import UNSET
from sqlite_utils import Database

from gm import store
from gm.store import Game
from rounds.record import Record, RoundRecord


def record_of(db: Database, game: Game, *, with_deck: bool) -> Record:
    """The record as far as the game has come. `with_deck` only where nobody sees it, or once the game is over."""
    return Record(
        format="bohnenpost/1",
        variant=game.variant,
        game=game.id,
        seats=tuple(seat.name for seat in store.seats(db, game.id)),
        house_rules=msgspec.json.decode(game.house_rules),
        deck=store.cards(db, game) if with_deck else UNSET,
        rounds=tuple(RoundRecord(closed.lists) for closed in store.closed_rounds(db, game.id) if closed.number),
    )
