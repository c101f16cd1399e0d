"""Closed rounds, the tables after them, and the deck behind them."""

from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from typing import Any

import msgspec
from msgspec import Struct

from gm import seeds
from gm.store.db import Database, as_list, count, insert, select, select_one
from gm.store.games import Game
from gm.store.seats import Seat
from rounds.engine.beans import Deck
from rounds.engine.shuffle import Chance, chance_of
from rounds.engine.variant import Table, Variant, find

LATELY = 8
"""Number of closed rounds in which NMRs in a row are looked for."""
CACHED = 500
"""Number of decks, and of chances, that are cached: every page of a player and every step of a
round asks for one.
"""


class Waited(Struct, frozen=True):
    """Whom a closed round waited for: the orders used per seat, as JSON (None: NMR). `awaited`: the
    awaited seats that had to order, as JSON (None: all whose orders were taken).
    """

    game: str
    closed_at: int
    orders: str
    awaited: str | None

    @property
    def lists(self) -> dict[str, str | None]:
        """The orders that were played, per seat."""
        return msgspec.json.decode(self.orders, type=dict[str, str | None])

    @property
    def kept_waiting(self) -> dict[str, bool]:
        """The seats that had to order, and whether nothing came (an NMR)."""
        lists = self.lists
        awaited = (
            lists if self.awaited is None else msgspec.json.decode(self.awaited, type=list[str])
        )
        return {seat: lists.get(seat) is None for seat in awaited}


class ClosedRound(Waited, frozen=True):
    """A round as it was closed (number 0: the start): the orders, events, and the stored table
    after it.

    `version`: 1, or one more each time the round was taken back and played again. `receipts`:
    what was answered to the orders used; `chain`: the hash over this round and all before it.
    """

    number: int
    deadline: int | None
    events: str
    state: str
    version: int
    receipts: str
    chain: str


def add(db: Database, row: Mapping[str, Any]) -> None:
    """Store a closed round. Raises sqlite3.IntegrityError if it is closed already."""
    insert(db, "round", [row])


def withdraw(db: Database, closed: ClosedRound) -> None:
    """Move a closed round to the table of those that were taken back."""
    insert(db, "withdrawn", [{name: getattr(closed, name) for name in closed.__struct_fields__}])
    db.execute("DELETE FROM round WHERE game = ? AND number = ?", [closed.game, closed.number])


def next_version(db: Database, game_id: str, number: int) -> int:
    """The version that the round will have when it is closed next."""
    sql = "SELECT coalesce(max(version), 0) + 1 FROM withdrawn WHERE game = ? AND number = ?"
    return count(db, sql, game_id, number)


def withdrawn(db: Database, game_id: str, number: int) -> list[ClosedRound]:
    """The versions of a round that were taken back, oldest first."""
    sql = "SELECT * FROM withdrawn WHERE game = ? AND number = ? ORDER BY version"
    return select(db, ClosedRound, sql, game_id, number)


def closed(db: Database, game_id: str, numbers: Sequence[int] | None = None) -> list[ClosedRound]:
    """The start and all closed rounds, or consecutive ones of them, oldest first."""
    if numbers is None:
        return select(
            db, ClosedRound, "SELECT * FROM round WHERE game = ? ORDER BY number", game_id
        )
    sql = "SELECT * FROM round WHERE game = ? AND number BETWEEN ? AND ? ORDER BY number"
    return select(db, ClosedRound, sql, game_id, numbers[0], numbers[-1])


def waited_for_lately(db: Database, games: Sequence[str]) -> dict[str, list[Waited]]:
    """Whom the last rounds of these games waited for, oldest first; none of a game in which nobody
    was silent in them.
    """
    sql = """
        SELECT round.game, closed_at, orders, round.awaited
        FROM round
        JOIN game ON game.id = round.game
        WHERE round.game IN (SELECT value FROM json_each(?)) AND number > 0
        AND number >= game.round - ?
        AND EXISTS (SELECT 1 FROM round AS silent
          WHERE silent.game = game.id AND silent.number > 0 AND silent.number >= game.round - ?
          AND silent.orders LIKE '%:null%')
        ORDER BY round.game, number
    """
    found: dict[str, list[Waited]] = {game: [] for game in games}
    for one in select(db, Waited, sql, as_list(games), LATELY, LATELY):
        found[one.game].append(one)
    return found


