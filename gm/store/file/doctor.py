"""What is wrong with the file and its rows, and what is held or was refused, even if its row is
damaged.
"""

import sqlite3
from collections.abc import Callable, Iterator
from typing import Any
from zoneinfo import ZoneInfo

import msgspec
from msgspec import Struct
from msgspec.structs import FieldInfo

from gm import errors, store
from gm.calendar import Rule
from gm.store.accounts import Master, MyGames
from gm.store.acts import Act, Part
from gm.store.db import Database
from gm.store.games import Game
from gm.store.lists import Press, Revision
from gm.store.mails import Mail
from gm.store.notes import Note, OwnNotes
from gm.store.requests import Follower, Joining
from gm.store.rounds import ClosedRound
from gm.store.seats import DeadLink, Seat
from gm.store.sqlite import File
from rounds.engine.record import ReceiptProof
from rounds.engine.variant import find


class DamagedColumn(Struct, frozen=True):
    """A column of a row that cannot be read, and why. `key`: the key of the row."""

    table: str
    key: dict[str, Any]
    column: str
    why: str

    @property
    def place(self) -> str:
        """Where it stands: table, key, column."""
        return (
            f"table {self.table}, row {' '.join(map(str, self.key.values()))}, column {self.column}"
        )

    @property
    def game(self) -> str | None:
        """The game of the row; None if it belongs to none."""
        return self.key.get("game", self.key.get("id")) if self.table != "gm" else None


def _json_of(kind: Any) -> Callable[[str], object]:
    return lambda text: msgspec.json.decode(text, type=kind)


def _calendar(text: str) -> object:
    rule = msgspec.json.decode(text, type=Rule)
    return ZoneInfo(rule.zone)


KINDS: dict[str, type[Struct]] = {
    "game": Game,
    "seat": Seat,
    "revision": Revision,
    "press": Press,
    "note": Note,
    "act": Act,
    "act_game": Part,
    "own_notes": OwnNotes,
    "round": ClosedRound,
    "withdrawn": ClosedRound,
    "joining": Joining,
    "dead_link": DeadLink,
    "gm": Master,
    "my_games": MyGames,
    "follower": Follower,
    "mail": Mail,
}
LISTS, PROOFS = dict[str, str | None], dict[str, ReceiptProof | None]
MEANINGS: dict[str, dict[str, Callable[[str], object]]] = {
    "game": {
        "variant": find,
        "rule": _calendar,
        "house_rules": _json_of(dict),
        "setup": _json_of(dict),
        "standing": _json_of(list),
    },
    "seat": {"reminder_leads": _json_of(tuple[int, ...])},
    "act": {"asked": _json_of(dict)},
    "act_game": {"outcome": _json_of(dict), "told": _json_of(tuple[int, ...])},
    "gm": {"mails": _json_of(tuple[str, ...])},
    "round": {"orders": _json_of(LISTS), "receipts": _json_of(PROOFS)},
    "withdrawn": {"orders": _json_of(LISTS), "receipts": _json_of(PROOFS)},
}
"""What the text of a column must be readable as."""


def held_games(db: Database) -> list[tuple[str, str | None]]:
    """The held games, each with why; the rest of their row need not be readable."""
    return db.execute("SELECT id, error FROM game WHERE status = 'held' ORDER BY id").fetchall()


def refusals(db: Database) -> list[tuple[str, int, str, str, str, int]]:
    """The refused mails: kind, round, address, why, game and when; the rest of the row need not
    be readable.
    """
    sql = """SELECT kind, round, address, error, game, failed_at FROM mail
             WHERE failed_at IS NOT NULL AND withdrawn_at IS NULL ORDER BY id"""
    return db.execute(sql).fetchall()


def damaged_columns(db: File) -> Iterator[DamagedColumn]:
    """Every column of every table that cannot be read as the service reads it, and the tables of
    games that the rules cannot read.
    """
    for table, kind in KINDS.items():
        fields = msgspec.structs.fields(kind)
        # a name cannot be bound; ours
        for (row,) in db.execute(f"SELECT rowid FROM {table}").fetchall():
            for column, why in _damage(db, table, fields, row):
                yield DamagedColumn(table, _key_of(db, table, row), column, why)
    for game in store.games.all_games(db):
        yield from _unreadable_tables(db, game)


def _damage(
    db: File, table: str, fields: tuple[FieldInfo, ...], row: int
) -> Iterator[tuple[str, str]]:
    try:
        # a name cannot be bound; ours
        rows = list(db.query(f"SELECT * FROM {table} WHERE rowid = ?", [row]))
    except sqlite3.DatabaseError:  # a column cannot be fetched; its cell tells which
        rows = [{}]
    if not rows:  # deleted meanwhile
        return
    for field in fields:
        try:
            value = rows[0][field.name] if rows[0] else _cell(db, table, row, field.name)
            msgspec.convert(value, field.type)
            read = MEANINGS.get(table, {}).get(field.name)
            if read is not None and value is not None:
                read(value)
            if field.name == "events":
                find(_variant_of(db, table, row)).read_events(value)
        except (msgspec.MsgspecError, LookupError, ValueError, sqlite3.DatabaseError) as error:
            if errors.is_environment(error):
                raise
            yield field.name, str(error)


def _variant_of(db: File, table: str, row: int) -> str:
    # names of our own
    sql = f"SELECT variant FROM game JOIN {table} ON game.id = {table}.game WHERE {table}.rowid = ?"
    row_found = db.execute(sql, [row]).fetchone()
    return str(row_found[0]) if row_found else ""


def _key_of(db: File, table: str, row: int) -> dict[str, Any]:
    """The game of a row and the values of its key; one that cannot be read is `(rowid 7)`."""
    columns = (
        dict.fromkeys(["game", *db.table(table).pks])
        if table not in ("game", "gm", "my_games")
        else db.table(table).pks
    )
    key: dict[str, Any] = {}
    for column in columns:
        try:
            key[column] = _cell(db, table, row, column)
        except sqlite3.OperationalError:
            key[column] = f"(rowid {row})"
    return key


def _cell(db: File, table: str, row: int, column: str) -> Any:
    # names of our own
    return db.execute(f"SELECT {column} FROM {table} WHERE rowid = ?", [row]).fetchone()[0]


def _unreadable_tables(db: File, game: Game) -> Iterator[DamagedColumn]:
    for number, _ in store.rounds.closing_times(db, game.id):
        try:
            store.rounds.table_after(db, game, number)
        except Exception as error:
            if errors.is_environment(error):
                raise
            yield DamagedColumn("round", {"game": game.id, "number": number}, "state", str(error))
