"""Closed rounds, the tables after them, and the deck behind them."""

from collections.abc import Sequence
from functools import lru_cache

import msgspec
from msgspec import Struct
from sqlite_utils import Database

from gm import seeds
from gm.store.db import select, select_one
from gm.store.games import Game
from gm.store.seats import Seat, seats
from rounds.events import AnyEvent
from rounds.shuffle import shuffled_deck
from rounds.variant import Table

DECKS = 500
"""So many decks are remembered: each is asked for by every player's page and by every step of a round."""


class ClosedRound(Struct, frozen=True):
    """A round as it was closed (number 0: the start): lists used per seat (None: NMR), events, and the table after it, packed.

    `version`: 1, or one more each time the round was taken back and played again. `receipts`: what was answered to the lists
    used; `chain`: the hash over this round and all before it, None in games that began before there was one.
    """

    game: str
    number: int
    deadline: int | None
    closed_at: int
    orders: str
    events: str
    state: str
    version: int = 1
    receipts: str = "{}"
    chain: str | None = None

    @property
    def lists(self) -> dict[str, str | None]:
        """The lists that were played, per seat."""
        return msgspec.json.decode(self.orders, type=dict[str, str | None])

    @property
    def happened(self) -> tuple[AnyEvent, ...]:
        """The events, in order."""
        return _decode_events(self.events)


_decode_events = msgspec.json.Decoder(tuple[AnyEvent, ...]).decode


def withdrawn(db: Database, game_id: str, number: int) -> list[ClosedRound]:
    """What was taken back of a round, oldest first."""
    sql = "SELECT * FROM withdrawn WHERE game = ? AND number = ? ORDER BY version"
    return select(db, ClosedRound, sql, game_id, number)


def closed_rounds(db: Database, game_id: str, numbers: Sequence[int] | None = None) -> list[ClosedRound]:
    """The start and all closed rounds, or consecutive ones of them, oldest first."""
    if numbers is None:
        return select(db, ClosedRound, "SELECT * FROM round WHERE game = ? ORDER BY number", game_id)
    sql = "SELECT * FROM round WHERE game = ? AND number BETWEEN ? AND ? ORDER BY number"
    return select(db, ClosedRound, sql, game_id, numbers[0], numbers[-1])


def closing_times(db: Database, game_id: str) -> list[tuple[int, int]]:
    """The number of each closed round, and when it was closed; oldest first, 0 is the start."""
    return db.execute("SELECT number, closed_at FROM round WHERE game = ? ORDER BY number", [game_id]).fetchall()


def closed_round(db: Database, game_id: str, number: int) -> ClosedRound | None:
    """One closed round; 0 is the start."""
    return select_one(db, ClosedRound, "SELECT * FROM round WHERE game = ? AND number = ?", game_id, number)


def cards(db: Database, of: Game) -> tuple[str, ...]:
    """The shuffled deck, worked out again from the secret: it is stored nowhere. Nobody else reads `secret` while a game runs.

    Raises LookupError before the start of the game.
    """
    row = db.execute("SELECT secret FROM secret WHERE game = ?", [of.id]).fetchone()
    if row is None or of.setup is None:
        raise LookupError(f"{of.id} has no deck before its start")
    return _shuffled(of.id, row[0], of.setup, tuple(phrases(db, of).items()), of.variant)


@lru_cache(DECKS)
def _shuffled(game_id: str, secret: bytes, setup: str, given: tuple[tuple[str, str], ...], variant: str) -> tuple[str, ...]:
    return shuffled_deck(game_id, secret, msgspec.json.decode(setup), dict(given), seeds.deck(variant))


def phrases(db: Database, of: Game) -> dict[str, str]:
    """The players' phrases that go into the deck; none at level 1."""
    return {seat.name: seat.phrase for seat in seats(db, of.id)} if of.level == 2 else {}


def unconfirmed(db: Database, of: Sequence[Seat]) -> list[str]:
    """The seats before the start that were typed in and that no person has confirmed, by a mailed button or by saying so.

    A seat with a phrase is confirmed, since only these two doors take one.
    """
    sql = "SELECT 1 FROM joining WHERE game = ? AND confirmed_at IS NOT NULL AND lower(address) = lower(?)"
    silent = [seat for seat in of if not seat.robot and not seat.phrase and seat.ready_at is None]
    return [seat.name for seat in silent if db.execute(sql, [seat.game, seat.address]).fetchone() is None]


def revealed_secret(db: Database, of: Game) -> str | None:
    """The secret behind the commitment, in hex, once the game is over; None before."""
    if of.status != "finished":
        return None
    row = db.execute("SELECT secret FROM secret WHERE game = ?", [of.id]).fetchone()
    return row[0].hex() if row else None


def table_after(db: Database, of: Game, number: int) -> Table:
    """The table after a closed round (0: after the start), as the rules know it. Raises LookupError if it is not closed."""
    closed = closed_round(db, of.id, number)
    if closed is None:
        raise LookupError(f"round {number} of {of.id} is not closed")
    return of.engine.unpack(closed.state.encode(), seeds.deck(of.variant), cards(db, of))


def open_table(db: Database, of: Game) -> Table:
    """The table the open round is played on; after the last round the table of the end."""
    return table_after(db, of, of.round - 1)