def last_closed(db: Database, games: Sequence[str]) -> dict[str, int]:
    """When the last round of each of these games was closed, if one was; the start counts."""
    sql = """SELECT game, max(closed_at) FROM round
             WHERE game IN (SELECT value FROM json_each(?)) GROUP BY game"""
    return dict(db.execute(sql, [as_list(games)]).fetchall())


def newest_chains(db: Database, games: Sequence[str]) -> dict[str, str]:
    """The chain value of the last closed round of each of these games."""
    # what is no hexadecimal number may be no text either, which cannot be fetched
    sql = """SELECT game, CASE WHEN chain < 'g' THEN chain ELSE '' END FROM round
             JOIN game ON game.id = round.game AND round.number = game.round - 1
             WHERE game IN (SELECT value FROM json_each(?))"""
    return dict(db.execute(sql, [as_list(games)]).fetchall())


def events_before(db: Database, game_id: str, number: int) -> list[str]:
    """The stored events of each closed round from 1 to the one before this, oldest first."""
    sql = "SELECT events FROM round WHERE game = ? AND number BETWEEN 1 AND ? ORDER BY number"
    return [events for (events,) in db.execute(sql, [game_id, number - 1])]


def closing_times(db: Database, game_id: str) -> list[tuple[int, int]]:
    """The number of each closed round and when it was closed, oldest first; 0 is the start."""
    return db.execute(
        "SELECT number, closed_at FROM round WHERE game = ? ORDER BY number", [game_id]
    ).fetchall()


LISTS_DUE = """seat JOIN round ON round.game = seat.game
             JOIN json_each(CASE WHEN json_valid(round.orders) THEN round.orders ELSE '{}' END)
             AS list ON list.key = seat.name
             AND round.closed_at > coalesce(seat.player_since, 0) AND (round.awaited IS NULL
             OR list.key IN (SELECT value FROM json_each(round.awaited)))"""
"""Every list that the present player of a seat was to send, null for an NMR."""


def awaited_of_players(db: Database, game_id: str) -> dict[int, tuple[int, int]]:
    """(rounds due, NMRs) of whoever plays each seat of a game, by the number of the seat: over all
    games, since they hold their seats.
    """
    sql = f"""SELECT own.number, count(*), count(*) FILTER (WHERE list.type = 'null')
             FROM {LISTS_DUE} JOIN seat AS own ON lower(seat.address) = lower(own.address)
             WHERE own.game = ? GROUP BY own.number"""  # noqa: S608
    rows = db.execute(sql, [game_id]).fetchall()
    return {number: (rounds, nmrs) for number, rounds, nmrs in rows}


def next_waiting(db: Database, address: str, but: str, now: int) -> Game | None:
    """The next game, except one, that waits for orders of exactly this address; those without a
    deadline come last.
    """
    sql = """
        SELECT game.*
        FROM seat
        JOIN game ON game.id = seat.game
        WHERE lower(seat.address) = lower(?) AND seat.address || '' = ? AND game.id <> ?
        AND game.status = 'running' AND (game.deadline IS NULL OR game.deadline > ?)
        AND NOT EXISTS (SELECT 1 FROM revision
          WHERE revision.game = game.id AND revision.round = game.round
          AND revision.seat = seat.number AND revision.void_at IS NULL)
        AND (game.awaited IS NULL OR seat.name IN (SELECT value FROM json_each(game.awaited)))
        ORDER BY game.deadline IS NULL, game.deadline, game.id
        LIMIT 1
    """
    return select_one(db, Game, sql, address, address, but, now)


def get(db: Database, game_id: str, number: int) -> ClosedRound | None:
    """One closed round (0 is the start); None if it is not closed."""
    return select_one(
        db, ClosedRound, "SELECT * FROM round WHERE game = ? AND number = ?", game_id, number
    )


