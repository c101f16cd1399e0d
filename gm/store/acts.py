"""What game masters asked of several games at once, and what became of it in each."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct, json
from msgspec.structs import asdict

from gm.store.db import Database, column, count, insert, insert_one, select, select_one, update_row


class Act(Struct, frozen=True):
    """What somebody asked of several games. `token`: of the button, which counts once; `asked`:
    what, as JSON; `undoes`: the act it takes back; `told_at`: when mails about it were queued.
    """

    id: int
    token: str
    asked: str
    by_address: str
    by_name: str
    at: int
    undoes: int | None
    told_at: int | None


class Part(Struct, frozen=True):
    """One game of an act. `seen`: how it stood when the act was asked for; `outcome`: what became
    of it, as JSON, None while it waits; `note`: the one that was made, None if nothing changed;
    `told`: the numbers of the seats that get a mail about it, as JSON.
    """

    act: int
    game: str
    seen: str
    outcome: str | None
    note: int | None
    told: str

    @property
    def seats(self) -> tuple[int, ...]:
        """The numbers of the seats that get a mail about it."""
        return json.decode(self.told, type=tuple[int, ...])


def add(db: Database, act: Mapping[str, Any], games: Mapping[str, str]) -> int:
    """Add an act with its games, each as it was seen; returns the act's number. Inside `write`."""
    number = insert_one(db, "act", act)
    seen = enumerate(games.items())
    insert(
        db, "act_game", [{"act": number, "place": n, "game": g, "seen": s} for n, (g, s) in seen]
    )
    return number


def by_id(db: Database, number: int) -> Act | None:
    """The act with this number; None if there is none."""
    return select_one(db, Act, "SELECT * FROM act WHERE id = ?", number)


def by_token(db: Database, token: str) -> Act | None:
    """The act that a button asked for; None if it was not pressed."""
    return select_one(db, Act, "SELECT * FROM act WHERE token = ?", token)


def newest_of(db: Database, by_address: str, since: int) -> Act | None:
    """The newest act of somebody since an instant; None if there is none."""
    sql = "SELECT * FROM act WHERE by_address = ? AND at > ? ORDER BY id DESC LIMIT 1"
    return select_one(db, Act, sql, by_address, since)


def undone_by(db: Database, number: int) -> Act | None:
    """The act that takes this one back; None if none does."""
    return select_one(db, Act, "SELECT * FROM act WHERE undoes = ?", number)


def parts(db: Database, number: int) -> list[Part]:
    """The games of an act, in the order of the list they were chosen from."""
    return select(db, Part, "SELECT * FROM act_game WHERE act = ? ORDER BY place", number)


def open_numbers(db: Database) -> list[int]:
    """The acts of which games wait, or whose mails are not queued, the oldest first; the rest of
    their rows need not be readable.
    """
    return column(db, "SELECT id FROM act WHERE told_at IS NULL ORDER BY id")


def is_waiting(db: Database, since: int, now: int) -> bool:
    """Whether games wait for an act that was asked for since an instant."""
    sql = "SELECT count(*) FROM act WHERE told_at IS NULL AND at > ? AND at <= ?"
    return count(db, sql, since, now) > 0


def keep(db: Database, part: Part) -> None:
    """Store what became of a game."""
    row = asdict(part)
    key = {name: row.pop(name) for name in ("act", "game")}
    update_row(db, "act_game", key, row)


def told(db: Database, number: int, at: int) -> None:
    """Mark an act as finished: its mails are queued."""
    update_row(db, "act", {"id": number}, {"told_at": at})