def silent_before(db: Database, game: Game) -> dict[str, bool]:
    """The seats that had to order in the last closed round in which any had to, and whether
    nothing came.
    """
    for number in range(game.round - 1, 0, -1):
        closed = get(db, game.id, number)
        if closed and closed.kept_waiting:
            return closed.kept_waiting
    return {}


def add_secret(db: Database, game_id: str, secret: bytes) -> None:
    """Store the secret that the deck of a game is shuffled by."""
    insert(db, "secret", [{"game": game_id, "secret": secret}])


def deck(game: Game) -> Deck:
    """The deck of a game; from the start on the one for its number of seats."""
    return _deck(game.variant, game.setup)


@lru_cache(CACHED)
def _deck(variant: str, setup: str | None) -> Deck:
    full = seeds.deck(variant)
    return find(variant).deck_for(full, len(msgspec.json.decode(setup)["seats"])) if setup else full


def chance(db: Database, game: Game) -> Chance:
    """The chance of a game, computed from its secret. Nothing else reads `secret` while a game
    runs.

    Raises LookupError before the start of the game.
    """
    row = db.execute("SELECT secret FROM secret WHERE game = ?", [game.id]).fetchone()
    if row is None or game.setup is None:
        raise LookupError(f"{game.id} has no deck before its start")
    return _chance(game.id, row[0], game.setup)


@lru_cache(CACHED)
def _chance(game_id: str, secret: bytes, setup: str) -> Chance:
    return chance_of(game_id, secret, msgspec.json.decode(setup), {})


def unconfirmed(db: Database, seats: Sequence[Seat]) -> list[str]:
    """The names of seats that were typed in and that no person has confirmed, by a mailed button
    or by saying that they are there.
    """
    sql = """SELECT 1 FROM joining WHERE game = ? AND confirmed_at IS NOT NULL
             AND lower(address) = lower(?)"""
    silent = [seat for seat in seats if not seat.robot and seat.ready_at is None]
    return [
        seat.name
        for seat in silent
        if db.execute(sql, [seat.game, seat.address]).fetchone() is None
    ]


def all_chains(db: Database) -> dict[str, dict[str, int]]:
    """Every chain value that reports have told, with its round, by game; also of rounds that
    were taken back.
    """
    sql = "SELECT game, chain, number FROM round UNION SELECT game, chain, number FROM withdrawn"
    chains: dict[str, dict[str, int]] = {}
    for game, chain, number in db.execute(sql).fetchall():
        chains.setdefault(game, {})[chain] = number
    return chains


def revealed_secret(db: Database, game: Game) -> str | None:
    """The secret behind the commitment, in hex, once the game is over; None before."""
    if game.status != "finished":
        return None
    row = db.execute("SELECT secret FROM secret WHERE game = ?", [game.id]).fetchone()
    return row[0].hex() if row else None


def table_after(db: Database, game: Game, number: int) -> Table:
    """The table after a closed round (0: after the start), as the rules know it. Raises
    LookupError if it is not closed.
    """
    closed = get(db, game.id, number)
    if closed is None:
        raise LookupError(f"round {number} of {game.id} is not closed")
    return table_of(db, game, closed.state)


def table_of(db: Database, game: Game, state: str) -> Table:
    """A stored table. Raises msgspec.MsgspecError for damaged text."""
    return game.engine.storage.unpack(state.encode(), deck(game), chance(db, game))


def whose_turn(variant: Variant, table: Table, seats: Sequence[str]) -> dict[str, str | None]:
    """The columns of a game that say who orders on a table."""
    named = {"awaited": variant.awaited(table), "may_order": variant.may_order(table)}
    return {column: seats_as_stored(names, seats) for column, names in named.items()}


def seats_as_stored(names: Sequence[str], seats: Collection[str]) -> str | None:
    """A JSON list for `awaited` and `may_order`; None if it names every seat."""
    return None if set(names) >= set(seats) else as_list(names)


def open_table(db: Database, game: Game) -> Table:
    """The table on which the open round is played; after the last round the table of the end."""
    return table_after(db, game, game.round - 1)
